"""sentence-transformers."""

from __future__ import annotations

from devlint.model.libraries.record import Base, Library, bases

LIBRARY = Library(
    # The constructor puts it on the best device there is.
    bases=bases(
        Base(device=True, placed=True),
        "CrossEncoder SentenceTransformer SparseEncoder",
        "sentence_transformers",
    ),
)
