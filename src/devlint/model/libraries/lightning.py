"""Lightning: `lightning`, `lightning.pytorch`, `pytorch_lightning`, Fabric."""

from __future__ import annotations

from devlint.model.libraries.record import Base, Library, bases
from devlint.model.torch.effects import words

# What the hooks of Lightning are handed has been moved by the Trainer.
_STEPS = words(
    """
    training_step validation_step test_step predict_step training_step_end validation_step_end test_step_end
    on_after_batch_transfer on_train_batch_start on_train_batch_end on_validation_batch_start
    on_validation_batch_end on_test_batch_start on_test_batch_end on_predict_batch_start on_predict_batch_end
    """
)
_SPACES = ("lightning", "lightning.pytorch", "pytorch_lightning")
_MODULE = Base(device=True, auto=True)

LIBRARY = Library(
    bases={
        **bases(_MODULE, "LightningModule", *_SPACES),
        **bases(
            _MODULE,
            "LightningModule",
            "lightning.pytorch.core",
            "lightning.pytorch.core.module",
            "pytorch_lightning.core",
            "pytorch_lightning.core.lightning",
            "pytorch_lightning.core.module",
        ),
        **bases(_MODULE, "_FabricModule", "lightning.fabric.wrappers", "lightning_fabric.wrappers"),
    },
    auto_device=dict.fromkeys(
        words("Callback LightningModule", "lightning.")
        | words("Callback LightningModule callbacks.Callback core.LightningModule", "lightning.pytorch.")
        | words(
            """
            Callback LightningModule callbacks.Callback core.LightningModule core.lightning.LightningModule
            core.module.LightningModule
            """,
            "pytorch_lightning.",
        ),
        _STEPS,
    ),
    placers=frozenset(
        f"{space}.{method}"
        for space in ("lightning.Fabric", "lightning.fabric.Fabric", "lightning_fabric.Fabric")
        for method in ("setup", "setup_dataloaders", "setup_module", "setup_optimizers", "to_device")
    ),
)
