"""The grouped format."""

from __future__ import annotations

from devlint.report.grouped import render
from tests.report.samples import CLEAN, FAILED, FOUND, written


def test_findings_and_a_failure() -> None:
    assert (
        written(render, (*FOUND, FAILED))
        == """\
pkg/net.py:
  2:5 DEV104 100% of it, moved: once

train.py:
  9:9   DEV101 [*] the moved copy of `scale` is dropped: a tensor does not move in place
  13:11 DEV501 no `map_location`: fails where the card it was saved from is missing

Found 3 findings (1 error, 1 warning, 1 info) in 2 files.
[*] 1 fixable with `devlint check --fix` (1 more with `--unsafe-fixes`).
"""
    )


def test_nothing_found() -> None:
    assert written(render, CLEAN) == "All checks passed! 2 files checked.\n"
