"""From an error, or a traceback, to what is known of its cause: the story of a failure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TypeVar

from devlint import tracebacks
from devlint.config import Resolver
from devlint.deep import run_deep
from devlint.diagnostic import Diagnostic, FileResult
from devlint.discover import discover
from devlint.errors import Cause, DeviceError, find
from devlint.globs import shown
from devlint.project import run_check
from devlint.rules import all_rules
from devlint.syntax.source import ParseError, Source, SourceError
from devlint.trace import Block, Bound, Glance, Hop, Trace, glance, trace_program, trace_source
from devlint.tracebacks import Frame

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Place:
    """A frame that lies in the project: what is known of the values on its line (None: nothing)."""

    path: str
    row: int
    function: str
    trace: Trace | None = None
    glance: Glance | None = None

    def rows(self) -> Iterator[tuple[str, int]]:
        """The lines, with their files, that have to do with it: its own, and those on the trails of its
        values."""
        yield self.path, self.row
        if self.glance is None:
            return
        yield from ((self.path, row) for row in range(self.glance.first, self.glance.last + 1))
        yield from ((self.path, bound.row) for bound in self.glance.used)
        trails = [bound.hops for bound in self.glance.used]
        trails += [side.hops for meet in self.glance.meets for side in (meet.left, meet.right)]
        yield from ((hop.path or self.path, hop.row) for hops in trails for hop in hops)


class Likely(NamedTuple):
    """A cause, and where it was found on the way of the failure."""

    cause: Cause
    found: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """An error, the places of the project that led to it, and what the rules that know its causes find
    there: what lies on the way of the failure first, the nearest to it before all."""

    error: DeviceError
    message: str
    places: tuple[Place, ...] = ()
    findings: tuple[Diagnostic, ...] = ()

    @property
    def causes(self) -> tuple[Likely, ...]:
        """What may have caused it, the likeliest first: what was found on the way of the failure before what
        mostly causes it."""
        near = [found for found in self.findings if _distance(found, self.places) < len(self.places)]
        order = {name: number for number, name in reversed(list(enumerate(found.name for found in near)))}
        likely = [
            Likely(cause, tuple(found for found in near if found.name in cause.rules))
            for cause in self.error.causes
        ]
        return tuple(
            sorted(likely, key=lambda each: min((order[x.name] for x in each.found), default=len(near)))
        )


def _distance(found: Diagnostic, places: tuple[Place, ...]) -> int:
    """How many frames lie between a finding and the failure; the number of all if it is on none's way."""
    path, last = os.path.abspath(found.path), max(found.start.row, found.end.row)
    for distance, place in enumerate(reversed(places)):
        rows = {row for file, row in place.rows() if os.path.abspath(file) == path}
        if any(found.start.row <= row <= last for row in rows):
            return distance
    return len(places)


def story(text: str) -> Story | None:
    """What is known of a message or of a traceback; None if it is no error of devices."""
    traceback = tracebacks.parse(text)
    error = find(traceback.message) or find(text)
    if error is None:
        return None
    frames = tracebacks.own(traceback.frames, os.getcwd())
    if not frames:
        return Story(error, traceback.message)
    places = _Traces(frames[0][1]).places(frames)
    return Story(error, traceback.message, places, _findings(error, places, [path for _, path in frames]))


class _Traces:
    """Traces files, each once: as they are in the program that failed (that of the outermost frame), else by
    themselves."""

    def __init__(self, outermost: str) -> None:
        self._sources: dict[str, Source | None] = {}
        self._alone: dict[str, Trace | None] = {}
        self._program = self._read(outermost, trace_program) or {}

    def places(self, frames: Iterable[tuple[Frame, str]]) -> tuple[Place, ...]:
        """Frames, outermost first, with what is known of their lines."""
        found: list[Place] = []
        for frame, path in frames:
            found.append(self._place(frame, path, found))
        return tuple(found)

    def _place(self, frame: Frame, path: str, outer: list[Place]) -> Place:
        place = Place(shown(path), frame.row, frame.function)
        source = self._source(path)
        inside = self._program.get(os.path.abspath(path))
        if source is None:
            return place
        if inside is not None:
            seen = glance(source, inside, frame.row)
            used = _called(seen.used, path, inside.block(frame.row), outer) if seen is not None else None
            if seen is not None and used:
                return replace(place, trace=inside, glance=replace(seen, used=used))
        if path not in self._alone:
            self._alone[path] = self._read(path, trace_source)
        alone = self._alone[path]
        return replace(place, trace=alone, glance=glance(source, alone, frame.row)) if alone else place

    def _source(self, path: str) -> Source | None:
        if path not in self._sources:
            try:
                self._sources[path] = Source.read(path, shown(path))
            except (OSError, SourceError):
                self._sources[path] = None
        return self._sources[path]

    def _read(self, path: str, read: Callable[[Source, tuple[str, ...]], _T]) -> _T | None:
        source = self._source(path)
        if source is None:
            return None
        try:
            root = Resolver(all_rules()).settings(Path(path).parent).root
            return run_deep(lambda: read(source, tuple(sorted({os.getcwd(), str(root)}))))
        except (OSError, SourceError, ParseError, RecursionError):
            return None


def _called(
    used: Iterable[Bound], path: str, block: Block | None, outer: list[Place]
) -> tuple[Bound, ...] | None:
    """What holds of the values of a function if the frames around are the calls that led there; None if a
    value is known for other calls only."""
    found: list[Bound] = []
    for _, group in groupby(used, key=lambda bound: (bound.row, bound.name)):
        ways = list(group)
        if block is None or not block.first <= ways[0].row <= block.last:  # set elsewhere, by other calls
            found += ways if len(ways) > 1 else [replace(ways[0], callers=(), beyond=())]
            continue
        so = [way for way in ways if way.callers and _is_led_to(way, path, outer)]
        so = so or [way for way in ways if not way.callers]
        if not so:
            return None
        found += (replace(way, callers=(), beyond=()) for way in so)
    return tuple(found)


def _is_led_to(bound: Bound, path: str, outer: list[Place]) -> bool:
    """Whether the calls of which something holds stand in the statements of the frames around."""

    def stands(call: Hop, place: Place) -> bool:
        first = place.glance.first if place.glance is not None else place.row
        file = os.path.abspath(call.path or path)
        return first <= call.row <= place.row and file == os.path.abspath(place.path)

    if not outer or not any(stands(call, outer[-1]) for call in bound.callers):
        return False
    return all(stands(call, place) for call, place in zip(bound.beyond, outer[-2::-1], strict=False))


def _findings(error: DeviceError, places: tuple[Place, ...], paths: list[str]) -> tuple[Diagnostic, ...]:
    """What the rules that find the causes of an error say of these files, the likeliest cause first."""
    if not error.rules:
        return ()
    resolver = Resolver(all_rules(), overrides={"select": list(error.rules)})
    found = discover(list(dict.fromkeys(shown(path) for path in paths)), resolver)
    results = run_check(found, jobs=1, cache=False).results
    order = {name: number for number, name in enumerate(error.rules)}
    return tuple(
        sorted(_all(results), key=lambda d: (_distance(d, places), order.get(d.name, 99), d.path, d.span))
    )


def _all(results: Iterable[FileResult]) -> Iterator[Diagnostic]:
    for result in results:
        yield from result.diagnostics
