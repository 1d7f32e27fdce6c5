"""What must hold before a rewriting counts. That all outside of the edits is as it was needs no proof: a
text is only ever made by applying edits.

What was to be mended must be gone, and nothing new may have come. Not new is what was hidden: a fault is
reported once, at its cause, and when that is mended another rule may speak. What was hidden goes wrong only
where something went wrong before, and nothing that led there was rewritten.
"""

from __future__ import annotations

import ast
import bisect
import itertools
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from devlint.cells import CellStart, below, cell_at
from devlint.comments import read_comments
from devlint.diagnostic import Diagnostic, FileResult, Note
from devlint.syntax.source import Source
from devlint.text import Edit, Moves, Position

# A fix may take away what a suppression was there for; the next round removes that.
_MAY_COME = frozenset({"DEV002"})


class Change:
    """How a text became another one, `source`: by rounds of edits, each against the text of the last."""

    def __init__(self, source: Source, rounds: tuple[Moves, ...] = ()) -> None:
        self.source = source
        self._rounds = rounds

    def then(self, source: Source, edits: Iterable[Edit]) -> Change:
        """With one more round."""
        return Change(source, (*self._rounds, Moves(edits)))

    def now(self, offset: int) -> int:
        """Where an offset of the first text is in the last one."""
        for moves in self._rounds:
            offset = moves(offset)
        return offset

    def wrote_in(self, note: Note) -> bool:
        """Whether something inside the place of a note was rewritten."""
        if note.path != self.source.path:
            return False
        written = self._written.get(note.cell, [])
        at = bisect.bisect_left(written, (note.start, note.start))
        inside = itertools.takewhile(lambda place: place[0] < note.end, itertools.islice(written, at, None))
        return any(end <= note.end for _, end in inside)

    @cached_property
    def _written(self) -> dict[int | None, list[tuple[Position, Position]]]:
        """All places that were put in, by cell, in rows and columns, sorted."""
        places: dict[int | None, list[tuple[Position, Position]]] = {}
        for number, moves in enumerate(self._rounds):
            later = Change(self.source, self._rounds[number + 1 :])
            for span in moves.written():
                start, end = (self.source.lines.position(later.now(offset)) for offset in span)
                cell = cell_at(self.source.cells, start.row) if self.source.cells else CellStart(0, 1)
                place = below(start, 1 - cell.row), below(end, 1 - cell.row)
                places.setdefault(cell.number or None, []).append(place)
        return {cell: sorted(found) for cell, found in places.items()}


class Judgement(NamedTuple):
    """What speaks against a rewriting (None: nothing does), and the new findings, if it is those alone."""

    against: str | None
    new: tuple[Diagnostic, ...] = ()


def judge(
    before: Iterable[Diagnostic], fixed: Iterable[Diagnostic], after: FileResult, change: Change
) -> Judgement:
    """Judges a rewriting that was to remove the `fixed` findings; `after` is what the new text gives."""
    if after.failure is not None:
        return Judgement(f"the new text cannot be checked: {after.failure.message}")
    before = tuple(before)
    gone = Counter(_mark(found, change) for found in fixed)
    new = tuple(_come(before, gone, after, change))
    for found in new:
        if found.code == "DEV001":
            return Judgement("the new text does not parse")
        if gone[found.code, found.span.start]:
            return Judgement(f"{found.code} is still found afterwards")
    return Judgement(f"{new[0].code} is found afterwards", new) if new else Judgement(None)


def _mark(found: Diagnostic, change: Change) -> tuple[str, int]:
    """What a finding is known by in the new text."""
    return found.code, change.now(found.span.start)


def _come(
    before: tuple[Diagnostic, ...], gone: Counter[tuple[str, int]], after: FileResult, change: Change
) -> Iterator[Diagnostic]:
    """What has come to a text: of the codes that it has more of than it should, those in new places."""
    left = Counter(_mark(found, change) for found in before) - gone
    should, are = (Counter(code for code, _ in marks.elements()) for marks in (left, _marks(after)))
    wrong = {change.now(place.start) for found in before for place in found.shows}
    for found in sorted(after.diagnostics, key=lambda found: found.code):
        mark = found.code, found.span.start
        if left[mark]:
            left[mark] -= 1
        elif found.code not in _MAY_COME and are[found.code] > should[found.code]:
            hidden = bool(found.shows) and all(place.start in wrong for place in found.shows)
            if not hidden or gone[mark] or any(map(change.wrote_in, found.notes)):
                yield found


def _marks(result: FileResult) -> Counter[tuple[str, int]]:
    return Counter((found.code, found.span.start) for found in result.diagnostics)


def harm(before: Source, after: Source) -> str | None:
    """What a rewriting does to a text beside its purpose: a comment lost, Python that does not compile
    (a keyword twice is found by the compiler only)."""
    lost = _comments(before) - _comments(after)
    if lost:
        return f"a comment would be lost: {min(lost)}"
    error = _compile_error(after)
    if error is not None and _compile_error(before) is None:
        return f"the new text does not compile: {error}"
    return None


def _comments(source: Source) -> Counter[str]:
    return Counter(text.rstrip() for _, text in read_comments(source.text, source.lines).found)


def _compile_error(source: Source) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # A cell may await, where a module may not.
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if source.cells else 0
            compile(source.text, source.path, "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        return error.msg
    except (ValueError, RecursionError, MemoryError):
        return None
    return None
