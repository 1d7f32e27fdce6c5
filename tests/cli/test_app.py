"""The group of commands: help, and what happens when something goes wrong."""

from __future__ import annotations

import io
import sys

import pytest

from devlint.cli import app
from devlint.cli.app import COMMANDS
from tests.cli.conftest import Devlint


def test_the_help_lists_all_commands(devlint: Devlint) -> None:
    code, out, _ = devlint("--help")
    assert code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in out
    assert devlint("help") == (0, out, "")
    assert devlint("-h") == (0, out, "")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_in_two_ways(devlint: Devlint, name: str) -> None:
    code, out, err = devlint(name, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: devlint {name} ")
    assert devlint("help", name).out == out


def test_help_of_nothing_known(devlint: Devlint) -> None:
    code, out, err = devlint("help", "nonsense")
    assert (code, out) == (2, "")
    assert "No such command 'nonsense'." in err


def test_no_command(devlint: Devlint) -> None:
    code, out, err = devlint()
    assert (code, out) == (2, "")
    assert "Commands:" in err


def test_version_among_others(devlint: Devlint) -> None:
    assert devlint("--version", "check").out.startswith("devlint ")


def test_a_fault_of_devlint_is_no_finding(devlint: Devlint, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("oh")

    monkeypatch.setattr(app.app, "main", fail)
    code, out, err = devlint("rules")
    assert (code, out) == (2, "")
    assert "RuntimeError: oh" in err
    assert "this is a fault in devlint" in err


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, ""),
        (OSError(28, "No space left on device"), 2, "error: [Errno 28] No space left on device\n"),
    ],
)
def test_a_run_that_is_stopped(
    devlint: Devlint, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, message: str
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(app.app, "main", fail)
    assert devlint("rules") == (code, "", message)


def test_streams_of_other_kinds_are_taken_as_they_are(
    devlint: Devlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    assert app.run(["rules", "--select", "DEV001"]) == 0
    assert stream.getvalue().startswith("DEV001 ")
