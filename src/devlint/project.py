"""A run over many files: read them, then decide what is shown of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from devlint.baseline import Baseline, Entry, Mark
from devlint.diagnostic import FileResult
from devlint.discover import Found, Target, discover, from_stdin
from devlint.lint import Judged, make_linter, triage
from devlint.reading import Engine, Progress, read_all
from devlint.rules import all_rules

__all__ = ["Found", "Run", "Target", "discover", "from_stdin", "run_check"]


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
