"""The two streams of a run: what is asked for goes to stdout, everything else to stderr."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

from devlint.diagnostic import Severity
from devlint.report.style import Style


def wants_color(when: str, stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether a stream gets colours: as told, else as the environment says, else on terminals.

    `NO_COLOR` and `FORCE_COLOR` count when they are not empty (no-color.org, force-color.org).
    """
    if when != "auto":
        return when == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environ.get("TERM") != "dumb"


def columns(stream: TextIO) -> int:
    """How wide a terminal is; 0 for what is none, and takes lines of any length."""
    return shutil.get_terminal_size().columns if stream.isatty() else 0


@dataclass(frozen=True)
class Console:
    """Messages on stderr, as many as were asked for."""

    color: str = "auto"
    quiet: bool = False
    silent: bool = False
    verbose: bool = False

    def style(self, stream: TextIO) -> Style:
        """The colours of a stream."""
        return Style(wants_color(self.color, stream, os.environ))

    def error(self, message: str) -> None:
        """Why the run, or the check of a file, failed: always said."""
        self._say("error", Severity.ERROR, message)

    def warn(self, message: str) -> None:
        """What someone should know and that fails nothing."""
        if not self.quiet and not self.silent:
            self._say("warning", Severity.WARNING, message)

    def inform(self, message: str) -> None:
        """What has been done."""
        if not self.quiet and not self.silent:
            sys.stderr.write(f"{message}\n")

    def detail(self, message: str) -> None:
        """What only `--verbose` tells."""
        if self.verbose:
            self._say("debug", Severity.INFO, message)

    def _say(self, word: str, severity: Severity, message: str) -> None:
        style = self.style(sys.stderr)
        sys.stderr.write(f"{style.severity(severity, word)}: {message}\n")


def emit(text: str) -> None:
    """Write a report to stdout. A reader that has gone (`| head`) does not change how the run ends."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        drop_stdout()


def drop_stdout() -> None:
    """Nobody reads stdout any more: nothing must be written to it, not even at exit."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)
