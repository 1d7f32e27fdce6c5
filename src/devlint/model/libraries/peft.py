"""PEFT."""

from __future__ import annotations

from devlint.model.libraries.record import Base, Library, bases

LIBRARY = Library(
    # A model of PEFT wraps one of transformers, and answers `device` through it.
    bases=bases(
        Base(device=True),
        """
        PeftMixedModel PeftModel PeftModelForCausalLM PeftModelForFeatureExtraction
        PeftModelForQuestionAnswering PeftModelForSeq2SeqLM PeftModelForSequenceClassification
        PeftModelForTokenClassification
        """,
        "peft",
    ),
    # They return the model that they are given, with adapters, where it is.
    placers=frozenset({"peft.get_peft_model", "peft.prepare_model_for_kbit_training"}),
)
