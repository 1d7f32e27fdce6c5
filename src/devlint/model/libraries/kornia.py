"""Kornia."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Base, Library, bases
from devlint.model.torch.effects import HOST, Mix, Op, Out, Rank, table, words

LIBRARY = Library(
    bases={
        **bases(
            Base(moves_more=True),
            """
            AugmentationBase2D AugmentationBase3D AugmentationSequential CenterCrop CenterCrop3D ColorJiggle
            ColorJitter Denormalize GeometricAugmentationBase2D GeometricAugmentationBase3D ImageSequential
            IntensityAugmentationBase2D IntensityAugmentationBase3D LongestMaxSize
            ManyToManyAugmentationDispather ManyToOneAugmentationDispather MixAugmentationBaseV2 Normalize
            PadTo PatchMix PatchSequential RandomAffine RandomAffine3D RandomAutoContrast RandomBoxBlur
            RandomBrightness RandomChannelDropout RandomChannelShuffle RandomClahe RandomContrast RandomCrop
            RandomCrop3D RandomCutMixV2 RandomDepthicalFlip3D RandomDissolving RandomElasticTransform
            RandomEqualize RandomEqualize3D RandomErasing RandomFisheye RandomGamma RandomGaussianBlur
            RandomGaussianIllumination RandomGaussianNoise RandomGrayscale RandomHorizontalFlip
            RandomHorizontalFlip3D RandomHue RandomInvert RandomJPEG RandomJigsaw
            RandomLinearCornerIllumination RandomLinearIllumination RandomMedianBlur RandomMixUpV2
            RandomMosaic RandomMotionBlur RandomMotionBlur3D RandomPerspective RandomPerspective3D
            RandomPlanckianJitter RandomPlasmaBrightness RandomPlasmaContrast RandomPlasmaShadow
            RandomPosterize RandomRGBShift RandomRain RandomResizedCrop RandomRotation RandomRotation3D
            RandomRotation90 RandomSaltAndPepperNoise RandomSaturation RandomSharpness RandomShear RandomSnow
            RandomSolarize RandomThinPlateSpline RandomTranslate RandomTransplantation RandomTransplantation3D
            RandomVerticalFlip RandomVerticalFlip3D Resize RigidAffineAugmentationBase2D
            RigidAffineAugmentationBase3D SmallestMaxSize VideoSequential
            """,
            "kornia.augmentation",
        ),
        **bases(
            PLAIN,
            """
            BinaryFocalLossWithLogits CauchyLoss CharbonnierLoss DiceLoss FocalLoss GemanMcclureLoss
            HausdorffERLoss HausdorffERLoss3D InverseDepthSmoothnessLoss LovaszHingeLoss LovaszSoftmaxLoss
            MILossFromRef MILossFromRef2D MILossFromRef3D MS_SSIMLoss NMILossFromRef NMILossFromRef2D
            NMILossFromRef3D PSNRLoss SSIM3DLoss SSIMLoss TotalVariation TverskyLoss WelschLoss
            """,
            "kornia.losses",
        ),
        **bases(
            PLAIN,
            """
            BilateralBlur BlurPool2D BoxBlur Canny EdgeAwareBlurPool2D GaussianBlur2d GuidedBlur InRange
            JointBilateralBlur Laplacian MaxBlurPool2D MedianBlur MotionBlur MotionBlur3D OtsuThreshold Sobel
            SpatialGradient SpatialGradient3d StableDiffusionDissolving UnsharpMask
            """,
            "kornia.filters",
        ),
        **bases(
            PLAIN,
            """
            ALIKED BlobDoG BlobDoGSingle BlobHessian CornerGFTT CornerHarris DISK DeDoDe DeFMO
            DenseSIFTDescriptor DescriptorMatcher DoGAffNetHardNet DoGHardNet FilterResponseNorm2d
            GFTTAffNetHardNet GeometryAwareDescriptorMatcher HardNet HardNet8 HesAffNetHardNet HyNet
            InterpolateSparse2d KeyNet KeyNetAffNetHardNet KeyNetDetector KeyNetHardNet
            LAFAffNetShapeEstimator LAFAffineShapeEstimator LAFDescriptor LAFOrienter LightGlue
            LightGlueMatcher LoFTR LocalFeature LocalFeatureMatcher MKDDescriptor MultiResolutionDetector
            OriNet PassLAF PatchAffineShapeEstimator PatchDominantGradientOrientation SIFTDescriptor
            SIFTDescriptorFromPyramid SIFTFeature SIFTFeatureScaleSpace SOLD2 SOLD2_detector SOSNet
            ScaleSpaceDetector TFeat TLU XFeat XFeatModel
            """,
            "kornia.feature",
        ),
        **bases(
            PLAIN,
            """
            CombineTensorPatches DistanceTransform EdgeDetector ExtractTensorPatches FaceDetector
            ImageStitcher Lambda ObjectDetector SuperResolution TinyViT YuNet
            """,
            "kornia.contrib",
        ),
        **bases(
            Base(stateless=True),
            """
            ApplyColorMap BgrToGrayscale BgrToRgb BgrToRgba GrayscaleToRgb HlsToRgb HsvToRgb LabToRgb
            LinearRgbToRgb LuvToRgb NormalsToRgb255 RawToRgb RawToRgb2x2Downscaled Rgb255ToNormals Rgb255ToRgb
            RgbToBgr RgbToGrayscale RgbToHls RgbToHsv RgbToLab RgbToLinearRgb RgbToLuv RgbToRaw RgbToRgb255
            RgbToRgba RgbToXyz RgbToYcbcr RgbToYuv RgbToYuv420 RgbToYuv422 RgbaToBgr RgbaToRgb Sepia XyzToRgb
            YcbcrToRgb Yuv420ToRgb Yuv422ToRgb YuvToRgb
            """,
            "kornia.color",
        ),
        **bases(
            PLAIN,
            """
            AddWeighted AdjustBrightness AdjustBrightnessAccumulative AdjustContrast
            AdjustContrastWithMeanSubtraction AdjustGamma AdjustHue AdjustLog AdjustSaturation
            AdjustSaturationWithGraySubtraction AdjustSigmoid Denormalize IntegralImage IntegralTensor Invert
            JPEGCodecDifferentiable Normalize Rescale Threshold ZCAWhitening
            """,
            "kornia.enhance",
        ),
        **bases(
            PLAIN,
            """
            AdaptiveQuadInterp3d Affine BaseModel BaseWarper CenterCrop2D ConvQuadInterp3d ConvSoftArgmax2d
            ConvSoftArgmax3d DepthWarper Hflip Homography HomographyWarper Hyperplane ImageRegistrator
            IterativeQuadInterp3d NonMaximaSuppression2d NonMaximaSuppression3d ParametrizedLine PyrDown PyrUp
            Quaternion RANSAC Rescale Resize Rot180 Rotate Scale ScalePyramid Se2 Se3 Shear Similarity So2 So3
            SpatialSoftArgmax2d Translate Vflip
            """,
            "kornia.geometry",
        ),
        **bases(
            PLAIN,
            """
            AEPE SSIM SSIM3D
            """,
            "kornia.metrics",
        ),
    },
    self_moving=words("Boxes Boxes3D", "kornia.geometry.boxes.") | {"kornia.contrib.FaceDetectorResult"},
    copy_moving=frozenset({"kornia.geometry.quaternion.Quaternion", "kornia.image.Image"}),
    functions={
        # Of an array: on the CPU; back: an array.
        "kornia.utils.image_to_tensor": Op(Mix.FREE, Out.CPU, rank=Rank.SOME),
        "kornia.image_to_tensor": Op(Mix.FREE, Out.CPU, rank=Rank.SOME),
        **table(HOST, "tensor_to_image", "kornia."),
        **table(HOST, "tensor_to_image", "kornia.utils."),
    },
)
