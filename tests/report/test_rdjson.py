"""The rdjson format."""

from __future__ import annotations

import dataclasses
import json

from devlint.diagnostic import FileResult
from devlint.report.rdjson import render
from devlint.text import Position
from tests.report.samples import CLEAN, FAILED, FOUND, LOAD, MOVE, context, written


def test_a_finding_and_a_failure() -> None:
    report = written(render, (FileResult("train.py", (MOVE,)), FAILED))
    assert json.loads(report) == {
        "diagnostics": [
            {
                "code": {
                    "url": "https://example.org/docs/rules/unassigned-move/",
                    "value": "DEV101",
                },
                "location": {
                    "path": "train.py",
                    "range": {"start": {"line": 9, "column": 9}, "end": {"line": 9, "column": 25}},
                },
                "message": "the moved copy of `scale` is dropped: a tensor does not move in place",
                "severity": "ERROR",
                "suggestions": [
                    {
                        "range": {"start": {"line": 9, "column": 9}, "end": {"line": 9, "column": 25}},
                        "text": "scale = scale.to(device)",
                    }
                ],
            }
        ],
        "severity": "WARNING",
        "source": {"name": "devlint", "url": "https://example.org/devlint"},
    }


def test_nothing_found() -> None:
    assert json.loads(written(render, CLEAN)) == {
        "diagnostics": [],
        "severity": "WARNING",
        "source": {"name": "devlint", "url": "https://example.org/devlint"},
    }


def test_severities() -> None:
    found = json.loads(written(render, FOUND))["diagnostics"]
    assert [entry["severity"] for entry in found] == ["INFO", "ERROR", "WARNING"]


def test_columns_count_bytes() -> None:
    there = dataclasses.replace(LOAD, start=Position(1, 4), end=Position(1, 5), fix=None)
    given = context(files={"train.py": "日é=x"})
    (entry,) = json.loads(written(render, [FileResult("train.py", (there,))], given))["diagnostics"]
    assert entry["location"]["range"] == {"start": {"line": 1, "column": 7}, "end": {"line": 1, "column": 8}}


def test_a_fix_in_a_file_that_is_gone_is_not_suggested() -> None:
    (entry,) = json.loads(written(render, [FileResult("train.py", (MOVE,))], context(files={})))[
        "diagnostics"
    ]
    assert entry["suggestions"] == []
