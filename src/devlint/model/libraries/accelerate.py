"""Hugging Face Accelerate."""

from __future__ import annotations

from devlint.model.libraries.record import Library
from devlint.model.torch.effects import words

LIBRARY = Library(
    # prepare moves models, and wraps loaders so that their batches are moved.
    placers=words(
        "prepare prepare_data_loader prepare_model prepare_optimizer prepare_scheduler",
        "accelerate.Accelerator.",
    )
    | words("cpu_offload disk_offload dispatch_model load_checkpoint_and_dispatch", "accelerate."),
)
