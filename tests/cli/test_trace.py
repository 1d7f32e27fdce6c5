"""`devlint trace`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Devlint
from tests.tracing import PROGRAM


def write(folder: Path, text: str = PROGRAM) -> None:
    (folder / "net.py").write_text(text)


def test_a_function(devlint: Devlint, tmp_path: Path) -> None:
    write(tmp_path)
    assert devlint("trace", "net.py:Net.__init__") == (
        0,
        """\
net.py: Net.__init__

Net.__init__
   9  self.layer = nn.Linear(3, 3)
        self.layer  module Linear  cpu
  10  self.mask = torch.ones(3)
        self.mask   tensor         cpu  not registered: it does not move with the module

Nowhere do different devices meet, as far as is known.
""",
        "",
    )


def test_json(devlint: Devlint, tmp_path: Path) -> None:
    write(tmp_path)
    found = json.loads(devlint("trace", "net.py", "--format", "json").out)
    assert found["filename"] == "net.py"
    assert [line["row"] for line in found["lines"] if line["meets"]] == [14, 25]


def test_a_page_in_a_file(devlint: Devlint, tmp_path: Path) -> None:
    write(tmp_path)
    assert devlint("trace", "net.py", "--output-format", "html", "-o", "net.html") == (0, "", "")
    assert (tmp_path / "net.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>\n")


def test_standard_input(devlint: Devlint) -> None:
    code, out, _ = devlint("trace", "-", "--stdin-filename", "pkg/net.py", stdin=PROGRAM.encode())
    assert code == 0
    assert out.startswith("pkg/net.py\n")
    assert devlint("trace", "--", "-:Net", stdin=PROGRAM.encode()).out.startswith("-: Net\n")


def test_in_colour(devlint: Devlint, tmp_path: Path) -> None:
    write(tmp_path)
    assert "\x1b[36mcpu\x1b[0m" in devlint("trace", "net.py", "--color", "always").out
    assert "\x1b" not in devlint("trace", "net.py").out


def test_imports_are_found_by_the_configuration(devlint: Devlint, tmp_path: Path) -> None:
    (tmp_path / "src" / "pkg").mkdir(parents=True)
    (tmp_path / "src" / "pkg" / "__init__.py").touch()
    (tmp_path / "src" / "pkg" / "data.py").write_text(
        "import torch\n\n\ndef make():\n    return torch.ones(3)\n"
    )
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "run.py").write_text("import torch\nfrom pkg.data import make\nx = make()\n")
    assert "created on the CPU at src/pkg/data.py:5" in devlint("trace", "scripts/run.py").out


def test_a_notebook_is_traced_by_cells(devlint: Devlint, tmp_path: Path) -> None:
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": [text]}
        for text in ("import torch\nx = torch.ones(2)", "y = x.cuda()")
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook))
    out = devlint("trace", "a.ipynb").out
    assert "  2:1  y = x.cuda()\n" in out
    assert "created on the CPU in cell 1, line 2" in out
    lines = json.loads(devlint("trace", "a.ipynb", "--output-format", "json").out)["lines"]
    assert [(line["cell"], line["row"]) for line in lines] == [(1, 2), (2, 1)]


def test_what_cannot_be_traced(devlint: Devlint, tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "broken.py").write_text("import torch\ndef (:\n")
    (tmp_path / "latin.py").write_bytes(b"# \xe4\n")
    assert devlint("trace", "no.py") == (2, "", "error: no.py: cannot be read: No such file or directory\n")
    code, out, err = devlint("trace", "broken.py")
    assert (code, out) == (2, "")
    assert err.startswith("error: broken.py:2: this does not parse: ")
    assert devlint("trace", "latin.py").err.startswith("error: latin.py: invalid or missing encoding")
    assert devlint("trace", "net.py:fit").err == (
        "error: net.py: no function or class `fit` (it has Net, Net.__init__, Net.forward)\n"
    )
    assert devlint("trace", "net.py:Net.foward").err == (
        "error: net.py: no function or class `Net.foward` (did you mean `Net.forward`?)\n"
    )


def test_a_file_that_cannot_be_written(devlint: Devlint, tmp_path: Path) -> None:
    write(tmp_path)
    code, out, err = devlint("trace", "net.py", "-o", "no/where.txt")
    assert (code, out) == (2, "")
    assert "no/where.txt" in err


@pytest.mark.parametrize("name", ["--output-format", "--format"])
def test_the_format_has_two_names_in_all_that_is_no_check(devlint: Devlint, name: str) -> None:
    Path("net.py").write_text("import torch\n")
    for args in (["trace", "net.py"], ["rules"], ["explain", "DEV101"]):
        assert json.loads(devlint(*args, name, "json").out)
