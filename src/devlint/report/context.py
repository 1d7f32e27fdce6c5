"""What every report is given besides the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from devlint.cells import below, cell_at
from devlint.diagnostic import Diagnostic, Note, Safety
from devlint.rule import Rule
from devlint.syntax.source import Source
from devlint.text import Edit, LineIndex, Position


class Place(NamedTuple):
    """Where something stands, in rows and columns; `cell` is the notebook cell, None in a plain file."""

    cell: int | None
    start: Position
    end: Position


class SourceText:
    """The text of one file, with its lines; of a notebook, the cells one after the other."""

    def __init__(self, text: str, source: Source | None = None) -> None:
        self.text = text
        self.lines = LineIndex(text)
        self._source = source
        self._cells: dict[int, SourceText] = {}

    @classmethod
    def of(cls, source: Source) -> SourceText:
        """The text of a source, as it was written."""
        return cls(source.text if source.notebook is None else source.notebook.shown, source)

    def cell(self, number: int | None) -> SourceText:
        """The text of a notebook's cell; for None, this one."""
        notebook = self._source.notebook if self._source is not None else None
        if number is None or notebook is None:
            return self
        if number not in self._cells:
            texts = [cell.text for cell in notebook.cells if cell.number == number]
            self._cells[number] = SourceText("".join(texts))
        return self._cells[number]

    def line(self, row: int) -> str:
        """The text of a row without its line end; empty where there is no such row."""
        if not 1 <= row <= self.lines.rows:
            return ""
        start, end = self.lines.line(row)
        return self.text[start:end]

    def place(self, edit: Edit) -> Place:
        """The rows and columns of an edit."""
        start, end = self.lines.position(edit.start), self.lines.position(edit.end)
        if self._source is None or not self._source.cells:
            return Place(None, start, end)
        cell = cell_at(self._source.cells, start.row)
        return Place(cell.number, below(start, 1 - cell.row), below(end, 1 - cell.row))

    def in_document(self, place: Place) -> Place:
        """Where something stands in the file itself: of a notebook's cell, the strings that hold its rows."""
        if place.cell is None:
            return place
        notebook = self._source.notebook if self._source is not None else None
        if notebook is None:
            return Place(None, Position(1, 1), Position(1, 1))
        start, end = (notebook.place(place.cell, at) for at in (place.start, place.end))
        return Place(None, self._document.position(start.start), self._document.position(end.end))

    @cached_property
    def _document(self) -> LineIndex:
        return LineIndex(self._source.document if self._source is not None else self.text)


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

    def line(self, path: str, row: int, cell: int | None = None) -> str:
        """A row of a file or of a notebook's cell; empty where there is none."""
        text = self.get(path)
        return "" if text is None else text.cell(cell).line(row)

    def in_document(self, found: Diagnostic | Note) -> Place:
        """Where something was found, for formats that know no cells: in a notebook, rows of its JSON."""
        place = Place(found.cell, found.start, found.end)
        if found.cell is None:
            return place
        return (self.get(found.path) or SourceText("")).in_document(place)


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
