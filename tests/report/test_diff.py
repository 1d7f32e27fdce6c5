"""Diffs: those of a whole file apply with git, those of a fix show its lines only."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from devlint.report import SourceText
from devlint.report.diff import changed_lines, unified
from devlint.report.style import Style
from devlint.text import Edit

BEFORE = "import torch\n\n\ndef f(x):\n    x.to(d)\n    return x\n"


def changed(text: str, *edits: Edit) -> list[str]:
    return list(changed_lines(SourceText(text), edits))


def test_lines_of_a_fix_without_common_indentation() -> None:
    at = BEFORE.index("x.to(d)")
    assert changed(BEFORE, Edit(at, at, "x = ")) == ["- x.to(d)", "+ x = x.to(d)"]


def test_a_fix_in_two_places_shows_both() -> None:
    at = BEFORE.index("x.to(d)")
    assert changed(BEFORE, Edit(13, 13, "\nd = 1\n"), Edit(at, at, "x = ")) == [
        "+",
        "+ d = 1",
        "...",
        "-     x.to(d)",
        "+     x = x.to(d)",
    ]


def test_edits_of_one_row_are_shown_together() -> None:
    assert changed("f(a, b)\n", Edit(2, 3, "c"), Edit(5, 6, "d")) == ["- f(a, b)", "+ f(c, d)"]


def test_a_removed_line() -> None:
    assert changed("a\nb\nc\n", Edit(2, 4, "")) == ["- b"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (BEFORE, BEFORE.replace("x.to(d)\n", "x = x.to(d)\n")),
        (BEFORE.replace("\n", "\r\n"), BEFORE.replace("x.to", "x = x.to").replace("\n", "\r\n")),
        ("a\n\x0cb\nx.cuda()", "a\n\x0cb\nx.to(d)"),
        ("x.cuda()", "x.to(d)\n"),
        ("x.cuda()\n", "x.to(d)"),
    ],
    ids=["plain", "crlf", "form feed", "newline added", "newline removed"],
)
def test_git_applies_the_diff_of_a_file(before: str, after: str, tmp_path: Path) -> None:
    file = tmp_path / "a b.py"
    file.write_bytes(before.encode())
    patch = "".join(unified(before, after, "a b.py", Style(color=False)))
    subprocess.run(["git", "apply", "-p0", "-"], input=patch.encode(), cwd=tmp_path, check=True)
    assert file.read_bytes().decode() == after


def test_the_diff_of_a_file_in_colour() -> None:
    lines = list(unified("a\nb\n", "a\nc\n", "x.py", Style(color=True)))
    assert lines == [
        "\x1b[1m--- x.py\x1b[0m\n",
        "\x1b[1m+++ x.py\x1b[0m\n",
        "\x1b[1;36m@@ -1,2 +1,2 @@\x1b[0m\n",
        " a\n",
        "\x1b[31m-b\x1b[0m\n",
        "\x1b[32m+c\x1b[0m\n",
    ]


def test_no_change_is_no_diff() -> None:
    assert list(unified("a\n", "a\n", "x.py", Style(color=False))) == []
