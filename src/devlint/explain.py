"""From an error, or a traceback, to what is known of its cause: the story of a failure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

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
from devlint.trace import Glance, Trace, glance, trace_source
from devlint.tracebacks import Frame


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
    traced = _Traces()
    places = tuple(traced.place(frame, path) for frame, path in frames)
    return Story(error, traceback.message, places, _findings(error, places, [path for _, path in frames]))


class _Traces:
    """Traces files, each once."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Source, Trace] | None] = {}

    def place(self, frame: Frame, path: str) -> Place:
        """A frame with what is known of its line."""
        if path not in self._known:
            self._known[path] = self._read(path)
        found = self._known[path]
        if found is None:
            return Place(shown(path), frame.row, frame.function)
        source, trace = found
        return Place(shown(path), frame.row, frame.function, trace, glance(source, trace, frame.row))

    def _read(self, path: str) -> tuple[Source, Trace] | None:
        try:
            source = Source.read(path, shown(path))
            root = Resolver(all_rules()).settings(Path(path).parent).root
            return source, run_deep(_work(source, tuple(sorted({os.getcwd(), str(root)}))))
        except (OSError, SourceError, ParseError, RecursionError):
            return None


def _work(source: Source, roots: tuple[str, ...]) -> Callable[[], Trace]:
    return lambda: trace_source(source, roots)


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
