"""torchtext."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Library, bases

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            """
            InProjContainer MultiheadAttentionContainer ScaledDotProduct
            """,
            "torchtext.nn",
        ),
        **bases(
            PLAIN,
            """
            RobertaClassificationHead RobertaModel T5Model
            """,
            "torchtext.models",
        ),
    },
)
