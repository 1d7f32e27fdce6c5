"""The gitlab format."""

from __future__ import annotations

import json

from devlint.diagnostic import FileResult
from devlint.report.gitlab import render
from tests.report.samples import CLEAN, FAILED, FOUND, LOAD, MOVE, TRAIN, context, written


def test_a_finding_and_a_failure() -> None:
    report = written(render, (FileResult("train.py", (MOVE,)), FAILED))
    assert json.loads(report) == [
        {
            "check_name": "DEV101",
            "description": "DEV101: the moved copy of `scale` is dropped: a tensor does not move in place",
            "severity": "major",
            "fingerprint": "dc1e3818f6c25fe3df86be3659856474",
            "location": {
                "path": "train.py",
                "positions": {"begin": {"line": 9, "column": 9}, "end": {"line": 9, "column": 25}},
            },
        }
    ]


def test_nothing_found() -> None:
    assert json.loads(written(render, CLEAN)) == []


def fingerprints(text: str) -> list[str]:
    report = written(render, FOUND, context(files={"train.py": text}))
    return [issue["fingerprint"] for issue in json.loads(report)]


def test_the_same_line_twice_has_two_fingerprints() -> None:
    twice = json.loads(written(render, [FileResult("train.py", (LOAD, LOAD))]))
    assert twice[0]["fingerprint"] != twice[1]["fingerprint"]


def test_a_fingerprint_follows_the_line_and_not_its_indentation() -> None:
    assert fingerprints(TRAIN) == fingerprints(TRAIN.replace("        scale.to", "    scale.to"))
    assert fingerprints(TRAIN) != fingerprints(TRAIN.replace("scale.to(device)", "scale.to(other)"))


def test_severities() -> None:
    assert [issue["severity"] for issue in json.loads(written(render, FOUND))] == ["info", "major", "minor"]
