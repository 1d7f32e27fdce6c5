"""`--statistics`."""

from __future__ import annotations

import dataclasses
import json

from devlint.diagnostic import FileResult
from devlint.report.statistics import render_json, render_text
from tests.report.samples import CLEAN, FOUND, LOAD, MASK, MOVE, context, written

MANY = (FileResult("train.py", (MOVE, *[MASK] * 10, dataclasses.replace(MOVE, fix=None), LOAD)),)


def test_the_most_frequent_first_with_the_state_of_their_fixes() -> None:
    assert (
        written(render_text, MANY)
        == """\
10  DEV104  [ ] create-then-move
 2  DEV101  [-] unassigned-move
 1  DEV501  [ ] load-without-map-location
Found 13 findings (2 errors, 1 warning, 10 info) in 2 files.
[*] 1 fixable with `devlint check --fix` (1 more with `--unsafe-fixes`).
"""
    )


def test_all_of_one_rule_fixable() -> None:
    report = written(render_text, FOUND, context(unsafe=True, summary=False))
    assert "1  DEV501  [*] load-without-map-location\n" in report


def test_nothing_found() -> None:
    assert written(render_text, CLEAN) == "All checks passed! 2 files checked.\n"
    assert written(render_json, CLEAN) == "[]\n"


def test_json() -> None:
    assert json.loads(written(render_json, MANY)) == [
        {"code": "DEV104", "name": "create-then-move", "count": 10, "fixable": False, "fixable_count": 0},
        {"code": "DEV101", "name": "unassigned-move", "count": 2, "fixable": False, "fixable_count": 1},
        {
            "code": "DEV501",
            "name": "load-without-map-location",
            "count": 1,
            "fixable": False,
            "fixable_count": 0,
        },
    ]
