"""PyTorch image models."""

from __future__ import annotations

from devlint.model.libraries.record import NETWORK, PLAIN, Library, bases
from devlint.model.torch.effects import Mix, Op, Out, words

_CREATE = words("create_model models.create_model models.factory.create_model", "timm.")

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            """
            AdaptiveAvgMaxPool2d AttentionPool2d AvgPool2dSame BatNonLocalAttn BatchNormAct2d BlurPool2d
            CecaModule CircularEfficientChannelAttn ClassifierHead CondConv2d Conv2dSame ConvBnAct ConvMlp
            ConvNormAct ConvNormActAa DropBlock2d DropPath EcaModule EffectiveSEModule EffectiveSqueezeExcite
            EfficientChannelAttn EvoNorm2dB0 EvoNorm2dB1 EvoNorm2dB2 EvoNorm2dS0 EvoNorm2dS0a EvoNorm2dS1
            EvoNorm2dS1a EvoNorm2dS2 EvoNorm2dS2a FilterResponseNormAct2d FilterResponseNormTlu2d GELU
            GELUTanh GatedMlp GatherExcite GlobalContext GluMlp GroupNorm GroupNorm1 GroupNormAct HardMish
            HardSigmoid HardSwish InplaceAbn LayerNorm LayerNorm2d Linear Mish MixedConv2d Mlp NonLocalAttn
            PReLU PatchEmbed QuickGELU RotAttentionPool2d RotaryEmbedding SEModule ScaledStdConv2d
            ScaledStdConv2dSame SelectAdaptivePool2d SelectiveKernel SeparableConv2d SeparableConvNormAct
            Sigmoid SplitAttn SplitBatchNorm2d SqueezeExcite StdConv2d StdConv2dSame Swish Tanh
            TestTimePoolHead
            """,
            "timm.layers",
            "timm.models.layers",
        ),
        **bases(
            PLAIN,
            """
            Attention Attention2d AttentionPoolLatent AttentionPoolPrr AttentionRope ClNormMlpClassifierHead
            DepthToSpace DiffAttention FourierEmbed FrozenBatchNormAct2d GlobalResponseNormMlp GroupNorm1Act
            HybridEmbed HybridEmbedWithSize LayerNorm2dFp32 LayerNormAct LayerNormAct2d LayerNormAct2dFp32
            LayerNormActFp32 LayerNormFp32 LayerScale LayerScale2d LsePlus1d LsePlus2d MultiQueryAttention2d
            MultiQueryAttentionV2 NormMlpClassifierHead PatchDropout PatchDropoutWithIndices
            PatchEmbedInterpolator PatchEmbedWithSize RelPosBias RelPosBiasTf RelPosMlp RmsNorm RmsNorm2d
            RmsNorm2dFp32 RmsNormAct RmsNormAct2d RmsNormAct2dFp32 RmsNormActFp32 RmsNormFp32
            RotaryEmbeddingCat RotaryEmbeddingDinoV3 RotaryEmbeddingMRope RotaryEmbeddingMixed SimPool1d
            SimPool2d SimpleNorm SimpleNorm2d SimpleNorm2dFp32 SimpleNormFp32 SpaceToDepth SwiGLU
            SyncBatchNormAct
            """,
            "timm.layers",
        ),
        **bases(
            PLAIN,
            """
            ActConvBn Affine Attention Attention2d Attention2dDownsample AttentionBlock AttentionCl
            AttentionDownsample BasicBlock Beit Block Block17 Block35 Block8 BlockESE BnAct BnActConv2d
            Bottle2neck Bottleneck BottleneckBlock BranchSeparables ByobNet CPUBone CPUBoneBlock CSATv2 Cait
            CascadedGroupAttention Cell CellBase CellStem0 CellStem1 ChannelAttention ChannelAttentionV2
            ChannelBlock ClassAttention ClassAttentionBlock ClassAttn ClassBlock ClsHead CoaT ConVit
            Conv2dNorm ConvAttention ConvBN ConvBNAct ConvBlock ConvBnAct ConvEmbedding ConvEncoder ConvLayer
            ConvLayer1d ConvLayer2d ConvMixer ConvMlp ConvMlpWithNorm ConvNeXt ConvNeXtBlock ConvNeXtStage
            ConvNorm ConvPatchEmbed ConvPool ConvPosEnc ConvRelPosEnc ConvStem CrossAttention
            CrossAttentionBlock CrossCovarianceAttn CrossStage CrossStage3 CrossVit CspNet CspNext
            CspNextBlock CspNextLayer DLA DPN DSConv DaVit DaVitStage DarkBlock DarkStage Dct1d Dct2d
            Dct2dStats DeepseekVitAligner DeepseekVitBlock DeepseekVitClassifier DeepseekVitEncoder DenseBlock
            DenseLayer DenseNet DenseStage DenseTransition DepthwiseSeparableConv DiffParallelScalingBlock
            DlaBasic DlaBottle2neck DlaBottleneck DlaRoot DlaTree Downsample Downsample2d DownsampleAvg
            DownsampleConv DownsampleNormFirst Downsampling DualPathBlock EdgeBlock EdgeNeXt EdgeNeXtStage
            EfficientAdditiveAttention EfficientAttention EfficientFormer EfficientFormerStage
            EfficientFormerV2 EfficientFormerV2Block EfficientFormerV2Stage EfficientNet EfficientNetFeatures
            EfficientViM EfficientViMBlock EfficientViMDistilled EfficientViMStage EfficientVit
            EfficientVitBlock EfficientVitLarge EfficientVitLargeStage EfficientVitMsra EfficientVitStage
            Embedding EseModule Eva EvaAttention EvaBlock EvaBlockPostNorm FFN FactorAttnConvRelPosEnc
            FactorizedReduction FastVit FastVitStage FasterNet FeatureBlock FeatureDictNet FeatureGraphNet
            FeatureHookNet FeatureListNet FirstCell Flat FocalModulation FocalNet FocalNetBlock FocalNetStage
            FusedMBConv GPSA GammaAct GatedConvBlock GeGluMlp Gemma4Attention Gemma4Block
            Gemma4ClippableLinear Gemma4GatedMlp Gemma4PatchEmbed Gemma4RotaryEmbedding2D Gemma4VisionPooler
            Gemma4VitClassifier Gemma4VitEncoder GhostBottleneck GhostBottleneckV3 GhostModule GhostModuleV2
            GhostModuleV3 GhostNet GlobalContextVit GlobalContextVitBlock GlobalContextVitStage
            GlobalSubSampleAttn GraphExtractNet GroupNorm1NoBias HSMSSD Hiera HieraBlock HieraDet
            HieraPatchEmbed HighPerfGpuBlock HighPerfGpuNet HighPerfGpuStage HighResolutionModule
            HighResolutionNet HighResolutionNetFeatures IFormer InceptionA InceptionAux InceptionB InceptionC
            InceptionD InceptionDWConv2d InceptionE InceptionResnetV2 InceptionV3 InceptionV4 LCNetV2 LPI
            LSTM2d LayerNorm2dNoBias LayerNormNoBias LayerScaleBlock LayerScaleBlockClassAttn
            LearnableAffineBlock LearnableDct2d Levit LevitBlock LevitDistilled LevitDownsample LevitMlp
            LevitStage LightConvBNAct LinearBottleneck LinearLayer LinearNorm LinearSelfAttention
            LinearTransformerBlock LiteMLA LocalGlobalQuery LocalRepresentation LocalWindowAttention
            LocallyGroupedAttn LowFormer LowFormerBlock MBConv MHSA MLPBlock MambaOut MambaOutStage
            MaskUnitAttention MaxxVit MaxxVitBlock MaxxVitStage MbConvBlock MbConvLNBlock MbConvStages
            MetaBlock1d MetaBlock2d MetaFormer MetaFormerBlock MetaFormerStage MetaNeXt MetaNeXtBlock
            MetaNeXtStage Mixed3a Mixed4a Mixed5a Mixed_5b Mixed_6a Mixed_7a MixerBlock MlpClassifierHead
            MlpHead MlpMixer MlpWithDepthwiseConv MobileNetV3 MobileNetV3Features MobileNetV5
            MobileNetV5Encoder MobileNetV5MultiScaleFusionAdapter MobileOneBlock MobileVitBlock
            MobileVitV2Block MultiScaleAttention MultiScaleAttentionPoolFirst MultiScaleBlock MultiScaleVit
            MultiScaleVitStage NASNetALarge NaFlexEmbeds NaFlexVit Nest NestLevel NextConvBlock NextStage
            NextTransformerBlock NextViT NormFreeBlock NormFreeNet NormLinear NormMlp NormalCell OsaBlock
            OsaStage OutlookAttention Outlooker OverlapPatchEmbed PNASNet5Large ParallelBlock
            ParallelMaxxVitBlock ParallelPartitionAttention ParallelScalingBlock ParallelThingsBlock
            Partial_conv3 PartitionAttention2d PartitionAttentionCl PatchEmbedding PatchMerging PixelEmbed
            Pooling PoolingVisionTransformer PosConv PositionalEncodingFourier PreActBasic PreActBottleneck
            PreBottleneck PreSeparableConv2d PreXceptionModule PyramidVisionTransformerStage
            PyramidVisionTransformerV2 Qwen3VitClassifier Qwen3VitEncoder Qwen3VitPatchMerger RDNet RNN2dBase
            RNNIdentity ReductionA ReductionB ReductionCell0 ReductionCell1 RegNet RegStage RelPosAttention
            RelPosBlock RelativePositionBias RepCPE RepConditionalPosEnc RepDepthwiseSeparable
            RepGhostBottleneck RepGhostModule RepGhostNet RepMixer RepMixerBlock RepVggBlock RepVggDw
            RepViTBlock RepVit RepVitClassifier RepVitDownsample RepVitMlp RepVitStage RepVitStem
            ReparamLargeKernelConv Reroll ResBlock ResNestBottleneck ResNet ResNetStage ResNetV2 ResPostBlock
            ResPostRelPosBlock Residual ResidualBlock ResidualDrop RexNet SEBottleneck SENet
            SEResNeXtBottleneck SEResNetBlock SEResNetBottleneck SHMA SHMABlock SHSA SHViT SPPBottleneck Scale
            SelecSls SelecSlsBlock SelectSeq SelectiveKernelBasic SelectiveKernelBottleneck SelfAttnBlock
            SepConv SeparableConv2d Sequencer2d Sequencer2dBlock Sequencer2dStage SequentialAppendList
            SequentialList SequentialTuple SerialBlock Shuffle SpatialAttention SpatialBlock
            SpatialGatingBlock SpatialGatingUnit SpatialMlp SpatialTransformerBlock SplitTransposeBlock
            SquaredReLU SqueezeExcite Stage StageBlock StarNet StarReLU Stem Stem16 Stem4 Stem8 StemV1 StemV2
            StridedConv SwiftFormer SwinTransformer SwinTransformerBlock SwinTransformerStage
            SwinTransformerV2 SwinTransformerV2Block SwinTransformerV2Cr SwinTransformerV2CrBlock
            SwinTransformerV2CrStage SwinTransformerV2Stage TNT TResNet TalkingHeadAttn TinyVit TinyVitBlock
            TinyVitStage Transformer TransformerBlock TransformerBlock2d TransformerLayer Twins
            UniversalInvertedResidual Unroll VGG VOLO Visformer VisionTransformer VisionTransformerDistilled
            VisionTransformerRelPos VisionTransformerSAM VovNet WindowAttention WindowAttentionGlobal
            WindowMultiHeadAttention XCA XCABlock Xception XceptionAligned XceptionModule Xcit
            """,
            "timm.models",
        ),
        **bases(
            PLAIN,
            """
            Block DiffParallelScalingBlock ParallelScalingBlock ParallelThingsBlock ResPostBlock
            VisionTransformer
            """,
            "timm.models.vision_transformer",
        ),
        **bases(
            PLAIN,
            """
            PatchMerging SwinTransformer SwinTransformerBlock SwinTransformerStage WindowAttention
            """,
            "timm.models.swin_transformer",
        ),
        **bases(
            PLAIN,
            """
            BasicBlock Bottleneck ResNet
            """,
            "timm.models.resnet",
        ),
        **bases(
            PLAIN,
            """
            ConvNeXt ConvNeXtBlock ConvNeXtStage Downsample
            """,
            "timm.models.convnext",
        ),
        **bases(
            PLAIN,
            """
            EfficientNet EfficientNetFeatures
            """,
            "timm.models.efficientnet",
        ),
        **bases(
            PLAIN,
            """
            AsymmetricLossMultiLabel AsymmetricLossSingleLabel BinaryCrossEntropy DistributionBalancedLoss
            JsdCrossEntropy LabelSmoothingCrossEntropy PolyBinaryCrossEntropy PolyCrossEntropy
            SoftTargetCrossEntropy TwoWayLoss ZlprLoss
            """,
            "timm.loss",
        ),
    },
    factories=_CREATE,
    networks=dict.fromkeys(_CREATE, NETWORK),
    functions={
        # Accuracies of one batch, in percent.
        "timm.utils.accuracy": Op(Mix.STRICT, Out.MANY),
    },
)
