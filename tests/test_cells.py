from __future__ import annotations

from devlint.cells import CellStart, in_cell, in_program
from devlint.text import Position
from tests.report.samples import MOVE

CELLS = (CellStart(2, 1), CellStart(5, 4), CellStart(6, 9))


def test_a_place_in_a_program_is_one_in_a_cell_and_back() -> None:
    moved = in_cell(MOVE, CELLS)
    assert MOVE.start == (9, 9)
    assert (moved.cell, moved.start, moved.end) == (6, Position(1, 9), Position(1, 25))
    assert moved.statement == (1, 1)
    assert in_program(moved, CELLS) == MOVE


def test_a_plain_file_has_no_cells() -> None:
    assert in_cell(MOVE, ()) is MOVE
    assert in_program(MOVE, ()) is MOVE
