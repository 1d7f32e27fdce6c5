"""The azure format."""

from __future__ import annotations

import dataclasses

from devlint.diagnostic import FileResult
from devlint.report.azure import render
from tests.report.samples import CLEAN, FAILED, FOUND, LOAD, written


def test_findings_and_a_failure() -> None:
    assert (
        written(render, (*FOUND, FAILED))
        == """\
##vso[task.logissue type=warning;sourcepath=pkg/net.py;linenumber=2;columnnumber=5;code=DEV104;]100%AZP25 of it, moved: once
##vso[task.logissue type=error;sourcepath=train.py;linenumber=9;columnnumber=9;code=DEV101;]the moved copy of `scale` is dropped: a tensor does not move in place
##vso[task.logissue type=warning;sourcepath=train.py;linenumber=13;columnnumber=11;code=DEV501;]no `map_location`: fails where the card it was saved from is missing
##vso[task.logissue type=error;sourcepath=bad.py;]not valid utf-8: byte 0xff on line 1
"""
    )


def test_nothing_found() -> None:
    assert written(render, CLEAN) == ""


def test_what_would_end_a_command_or_a_property_is_escaped() -> None:
    odd = dataclasses.replace(LOAD, path="a];b.py", message="1%\r\n2")
    assert (
        written(render, [FileResult(odd.path, (odd,))])
        == "##vso[task.logissue type=warning;sourcepath=a%5D%3Bb.py;linenumber=13;columnnumber=11;code=DEV501;]"
        "1%AZP25%0D%0A2\n"
    )
