"""`--baseline` and `--update-baseline`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Devlint
from tests.cli.test_check import FAULTY, RIGHT

ARGS = ("check", "--baseline", "old.json")
UPDATE = (*ARGS, "--update-baseline")


@pytest.fixture
def accepted(devlint: Devlint, tmp_path: Path) -> Path:
    """A file with one finding, which the baseline knows."""
    file = tmp_path / "train.py"
    file.write_text(FAULTY)
    code, out, err = devlint(*UPDATE)
    assert (code, out) == (0, "")
    assert err == "Wrote the baseline old.json: 1 finding.\n"
    return file


def test_old_findings_are_not_reported(devlint: Devlint, accepted: Path) -> None:
    assert devlint(*ARGS) == (0, "All checks passed! 1 file checked.\n", "")
    accepted.write_text("\n\n\n" + FAULTY)
    assert devlint(*ARGS).code == 0


def test_new_ones_are(devlint: Devlint, accepted: Path) -> None:
    accepted.write_text(FAULTY + "print(1)\nscale.to(device)\n")
    code, out, _ = devlint(*ARGS, "--output-format", "concise", "--quiet")
    assert code == 1
    assert out.startswith("train.py:8:1: DEV101")
    assert len(out.splitlines()) == 1


def test_what_is_stale_is_said_and_removed(devlint: Devlint, accepted: Path, tmp_path: Path) -> None:
    accepted.write_text(RIGHT)
    assert devlint(*ARGS) == (
        0,
        "All checks passed! 1 file checked.\n",
        "warning: no longer found, though in the baseline: 1 finding; --update-baseline removes what is stale\n",
    )
    assert devlint(*UPDATE) == (
        0,
        "",
        "Updated the baseline old.json: 0 findings, 1 removed.\n",
    )
    assert json.loads((tmp_path / "old.json").read_text())["findings"] in ({}, {"train.py": []})
    assert devlint(*ARGS).err == ""


def test_an_update_takes_nothing_new_in(devlint: Devlint, accepted: Path) -> None:
    before = Path("old.json").read_text()
    accepted.write_text(FAULTY + "print(1)\nscale.to(device)\n")
    assert devlint(*UPDATE).code == 1
    assert Path("old.json").read_text() == before
    assert devlint(*ARGS).code == 1


def test_a_baseline_that_cannot_be_read_is_named_as_files_are(devlint: Devlint, tmp_path: Path) -> None:
    said = "error: old.json: no such baseline (--update-baseline writes one)\n"
    assert devlint(*ARGS) == (2, "", said)
    (tmp_path / "old.json").mkdir()
    assert devlint(*ARGS) == (2, "", "error: old.json: the baseline cannot be read: Is a directory\n")
