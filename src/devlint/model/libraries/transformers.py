"""Hugging Face Transformers."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, SOME, Base, Library, bases
from devlint.model.torch.effects import words

_TASKS = """
    AudioClassification AudioFrameClassification AudioXVector CTC CausalLM DepthEstimation
    DocumentQuestionAnswering ImageClassification ImageSegmentation ImageTextToText ImageToImage
    InstanceSegmentation KeypointDetection MaskGeneration MaskedImageModeling MaskedLM MultipleChoice
    NextSentencePrediction ObjectDetection PreTraining QuestionAnswering SemanticSegmentation Seq2SeqLM
    SequenceClassification SpeechSeq2Seq TableQuestionAnswering TextEncoding TextToSpectrogram TextToWaveform
    TokenClassification UniversalSegmentation VideoClassification Vision2Seq VisualQuestionAnswering
    ZeroShotImageClassification ZeroShotObjectDetection
"""
AUTO = words(_TASKS, "transformers.AutoModelFor") | words(
    "AutoBackbone AutoModel AutoModelWithLMHead", "transformers."
)
# Labels and positions many of them move themselves; a structure of tensors is returned.
NETWORK = SOME._replace(inputs=words("input_features input_ids input_values inputs_embeds pixel_values", ""))

LIBRARY = Library(
    bases={
        # `device` asks the parameters.
        **bases(
            Base(device=True),
            "PreTrainedModel",
            "transformers",
            "transformers.modeling_utils",
        ),
        **bases(PLAIN, "Conv1D", "transformers.modeling_utils", "transformers.pytorch_utils"),
    },
    factories=frozenset(f"{auto}.{how}" for auto in AUTO for how in ("from_config", "from_pretrained")),
    self_moving=words(
        """
        BatchEncoding BatchFeature feature_extraction_utils.BatchFeature image_processing_base.BatchFeature
        image_processing_utils.BatchFeature tokenization_utils_base.BatchEncoding
        """,
        "transformers.",
    ),
    # compute_loss gets inputs that _prepare_inputs has moved; training_step and prediction_step move them.
    auto_device={
        "transformers.Seq2SeqTrainer": frozenset({"compute_loss"}),
        "transformers.Trainer": frozenset({"compute_loss"}),
        "transformers.trainer.Trainer": frozenset({"compute_loss"}),
    },
)
