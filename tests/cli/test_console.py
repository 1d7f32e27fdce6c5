"""Colours and messages."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from devlint.cli.console import Console, columns, wants_color


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("when", "stream", "environ", "expected"),
    [
        ("auto", Terminal(), {}, True),
        ("auto", io.StringIO(), {}, False),
        ("auto", Terminal(), {"NO_COLOR": "1"}, False),
        ("auto", Terminal(), {"NO_COLOR": ""}, True),
        ("auto", io.StringIO(), {"FORCE_COLOR": "1"}, True),
        ("auto", io.StringIO(), {"FORCE_COLOR": ""}, False),
        ("auto", io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("auto", Terminal(), {"TERM": "dumb"}, False),
        ("always", io.StringIO(), {"NO_COLOR": "1"}, True),
        ("never", Terminal(), {"FORCE_COLOR": "1"}, False),
    ],
)
def test_when_there_are_colours(
    when: str, stream: io.StringIO, environ: dict[str, str], expected: bool
) -> None:
    assert wants_color(when, stream, environ) is expected


def test_only_a_terminal_has_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    assert columns(Terminal()) == 72
    assert columns(io.StringIO()) == 0


@pytest.mark.parametrize(
    ("console", "expected"),
    [
        (Console(), "error: e\nwarning: w\ni\n"),
        (Console(verbose=True), "error: e\nwarning: w\ni\ndebug: d\n"),
        (Console(quiet=True), "error: e\n"),
        (Console(silent=True), "error: e\n"),
        (Console(color="always"), "\x1b[1;31merror\x1b[0m: e\n\x1b[1;33mwarning\x1b[0m: w\ni\n"),
    ],
)
def test_what_is_said(console: Console, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    console.error("e")
    console.warn("w")
    console.inform("i")
    console.detail("d")
    assert capsys.readouterr() == ("", expected)


@pytest.mark.skipif(os.name == "nt", reason="no SIGPIPE there")
def test_a_reader_that_is_gone_changes_nothing() -> None:
    program = "from devlint.cli.console import emit; emit('x' * 9_000_000); emit('y'); raise SystemExit(7)"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.read(1)
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 7
