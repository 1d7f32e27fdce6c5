"""The text format."""

from __future__ import annotations

import dataclasses

import pytest

from devlint.diagnostic import FileResult, Fix, Safety
from devlint.report.text import render
from devlint.text import Edit
from tests.report.samples import FOUND, LOAD, context, written


def test_findings_with_frames_trails_and_fixes() -> None:
    assert (
        written(render, FOUND)
        == """\
info[DEV104 create-then-move]: 100% of it, moved: once
 --> pkg/net.py:2:5
  |
1 | class Net:
2 |     mask = 1
  |     ^^^^
  |
  ::: train.py:10:15
   |
 8 |     for batch in loader:
 9 |         scale.to(device)
10 |         yield model(batch) * scale
   |               ------------ called here
   |
help: create it where it is used

error[DEV101 unassigned-move]: [*] the moved copy of `scale` is dropped: a tensor does not move in place
  --> train.py:9:9
   |
 7 |     scale = torch.ones(3)
   |             ------------- created on the CPU here
 8 |     for batch in loader:
 9 |         scale.to(device)
   |         ^^^^^^^^^^^^^^^^
10 |         yield model(batch) * scale
   |
fix: assign the result back to `scale`
  - scale.to(device)
  + scale = scale.to(device)

warning[DEV501 load-without-map-location]: no `map_location`: fails where the card it was saved from is missing
  --> train.py:13:11
   |
13 | weights = torch.load("w.pt")
   |           ^^^^^^^^^^^^^^^^^^
   |
fix: load to the CPU (unsafe: read it before you keep it)
  - weights = torch.load("w.pt")
  + weights = torch.load("w.pt", map_location="cpu")

Found 3 findings (1 error, 1 warning, 1 info) in 2 files.
[*] 1 fixable with `devlint check --fix` (1 more with `--unsafe-fixes`).
"""
    )


def test_in_colour() -> None:
    assert (
        written(render, [FileResult("train.py", (LOAD,))], context(color=True, unsafe=True, summary=False))
        == "\x1b[1;33mwarning[DEV501 load-without-map-location]\x1b[0m: [\x1b[32m*\x1b[0m] "
        "\x1b[1mno `map_location`: fails where the card it was saved from is missing\x1b[0m\n"
        "  \x1b[1;34m-->\x1b[0m train.py:13:11\n"
        "\x1b[1;34m   |\x1b[0m\n"
        '\x1b[1;34m13 |\x1b[0m weights = torch.load("w.pt")\n'
        "\x1b[1;34m   |\x1b[0m           \x1b[31m^^^^^^^^^^^^^^^^^^\x1b[0m\n"
        "\x1b[1;34m   |\x1b[0m\n"
        "\x1b[1mfix\x1b[0m: load to the CPU (unsafe: read it before you keep it)\n"
        '\x1b[31m  - weights = torch.load("w.pt")\x1b[0m\n'
        '\x1b[32m  + weights = torch.load("w.pt", map_location="cpu")\x1b[0m\n'
        "\n"
    )


def test_a_file_that_is_gone_is_reported_without_its_code() -> None:
    assert (
        written(render, FOUND[:2], context(files={}, summary=False))
        == """\
info[DEV104 create-then-move]: 100% of it, moved: once
 --> pkg/net.py:2:5
  ::: train.py:10:15
note: called here
help: create it where it is used

error[DEV101 unassigned-move]: [*] the moved copy of `scale` is dropped: a tensor does not move in place
  --> train.py:9:9
fix: assign the result back to `scale`

warning[DEV501 load-without-map-location]: no `map_location`: fails where the card it was saved from is missing
  --> train.py:13:11
fix: load to the CPU (unsafe: read it before you keep it)

"""
    )


@pytest.mark.parametrize("text", ["line\n" * 9, "x = " + "1" * 160 + "\n"], ids=["long", "wide"])
def test_a_long_or_wide_fix_is_described_and_not_shown(text: str) -> None:
    large = dataclasses.replace(LOAD, fix=Fix("add lines", Safety.SAFE, (Edit(0, 0, text),)))
    report = written(render, [FileResult("train.py", (large,))], context(summary=False))
    assert report.endswith("   |\nfix: add lines\n\n")


def test_the_help_gives_way_to_a_fix() -> None:
    told = dataclasses.replace(LOAD, help="pass map_location")
    report = written(render, [FileResult("train.py", (told,))], context(summary=False))
    assert "help: " not in report
    assert "fix: load to the CPU" in report


def test_the_places_of_a_fix_are_told_apart() -> None:
    edits = (Edit(0, 0, "import os\n"), *LOAD.fix.edits) if LOAD.fix else ()
    both = dataclasses.replace(LOAD, fix=Fix("do both", Safety.SAFE, edits))
    report = written(render, [FileResult("train.py", (both,))], context(color=True, summary=False))
    assert "\x1b[32m  + import os\x1b[0m\n\x1b[1;34m  ...\x1b[0m\n\x1b[31m  - weights" in report
