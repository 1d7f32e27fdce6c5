"""Hugging Face Diffusers."""

from __future__ import annotations

from devlint.model.libraries.record import Base, Library, bases
from devlint.model.torch.effects import words

LIBRARY = Library(
    bases={
        **bases(
            Base(device=True),
            """
        AsymmetricAutoencoderKL AutoencoderDC AutoencoderKL AutoencoderKLCogVideoX AutoencoderKLHunyuanVideo
        AutoencoderKLLTXVideo AutoencoderKLMochi AutoencoderKLTemporalDecoder AutoencoderKLWan AutoencoderTiny
        CogVideoXTransformer3DModel ControlNetModel DiTTransformer2DModel FluxControlNetModel
        FluxTransformer2DModel HunyuanVideoTransformer3DModel Kandinsky3UNet LTXVideoTransformer3DModel
        MochiTransformer3DModel ModelMixin MotionAdapter PixArtTransformer2DModel PriorTransformer
        QwenImageTransformer2DModel SD3ControlNetModel SD3Transformer2DModel SanaTransformer2DModel
        StableCascadeUNet T2IAdapter Transformer2DModel UNet1DModel UNet2DConditionModel UNet2DModel
        UNet3DConditionModel UNetMotionModel UNetSpatioTemporalConditionModel VQModel WanTransformer3DModel
        """,
            "diffusers",
        ),
        "diffusers.models.modeling_utils.ModelMixin": Base(device=True),
    },
    # A pipeline is no module; its `to` moves the models that it holds, and returns it. EMAModel.to returns
    # None.
    self_moving=words(
        """
        AutoPipelineForImage2Image AutoPipelineForInpainting AutoPipelineForText2Image DiffusionPipeline
        FluxImg2ImgPipeline FluxPipeline LTXPipeline PixArtAlphaPipeline StableDiffusion3Pipeline
        StableDiffusionControlNetPipeline StableDiffusionImg2ImgPipeline StableDiffusionInpaintPipeline
        StableDiffusionPipeline StableDiffusionUpscalePipeline StableDiffusionXLControlNetPipeline
        StableDiffusionXLImg2ImgPipeline StableDiffusionXLInpaintPipeline StableDiffusionXLPipeline
        StableVideoDiffusionPipeline pipelines.pipeline_utils.DiffusionPipeline training_utils.EMAModel
        """,
        "diffusers.",
    ),
)
