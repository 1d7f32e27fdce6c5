"""facenet-pytorch."""

from __future__ import annotations

from devlint.model.libraries.record import Base, Library, bases

LIBRARY = Library(
    # `device=` moves them in the constructor.
    bases=bases(
        Base(placed=True),
        "InceptionResnetV1 MTCNN",
        "facenet_pytorch",
    ),
)
