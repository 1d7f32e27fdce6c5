"""Applying fixes to one text, round after round, until nothing is left to do.

In a round all fixes are applied that do not overlap. If the outcome cannot be proven, they are tried in
parts, and those that cannot be defended are dropped. What overlapped waits for the next round, in which the
changed text is read anew.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from devlint.diagnostic import Diagnostic, FileResult
from devlint.fix.prove import Change, harm, judge
from devlint.syntax.source import ParseError, Source, SourceError
from devlint.text import Edit, OverlappingEdits

_MOST_ROUNDS = 20
_MOST_FOLLOWERS = 4
# The fixes that are to change comments.
_ABOUT_COMMENTS = frozenset({"DEV002"})


class Look(NamedTuple):
    """What a text gives: all findings, and those of them that may be fixed (not those in the baseline)."""

    every: FileResult
    shown: FileResult


Check = Callable[[Source], Look]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What became of a file's document. `dropped` are those of the remaining findings whose fix was not
    defensible, and why: there they have none."""

    after: str
    fixed: tuple[Diagnostic, ...]
    remaining: FileResult
    dropped: tuple[tuple[Diagnostic, str], ...]


def rewrite(source: Source, first: Look, check: Check, wanted: Callable[[Diagnostic], bool]) -> Rewriting:
    """Applies the wanted fixes of a text. `first` is what it gives; `check` looks at a changed one."""
    work = _Work(source, first, check, wanted)
    for _ in range(_MOST_ROUNDS):
        if not work.round():
            break
    shown = work.look.shown
    why = [work.dropped.get(_identity(found)) for found in shown.diagnostics]
    remaining = tuple(
        found if reason is None else replace(found, fix=None)
        for found, reason in zip(shown.diagnostics, why, strict=True)
    )
    dropped = tuple(
        (found, reason) for found, reason in zip(remaining, why, strict=True) if reason is not None
    )
    return Rewriting(work.source.document, tuple(work.fixed), replace(shown, diagnostics=remaining), dropped)


