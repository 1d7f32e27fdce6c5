"""Reading many files, here or in worker processes, by way of the cache; what was found in a file while
another was read is handed to it."""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from devlint import suppress
from devlint.cache import Cache
from devlint.deep import run_deep
from devlint.discover import Target
from devlint.globs import slashed
from devlint.lint import Linter, Raw, Reading, failed, make_linter
from devlint.suppress import Suppressions
from devlint.syntax.source import Source, SourceError

Progress = Callable[[int, int], None]
Engine = Callable[[tuple[str, ...], bool], Linter]
"""Makes the linter that reads files, from the folders on the project's import path."""

# The trees that are kept for importers are millions of objects, and nearly nothing of what else reading a
# file leaves behind is held by a cycle: looking for garbage as often as Python does costs half as much as
# parsing. So it is looked for when so many more objects were made than freed; that is about a gigabyte.
_YOUNG = 10_000_000

# Below this a worker costs more (its imports) than it brings.
_FILES_A_JOB = 15
_LARGEST_CHUNK = 32


def read_all(
    targets: Sequence[Target],
    *,
    jobs: int = 0,
    cache: bool = False,
    progress: Progress | None = None,
    verbose: bool = False,
    engine: Engine = make_linter,
) -> list[Reading]:
    """The readings of files, in their order, each with what was found in it while others were read."""
    make = functools.partial(Reader, engine, roots_of(targets), cache, verbose)
    readings: dict[int, Reading] = {}

    def done(number: int, reading: Reading) -> None:
        readings[number] = reading
        if progress is not None:
            progress(len(readings), len(targets))

    left = dict(enumerate(targets))
    processes = worth_it(jobs, len(targets))
    if processes > 1:
        _read_in_processes(left, make, processes, done)
    if left:
        _read_here(left, make, done)
    return _shared_out(targets, [readings[number] for number in range(len(targets))])


def roots_of(targets: Sequence[Target]) -> tuple[str, ...]:
    """The folders in which the project's absolute imports are looked for."""
    return tuple(sorted({os.getcwd(), *(str(target.settings.root) for target in targets)}))


class Reader:
    """Reads one target after the other, by way of the cache."""

    def __init__(self, engine: Engine, roots: tuple[str, ...], cache: bool, verbose: bool) -> None:
        self._linter = engine(roots, verbose)
        self._caches: dict[Path, Cache] | None = {} if cache else None

    def __call__(self, target: Target) -> Reading:
        """The reading of a target; nothing that is wrong with it raises."""
        data = target.data
        if data is None:
            try:
                with open(target.file, "rb") as stream:
                    data = stream.read()
            except OSError as error:
                return failed(target.path, f"cannot be read: {error.strerror or error}")
        cache = self._cache(target)
        reading = cache.get(target.path, data, target.settings) if cache is not None else None
        if reading is None:
            reading = self._read(target, data)
            if cache is not None:
                cache.put(target.path, data, target.settings, reading)
        return reading

    def _read(self, target: Target, data: bytes) -> Reading:
        reading = self._linter.read(target.path, data, target.settings)
        if gc.get_count()[0] > _YOUNG:
            gc.collect(1)
        return reading

    def _cache(self, target: Target) -> Cache | None:
        if self._caches is None or target.data is not None:
            return None
        folder = target.settings.cache_folder
        if folder not in self._caches:
            self._caches[folder] = Cache(folder, self._linter.rules)
        return self._caches[folder]


def worth_it(jobs: int, files: int) -> int:
    """How many processes to use for so many files; one means none beside this."""
    if jobs > 0:
        return min(jobs, files)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, files // _FILES_A_JOB))


def chunks(targets: Sequence[Target], jobs: int) -> list[list[Target]]:
    """Neighbours together, so that what a folder's files import is read by one process; small enough that
    all processes end at about the same time."""
    size = max(1, min(_LARGEST_CHUNK, len(targets) // (4 * jobs)))
    out: list[list[Target]] = []
    folder = None
    for target in targets:
        here = os.path.dirname(target.path)
        if not out or len(out[-1]) >= size or (here != folder and len(out[-1]) > size // 2):
            out.append([])
        out[-1].append(target)
        folder = here
    return out


def _read_in_processes(
    left: dict[int, Target], make: Callable[[], Reader], jobs: int, done: Callable[[int, Reading], None]
) -> None:
    """Reads targets and takes them out of `left`; some stay where no more processes can be started."""
    from devlint.workers import Died, Pool

    pool = Pool(make, chunks(list(left.values()), jobs), jobs)
    with contextlib.suppress(OSError):
        for number, result in pool.results():
            target = left.pop(number)
            done(number, _buried(target, result.exitcode) if isinstance(result, Died) else result)


def _read_here(
    left: dict[int, Target], make: Callable[[], Reader], done: Callable[[int, Reading], None]
) -> None:
    stop = threading.Event()

    def work() -> None:
        read = make()
        for number, target in left.items():
            if stop.is_set():
                return
            done(number, read(target))

    was_on = gc.isenabled()
    gc.disable()
    try:
        run_deep(work)
    finally:
        stop.set()
        if was_on:
            gc.enable()


def _buried(target: Target, code: int | None) -> Reading:
    how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
    return failed(target.path, f"the process that was checking it died ({how})")


def _shared_out(targets: Sequence[Target], readings: list[Reading]) -> list[Reading]:
    """Hands what was found in other files to those that are checked as well; the rest is dropped."""
    at_home = {slashed(target.file): number for number, target in enumerate(targets) if target.data is None}
    guests: dict[int, list[Raw]] = {}
    for reading in readings:
        for raw in reading.elsewhere:
            number = at_home.get(slashed(raw.diagnostic.path))
            if number is not None and readings[number].checked:
                home = replace(raw.diagnostic, path=targets[number].path)
                guests.setdefault(number, []).append(raw._replace(diagnostic=home))
    for number, raws in guests.items():
        host = readings[number]
        suppressions = host.suppressions
        if not host.raw:
            suppressions = _all_suppressions(targets[number]) or suppressions
        readings[number] = replace(host, raw=(*host.raw, *raws), suppressions=suppressions)
    return readings


def _all_suppressions(target: Target) -> Suppressions | None:
    """A file in which nothing was found was not searched for a bare noqa."""
    try:
        source = Source.read(target.file)
    except (OSError, SourceError):
        return None
    return suppress.parse(source.text, everything=True)
