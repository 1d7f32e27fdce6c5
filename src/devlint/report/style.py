"""Colours of a terminal, and none in a pipe."""

from __future__ import annotations

from dataclasses import dataclass

from devlint.diagnostic import Severity

_SEVERITY = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}


@dataclass(frozen=True, slots=True)
class Style:
    """Wraps text in the escape sequences of ANSI terminals, or leaves it alone."""

    color: bool

    def paint(self, sgr: str, text: str) -> str:
        """The escape sequence of these numbers around a text."""
        return f"\x1b[{sgr}m{text}\x1b[0m" if self.color and text else text

    def severity(self, severity: Severity, text: str) -> str:
        """The colour of an error, a warning or an info."""
        return self.paint(_SEVERITY[severity], text)

    def bold(self, text: str) -> str:
        """What the eye should find first."""
        return self.paint("1", text)

    def frame(self, text: str) -> str:
        """Row numbers and the lines of a code frame."""
        return self.paint("1;34", text)

    def note(self, text: str) -> str:
        """Second marks: where a value came from."""
        return self.paint("1;36", text)

    def good(self, text: str) -> str:
        """Added lines, and that there is a fix."""
        return self.paint("32", text)

    def bad(self, text: str) -> str:
        """Removed lines."""
        return self.paint("31", text)
