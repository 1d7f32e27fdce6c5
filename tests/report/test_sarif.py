"""The sarif format."""

from __future__ import annotations

import dataclasses
import json

from devlint.diagnostic import FileResult, Fix, Safety
from devlint.report.sarif import render
from devlint.text import Edit
from tests.report.samples import CLEAN, FAILED, FOUND, LOAD, MOVE, context, written


def test_a_finding_and_a_failure() -> None:
    report = written(render, (FileResult("train.py", (MOVE,)), FAILED))
    assert json.loads(report) == {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "devlint",
                        "version": "9.9",
                        "informationUri": "https://example.org/devlint",
                        "rules": [
                            {
                                "id": "DEV101",
                                "name": "unassigned-move",
                                "shortDescription": {"text": "Summary of unassigned-move"},
                                "fullDescription": {"text": "Summary of unassigned-move"},
                                "help": {
                                    "text": "# unassigned-move\n\nA fault. *DEV101: error; a safe fix; on by default.*\n\n## What it does\n\nFinds `unassigned-move`.\n",
                                    "markdown": "# unassigned-move\n\nA fault. *DEV101: error; a safe fix; on by default.*\n\n## What it does\n\nFinds `unassigned-move`.\n",
                                },
                                "helpUri": "https://example.org/docs/rules/unassigned-move/",
                                "defaultConfiguration": {"level": "error"},
                                "properties": {"problem.severity": "error", "tags": ["pytorch", "device"]},
                            }
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": False,
                        "toolExecutionNotifications": [
                            {
                                "level": "error",
                                "message": {"text": "not valid utf-8: byte 0xff on line 1"},
                                "locations": [
                                    {
                                        "physicalLocation": {
                                            "artifactLocation": {"uri": "bad.py", "uriBaseId": "%SRCROOT%"}
                                        }
                                    }
                                ],
                            }
                        ],
                    }
                ],
                "results": [
                    {
                        "ruleId": "DEV101",
                        "ruleIndex": 0,
                        "level": "error",
                        "message": {
                            "text": "the moved copy of `scale` is dropped: a tensor does not move in place"
                        },
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {"uri": "train.py", "uriBaseId": "%SRCROOT%"},
                                    "region": {
                                        "startLine": 9,
                                        "startColumn": 9,
                                        "endLine": 9,
                                        "endColumn": 25,
                                    },
                                }
                            }
                        ],
                        "partialFingerprints": {"devlint/v1": "dc1e3818f6c25fe3df86be3659856474"},
                        "relatedLocations": [
                            {
                                "id": 0,
                                "message": {"text": "created on the CPU here"},
                                "physicalLocation": {
                                    "artifactLocation": {"uri": "train.py", "uriBaseId": "%SRCROOT%"},
                                    "region": {
                                        "startLine": 7,
                                        "startColumn": 13,
                                        "endLine": 7,
                                        "endColumn": 26,
                                    },
                                },
                            }
                        ],
                        "fixes": [
                            {
                                "description": {"text": "assign the result back to `scale` (safe)"},
                                "artifactChanges": [
                                    {
                                        "artifactLocation": {"uri": "train.py", "uriBaseId": "%SRCROOT%"},
                                        "replacements": [
                                            {
                                                "deletedRegion": {
                                                    "startLine": 9,
                                                    "startColumn": 9,
                                                    "endLine": 9,
                                                    "endColumn": 25,
                                                },
                                                "insertedContent": {"text": "scale = scale.to(device)"},
                                            }
                                        ],
                                    }
                                ],
                            }
                        ],
                    }
                ],
            }
        ],
    }


def test_nothing_found() -> None:
    assert json.loads(written(render, CLEAN)) == {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "devlint",
                        "version": "9.9",
                        "informationUri": "https://example.org/devlint",
                        "rules": [],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": []}],
                "results": [],
            }
        ],
    }


def test_results_name_their_rule_by_its_index() -> None:
    (run,) = json.loads(written(render, FOUND))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["DEV104", "DEV101", "DEV501"]
    assert [result["level"] for result in run["results"]] == ["note", "error", "warning"]


def test_addresses_are_relative_and_escaped() -> None:
    odd = dataclasses.replace(LOAD, path="my code/a#b.py", fix=None)
    (run,) = json.loads(written(render, [FileResult(odd.path, (odd,))]))["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "my%20code/a%23b.py", "uriBaseId": "%SRCROOT%"}


def test_a_file_outside_of_the_project_has_a_whole_address() -> None:
    far = dataclasses.replace(LOAD, path="/tmp/a.py", fix=None)
    (run,) = json.loads(written(render, [FileResult(far.path, (far,))]))["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "file:///tmp/a.py"}


def test_a_removal_inserts_nothing() -> None:
    gone = dataclasses.replace(LOAD, fix=Fix("remove it", Safety.SAFE, (Edit(0, 13, ""),)))
    (run,) = json.loads(written(render, [FileResult("train.py", (gone,))]))["runs"]
    (change,) = run["results"][0]["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [
        {"deletedRegion": {"startLine": 1, "startColumn": 1, "endLine": 2, "endColumn": 1}}
    ]


def test_a_fix_in_a_file_that_is_gone_is_left_out() -> None:
    (run,) = json.loads(written(render, [FileResult("train.py", (MOVE,))], context(files={})))["runs"]
    assert "fixes" not in run["results"][0]
