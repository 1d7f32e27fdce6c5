"""torchvision."""

from __future__ import annotations

from devlint.model.libraries.record import NETWORK, PLAIN, SOME, Base, Library, bases
from devlint.model.torch.effects import DRAWN, GROWN, JOINED, NOTHING, UNARY, Mix, Op, Out, Rank, table, words

# Of a PIL image or an array: on the CPU.
_MADE = Op(Mix.FREE, Out.CPU, rank=Rank.SOME)
_IMAGE = """
    adjust_brightness adjust_contrast adjust_gamma adjust_hue adjust_saturation adjust_sharpness affine
    autocontrast center_crop convert_image_dtype crop equalize erase gaussian_blur hflip invert normalize pad
    perspective posterize resize resized_crop rgb_to_grayscale rotate solarize vflip
"""

_FUNCTIONS: dict[str, Op] = {
    **table(_MADE, "pil_to_tensor to_tensor", "torchvision.transforms.functional."),
    **table(_MADE, "pil_to_tensor", "torchvision.transforms.v2.functional."),
    **table(_MADE, "decode_image read_file read_image", "torchvision.io."),
    **table(GROWN, _IMAGE, "torchvision.transforms.functional."),
    **table(GROWN, "make_grid", "torchvision.utils."),
    **table(NOTHING, "save_image", "torchvision.utils."),
    **table(JOINED, "batched_nms nms", "torchvision.ops."),
    **table(JOINED, "box_iou complete_box_iou distance_box_iou generalized_box_iou", "torchvision.ops."),
    **table(UNARY, "box_area box_convert clip_boxes_to_image", "torchvision.ops."),
    **table(JOINED, "deform_conv2d ps_roi_align ps_roi_pool roi_align roi_pool", "torchvision.ops."),
    "torchvision.ops.sigmoid_focal_loss": Op(Mix.ELEMENTWISE, Out.SAME),
    **table(DRAWN, "drop_block2d drop_block3d stochastic_depth", "torchvision.ops."),
}

