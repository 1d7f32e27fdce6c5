"""What the options of a run come to: settings, files, results, and where they are written."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypedDict

import click

from devlint import __version__
from devlint.baseline import Baseline
from devlint.cli.console import Console, emit
from devlint.cli.exits import CLEAN, FAILED, FINDINGS
from devlint.cli.options import overrides
from devlint.cli.progress import progress
from devlint.config import Resolver, Settings
from devlint.diagnostic import Diagnostic, FileResult, Severity
from devlint.discover import Found, discover, from_stdin
from devlint.project import Run, run_check
from devlint.reading import Progress
from devlint.report import Render, ReportContext, SourceText, Texts
from devlint.report.people import count
from devlint.rewrite import FixResult, NoqaRun, run_add_noqa, run_fix
from devlint.rule import Rule
from devlint.rules import all_rules
from devlint.syntax.source import Source, SourceError
from devlint.text import one_line

STDIN = "-"


class How(TypedDict):
    """What all kinds of runs are told."""

    jobs: int
    cache: bool
    progress: Progress | None
    verbose: bool


_RANK = {Severity.INFO: 0, Severity.WARNING: 1, Severity.ERROR: 2}


@dataclass(frozen=True)
class Session:
    """One run of `check` or `fix`. Everything is worked out when it is first asked for, and then kept."""

    paths: tuple[str, ...]
    make_resolver: Callable[[], Resolver]
    console: Console
    jobs: int = 0
    cache: bool = True
    stdin_filename: str | None = None
    rules: tuple[Rule, ...] = field(default_factory=all_rules)

    @classmethod
    def of(cls, paths: Sequence[str], given: dict[str, Any]) -> Session:
        """The session that these options ask for; takes them out of `given`.

        Raises:
            ConfigError: a value or a configuration file says something that devlint does not know.
            click.UsageError: `-` stands among other paths.
        """
        if STDIN in paths and len(paths) > 1:
            raise click.UsageError("`-` (standard input) cannot be combined with other paths.")
        console = Console(*(given.pop(name) for name in ("color", "quiet", "silent", "verbose")))
        make_resolver = partial(
            Resolver,
            all_rules(),
            config=given.pop("config"),
            isolated=given.pop("isolated"),
            overrides=overrides(given),
        )
        return cls(
            paths=tuple(paths) or (".",),
            make_resolver=make_resolver,
            console=console,
            jobs=given.pop("jobs"),
            cache=not given.pop("no_cache"),
            stdin_filename=given.pop("stdin_filename"),
        )

    def again(self) -> Session:
        """The same, with nothing known yet."""
        return replace(self)

    @cached_property
    def resolver(self) -> Resolver:
        """Where settings come from."""
        return self.make_resolver()

    @property
    def from_stdin(self) -> bool:
        """Whether the text to check comes from standard input."""
        return self.paths == (STDIN,)

    @cached_property
    def stdin(self) -> bytes:
        """What standard input holds."""
        return sys.stdin.buffer.read()

    @cached_property
    def settings(self) -> Settings:
        """What holds for the run as a whole: the settings of the working directory."""
        return self.resolver.settings(Path.cwd())

    @property
    def baseline(self) -> Baseline | None:
        """The accepted findings, if there is such a file.

        Raises:
            ConfigError: it cannot be read.
        """
        file = self.settings.baseline
        return Baseline.read(file) if file is not None else None

    @cached_property
    def found(self) -> Found:
        """The files of the run."""
        found = self.look()
        if not found.targets and not found.failures:
            self.console.warn("no Python files found")
        return found

    def look(self) -> Found:
        """The files that are there now."""
        if self.from_stdin:
            return from_stdin(self.stdin, self.stdin_filename, self.resolver)
        return discover(self.paths, self.resolver)

    def check(self, baseline: Baseline | None = None) -> Run:
        """Read the files, and say what could not be read."""
        with self._run() as how:
            run = run_check(self.found, baseline=baseline, **how)
        self.complain(run.results)
        return run

    def fix(self, *, write: bool) -> tuple[FixResult, ...]:
        """Rewrite the files, on the disk if they are to be written; say what went wrong."""
        with self._run() as how:
            results = run_fix(
                self.found,
                unsafe=self.settings.unsafe_fixes,
                write=write,
                baseline=self.baseline,
                **how,
            )
        self.complain([result.remaining for result in results])
        for result in results:
            for reason in result.dropped:
                self.console.warn(reason)
        return tuple(results)

    def add_noqa(self, reason: str | None) -> NoqaRun:
        """Write suppression comments; say what went wrong."""
        with self._run() as how:
            run = run_add_noqa(self.found, reason, baseline=self.baseline, **how)
        self.complain(run.failures)
        return run

    @contextmanager
    def _run(self) -> Iterator[How]:
        """How a run is done, with a progress bar if someone sees it and wants to."""
        start = time.perf_counter()
        show = sys.stderr.isatty() and not (self.console.quiet or self.console.silent)
        with progress(show) as tell:
            yield {
                "jobs": self.jobs,
                "cache": self.cache,
                "progress": tell,
                "verbose": self.console.verbose,
            }
        seconds = time.perf_counter() - start
        self.console.detail(f"checked {count(len(self.found.targets), 'file')} in {seconds:.2f} s")

    def complain(self, results: Sequence[FileResult]) -> None:
        """Say which files could not be checked, and why."""
        for result in results:
            if result.failure is not None:
                self.console.error(f"{one_line(result.failure.path)}: {result.failure.message}")

    def context(
        self,
        fixed: Sequence[Diagnostic] = (),
        texts: Mapping[str, str] | None = None,
        *,
        file: str | None = None,
    ) -> ReportContext:
        """What a report to a file (or to stdout) is given; `texts` are those that are not on the disk."""
        colorful = self.console.color == "always" if file else self.console.style(sys.stdout).color
        return ReportContext(
            rules={rule.code: rule for rule in self.rules},
            texts=Texts(lambda path: self._text(path, texts or {})),
            version=__version__,
            unsafe=self.settings.unsafe_fixes,
            color=colorful,
            summary=not self.console.quiet,
            show_fixes=self.settings.show_fixes,
            fixed=tuple(fixed),
        )

    def _text(self, path: str, texts: Mapping[str, str]) -> SourceText | None:
        if path in texts:
            return SourceText.of(Source.from_text(path, texts[path]))
        given = {target.path: target.data for target in self.found.targets if target.data is not None}
        try:
            source = Source.from_bytes(path, given[path]) if path in given else Source.read(path)
        except (OSError, SourceError):
            return None
        return SourceText.of(source)

    def exit_code(self, results: Sequence[FileResult], *, exit_zero: bool = False) -> int:
        """2 if a file could not be checked, 1 if something was found that fails the run."""
        if any(result.failure is not None for result in results):
            return FAILED
        least = _RANK[self.settings.fail_on]
        found = (diagnostic for result in results for diagnostic in result.diagnostics)
        fails = any(_RANK[diagnostic.severity] >= least for diagnostic in found)
        return FINDINGS if fails and not exit_zero else CLEAN

    def write(
        self,
        render: Render,
        results: Sequence[FileResult],
        context: ReportContext,
        *,
        file: str | None,
        aside: bool = False,
    ) -> None:
        """Write a report to a file, or else to stdout (`aside`: to stderr, stdout holds something else).

        Raises:
            click.FileError: the file cannot be written.
        """
        stream = io.StringIO()
        render(results, stream, context)
        if file is not None:
            try:
                Path(file).write_text(stream.getvalue(), encoding="utf-8", errors="backslashreplace")
            except OSError as error:
                raise click.FileError(file, error.strerror or str(error)) from None
        elif aside and not self.console.silent:
            sys.stderr.write(stream.getvalue())
        elif not self.console.silent:
            emit(stream.getvalue())
