"""The json format."""

from __future__ import annotations

import dataclasses
import json

from devlint.diagnostic import FileResult
from devlint.report.json import render, render_lines
from tests.report.samples import CLEAN, FAILED, FOUND, LOAD, MASK, MOVE, context, written


def test_a_finding_and_a_failure() -> None:
    report = written(render, (FileResult("train.py", (MOVE,)), FAILED))
    assert json.loads(report) == [
        {
            "cell": None,
            "code": "DEV101",
            "end_location": {"column": 25, "row": 9},
            "filename": "train.py",
            "fix": {
                "applicability": "safe",
                "edits": [
                    {
                        "cell": None,
                        "content": "scale = scale.to(device)",
                        "end_location": {"column": 25, "row": 9},
                        "location": {"column": 9, "row": 9},
                    }
                ],
                "message": "assign the result back to `scale`",
            },
            "location": {"column": 9, "row": 9},
            "message": "the moved copy of `scale` is dropped: a tensor does not move in place",
            "name": "unassigned-move",
            "noqa_row": 9,
            "notes": [
                {
                    "cell": None,
                    "end_location": {"column": 26, "row": 7},
                    "filename": "train.py",
                    "location": {"column": 13, "row": 7},
                    "message": "created on the CPU here",
                }
            ],
            "severity": "error",
            "url": "https://example.org/docs/rules/unassigned-move/",
        }
    ]


def test_nothing_found() -> None:
    assert json.loads(written(render, CLEAN)) == []


def test_the_keys_are_those_of_ruff_and_the_notes() -> None:
    ruff = ["cell", "code", "end_location", "filename", "fix", "location", "message", "name", "noqa_row"]
    for entry in json.loads(written(render, FOUND)):
        assert sorted(entry) == sorted([*ruff, "severity", "url", "notes"])


def test_a_finding_without_a_fix() -> None:
    (entry,) = json.loads(written(render, [FileResult("pkg/net.py", (MASK,))]))
    assert entry["fix"] is None


def test_a_fix_in_a_file_that_is_gone_has_no_places() -> None:
    (entry,) = json.loads(written(render, [FileResult("train.py", (MOVE,))], context(files={})))
    assert entry["fix"] is None


def test_the_statement_says_where_a_suppression_goes() -> None:
    long = dataclasses.replace(LOAD, statement=(13, 17))
    (entry,) = json.loads(written(render, [FileResult("train.py", (long,))]))
    assert entry["noqa_row"] == 17


def test_any_stream_can_take_any_text() -> None:
    odd = dataclasses.replace(LOAD, message="日本 \udc80")
    report = written(render, [FileResult("train.py", (odd,))])
    assert report.isascii()
    assert json.loads(report)[0]["message"] == "日本 \udc80"


def test_json_lines_holds_the_same_objects() -> None:
    lines = written(render_lines, FOUND).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(written(render, FOUND))


def test_json_lines_of_nothing_is_empty() -> None:
    assert written(render_lines, CLEAN) == ""