_CLASSES = """
    AlexNet ConvNeXt DenseNet EfficientNet MNASNet MaxVit MobileNetV2 MobileNetV3 RegNet ResNet ShuffleNetV2
    SqueezeNet SwinTransformer VGG VisionTransformer
"""
# They return one tensor, of images or of videos.
_ONE = words(
    """
    alexnet convnext_base convnext_large convnext_small convnext_tiny densenet121 densenet161 densenet169
    densenet201 efficientnet_b0 efficientnet_b1 efficientnet_b2 efficientnet_b3 efficientnet_b4
    efficientnet_b5 efficientnet_b6 efficientnet_b7 efficientnet_v2_l efficientnet_v2_m efficientnet_v2_s
    maxvit_t mnasnet0_5 mnasnet0_75 mnasnet1_0 mnasnet1_3 mobilenet_v2 mobilenet_v3_large mobilenet_v3_small
    regnet_x_16gf regnet_x_1_6gf regnet_x_32gf regnet_x_3_2gf regnet_x_400mf regnet_x_800mf regnet_x_8gf
    regnet_y_128gf regnet_y_16gf regnet_y_1_6gf regnet_y_32gf regnet_y_3_2gf regnet_y_400mf regnet_y_800mf
    regnet_y_8gf resnet101 resnet152 resnet18 resnet34 resnet50 resnext101_32x8d resnext101_64x4d
    resnext50_32x4d shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x1_5 shufflenet_v2_x2_0 squeezenet1_0
    squeezenet1_1 swin_b swin_s swin_t swin_v2_b swin_v2_s swin_v2_t vgg11 vgg11_bn vgg13 vgg13_bn vgg16
    vgg16_bn vgg19 vgg19_bn vit_b_16 vit_b_32 vit_h_14 vit_l_16 vit_l_32 wide_resnet101_2 wide_resnet50_2
    """,
    "torchvision.models.",
) | words(
    "mc3_18 mvit_v1_b mvit_v2_s r2plus1d_18 r3d_18 swin3d_b swin3d_s swin3d_t s3d",
    "torchvision.models.video.",
)
# Those return dicts, lists or, in training, tuples; detectors take lists, too.
_SOME = (
    words("get_model googlenet inception_v3", "torchvision.models.")
    | words(
        """
        fasterrcnn_mobilenet_v3_large_320_fpn fasterrcnn_mobilenet_v3_large_fpn fasterrcnn_resnet50_fpn
        fasterrcnn_resnet50_fpn_v2 fcos_resnet50_fpn keypointrcnn_resnet50_fpn maskrcnn_resnet50_fpn
        maskrcnn_resnet50_fpn_v2 retinanet_resnet50_fpn retinanet_resnet50_fpn_v2 ssd300_vgg16
        ssdlite320_mobilenet_v3_large
        """,
        "torchvision.models.detection.",
    )
    | words(
        """
        deeplabv3_mobilenet_v3_large deeplabv3_resnet101 deeplabv3_resnet50 fcn_resnet101 fcn_resnet50
        lraspp_mobilenet_v3_large
        """,
        "torchvision.models.segmentation.",
    )
    | words("raft_large raft_small", "torchvision.models.optical_flow.")
    | words("create_feature_extractor", "torchvision.models.feature_extraction.")
)

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            _CLASSES + "GoogLeNet Inception3",
            "torchvision.models",
        ),
        **bases(
            PLAIN,
            """
            BasicBlock Bottleneck ResNet
            """,
            "torchvision.models.resnet",
        ),
        **bases(
            PLAIN,
            """
            Encoder EncoderBlock MLPBlock VisionTransformer
            """,
            "torchvision.models.vision_transformer",
        ),
        **bases(
            PLAIN,
            """
            FCOS FasterRCNN KeypointRCNN MaskRCNN RetinaNet SSD
            """,
            "torchvision.models.detection",
        ),
        **bases(
            PLAIN,
            """
            FastRCNNConvFCHead FastRCNNPredictor FasterRCNN TwoMLPHead
            """,
            "torchvision.models.detection.faster_rcnn",
        ),
        **bases(
            PLAIN,
            """
            MaskRCNN MaskRCNNHeads MaskRCNNPredictor
            """,
            "torchvision.models.detection.mask_rcnn",
        ),
        **bases(
            PLAIN,
            """
            AnchorGenerator
            """,
            "torchvision.models.detection.anchor_utils",
            "torchvision.models.detection.rpn",
        ),
        **bases(
            PLAIN,
            """
            GeneralizedRCNNTransform
            """,
            "torchvision.models.detection.transform",
        ),
        **bases(
            PLAIN,
            """
            DeepLabV3 FCN LRASPP
            """,
            "torchvision.models.segmentation",
        ),
        **bases(
            PLAIN,
            """
            ASPP ASPPConv ASPPPooling DeepLabHead DeepLabV3
            """,
            "torchvision.models.segmentation.deeplabv3",
        ),
        **bases(
            PLAIN,
            """
            FCN FCNHead
            """,
            "torchvision.models.segmentation.fcn",
        ),
        **bases(
            PLAIN,
            """
            MViT S3D SwinTransformer3d VideoResNet
            """,
            "torchvision.models.video",
        ),
        **bases(
            PLAIN,
            """
            RAFT
            """,
            "torchvision.models.optical_flow",
        ),
        **bases(
            PLAIN,
            """
            IntermediateLayerGetter
            """,
            "torchvision.models._utils",
        ),
        **bases(
            PLAIN,
            """
            Conv2dNormActivation Conv3dNormActivation DeformConv2d DropBlock2d DropBlock3d
            FeaturePyramidNetwork FrozenBatchNorm2d MLP MultiScaleRoIAlign PSRoIAlign PSRoIPool Permute
            RoIAlign RoIPool SqueezeExcitation StochasticDepth
            """,
            "torchvision.ops",
        ),
        **bases(
            PLAIN,
            """
            Conv2dNormActivation Conv3dNormActivation ConvNormActivation FrozenBatchNorm2d MLP Permute
            SqueezeExcitation
            """,
            "torchvision.ops.misc",
        ),
        **bases(
            Base(stateless=True),
            """
            CenterCrop ColorJitter ConvertImageDtype ElasticTransform FiveCrop GaussianBlur Grayscale
            Normalize Pad RandomAdjustSharpness RandomAffine RandomApply RandomAutocontrast RandomCrop
            RandomEqualize RandomErasing RandomGrayscale RandomHorizontalFlip RandomInvert RandomPerspective
            RandomPosterize RandomResizedCrop RandomRotation RandomSolarize RandomVerticalFlip Resize TenCrop
            """,
            "torchvision.transforms",
            "torchvision.transforms.transforms",
        ),
        **bases(
            Base(stateless=True),
            "AugMix AutoAugment RandAugment TrivialAugmentWide",
            "torchvision.transforms",
            "torchvision.transforms.autoaugment",
        ),
        **bases(
            Base(stateless=True),
            """
            AugMix AutoAugment CenterCrop ClampBoundingBoxes ClampKeyPoints ColorJitter Compose
            ConvertBoundingBoxFormat ConvertImageDtype CutMix ElasticTransform FiveCrop GaussianBlur
            GaussianNoise Grayscale Identity JPEG Lambda MixUp Normalize PILToTensor Pad RandAugment
            RandomAdjustSharpness RandomAffine RandomApply RandomAutocontrast RandomChannelPermutation
            RandomChoice RandomCrop RandomEqualize RandomErasing RandomGrayscale RandomHorizontalFlip
            RandomInvert RandomIoUCrop RandomOrder RandomPerspective RandomPhotometricDistort RandomPosterize
            RandomResize RandomResizedCrop RandomRotation RandomShortestSize RandomSolarize RandomVerticalFlip
            RandomZoomOut Resize SanitizeBoundingBoxes SanitizeKeyPoints ScaleJitter TenCrop ToDtype ToImage
            ToPILImage ToPureTensor ToTensor Transform TrivialAugmentWide UniformTemporalSubsample
            """,
            "torchvision.transforms.v2",
        ),
    },
    factories=_ONE | _SOME,
    networks={
        **dict.fromkeys(words(_CLASSES, "torchvision.models.") | _ONE, NETWORK),
        **dict.fromkeys(_SOME, SOME),
    },
    copy_moving=frozenset({"torchvision.models.detection.image_list.ImageList"}),
    functions=_FUNCTIONS,
)
