"""MONAI."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Library, bases

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            """
            AHNet AttentionUnet AutoEncoder AutoencoderKL BasicUNet BasicUNetPlusPlus BertAttention
            BertMixedLayer BertOutput BertPreTrainedModel Classifier ControlNet Critic DAF3D
            DecoderOnlyTransformer DenseNet DenseNet121 DenseNet169 DenseNet201 DenseNet264 Densenet DiNTS
            DiffusionModelUNet Discriminator DynUNet EfficientNet EfficientNetBN EfficientNetBNFeatures
            EfficientNetEncoder FlexUNet FlexibleUNet FullyConnectedNet Generator GlobalNet HighResBlock
            HighResNet HoVerNet HyenaNDUNETR LocalNet MILModel MaskedAutoEncoderViT MedNeXt MedNext MultiModal
            MultiScalePatchDiscriminator NaViT NetAdapter PatchDiscriminator PatchMerging PatchMergingV2
            Pooler Quicknat RegUNet Regressor ResNet ResNetBlock ResNetBottleneck ResNetEncoder ResNetFeatures
            SENet SENet154 SEResNet101 SEResNet152 SEResNet50 SEResNext101 SEResNext50 SPADEAutoencoderKL
            SPADEDiffusionModelUNet SPADENet SegResNet SegResNetDS SegResNetDS2 SegResNetVAE SwinUNETR
            TopologyConstruction TopologyInstance TopologySearch TorchVisionFCModel Transchex UNETR UNet Unet
            VISTA3D VNet VQVAE VarAutoEncoder VarFullyConnectedNet ViT ViTAutoEnc VoxelMorph VoxelMorphUNet
            """,
            "monai.networks.nets",
        ),
        **bases(
            PLAIN,
            """
            ADN ActiConvNormBlock BackboneWithFPN CABlock CRF ChannelSELayer ConvDenseBlock Convolution
            CrossAttentionBlock DVF2DDF DenseBlock DepthwiseFFTConv2d DepthwiseFFTConv3d DownSample Downsample
            ExtraFPNBlock FCN FactorizedIncreaseBlock FactorizedReduceBlock FeaturePyramidNetwork FeedForward
            GCN GEGLU HyenaMixer HyenaTransformerBlock LastLevelMaxPool LastLevelP6P7 LocalNetDownSampleBlock
            LocalNetFeatureExtractorBlock LocalNetUpSampleBlock MCFCN MLPBlock MaxAvgPool MedNeXtBlock
            MedNeXtDownBlock MedNeXtOutBlock MedNeXtUpBlock MemoryEfficientSwish Mish P3DActiConvNormBlock
            PatchEmbed PatchEmbeddingBlock Refine RegistrationDownSampleBlock RegistrationExtractionBlock
            RegistrationResidualConvBlock ResBlock ResidualSELayer ResidualUnit SABlock SEBlock SEBottleneck
            SEResNeXtBottleneck SEResNetBottleneck SPADE SimpleASPP SpatialAttentionBlock SubpixelDownsample
            SubpixelUpsample Swish TransformerBlock UnetBasicBlock UnetOutBlock UnetResBlock UnetUpBlock
            UnetrBasicBlock UnetrPrUpBlock UnetrUpBlock UpSample Upsample Warp
            """,
            "monai.networks.blocks",
        ),
        **bases(
            PLAIN,
            """
            AffineTransform ApplyFilter ChannelPad ConjugateGradient DropPath EMAQuantizer EllipticalFilter
            Flatten GaussianFilter HilbertTransform LLTM LaplaceFilter MeanFilter MedianFilter Reshape
            SavitzkyGolayFilter SharpenFilter SkipConnection TrainableBilateralFilter
            TrainableJointBilateralFilter VectorQuantizer
            """,
            "monai.networks.layers",
        ),
        **bases(
            PLAIN,
            """
            AUCMLoss AsymmetricUnifiedFocalLoss BarlowTwinsLoss BendingEnergyLoss BoundaryLoss BoxGIoULoss
            ContrastiveLoss DeepSupervisionLoss Dice DiceCELoss DiceFocalLoss DiceLoss DiffusionLoss FocalLoss
            GeneralizedDiceFocalLoss GeneralizedDiceLoss GeneralizedWassersteinDiceLoss
            GlobalMutualInformationLoss HausdorffDTLoss JukeboxLoss LocalNormalizedCrossCorrelationLoss
            LogHausdorffDTLoss MCCLoss MaskedDiceLoss MaskedLoss MultiScaleLoss NACLLoss PatchAdversarialLoss
            PerceptualLoss SSIMLoss SURELoss SoftDiceclDiceLoss SoftclDiceLoss TverskyLoss dice_ce dice_focal
            generalized_dice generalized_dice_focal generalized_wasserstein_dice giou
            """,
            "monai.losses",
        ),
    },
    loaders=frozenset({"monai.data.DataLoader", "monai.data.dataloader.DataLoader"}),
)
