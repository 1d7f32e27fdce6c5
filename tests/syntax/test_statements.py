from __future__ import annotations

import ast

import pytest

from devlint.syntax import tree as t
from devlint.syntax.source import Source
from devlint.syntax.statements import (
    add_import,
    after_imports,
    insert_after,
    insert_before,
    insert_first,
    unguard,
)
from devlint.text import Edit, apply_edits


def done(source: Source, edits: list[Edit]) -> str:
    text = apply_edits(source.text, edits)
    ast.parse(text)
    return text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x\n", "new\nx\n"),
        ("# of x\nx\n", "new\n# of x\nx\n"),
        ("# apart\n\nx\n", "# apart\n\nnew\nx\n"),
        ("@d\ndef f(): pass\n", "new\n@d\ndef f(): pass\n"),
    ],
)
def test_a_statement_comes_before_another_and_its_comments(text: str, expected: str) -> None:
    source = Source.from_text("a.py", text)
    assert done(source, [insert_before(source, source.tree.body[0], "new")]) == expected


def test_a_statement_between_semicolons() -> None:
    source = Source.from_text("a.py", "if c: x; y\n")
    guard = source.tree.body[0]
    assert isinstance(guard, t.If)
    assert done(source, [insert_before(source, guard.body[0], "new")]) == "if c: new; x; y\n"
    assert done(source, [insert_after(source, guard.body[0], "new")]) == "if c: x; new; y\n"


def test_rows_are_indented_and_end_as_those_of_the_file() -> None:
    source = Source.from_text("a.py", "def f():\r\n    x  # c\r\n")
    function = source.tree.body[0]
    assert isinstance(function, t.FunctionDef)
    text = done(source, [insert_after(source, function.body[0], "if a:\n    b")])
    assert text == "def f():\r\n    x  # c\r\n    if a:\r\n        b\r\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f():\n    return 1\n", "def f():\n    new\n    return 1\n"),
        ("def f():\n    '''Docs.'''\n    return 1\n", "def f():\n    '''Docs.'''\n    new\n    return 1\n"),
        ("def f():\n    '''Docs.'''\n", "def f():\n    '''Docs.'''\n    new\n"),
        ("def f():\n    # c\n    return 1\n", "def f():\n    new\n    # c\n    return 1\n"),
        ("def f(): return 1\n", None),
    ],
)
def test_the_first_statement_of_a_function(text: str, expected: str | None) -> None:
    source = Source.from_text("a.py", text)
    function = source.tree.body[0]
    assert isinstance(function, t.FunctionDef)
    edit = insert_first(source, function, "new")
    assert (None if edit is None else done(source, [edit])) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\n", "import torch\n\n\nx = 1\n"),
        ('"""Docs."""\nx = 1\n', '"""Docs."""\nimport torch\n\n\nx = 1\n'),
        (
            "from __future__ import annotations\nimport os\nx = 1\n",
            "from __future__ import annotations\nimport os\nimport torch\nx = 1\n",
        ),
        ("# licence\n\nimport os\n\nx = 1\n", "# licence\n\nimport os\nimport torch\n\nx = 1\n"),
        ("import os\nfrom torch import nn\n", "import os\nimport torch\nfrom torch import nn\n"),
        ("from .torch import x\n", "from .torch import x\nimport torch\n"),
        (
            "if TYPE_CHECKING:\n    import os\nx = 1\n",
            "import torch\n\n\nif TYPE_CHECKING:\n    import os\nx = 1\n",
        ),
    ],
)
def test_an_import_goes_where_the_imports_are(text: str, expected: str) -> None:
    source = Source.from_text("a.py", text)
    edit = add_import(source, "torch")
    assert edit is not None
    assert done(source, [edit]) == expected


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("x = 1\nimport a\n", None),
        ("import a\nfrom b import c\nx = 1\n", 1),
        ("import a\ntry:\n    import b\nexcept ImportError:\n    b = None\nx = 1\n", 1),
        ("import a\nif a:\n    x = 1\n", 0),
    ],
)
def test_where_the_imports_end(text: str, number: int | None) -> None:
    source = Source.from_text("a.py", text)
    assert after_imports(source) is (None if number is None else source.tree.body[number])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if c: x\n", "x\n"),
        ("if c:\n    x\n    y\n", "x\ny\n"),
        ("if c:  # why\n    # of x\n    x  # t\n\n    y\nz\n", "# why\n# of x\nx  # t\n\ny\nz\n"),
        ("if c:\n    f(1,\n      2)\n", "f(1,\n  2)\n"),
        ("if c:\n    if d:\n        x\n", "if d:\n    x\n"),
        ("if c:\n    x\nelse:\n    y\n", None),
        ("if c:\n    x = '''\n    a\n    '''\n", None),
    ],
)
def test_a_guard_goes_and_its_body_moves_left(text: str, expected: str | None) -> None:
    source = Source.from_text("a.py", text)
    guard = source.tree.body[0]
    assert isinstance(guard, t.If)
    edits = unguard(source, guard)
    assert (None if edits is None else done(source, edits)) == expected


def test_an_elif_stays() -> None:
    source = Source.from_text("a.py", "if a:\n    x\nelif b:\n    y\n")
    guard = source.tree.body[0]
    assert isinstance(guard, t.If)
    inner = guard.orelse[0]
    assert isinstance(inner, t.If)
    assert unguard(source, inner) is None
