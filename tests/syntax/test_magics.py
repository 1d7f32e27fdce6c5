from __future__ import annotations

import pytest

from devlint.syntax.magics import python_of


def squeezed(cell: str) -> list[str]:
    """The rows of what is left, without the blanks at their ends; each as long as it was."""
    text = python_of(cell)
    assert [len(row) for row in text.split("\n")] == [len(row) for row in cell.split("\n")]
    return [row.rstrip(" ") for row in text.split("\n")]


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("", [""]),
        ("x = 1\ny = x % 2\n", ["x = 1", "y = x % 2", ""]),
        ("%matplotlib inline\nimport torch", ["", "import torch"]),
        ("!pip install x \\\n    y \\\n    z\nx = 1", ["", "", "", "x = 1"]),
        ("?len\nlen?\nnp.*sum??\nx", ["", "", "", "x"]),
        (",f a b\n;f a\n/f 1\nx", ["", "", "", "x"]),
        ("!{sys.executable} -m pip list\nx", ["", "x"]),
        # A block must have a statement.
        ("if colab:\n    !pip install x\n    %cd /tmp", ["if colab:", "    _", "    _"]),
        # What is assigned is unknown.
        ("files = !ls *.pt\nx = files[0]", ["files = _", "x = files[0]"]),
        ("a['k'], b = !ls", ["a['k'], b = _"]),
        ("x = y = %env HOME", ["x = y = _"]),
        ("x = %timeit -o f()", ["x = _"]),
        # %time runs what follows in the notebook.
        ("%time x = f(\\\n  2)", ["_   ; x = f(\\", "  2)"]),
        ("%time net.cuda()", ["_   = net.cuda()"]),
        ("%time   f(1);", ["_     ; f(1);"]),
        ("x = %time f(1)", ["x =       f(1)"]),
        ("x = %time for", ["x = _"]),
        ("%time -q f()\n%time\n%time x y", ["", "", "_"]),
    ],
)
def test_commands_are_blanked(cell: str, python: list[str]) -> None:
    assert squeezed(cell) == python


@pytest.mark.parametrize(
    "cell",
    [
        's = """\n%cd x\n!ls\n"""',
        "s = '''\n?\n'''",
        "x = (\n    5\n    %2\n)",
        "x = 5 \\\n  %2",
        "s = 'a = !b'; t = \"= %c\"  # = !d",
        "x = 1  # what is it?",
        "x = a != b\ny %= 2",
        "assert a == (\n'%s'\n% 1)",
        "await f()\nasync with g() as x:\n    async for y in x:\n        pass",
        "f = [await g(x) for x in y]",
        "class A:\n\n    def f(self): ...\n",
    ],
)
def test_what_only_looks_like_a_command_stays(cell: str) -> None:
    assert python_of(cell) == cell
    # The same beside a command, where the cell is gone through piece by piece.
    assert python_of(f"%cd x\n{cell}\n!ls") == f"     \n{cell}\n   "


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("%%time\nx = 1", ["", "x = 1"]),
        ("%%capture out --no-stderr\n%%time\n!pip install x\nx = 1", ["", "", "", "x = 1"]),
        ("\n\n%%timeit -n 3\nf()", ["", "", "", "f()"]),
        ("# about it\n%%time\nx = 1", ["# about it", "", "x = 1"]),
        ("%%bash\nset -e\nfor f in *; do echo $f; done", ["", "", ""]),
        ("%%html\n<b>x</b>", ["", ""]),
        ("%%writefile net.py\nimport torch\nx = torch.zeros(3).cuda()", ["", "", ""]),
        ("%%capture\n%%bash\nls", ["", "", ""]),
        ("%%\nx = 1", ["", ""]),
        ("#@title Setup\n%%sh\nls", ["", "", ""]),
        # Nowhere but at the top: IPython refuses it.
        ("x = 1\n%%time\ny = 2", ["", "", ""]),
    ],
)
def test_cell_magics(cell: str, python: list[str]) -> None:
    assert squeezed(cell) == python


@pytest.mark.parametrize(
    "cell",
    [
        "mkdir -p leaves && cd leaves\ncurl -sSL https://example.org/x.tar.gz | tar xz",
        "pip install torch",
        "print 'x'",
        "x = torch.zeros(3",
        'x = """\n%cd',
        "if x:",
        "@decorated",
        "x = \\",
        "x = " + "(" * 300 + ")" * 300,
        "x = '\ud83d",
    ],
)
def test_what_is_no_python_is_blanked(cell: str) -> None:
    assert not python_of(cell).strip()


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_stay(end: str) -> None:
    assert python_of(f"%cd x \\{end}y{end}if z:{end}  !ls{end}") == (
        f"       {end} {end}if z:{end}  _  {end}"
    )
