"""What a trace consists of. Rows are those of the program: of a notebook, `Trace.label` tells the cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from devlint.cells import CellStart, cell_at


class Spot(NamedTuple):
    """Where a value lives. `text` says it to people; `lane` is the same in a few words, where an accelerator
    is there; `family` is what kind of place that is: "cpu", "accelerator" (named by the program), "device" (a
    variable says), "module" and "input" (wherever that one is), "several", "unknown"."""

    text: str
    lane: str
    family: str


class Hop(NamedTuple):
    """A step of a trail: what happened to a value in a row of a file ("": of the file that is traced)."""

    path: str
    row: int
    text: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A value that a line binds to a name.

    `kind` is what it is ("tensor", "module", ...), `detail` of which class. `before` is where it was before
    this line moved it; `note` what should be known besides. `callers` are the places from which the function
    was called when it was so (empty: it was read for its own sake); `beyond` from where that was called, and
    so on outwards, if the callers alone do not tell two ways apart.
    """

    row: int
    name: str
    kind: str
    detail: str
    spot: Spot | None
    before: Spot | None = None
    note: str = ""
    hops: tuple[Hop, ...] = ()
    callers: tuple[Hop, ...] = ()
    beyond: tuple[Hop, ...] = ()


class Side(NamedTuple):
    """One of the operands that meet: where it lies and how it came there."""

    spot: Spot
    hops: tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class Meet:
    """Operands on different devices meet in a line. `certain`: both devices are named; otherwise one is
    wherever a value is, and they differ once that is moved. `inside` is where it happens, if that is below a
    call that the line makes."""

    row: int
    what: str
    left: Side
    right: Side
    certain: bool
    inside: Hop | None = None


class Held(NamedTuple):
    """An attribute of a module that holds tensors or modules."""

    row: int
    name: str
    kind: str
    detail: str
    spot: Spot | None


@dataclass(frozen=True, slots=True)
class State:
    """A module class and what its instances hold: what moves with it, and what it leaves behind."""

    row: int
    name: str
    registered: tuple[Held, ...]
    left_behind: tuple[Held, ...]


class Block(NamedTuple):
    """A function or a class: its dotted name and its rows."""

    name: str
    first: int
    last: int
    is_class: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line with what it binds and what meets in it."""

    row: int
    text: str
    bound: tuple[Bound, ...]
    meets: tuple[Meet, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """Where the values of a file live. `lines` are those that say something; `source` are all."""

    path: str
    source: tuple[str, ...]
    lines: tuple[Line, ...]
    states: tuple[State, ...]
    blocks: tuple[Block, ...]
    cells: tuple[CellStart, ...] = ()
    function: str | None = None
    ranges: tuple[tuple[int, int], ...] = field(default=())

    def label(self, row: int) -> str:
        """A row as people count it."""
        if not self.cells:
            return str(row)
        cell = cell_at(self.cells, row)
        return f"{cell.number}:{row - cell.row + 1}"

    def place(self, hop: Hop) -> str:
        """The place of a hop: the row, or the file and the row."""
        if hop.path:
            return f"{hop.path}:{hop.row}"
        if not self.cells:
            return f"line {hop.row}"
        cell = cell_at(self.cells, hop.row)
        return f"cell {cell.number}, line {hop.row - cell.row + 1}"

    def block(self, row: int) -> Block | None:
        """The innermost function or class around a row."""
        around = [block for block in self.blocks if block.first <= row <= block.last]
        return max(around, key=lambda block: block.first, default=None)

    @property
    def meets(self) -> tuple[Meet, ...]:
        """All meetings, in the order of the lines."""
        return tuple(meet for line in self.lines for meet in line.meets)

    @property
    def lanes(self) -> tuple[Spot, ...]:
        """One spot for each lane: the CPU first, what is not known last."""
        found: dict[str, Spot] = {}
        for line in self.lines:
            sides = [side.spot for meet in line.meets for side in (meet.left, meet.right)]
            for spot in (*(x for b in line.bound for x in (b.before, b.spot) if x is not None), *sides):
                found.setdefault(spot.lane, spot)
        return tuple(sorted(found.values(), key=lambda spot: _ORDER.index(spot.family)))


_ORDER = ("cpu", "accelerator", "device", "module", "input", "several", "unknown")
