"""The github format."""

from __future__ import annotations

import dataclasses

from devlint.diagnostic import FileResult
from devlint.report.github import render
from tests.report.samples import CLEAN, FAILED, FOUND, LOAD, written


def test_findings_and_a_failure() -> None:
    assert (
        written(render, (*FOUND, FAILED))
        == """\
::notice title=devlint (DEV104 create-then-move),file=pkg/net.py,line=2,col=5,endLine=2,endColumn=9::pkg/net.py:2:5: DEV104 100%25 of it, moved: once%0A  train.py:10: called here%0A  help: create it where it is used
::error title=devlint (DEV101 unassigned-move),file=train.py,line=9,col=9,endLine=9,endColumn=25::train.py:9:9: DEV101 the moved copy of `scale` is dropped: a tensor does not move in place%0A  train.py:7: created on the CPU here%0A  fix (safe): assign the result back to `scale`
::warning title=devlint (DEV501 load-without-map-location),file=train.py,line=13,col=11,endLine=13,endColumn=29::train.py:13:11: DEV501 no `map_location`: fails where the card it was saved from is missing%0A  fix (unsafe): load to the CPU
::error title=devlint,file=bad.py::bad.py: not valid utf-8: byte 0xff on line 1
"""
    )


def test_nothing_found() -> None:
    assert written(render, CLEAN) == ""


def test_what_would_end_a_command_or_a_property_is_escaped() -> None:
    odd = dataclasses.replace(LOAD, path="a,b:c.py", message="1%\r\n2", fix=None)
    assert (
        written(render, [FileResult(odd.path, (odd,))])
        == "::warning title=devlint (DEV501 load-without-map-location),file=a%2Cb%3Ac.py,line=13,col=11,"
        "endLine=13,endColumn=29::a,b:c.py:13:11: DEV501 1%25%0D%0A2\n"
    )
