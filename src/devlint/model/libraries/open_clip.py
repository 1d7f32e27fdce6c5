"""OpenCLIP."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Library, bases

LIBRARY = Library(
    bases=bases(PLAIN, "CLIP ClipLoss CoCa CoCaLoss CustomTextCLIP DistillClipLoss", "open_clip"),
    # create_model and its like take `device=`, "cpu" by default.
    factories=frozenset({"open_clip.create_model", "open_clip.create_loss"}),
)
