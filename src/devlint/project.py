"""A run over many files: read them (here or in worker processes), then decide what is shown of each."""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from devlint import suppress
from devlint.baseline import Baseline, Entry, Mark
from devlint.cache import Cache
from devlint.deep import run_deep
from devlint.diagnostic import FileResult
from devlint.discover import Found, Target, discover, from_stdin
from devlint.globs import slashed
from devlint.lint import Judged, Linter, Raw, Reading, failed, make_linter, triage
from devlint.rules import all_rules
from devlint.suppress import Suppressions
from devlint.syntax.source import Source, SourceError
from devlint.workers import Died, Pool

__all__ = ["Found", "Run", "Target", "discover", "from_stdin", "run_check"]

Progress = Callable[[int, int], None]
Engine = Callable[[tuple[str, ...], bool], Linter]

# Below this a worker costs more (its imports) than it brings.
_FILES_A_JOB = 15
_LARGEST_CHUNK = 32


@dataclass(frozen=True)
class Run:
    """What a run gave: the result of each file, sorted by path, and what the baseline knows too much.

    `after` is the baseline without what is stale; `grown` one that knows all that was found.
    """

    results: tuple[FileResult, ...]
    stale: tuple[Entry, ...] = ()
    after: Baseline | None = None
    grown: Baseline | None = None


def run_check(
    found: Found,
    *,
    jobs: int = 0,
    cache: bool = True,
    progress: Progress | None = None,
    baseline: Baseline | None = None,
    verbose: bool = False,
    engine: Engine = make_linter,
) -> Run:
    """Checks files. The results do not depend on `jobs` (0: as many as are worth it).

    `progress` is told how many of how many files are done, perhaps from another thread. `engine` makes the
    linter that reads files, from the folders on the project's import path; a process makes its own.
    """
    readings = read_all(
        found.targets, jobs=jobs, cache=cache, progress=progress, verbose=verbose, engine=engine
    )
    rules = all_rules()
    judged = [
        triage(reading, rules, target.settings, baseline)
        for target, reading in zip(found.targets, readings, strict=True)
    ]
    results = sorted([*found.failures, *(each.result for each in judged)], key=lambda r: r.path.split("/"))
    if baseline is None:
        return Run(tuple(results))
    return _with_baseline(tuple(results), baseline, found.targets, judged)


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
    roots = tuple(sorted({os.getcwd(), *(str(target.settings.root) for target in targets)}))
    make = functools.partial(Reader, engine, roots, cache, verbose)
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
        # A parse makes a million objects that live: looking for garbage among them costs a third more.
        was_on = gc.isenabled()
        gc.disable()
        try:
            return self._linter.read(target.path, data, target.settings)
        finally:
            if was_on:
                gc.enable()

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
    pool = Pool(make, chunks(list(left.values()), jobs), jobs)
    with contextlib.suppress(OSError):
        for number, result in pool.results():
            target = left.pop(number)
            done(number, _buried(target, result) if isinstance(result, Died) else result)


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

    try:
        run_deep(work)
    finally:
        stop.set()


def _buried(target: Target, died: Died) -> Reading:
    code = died.exitcode
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


def _with_baseline(
    results: tuple[FileResult, ...], baseline: Baseline, targets: Sequence[Target], judged: Sequence[Judged]
) -> Run:
    """Works out what became of the baseline: only findings of rules that ran, in files that were checked
    or are gone, can be stale."""
    after: dict[str, Counter[Mark]] = {path: Counter() for path in baseline.missing()}
    grown = dict(after)
    rules = all_rules()
    for target, each in zip(targets, judged, strict=True):
        if each.result.failure is not None:
            continue
        on = {rule.code for rule in rules if target.settings.selected(rule, target.path)}
        off = Counter({mark: n for mark, n in baseline.old(target.path).items() if mark.code not in on})
        path = baseline.key(target.path)
        after[path] = off + each.old
        grown[path] = off + each.marks
    kept = baseline.with_files(after)
    stale = tuple(
        entry._replace(times=entry.times - kept.known[entry.path][Mark(entry.code, entry.line)])
        for entry in baseline.entries()
    )
    return Run(results, tuple(e for e in stale if e.times > 0), kept, baseline.with_files(grown))
