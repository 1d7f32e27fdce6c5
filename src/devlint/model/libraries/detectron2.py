"""detectron2."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Base, Library, bases
from devlint.model.torch.effects import words

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            """
            Backbone BaseKeypointRCNNHead BaseMaskRCNNHead FPN FastRCNNOutputLayers GeneralizedRCNNWithTTA
            MMDetBackbone MMDetDetector MViT ROIHeads ResNet ResNetBlockBase SimpleFeaturePyramid
            StandardROIHeads SwinTransformer ViT
            """,
            "detectron2.modeling",
        ),
        # `device` is that of pixel_mean, a buffer; forward moves its inputs there.
        **bases(
            Base(device=True),
            "FCOS GeneralizedRCNN PanopticFPN ProposalNetwork RetinaNet SemanticSegmentor",
            "detectron2.modeling",
            "detectron2.modeling.meta_arch",
        ),
        **bases(
            PLAIN,
            """
            ASPP CNNBlockBase Conv2d CycleBatchNormList DeformConv DepthwiseSeparableConv2d FrozenBatchNorm2d
            ModulatedDeformConv NaiveSyncBatchNorm ROIAlign ROIAlignRotated
            """,
            "detectron2.layers",
        ),
    },
    copy_moving=words(
        "BitMasks Boxes ImageList Instances Keypoints ROIMasks RotatedBoxes", "detectron2.structures."
    ),
)
