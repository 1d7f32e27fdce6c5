"""The closing lines of the formats for people."""

from __future__ import annotations

import dataclasses

from devlint.diagnostic import FileResult
from devlint.report.people import place, summary
from tests.report.samples import CLEAN, FAILED, FOUND, LOAD, MASK, MOVE, context


def test_one_finding_that_only_unsafe_fixes_fix() -> None:
    assert list(summary([FileResult("train.py", (LOAD,))], context())) == [
        "Found 1 finding (1 warning) in 1 file.",
        "1 fixable with `devlint check --fix --unsafe-fixes`.",
    ]


def test_unsafe_fixes_count_when_asked_for() -> None:
    assert list(summary(FOUND, context(unsafe=True)))[1:] == [
        "[*] 2 fixable with `devlint check --fix --unsafe-fixes`."
    ]


def test_nothing_is_said_of_fixes_where_there_are_none() -> None:
    assert list(summary([FileResult("pkg/net.py", (MASK,))], context())) == [
        "Found 1 finding (1 info) in 1 file."
    ]


def test_some_fixed_some_left() -> None:
    lines = list(summary([FileResult("train.py", (LOAD,))], context(fixed=(MOVE, MOVE))))
    assert lines[0] == "Found 3 findings (2 fixed, 1 remaining)."


def test_all_fixed() -> None:
    assert list(summary(CLEAN, context(fixed=(MOVE,)))) == ["Found 1 finding (1 fixed, 0 remaining)."]


def test_the_fixed_are_listed_on_demand() -> None:
    fixed = (MOVE, LOAD, MOVE, MASK)
    assert list(summary(CLEAN, context(fixed=fixed, show_fixes=True))) == [
        "Fixed 4 findings:",
        "- train.py:",
        "    2 x DEV101 (unassigned-move)",
        "    1 x DEV501 (load-without-map-location)",
        "- pkg/net.py:",
        "    1 x DEV104 (create-then-move)",
        "",
        "Found 4 findings (4 fixed, 0 remaining).",
    ]


def test_a_run_that_could_not_read_a_file_does_not_say_that_all_is_well() -> None:
    assert list(summary([*CLEAN, FAILED], context())) == []


def test_a_run_without_files_does_not_say_so_either() -> None:
    assert list(summary([], context())) == []


def test_no_summary_when_quiet() -> None:
    assert list(summary(FOUND, context(summary=False))) == []


def test_a_place_in_a_notebook_names_its_cell() -> None:
    assert place(dataclasses.replace(MOVE, cell=3)) == "cell 3:9:9"
