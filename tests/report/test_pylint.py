"""The pylint format."""

from __future__ import annotations

from devlint.report.pylint import render
from tests.report.samples import CLEAN, FAILED, FOUND, written


def test_findings_and_a_failure() -> None:
    assert (
        written(render, (*FOUND, FAILED))
        == """\
pkg/net.py:2: [DEV104] 100% of it, moved: once
train.py:9: [DEV101] the moved copy of `scale` is dropped: a tensor does not move in place
train.py:13: [DEV501] no `map_location`: fails where the card it was saved from is missing
"""
    )


def test_nothing_found() -> None:
    assert written(render, CLEAN) == ""
