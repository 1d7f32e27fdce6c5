"""`devlint explain` of errors. (Of rules: see test_rules.)"""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Devlint
from tests.test_explain import TRACEBACK
from tests.tracing import PROGRAM

MESSAGE = "Torch not compiled with CUDA enabled"


def test_a_message(devlint: Devlint) -> None:
    code, out, err = devlint("explain", f"AssertionError: {MESSAGE}")
    assert (code, err) == (0, "")
    assert out.startswith("The program asks for CUDA where there is none.\n")
    assert "found by hardcoded-device (DEV202), hardcoded-cuda-call (DEV201)" in out


def test_a_message_without_quotes(devlint: Devlint) -> None:
    assert devlint("explain", *MESSAGE.split()).out == devlint("explain", MESSAGE).out


def test_a_traceback_in_a_file_and_on_standard_input(devlint: Devlint, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(PROGRAM)
    (tmp_path / "log.txt").write_text(TRACEBACK)
    code, out, err = devlint("explain", "log.txt")
    assert (code, err) == (0, "")
    assert "  net.py:25, in <module>\n" in out
    assert "  net.py:22:5: DEV101 unassigned-move: " in out
    assert devlint("explain", "-", stdin=TRACEBACK.encode()).out == out


def test_formats(devlint: Devlint) -> None:
    assert json.loads(devlint("explain", MESSAGE, "--output-format", "json").out)["error"] == "no-cuda"
    assert devlint("explain", MESSAGE, "--output-format", "markdown").out.startswith("# no-cuda\n")
    assert "\x1b[1m" in devlint("explain", MESSAGE, "--color", "always").out


def test_something_else(devlint: Devlint) -> None:
    error = (2, "", "error: this is no error over devices that devlint knows\n")
    assert devlint("explain", "name 'x' is not defined") == error
    assert devlint("explain", "-", stdin=b"") == error
