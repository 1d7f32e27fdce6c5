"""The parts of the benchmarks that judge: a wrong one would praise devlint."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.corpus import Checked, sample
from benchmarks.fixcorpus import compiles, spoken_of, touched
from benchmarks.get import wanted
from benchmarks.speed import usable


def finding(code: str, row: int, *edits: tuple[int, int]) -> dict[str, Any]:
    return {
        "code": code,
        "filename": "a.py",
        "location": {"row": row, "column": 1},
        "fix": {"edits": [{"location": {"row": a}, "end_location": {"row": b}} for a, b in edits]}
        if edits
        else None,
    }


def test_a_sample_takes_turns_over_rules_and_packages() -> None:
    many = [finding("DEV101", row) for row in range(50)]
    runs = [
        Checked(Path("a"), 1, many, []),
        Checked(Path("b"), 1, [finding("DEV101", 1), finding("DEV104", 1)], []),
    ]
    drawn = sample(runs, 4, seed=0)
    assert Counter(found["code"] for _, found in drawn) == {"DEV101": 3, "DEV104": 1}
    assert {package.name for package, found in drawn if found["code"] == "DEV101"} == {"a", "b"}
    assert len(sample(runs, 100, seed=0)) == 52
    assert sample(runs, 10, seed=1) == sample(runs, 10, seed=1)


@pytest.mark.parametrize(
    ("code", "complaints", "wrong"),
    [
        (0, [], 0),
        (1, ["a.py: not UTF-8"], 0),
        (1, ["a.py: internal error: KeyError"], 1),
        (2, ["what?"], 2),
        (-1, ["no end after 600 s"], 2),
    ],
)
def test_what_is_a_fault_of_the_tool(code: int, complaints: list[str], wrong: int) -> None:
    assert len(Checked(Path("a"), code, [], complaints).faults) == wrong


@pytest.mark.parametrize(
    ("before", "after", "rows"),
    [
        (b"a\nb\nc\n", b"a\nb\nc\n", []),
        (b"a\nb\nc\n", b"a\nB\nc\n", [2]),
        (b"a\nb\n", b"a\nnew\nb\n", [2]),
        (b"a\r\nb\r\n", b"a\nb\r\n", [1]),
        (b"a\nb", b"a\nb\n", [2]),
    ],
)
def test_rows_that_a_fix_touched(before: bytes, after: bytes, rows: list[int]) -> None:
    assert list(touched(before, after)) == rows


def test_rows_that_a_fix_speaks_of() -> None:
    found = [finding("DEV101", 9, (3, 3), (9, 10)), finding("DEV305", 20)]
    assert spoken_of(found) == {Path("a.py"): {2, 3, 4, 8, 9, 10, 11}}


def test_what_compiles() -> None:
    assert compiles(b"x = 1\n")
    assert not compiles(b"x = (\n")


def test_the_list_of_packages() -> None:
    assert len(wanted([])) > 20
    assert set(wanted(["peft"])) == {"peft"}
    with pytest.raises(SystemExit, match="nosuch"):
        wanted(["nosuch"])


def test_what_may_follow_itself() -> None:
    assert usable(b"import torch\n")
    assert not usable(b"from __future__ import annotations\nimport torch\n")
    assert not usable(b"x = 1\n")
