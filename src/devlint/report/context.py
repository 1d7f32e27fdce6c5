"""What every report is given besides the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from devlint.diagnostic import Diagnostic, Safety
from devlint.rule import Rule
from devlint.text import Edit, LineIndex, Position


class Place(NamedTuple):
    """Where an edit goes, in rows and columns; `cell` is the notebook cell, None in a plain file."""

    cell: int | None
    start: Position
    end: Position


class SourceText:
    """The text of one file, with its lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = LineIndex(text)

    def line(self, row: int) -> str:
        """The text of a row without its line end; empty where there is no such row."""
        if not 1 <= row <= self.lines.rows:
            return ""
        start, end = self.lines.line(row)
        return self.text[start:end]

    def place(self, edit: Edit) -> Place:
        """The rows and columns of an edit."""
        return Place(None, self.lines.position(edit.start), self.lines.position(edit.end))


class Texts:
    """Reads the files that a report quotes, each at most once."""

    def __init__(self, load: Callable[[str], SourceText | None]) -> None:
        self._load = load
        self._known: dict[str, SourceText | None] = {}

    def get(self, path: str) -> SourceText | None:
        """The text of a file; None where it cannot be read (any more)."""
        if path not in self._known:
            self._known[path] = self._load(path)
        return self._known[path]

    def line(self, path: str, row: int) -> str:
        """A row of a file; empty where there is none."""
        text = self.get(path)
        return "" if text is None else text.line(row)


@dataclass(frozen=True)
class ReportContext:
    """The circumstances of a run.

    `unsafe`: unsafe fixes count as applicable. `fixed` are the findings that this run has fixed.
    `summary` asks the formats for people for their closing lines.
    """

    rules: Mapping[str, Rule]
    texts: Texts
    version: str
    unsafe: bool = False
    color: bool = False
    summary: bool = True
    show_fixes: bool = False
    fixed: tuple[Diagnostic, ...] = field(default=())

    def applicable(self, diagnostic: Diagnostic) -> bool:
        """Whether a run with `--fix` would apply the fix of this finding."""
        fix = diagnostic.fix
        return fix is not None and (self.unsafe or fix.safety is Safety.SAFE)
