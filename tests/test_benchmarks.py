"""The parts of the benchmarks that judge: a wrong one would praise devlint."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.corpus import Checked, sample
from benchmarks.fixcorpus import compiles, spoken_of, strays
from benchmarks.get import listed, wanted
from benchmarks.precision import (
    JUDGEMENTS,
    PACKAGES,
    PAGE,
    Found,
    Verdict,
    between,
    by_rule,
    joined,
    marked,
    verdicts,
)
from benchmarks.speed import usable
from devlint.rules import all_rules


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
    ("before", "after", "spoken", "rows"),
    [
        (b"a\nb\nc\n", b"a\nb\nc\n", set(), []),
        (b"a\nb\nc\n", b"a\nB\nc\n", {2}, []),
        (b"a\nb\nc\n", b"a\nB\nc\n", {3}, ["1-2"]),
        (b"a\nb\nc\n", b"a\nB\nc\n", set(), ["1-3"]),
        (b"a\nb\n", b"a\nnew\nb\n", {2}, []),
        (b"a\nb\n", b"a\nnew\nb\n", set(), ["1-2"]),
        (b"a\r\nb\r\n", b"a\nb\r\n", set(), ["1-2"]),
        (b"a\nb", b"a\nb\n", set(), ["1-2"]),
        (b"a\n\n\nb\n", b"a\n\nnew\n\n\nb\n", {2}, []),
        (b"a\n\n\nb\n", b"a\n\nnew\n\n\nb\n", {1, 2}, []),
    ],
)
def test_rows_that_changed_though_no_fix_spoke_of_them(
    before: bytes, after: bytes, spoken: set[int], rows: list[str]
) -> None:
    assert list(strays(before, after, spoken)) == rows


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


LINES = ["import torch", "", "def f(a, b):", "    a.cuda()", "    b.cuda()", "", "def g(a):", "    a.cuda()"]


def verdict(mark: Any, row: int) -> Verdict:
    return Verdict(mark.package, "1", mark.path, row, mark.code, mark.line, mark.around, "right", "so it is")


def test_a_mark_has_no_line_number() -> None:
    mark = marked("p", "a.py", "DEV101", LINES, 4)
    assert mark.line == "a.cuda()"
    assert marked("p", "a.py", "DEV101", LINES, 8) != mark
    far = ["x = 1"] * 6 + LINES
    indented = ["# one more"] * 9 + [line.replace("    ", "\t") for line in far]
    assert marked("p", "a.py", "DEV101", far, 14) == marked("p", "a.py", "DEV101", indented, 23)


def test_as_many_findings_are_read_as_were_judged(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("\n".join(LINES))
    twice = [{**finding("DEV101", row), "cell": None, "name": "n"} for row in (4, 4, 5)]
    mark = marked(tmp_path.name, "a.py", "DEV101", LINES, 4)
    read = [verdict(mark, 4), verdict(mark._replace(line="gone"), 1)]
    found = joined([Checked(tmp_path, 1, twice, [])], read)
    assert [each.verdict is not None for each in found] == [True, False, False]
    row = by_rule(found, read)["DEV101"]
    assert (row.findings, row.now["right"], row.first["right"]) == (3, 1, 2)
    assert isinstance(found[0], Found)


def test_between_marks() -> None:
    text = "a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n"
    new = between(text, "x", "new")
    assert new == "a\n<!-- x: begin -->\n\nnew\n\n<!-- x: end -->\nb\n"
    assert between(new, "x", "new") == new


def test_every_verdict_is_of_a_rule_and_a_package() -> None:
    read, codes, packages = verdicts(), {rule.code for rule in all_rules()}, listed(PACKAGES)
    assert len(read) >= 150
    assert {each.verdict for each in read} <= set(JUDGEMENTS)
    assert {each.code for each in read} <= codes
    assert {(each.package, each.version) for each in read} <= packages.items()
    assert not any(Path(each.path).is_absolute() or "\\" in each.path for each in read)


def test_the_page_counts_the_verdicts() -> None:
    read = verdicts()
    right = sum(each.verdict == "right" for each in read)
    assert f"As first read: {right} of {len(read)} right" in PAGE.read_text("utf-8")
