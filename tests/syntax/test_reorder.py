from __future__ import annotations

import pytest

from devlint.syntax.reorder import do_earlier, take_away
from devlint.syntax.source import Source
from devlint.syntax.statements import add_standard_import
from devlint.text import Edit, apply_edits


def source_of(text: str) -> Source:
    return Source.from_bytes("a.py", text.encode())


def body(source: Source) -> list:  # type: ignore[type-arg]
    return source.tree.body


def after(source: Source, edits: Edit | list[Edit] | None) -> str | None:
    if edits is None:
        return None
    return apply_edits(source.text, [edits] if isinstance(edits, Edit) else edits)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("a()\nb()\nc()\n", "a()\nc()\n"),
        ("a()\r\nb()\r\nc()\r\n", "a()\r\nc()\r\n"),
        ("a()\n\nb()\n\nc()\n", "a()\n\nc()\n"),
        ("a()\nb(\n    1,\n)\nc()\n", "a()\nc()\n"),
        ("a()\n# of b\nb()\nc()\n", "a()\n# of b\nc()\n"),
        ("a()\nb()  # why\nc()\n", None),
        ("a(); b()\nc()\n", None),
        ("a()\nb(); c()\n", None),
        ("a()\nb()", None),
    ],
)
def test_a_statement_goes_with_its_rows(text: str, want: str | None) -> None:
    source = source_of(text)
    assert after(source, take_away(source, body(source)[1])) == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("a()\nb()\nc()\n", "b()\na()\nc()\n"),
        ("a()\r\nb()\r\nc()\r\n", "b()\r\na()\r\nc()\r\n"),
        ("# of a\na()\nb()  # why\n", "b()  # why\n# of a\na()\n"),
        ("a()\n\n# of b\nb()\n\nc()\n", "# of b\nb()\na()\n\nc()\n"),
        ("a()\nif x:  # why\n    b()\nc()\n", "if x:  # why\n    b()\na()\nc()\n"),
        ("a(); b()\n", None),
        ("a()\nb()", None),
    ],
)
def test_a_statement_is_done_earlier_with_its_comments(text: str, want: str | None) -> None:
    source = source_of(text)
    assert after(source, do_earlier(source, body(source)[1], body(source)[0])) == want


def test_another_text_takes_the_place_of_what_is_done_earlier() -> None:
    source = source_of("def f():\n    a()\n    b()  # why\n    c()\n")
    first, second, _ = body(source)[0].body
    assert (
        after(source, do_earlier(source, second, first, "d()"))
        == "def f():\n    d()  # why\n    a()\n    c()\n"
    )


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("import argparse\nimport sys\n", "import argparse\nimport os\nimport sys\n"),
        ("import sys\n", "import os\nimport sys\n"),
        ("import torch\n", "import os\n\nimport torch\n"),
        ('"""Doc."""\nimport torch\n', '"""Doc."""\nimport os\n\nimport torch\n'),
        (
            "from __future__ import annotations\n\nfrom typing import Any\n\nimport torch\n",
            "from __future__ import annotations\n\nimport os\nfrom typing import Any\n\nimport torch\n",
        ),
        ("from . import a\n", "import os\n\nfrom . import a\n"),
        ("x = 1\nimport torch\n", None),
    ],
)
def test_a_standard_module_is_imported_in_its_place(text: str, want: str | None) -> None:
    source = source_of(text)
    assert after(source, add_standard_import(source, "os")) == want