def choose(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Those whose fixes do not overlap, in the order of the text; equal edits are no overlap."""
    taken: list[Edit] = []
    chosen: list[Diagnostic] = []
    for diagnostic in sorted(found, key=_order):
        edits = _edits([diagnostic])
        if not any(_overlap(edit, other) for edit in edits for other in _near(edit, taken)):
            for edit in edits:
                bisect.insort(taken, edit)
            chosen.append(diagnostic)
    return chosen


def _near(edit: Edit, taken: Sequence[Edit]) -> Iterator[Edit]:
    """Those of the taken edits, which are sorted and do not overlap, that may overlap another one."""
    at = max(bisect.bisect_left(taken, edit.start, key=lambda other: other.start) - 1, 0)
    while at < len(taken) and taken[at].start <= edit.end:
        yield taken[at]
        at += 1


class _Outcome(NamedTuple):
    change: Change
    look: Look
    fixed: list[Diagnostic]


@dataclass
class _Work:
    source: Source
    look: Look
    check: Check
    wanted: Callable[[Diagnostic], bool]
    fixed: list[Diagnostic] = field(default_factory=list)
    dropped: dict[_Identity, str] = field(default_factory=dict)

    def round(self) -> bool:
        """One round; whether it changed anything."""
        candidates = [
            diagnostic
            for diagnostic in self.look.shown.diagnostics
            if self._is_candidate(diagnostic) and _identity(diagnostic) not in self.dropped
        ]
        chosen = choose(candidates)
        if not chosen:
            return False
        if reason := doubt(self.source):
            self.dropped.update((_identity(diagnostic), reason) for diagnostic in candidates)
            return False
        outcome = self._attempt(chosen)
        if isinstance(outcome, str):
            return self._in_parts(chosen, outcome)
        self._accept(outcome)
        return True

    def _is_candidate(self, diagnostic: Diagnostic) -> bool:
        return diagnostic.fix is not None and bool(diagnostic.fix.edits) and self.wanted(diagnostic)

    def _in_parts(self, chosen: Sequence[Diagnostic], why: str) -> bool:
        """Finds those that can be defended, by halves, and accepts them together. The others are dropped if
        there are none: with these, they may be right in the next round."""
        good: list[Diagnostic] = []
        refused: dict[_Identity, str] = {}
        best: _Outcome | None = None
        parts: list[tuple[Sequence[Diagnostic], str | None]] = [(chosen, why)]
        while parts:
            part, against = parts.pop()
            outcome = self._attempt([*good, *part]) if against is None else against
            if isinstance(outcome, _Outcome):
                good += part
                best = outcome
            elif len(part) == 1:
                refused[_identity(part[0])] = outcome
            else:
                half = len(part) // 2
                parts += [(part[half:], None), (part[:half], None)]
        if best is not None:
            self._accept(best)
        else:
            self.dropped.update(refused)
        # Even if all were dropped, others may have waited for the place that they took.
        return True

    def _accept(self, outcome: _Outcome) -> None:
        self.fixed += outcome.fixed
        self.source, self.look = outcome.change.source, outcome.look
        self.dropped = {
            identity._replace(start=outcome.change.now(identity.start)): why
            for identity, why in self.dropped.items()
        }

    def _attempt(self, chosen: Sequence[Diagnostic]) -> _Outcome | str:
        """The text with these fixes and what it gives, or what speaks against it.

        What comes to light only through a fix may be fixed as well: all together they must be an
        improvement.
        """
        outcome = self._apply(Change(self.source), chosen)
        fixed = list(chosen)
        for _ in range(_MOST_FOLLOWERS):
            if isinstance(outcome, str):
                return outcome
            judged = judge(self.look.every.diagnostics, chosen, outcome.look.every, outcome.change)
            if judged.against is None:
                return outcome._replace(fixed=fixed)
            new = {(found.code, found.span) for found in judged.new}
            followers = choose(
                d for d in outcome.look.shown.diagnostics if (d.code, d.span) in new and self._is_candidate(d)
            )
            if not followers:
                return judged.against
            outcome = self._apply(outcome.change, followers)
            fixed += followers
        return "what it brings to light cannot be fixed"

    def _apply(self, before: Change, chosen: Sequence[Diagnostic]) -> _Outcome | str:
        try:
            source = before.source.edited(_edits(chosen))
            meant = before.source.edited(_edits(d for d in chosen if d.code in _ABOUT_COMMENTS))
        except OverlappingEdits:
            return "its edits overlap"
        except UnicodeEncodeError:
            return "the file's encoding cannot hold the new text"
        except SourceError as error:
            return str(error)
        if source.text == before.source.text:
            return "the fix changes nothing"
        harmed = harm(meant, source)
        if harmed is not None:
            return harmed
        return _Outcome(before.then(source, _edits(chosen)), self.check(source), [])


def doubt(source: Source) -> str | None:
    """Why no fix can be applied to a text at all."""
    try:
        row = source.doubtful_row
    except ParseError:
        return "the file does not parse"
    if row is None:
        return None
    return (
        f"line {row} is not parsed as it stands (a lone carriage return?), so no place in the file is certain"
    )


def _edits(found: Iterable[Diagnostic]) -> list[Edit]:
    return [edit for diagnostic in found if diagnostic.fix is not None for edit in diagnostic.fix.edits]


def _order(diagnostic: Diagnostic) -> tuple[int, int, str]:
    """By where a fix begins; of two, the one that reaches farther, since it may make the other needless."""
    edits = _edits([diagnostic])
    return min(edit.start for edit in edits), -max(edit.end for edit in edits), diagnostic.code


def _overlap(one: Edit, other: Edit) -> bool:
    if one == other:
        return False
    if one.start == other.start:
        # An insertion goes before what is replaced there.
        return (one.start < one.end) == (other.start < other.end)
    return one.start < other.end and other.start < one.end


class _Identity(NamedTuple):
    """What a finding is known by while the text around it moves."""

    code: str
    start: int
    texts: tuple[str, ...]


def _identity(diagnostic: Diagnostic) -> _Identity:
    texts = tuple(edit.text for edit in _edits([diagnostic]))
    return _Identity(diagnostic.code, diagnostic.span.start, texts)
