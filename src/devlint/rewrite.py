"""A run that rewrites files: fixes, and `--add-noqa`."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from devlint.baseline import Baseline
from devlint.cells import in_program
from devlint.config import Settings
from devlint.deep import run_deep
from devlint.diagnostic import Diagnostic, Failure, FileResult, Safety
from devlint.discover import Found, Target
from devlint.files import replace_file
from devlint.fix.apply import Look, Rewriting, doubt, rewrite
from devlint.lint import SYNTAX_ERROR, UNUSED_SUPPRESSION, Linter, Reading, make_linter, triage
from devlint.noqa import add_noqa
from devlint.project import run_check
from devlint.reading import Engine, Progress, read_all, roots_of
from devlint.rules import all_rules
from devlint.syntax.source import Source, SourceError
from devlint.text import one_line

__all__ = ["FixResult", "NoqaRun", "run_add_noqa", "run_fix"]

_MOST_PASSES = 5
# What libcst may not give back as it was (see `Source.doubtful_row`).
_ODD = re.compile(rb"\r(?!\n)")


@dataclass(frozen=True, slots=True)
class FixResult:
    """What became of one file. `before` and `after` are what it holds, as text; `dropped` says which fixes
    could not be defended, and why. A file that could not be written is as it was, and `remaining` says so."""

    path: str
    before: str
    after: str
    fixed: tuple[Diagnostic, ...]
    remaining: FileResult
    dropped: tuple[str, ...]


def run_fix(
    found: Found,
    *,
    unsafe: bool = False,
    write: bool = False,
    jobs: int = 0,
    cache: bool = True,
    progress: Progress | None = None,
    baseline: Baseline | None = None,
    verbose: bool = False,
    engine: Engine = make_linter,
) -> list[FixResult]:
    """Applies safe fixes (with `unsafe`, all), and writes the files if told to. What comes from standard
    input is never written. One result a file, failed ones included, sorted by path."""
    results: dict[str, FixResult] = {}
    for _ in range(_MOST_PASSES):
        readings = read_all(
            found.targets, jobs=jobs, cache=cache, progress=progress, verbose=verbose, engine=engine
        )
        fixer = _Fixer(functools.partial(engine, roots_of(found.targets), verbose), baseline, unsafe, write)
        done = run_deep(functools.partial(fixer.fix_all, found.targets, readings))
        changed = any(result.before != result.after for result in done)
        for result in done:
            results[result.path] = _joined(results.get(result.path), result)
        # What is found in one file while another is read may change only with that other one.
        if not (write and changed and any(reading.elsewhere for reading in readings)):
            break
    failed = [FixResult(each.path, "", "", (), each, ()) for each in found.failures]
    return sorted([*failed, *results.values()], key=lambda result: result.path.split("/"))


def _joined(first: FixResult | None, then: FixResult) -> FixResult:
    """The results of two passes over a file as that of one."""
    if first is None:
        return then
    text = first if first.before != first.after else then
    return FixResult(
        path=first.path,
        before=text.before,
        after=then.after if then.before != then.after else text.after,
        fixed=first.fixed + then.fixed,
        remaining=then.remaining,
        dropped=then.dropped,
    )


@dataclass(frozen=True)
class _Fixer:
    make: Callable[[], Linter]
    baseline: Baseline | None
    unsafe: bool
    write: bool

    def fix_all(self, targets: Sequence[Target], readings: Sequence[Reading]) -> list[FixResult]:
        """Rewrites all files in which there is anything to rewrite."""
        return [self.fix(target, reading) for target, reading in zip(targets, readings, strict=True)]

    @functools.cached_property
    def linter(self) -> Linter:
        """What reads the changed texts."""
        return self.make()

    def fix(self, target: Target, reading: Reading) -> FixResult:
        """Rewrites one file."""
        first = self._look(reading, target.settings)
        if target.data is None and not any(map(self._wanted, first.shown.diagnostics)):
            return FixResult(target.path, "", "", (), first.shown, _refused(target, first.shown))
        try:
            data = target.data if target.data is not None else _read(target.file)
            source = Source.from_bytes(target.path, data)
        except (OSError, SourceError) as error:
            return _failed(target.path, error)
        try:
            done = rewrite(source, first, lambda new: self._check(new, target.settings), self._wanted)
        except Exception as error:
            reading = self.linter.crashed(target.path, error)
            text, look = source.document, self._look(reading, target.settings)
            return FixResult(target.path, text, text, (), look.every, ())
        if self.write and target.data is None and done.after != source.document:
            try:
                replace_file(target.file, source.encode(done.after), before=data)
            except OSError as error:
                return _failed(target.path, error)
        return _result(target.path, source.document, done)

    def _wanted(self, diagnostic: Diagnostic) -> bool:
        fix = diagnostic.fix
        return fix is not None and (self.unsafe or fix.safety is Safety.SAFE)

    def _check(self, source: Source, settings: Settings) -> Look:
        return self._look(self.linter.read(source.path, source.data, settings), settings)

    def _look(self, reading: Reading, settings: Settings) -> Look:
        rules = all_rules()
        every = triage(reading, rules, settings).result
        if self.baseline is None:
            return Look(every, every)
        return Look(every, triage(reading, rules, settings, self.baseline).result)


def _refused(target: Target, shown: FileResult) -> tuple[str, ...]:
    """Why nothing at all is fixed in a file with findings, if that is so."""
    if not shown.diagnostics:
        return ()
    try:
        data = _read(target.file)
        reason = doubt(Source.from_bytes(target.path, data)) if _ODD.search(data) is not None else None
    except (OSError, SourceError):
        return ()
    return () if reason is None else (f"{one_line(target.path)}: nothing is fixed: {reason}",)


def _result(path: str, before: str, done: Rewriting) -> FixResult:
    dropped = tuple(
        f"{one_line(path)}:{_row(diagnostic)}: the fix of {diagnostic.code} is left out: {why}"
        for diagnostic, why in done.dropped
    )
    return FixResult(path, before, done.after, done.fixed, done.remaining, dropped)


def _row(diagnostic: Diagnostic) -> str:
    cell = f"cell {diagnostic.cell}:" if diagnostic.cell is not None else ""
    return f"{cell}{diagnostic.start.row}"


def _failed(path: str, error: Exception) -> FixResult:
    words = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    remaining = FileResult(path, failure=Failure(path, f"cannot be rewritten: {words}"))
    return FixResult(path, "", "", (), remaining, ())


def _read(file: str) -> bytes:
    with open(file, "rb") as stream:
        return stream.read()


@dataclass(frozen=True, slots=True)
class NoqaRun:
    """What `--add-noqa` did: how many findings it silenced, in which files, and where it failed."""

    silenced: int
    files: tuple[str, ...]
    failures: tuple[FileResult, ...]


def run_add_noqa(
    found: Found,
    reason: str | None = None,
    *,
    jobs: int = 0,
    cache: bool = True,
    progress: Progress | None = None,
    baseline: Baseline | None = None,
    verbose: bool = False,
    engine: Engine = make_linter,
) -> NoqaRun:
    """Writes a `# noqa` to every line with a finding. What does not parse is left alone, and so are unused
    suppressions: they are removed, not silenced."""
    run = run_check(
        found, jobs=jobs, cache=cache, progress=progress, baseline=baseline, verbose=verbose, engine=engine
    )
    files = {target.path: target.file for target in found.targets if target.data is None}
    silenced = 0
    changed: list[str] = []
    failures = [result for result in run.results if result.failure is not None]
    for result in run.results:
        here = [each for each in result.diagnostics if each.code not in (SYNTAX_ERROR, UNUSED_SUPPRESSION)]
        if not here or result.path not in files:
            continue
        try:
            count = _silence(files[result.path], here, reason)
        except (OSError, UnicodeError, SourceError) as error:
            failures.append(_failed(result.path, error).remaining)
            continue
        silenced += count
        changed += [result.path] if count else []
    return NoqaRun(silenced, tuple(changed), tuple(failures))


def _silence(file: str, found: Sequence[Diagnostic], reason: str | None) -> int:
    source = Source.from_bytes(file, _read(file))
    here = [in_program(diagnostic, source.cells) for diagnostic in found]
    silent, count = add_noqa(source, here, reason)
    if count:
        replace_file(file, silent.data, before=source.data)
    return count
