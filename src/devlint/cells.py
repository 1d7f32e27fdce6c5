"""The cells of a notebook: rows of its program to rows of its cells, and back."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from devlint.diagnostic import Diagnostic
from devlint.text import Position


class CellStart(NamedTuple):
    """A cell's number (from 1, over all cells), and the row of the program that is its first."""

    number: int
    row: int


def cell_at(cells: Sequence[CellStart], row: int) -> CellStart:
    """The cell of a row of the program."""
    at = bisect.bisect_right(cells, row, key=lambda cell: cell.row)
    return cells[max(at, 1) - 1]


def in_cell(diagnostic: Diagnostic, cells: Sequence[CellStart]) -> Diagnostic:
    """A finding by its place in the program, by its place in a cell. In a plain file they are the same."""
    if not cells:
        return diagnostic
    cell = cell_at(cells, diagnostic.start.row)
    return replace(_moved(diagnostic, 1 - cell.row), cell=cell.number)


def in_program(diagnostic: Diagnostic, cells: Sequence[CellStart]) -> Diagnostic:
    """The way back."""
    first = {cell.number: cell.row for cell in cells}.get(diagnostic.cell or 0)
    return diagnostic if first is None else replace(_moved(diagnostic, first - 1), cell=None)


def _moved(diagnostic: Diagnostic, rows: int) -> Diagnostic:
    first, last = diagnostic.statement
    return replace(
        diagnostic,
        start=below(diagnostic.start, rows),
        end=below(diagnostic.end, rows),
        statement=(first + rows, last + rows),
        mark=below(diagnostic.mark, rows) if diagnostic.mark is not None else None,
    )


def below(position: Position, rows: int) -> Position:
    """So many rows further down."""
    return Position(position.row + rows, position.column)
