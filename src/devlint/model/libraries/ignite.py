"""PyTorch-Ignite."""

from __future__ import annotations

from devlint.model.libraries.record import Library
from devlint.model.torch.effects import words

LIBRARY = Library(
    placers=words("auto_dataloader auto_model auto_optim", "ignite.distributed."),
)
