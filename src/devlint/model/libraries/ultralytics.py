"""ultralytics."""

from __future__ import annotations

from devlint.model.libraries.record import Base, Library, bases
from devlint.model.torch.effects import words

LIBRARY = Library(
    # They place themselves, and what they are given, when they train and predict.
    bases=bases(
        Base(device=True, moves_more=True, auto=True),
        "FastSAM NAS RTDETR SAM YOLO YOLOE YOLOWorld",
        "ultralytics",
    ),
    copy_moving=words("BaseTensor Boxes Keypoints Masks OBB Probs Results", "ultralytics.engine.results."),
)
