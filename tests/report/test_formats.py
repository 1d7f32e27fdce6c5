"""The formats that the configuration knows are those that there are."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from devlint.diagnostic import FileResult
from devlint.options import OUTPUT_FORMATS
from devlint.report import FORMATS, STATISTICS
from tests.report.samples import MOVE, written


def test_the_formats_are_those_of_the_configuration() -> None:
    assert tuple(FORMATS) == OUTPUT_FORMATS


def test_statistics_have_some_of_them() -> None:
    assert set(STATISTICS) < set(FORMATS)


@pytest.mark.parametrize("name", ["concise", "grouped", "text", "pylint", "github"])
def test_a_name_with_control_characters_stays_on_its_line(name: str) -> None:
    path = "a\n\x1b[2J\u2028.py"
    found = replace(MOVE, path=path, notes=(), fix=None)
    report = written(FORMATS[name], (FileResult(path, (found,)),))
    assert "a\\n\\x1b[2J\\u2028.py" in report
    assert path not in report


def test_an_address_that_nothing_says_is_left_out(addresses: dict[str, str]) -> None:
    addresses.clear()
    results = (FileResult("train.py", (MOVE,)),)
    assert json.loads(written(FORMATS["json"], results))[0]["url"] is None
    for name in ("rdjson", "sarif"):
        report = written(FORMATS[name], results)
        assert "example.org" not in report
        assert "null" not in report
