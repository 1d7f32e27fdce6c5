"""Notebooks and large files on the command line."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Devlint
from tests.notebooks import notebook, prose

LOST = "import torch\nx = torch.ones(3)\nx.to('cuda')\nprint(x)"
SELECT = ("--select", "DEV101")


def test_notebooks_in_folders_are_checked(devlint: Devlint, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(notebook(prose(), f"!ls\n{LOST}"))
    (tmp_path / "r.ipynb").write_text(notebook("library(torch)", metadata={"kernelspec": {"language": "R"}}))
    code, out, err = devlint("check", *SELECT, "--output-format", "concise")
    assert (code, err) == (1, "")
    assert out.startswith("a.ipynb:cell 2:4:1: DEV101 [*] ")


def test_one_that_is_broken_is_told_and_the_others_are_checked(devlint: Devlint, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(notebook(LOST)[:-10])
    (tmp_path / "b.ipynb").write_text(notebook(LOST))
    code, out, err = devlint("check", *SELECT, "--output-format", "concise")
    assert (code, err) == (
        2,
        "error: a.ipynb: not a notebook: this is no JSON (Unterminated string starting at, line 22, column 2)\n",
    )
    assert out.startswith("b.ipynb:cell 1:3:1: DEV101")


def test_a_notebook_through_standard_input(devlint: Devlint) -> None:
    before = notebook(prose("\u00e9"), LOST)
    name = ("--stdin-filename", "a.ipynb")
    code, out, _ = devlint("check", "-", *SELECT, *name, "--fix", stdin=before.encode())
    assert (code, out) == (0, before.replace("\"x.to('cuda')", "\"x = x.to('cuda')"))
    code, out, _ = devlint("fix", "-", *SELECT, *name, stdin=before.encode())
    assert (code, out) == (
        1,
        "--- a.ipynb:cell 2\n+++ a.ipynb:cell 2\n@@ -1,4 +1,4 @@\n"
        " import torch\n x = torch.ones(3)\n-x.to('cuda')\n+x = x.to('cuda')\n print(x)\n",
    )


def test_what_is_left_after_a_fix_is_shown_in_its_cell(devlint: Devlint, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(notebook(LOST, "x.to('cuda')"))
    code, out, _ = devlint("check", *SELECT, "--fix")
    assert code == 1
    assert "1 | x.to('cuda')\n  | ^^^^^^^^^^^^" in out
    assert " ::: a.ipynb:cell 1:3:5\n" in out


def test_a_file_that_is_too_large_is_not_passed_over_in_silence(devlint: Devlint, tmp_path: Path) -> None:
    (tmp_path / "data.py").write_text("x = 1\n" * 500_000)
    (tmp_path / "big.py").write_text("import torch\n" + "x = 1\n" * 400_000)
    code, out, err = devlint("check")
    assert (code, out) == (2, "")
    assert err == "error: big.py: too large to be checked (2.4 MB): exclude it, or raise `max-file-size`\n"
    assert devlint("check", "--exclude", "big.py").code == 0
    assert devlint("check", "data.py", "--config", "max-file-size = 10").code == 0
