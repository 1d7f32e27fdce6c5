"""A code frame: the lines at fault, what is marked in them, and the steps that led there.

   |
 9 |     x = torch.zeros(3)
   |         -------------- created on the CPU here
...
14 |     x.to(device)
   |     ^^^^^^^^^^^^
   |
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from devlint.report.context import SourceText
from devlint.report.style import Style
from devlint.text import Position

_CONTEXT = 2
"""Rows shown before and after the primary mark."""
_WIDEST = 160
"""Rows wider than this are shown in part."""
_MARKED_ROWS = 4
"""A mark over more rows is shown by its first and last ones."""
_TAB = 4
_TURNS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Bidirectional controls: they show a line other than it is."""


class Mark(NamedTuple):
    """What is marked in a frame; `end` is exclusive."""

    start: Position
    end: Position
    label: str = ""
    primary: bool = True


class _Row(NamedTuple):
    """One mark's part of one row: columns from `start` to `end` (from 0, exclusive)."""

    row: int
    start: int
    end: int
    label: str
    primary: bool


def render(text: SourceText, marks: Sequence[Mark], style: Style, first: int | None = None) -> Iterator[str]:
    """The lines of a frame around all marks, from the empty line above to the one below; row `first`, where
    the statement begins, is among them."""
    parts = [part for mark in marks for part in _rows(text, mark)]
    shown = _shown(text, parts, first)
    width = len(str(max(shown)))
    bar = style.frame(f"{' ' * width} |")
    yield bar
    previous = min(shown) - 1
    for row in sorted(shown):
        if row > previous + 1:
            yield style.frame("...")
        previous = row
        yield from _row(text, row, [part for part in parts if part.row == row], width, style)
    yield bar


def gutter(last_row: int) -> int:
    """The width of the row numbers of a frame that ends at this row."""
    return len(str(last_row))


def _rows(text: SourceText, mark: Mark) -> Iterator[_Row]:
    """The parts of a mark, row by row; the label goes to its last one."""
    first, last = mark.start.row, mark.end.row
    if mark.end.column == 1 and last > first:
        last -= 1
    rows = list(range(first, last + 1))
    if len(rows) > _MARKED_ROWS:
        rows = [*rows[:2], rows[-1]]
    for row in rows:
        line = text.line(row)
        start = mark.start.column - 1 if row == first else len(line) - len(line.lstrip())
        end = mark.end.column - 1 if row == mark.end.row else len(line.rstrip())
        label = mark.label if row == rows[-1] else ""
        yield _Row(row, start, max(end, start + 1), label, mark.primary)


def _shown(text: SourceText, parts: Sequence[_Row], first: int | None) -> set[int]:
    """The rows to show: those with a mark, those around the primary one, and lone gaps between them."""
    rows = {part.row for part in parts} | ({first} if first is not None else set())
    main = [part.row for part in parts if part.primary] or sorted(rows)
    around = [*range(main[0] - _CONTEXT, main[0]), *range(main[-1] + 1, main[-1] + _CONTEXT + 1)]
    near = [row for row in around if 1 <= row <= text.lines.rows]
    while near and near[0] < main[0] and not text.line(near[0]).strip():
        del near[0]
    while near and near[-1] > main[-1] and not text.line(near[-1]).strip():
        del near[-1]
    rows.update(near)
    rows.update(row + 1 for row in tuple(rows) if row + 2 in rows)
    return rows


def _row(text: SourceText, row: int, parts: Sequence[_Row], width: int, style: Style) -> Iterator[str]:
    """A row of code and the marks under it."""
    line = text.line(row)
    low, high = _window(line, parts)
    code = ("..." if low else "") + _display(line[low:high]) + ("..." if high < len(line) else "")
    yield style.frame(f"{row:>{width}} |") + (f" {code}" if code else "")
    for part in sorted(parts, key=lambda part: (not part.primary, -part.start)):
        start, end = (min(max(at, low), high) for at in (part.start, part.end))
        indent = (3 if low else 0) + _columns(line[low:start])
        sign = ("^" if part.primary else "-") * max(1, _columns(line[start:end]))
        label = f" {part.label}" if part.label else ""
        paint = style.bad if part.primary else style.note
        yield style.frame(f"{' ' * width} |") + " " * (indent + 1) + paint(sign + label)


def _window(line: str, parts: Sequence[_Row]) -> tuple[int, int]:
    """The part of a very long row that is shown: around its first mark."""
    if len(line) <= _WIDEST:
        return 0, len(line)
    start = min((part.start for part in parts), default=0)
    low = max(0, min(start - _WIDEST // 4, len(line) - _WIDEST))
    return low, low + _WIDEST


def _display(text: str) -> str:
    """Text as a terminal may show it: tabs widened, control characters made visible."""
    return "".join(" " * _TAB if char == "\t" else _visible(char) for char in text)


def _visible(char: str) -> str:
    if char < " ":
        return chr(0x2400 + ord(char))
    hidden = unicodedata.category(char) in {"Cc", "Cs"} or unicodedata.bidirectional(char) in _TURNS
    return "\N{REPLACEMENT CHARACTER}" if hidden else char


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii() and "\t" not in text:
        return len(text)
    return sum(map(_width, text))


def _width(char: str) -> int:
    if char == "\t":
        return _TAB
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
