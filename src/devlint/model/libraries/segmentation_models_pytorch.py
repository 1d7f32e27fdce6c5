"""segmentation_models.pytorch."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, SOME, Library, bases
from devlint.model.torch.effects import words

_NETWORKS = "DPT DeepLabV3 DeepLabV3Plus FPN Linknet MAnet PAN PSPNet Segformer UPerNet Unet UnetPlusPlus"

LIBRARY = Library(
    bases={
        **bases(PLAIN, _NETWORKS, "segmentation_models_pytorch"),
        **bases(
            PLAIN,
            """
            DiceLoss FocalLoss JaccardLoss LovaszLoss MCCLoss SoftBCEWithLogitsLoss SoftCrossEntropyLoss
            TverskyLoss
            """,
            "segmentation_models_pytorch.losses",
        ),
        **bases(
            PLAIN,
            """
            Attention ClassificationHead Conv2dReLU SegmentationHead SegmentationModel
            """,
            "segmentation_models_pytorch.base",
        ),
    },
    factories=frozenset(
        {
            "segmentation_models_pytorch.create_model",
            "segmentation_models_pytorch.encoders.get_encoder",
            "segmentation_models_pytorch.from_pretrained",
        }
    ),
    # With a head for classes they return two tensors.
    networks=dict.fromkeys(words(_NETWORKS + " create_model", "segmentation_models_pytorch."), SOME),
)
