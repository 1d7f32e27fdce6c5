"""OpenMMLab: mmengine, mmcv, mmdet, mmseg."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Base, Library, bases
from devlint.model.torch.effects import words

LIBRARY = Library(
    bases={
        **bases(
            Base(moves_more=True), "BaseDataPreprocessor BaseModel ImgDataPreprocessor", "mmengine.model"
        ),
        **bases(
            PLAIN,
            """
            BaseAveragedModel BaseModule BaseTTAModel ExponentialMovingAverage MMDistributedDataParallel
            MMFullyShardedDataParallel MMSeparateDistributedDataParallel MomentumAnnealingEMA
            StochasticWeightAverage
            """,
            "mmengine.model",
        ),
        **bases(PLAIN, "BaseModule", "mmcv.runner", "mmcv.runner.base_module", "mmengine.model.base_module"),
        **bases(
            PLAIN,
            """
            AlexNet ContextBlock Conv2d Conv2dRFSearchOp Conv3d ConvAWS2d ConvModule ConvTranspose2d
            ConvTranspose3d ConvWS2d DepthwiseSeparableConvModule GeneralizedAttention HSigmoid HSwish Linear
            MaxPool2d MaxPool3d NonLocal1d NonLocal2d NonLocal3d ResNet Scale Swish VGG
            """,
            "mmcv.cnn",
        ),
        **bases(
            PLAIN,
            """
            BezierAlign BorderAlign CARAFE CARAFENaive CARAFEPack Conv2d ConvTranspose2d CornerPool
            Correlation CrissCrossAttention DeformConv2d DeformConv2dPack DeformRoIPool DeformRoIPoolPack
            DynamicScatter FusedBiasLeakyReLU GroupAll Linear MaskedConv2d MaxPool2d ModulatedDeformConv2d
            ModulatedDeformConv2dPack ModulatedDeformRoIPoolPack MultiScaleDeformableAttention PSAMask
            PointsSampler PrRoIPool QueryAndGroup RiRoIAlignRotated RoIAlign RoIAlignRotated RoIAwarePool3d
            RoIPointPool3d RoIPool SAConv2d SigmoidFocalLoss SimpleRoIAlign SoftmaxFocalLoss SparseConv2d
            SparseConv3d SparseConvTranspose2d SparseConvTranspose3d SparseInverseConv2d SparseInverseConv3d
            SparseMaxPool2d SparseMaxPool3d SparseModule SparseSequential SubMConv2d SubMConv3d SyncBatchNorm
            TINShift Voxelization
            """,
            "mmcv.ops",
        ),
        **bases(
            Base(moves_more=True),
            """
            ATSS AutoAssign BaseDetector BoxInst CascadeRCNN CenterNet CondInst ConditionalDETR CornerNet
            CrowdDet DABDETR DDOD DDQDETR DETR DINO DeformableDETR DetectionTransformer Detectron2Wrapper FCOS
            FOVEA FSAF FastRCNN FasterRCNN GFL GLIP GridRCNN GroundingDINO HybridTaskCascade
            KnowledgeDistillationSingleStageDetector LAD Mask2Former MaskFormer MaskRCNN MaskScoringRCNN
            NASFCOS PAA PanopticFPN PointRend QueryInst RPN RTMDet RepPointsDetector RetinaNet SCNet SOLO
            SOLOv2 SemiBaseDetector SingleStageDetector SoftTeacher SparseRCNN TOOD TridentFasterRCNN
            TwoStageDetector TwoStagePanopticSegmentor VFNet YOLACT YOLOF YOLOV3 YOLOX
            """,
            "mmdet.models",
            "mmdet.models.detectors",
        ),
        **bases(
            PLAIN,
            """
            ATSSHead ATSSVLFusionHead AnchorFreeHead AnchorHead AutoAssignHead BoxInstBboxHead BoxInstMaskHead
            CascadeRPNHead CenterNetHead CenterNetUpdateHead CentripetalHead CondInstBboxHead CondInstMaskHead
            ConditionalDETRHead CornerHead DABDETRHead DDODHead DDQDETRHead DETRHead DINOHead
            DecoupledSOLOHead DecoupledSOLOLightHead DeformableDETRHead EmbeddingRPNHead FCOSHead FSAFHead
            FeatureAdaption FoveaHead FreeAnchorRetinaHead GARPNHead GARetinaHead GFLHead GroundingDINOHead
            GuidedAnchorHead LADHead LDHead Mask2FormerHead MaskFormerHead NASFCOSHead PAAHead PISARetinaHead
            PISASSDHead RPNHead RTMDetHead RTMDetInsHead RTMDetInsSepBNHead RTMDetSepBNHead RepPointsHead
            RetinaHead RetinaSepBNHead SABLRetinaHead SOLOHead SOLOV2Head SSDHead StageCascadeRPNHead TOODHead
            VFNetHead YOLACTHead YOLACTProtonet YOLOFHead YOLOV3Head YOLOXHead
            """,
            "mmdet.models",
            "mmdet.models.dense_heads",
        ),
        **bases(
            Base(moves_more=True),
            """
            BaseSegmentor CascadeEncoderDecoder EncoderDecoder
            """,
            "mmseg.models",
        ),
    },
    # What a build function makes may be any registered class: in these namespaces, a module (mmdet 2, mmseg).
    factories=words(
        """
        mmcv.cnn.build_activation_layer mmcv.cnn.build_conv_layer mmcv.cnn.build_padding_layer
        mmcv.cnn.build_upsample_layer mmdet.models.build_backbone mmdet.models.build_detector
        mmdet.models.build_head mmdet.models.build_loss mmdet.models.build_neck mmseg.models.build_segmentor
        """
    ),
    self_moving=frozenset({"mmdet.models.task_modules.samplers.SamplingResult"}),
    copy_moving=words(
        "mmengine.structures.BaseDataElement mmengine.structures.InstanceData mmengine.structures.PixelData"
    ),
    # What forward gets, the data preprocessor has moved.
    auto_device={
        "mmengine.model.BaseModel": frozenset({"forward"}),
        "mmdet.models.BaseDetector": frozenset({"forward", "loss", "predict"}),
        "mmdet.models.detectors.BaseDetector": frozenset({"forward", "loss", "predict"}),
        "mmseg.models.BaseSegmentor": frozenset({"forward", "loss", "predict"}),
    },
)
