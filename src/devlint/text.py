"""Spans, edits and line indexes over decoded text.

An offset counts characters of the decoded text (a CRLF is two). Rows and columns start at 1, as in
ruff's JSON; a column counts characters of its line.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of character offsets."""

    start: int
    end: int


class Position(NamedTuple):
    """A row and a column, both counted from 1."""

    row: int
    column: int


class Edit(NamedTuple):
    """Replace the characters from `start` to `end` (offsets) by `text`."""

    start: int
    end: int
    text: str


class OverlappingEdits(ValueError):
    """Two edits of one list touch the same characters."""


# What Python's tokenizer takes for the end of a line: \n, \r\n and a lone \r; never \f or \x85.
_LINE_END = re.compile(r"\r\n|\n|\r")


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def one_line(name: str) -> str:
    """The name of a file for people and for formats of lines: control characters are escaped."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), name)


class LineIndex:
    """Maps character offsets of one text to rows and columns, and back."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(m.end() for m in _LINE_END.finditer(text))]

    @property
    def rows(self) -> int:
        """The number of lines; a text that ends in a newline has an empty last one."""
        return len(self._starts)

    def position(self, offset: int) -> Position:
        """The row and column of an offset."""
        row = bisect.bisect_right(self._starts, offset)
        return Position(row, offset - self._starts[row - 1] + 1)

    def offset(self, position: Position) -> int:
        """The offset of a row and column; the column is cut to the line."""
        span = self.line(position.row)
        return min(span.start + position.column - 1, span.end)

    def line(self, row: int) -> Span:
        """The span of a row, without its line end.

        Raises:
            IndexError: there is no such row.
        """
        if not 1 <= row <= len(self._starts):
            raise IndexError(row)
        start = self._starts[row - 1]
        end = self._starts[row] if row < len(self._starts) else len(self._text)
        while end > start and self._text[end - 1] in "\r\n":
            end -= 1
        return Span(start, end)

    def utf16(self, offset: int) -> tuple[int, int]:
        """The 0-based line and UTF-16 column of an offset, as editors count (LSP 3.17, Position)."""
        row = bisect.bisect_right(self._starts, offset)
        prefix = self._text[self._starts[row - 1] : offset]
        return row - 1, len(prefix.encode("utf-16-le", "surrogatepass")) // 2


class Moves:
    """Where the offsets of a text are after edits of it. What begins at an insertion comes after it; the
    inside of what is replaced is where that begins."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._edits = sorted(set(edits))
        self._starts = [edit.start for edit in self._edits]
        grown = (len(edit.text) - (edit.end - edit.start) for edit in self._edits)
        self._shifts = [0, *itertools.accumulate(grown)]

    def __call__(self, offset: int) -> int:
        """The new place of an offset."""
        before = bisect.bisect_right(self._starts, offset)
        if before and offset < self._edits[before - 1].end:
            return self._edits[before - 1].start + self._shifts[before - 1]
        return offset + self._shifts[before]

    def written(self) -> Iterator[Span]:
        """The new places of what the edits put in."""
        for edit, shift in zip(self._edits, self._shifts, strict=False):
            yield Span(edit.start + shift, edit.start + shift + len(edit.text))


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits, which are against the unchanged text. Equal edits count once.

    Raises:
        OverlappingEdits: two different edits touch the same characters.
    """
    parts: list[str] = []
    at = 0
    for edit in sorted(set(edits)):
        if edit.start < at:
            raise OverlappingEdits(f"edit at {edit.start} overlaps the one that ends at {at}")
        parts.append(text[at : edit.start])
        parts.append(edit.text)
        at = edit.end
    parts.append(text[at:])
    return "".join(parts)
