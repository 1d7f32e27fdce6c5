"""Spans, edits and line indexes over decoded text.

An offset counts characters of the decoded text (a CRLF is two). Rows and columns start at 1, as in
ruff's JSON; a column counts characters of its line.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Sequence
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


def moved(offset: int, edits: Sequence[Edit]) -> int:
    """Where an offset is after edits, which are sorted. What begins at an insertion comes after it; the
    inside of what is replaced is where that begins."""
    shift = 0
    for edit in edits:
        if edit.start > offset:
            break
        if offset < edit.end:
            return edit.start + shift
        shift += len(edit.text) - (edit.end - edit.start)
    return offset + shift


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
