"""The ways in which `devlint check` can run: report, fix, show a diff, and what it does besides."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from devlint.baseline import Baseline
from devlint.cli.console import emit
from devlint.cli.exits import CLEAN, FAILED
from devlint.cli.rewrite import Rewriting
from devlint.cli.session import Session
from devlint.cli.settings import lines
from devlint.cli.watch import Stamps, stamps, watch
from devlint.config import CONFIG_NAMES, ConfigError
from devlint.globs import shown
from devlint.report import FORMATS, STATISTICS, Render
from devlint.report.people import count
from devlint.text import one_line


@dataclass(frozen=True)
class CheckOptions:
    """The options that say what `check` does with what it finds."""

    fix_only: bool
    diff: bool
    output_file: str | None
    statistics: bool
    exit_zero: bool
    exit_non_zero_on_fix: bool
    update_baseline: bool
    add_noqa: str | None
    watch: bool
    show_files: bool
    show_settings: bool


@dataclass(frozen=True)
class CheckRun:
    """One run of `devlint check`."""

    session: Session
    options: CheckOptions

    @classmethod
    def of(cls, paths: Sequence[str], given: dict[str, Any]) -> CheckRun:
        """The run that these options ask for.

        Raises:
            click.UsageError: two of them contradict each other.
        """
        session = Session.of(paths, given)
        options = CheckOptions(**given)
        for name, wanted in (("--watch", options.watch), ("--add-noqa", options.add_noqa is not None)):
            if wanted and session.from_stdin:
                raise click.UsageError(f"{name} cannot be used with standard input.")
        if options.update_baseline and session.settings.baseline is None:
            raise click.UsageError(
                "--update-baseline needs --baseline FILE, or `baseline` in the configuration."
            )
        return cls(session, options)

    def run(self) -> int:
        """Do what was asked for; the exit code."""
        if self.options.show_settings:
            return self._show_settings()
        if self.options.show_files:
            return self._show_files()
        if self.options.watch:
            return self._watch()
        return self._once()

    def _once(self) -> int:
        if self.options.add_noqa is not None:
            return self._add_noqa(self.options.add_noqa)
        if self.options.update_baseline:
            return self._update_baseline()
        if self.options.diff:
            return self._diff()
        if self.options.fix_only or self.session.settings.fix:
            return self._fix()
        return self._report()

    @property
    def _render(self) -> Render:
        """The format of the report.

        Raises:
            click.UsageError: there are no statistics in this format.
        """
        name = self.session.settings.output_format
        if not self.options.statistics:
            return FORMATS[name]
        if name not in STATISTICS:
            raise click.UsageError(f"--statistics knows the formats {', '.join(STATISTICS)}, not {name}.")
        return STATISTICS[name]

    def _report(self) -> int:
        render = self._render
        run = self.session.check(self.session.baseline)
        if run.stale:
            entries = sum(entry.times for entry in run.stale)
            self.session.console.warn(
                f"no longer found, though in the baseline: {count(entries, 'finding')}; "
                "--update-baseline removes what is stale"
            )
        file = self.options.output_file
        self.session.write(render, run.results, self.session.context(file=file), file=file)
        return self.session.exit_code(run.results, exit_zero=self.options.exit_zero)

    def _diff(self) -> int:
        made = Rewriting.of(self.session, write=False)
        code = made.show()
        made.summary("Would fix")
        return code

    def _fix(self) -> int:
        """Write what can be fixed, and report what is left."""
        render, file = self._render, self.options.output_file
        made = Rewriting.of(self.session, write=True)
        if self.session.from_stdin:
            made.pass_on()
        code = made.written(non_zero=self.options.exit_non_zero_on_fix)
        if self.options.fix_only:
            made.summary("Fixed")
            return code
        context = self.session.context(made.fixed, made.texts, file=file)
        self.session.write(render, made.remaining, context, file=file, aside=self.session.from_stdin)
        return max(code, self.session.exit_code(made.remaining, exit_zero=self.options.exit_zero))

    def _add_noqa(self, reason: str) -> int:
        """Write suppression comments for all that is found, so that old code starts clean."""
        run = self.session.add_noqa(reason or None)
        said = f"{count(run.silenced, 'finding')} in {count(len(run.files), 'file')}"
        self.session.console.inform(f"Added `# noqa` comments for {said}.")
        return FAILED if run.failures else CLEAN

    def _update_baseline(self) -> int:
        """Write the baseline: a first one with all that is found, else the old one without what is stale."""
        file = self.session.settings.baseline
        assert file is not None
        new = not file.exists()
        run = self.session.check(Baseline(file) if new else Baseline.read(file))
        written = run.grown if new else run.after
        assert written is not None
        written.write()
        kept = sum(entry.times for entry in written.entries())
        gone = sum(entry.times for entry in run.stale)
        said = f"{count(kept, 'finding')}" + ("" if new else f", {gone} removed")
        self.session.console.inform(
            f"{'Wrote' if new else 'Updated'} the baseline {shown(str(file))}: {said}."
        )
        results = [each for each in run.results if each.failure] if new else run.results
        return self.session.exit_code(results, exit_zero=self.options.exit_zero)

    def _show_files(self) -> int:
        found = self.session.found
        self.session.complain(found.failures)
        emit("".join(f"{one_line(target.path)}\n" for target in found.targets))
        return FAILED if found.failures else CLEAN

    def _show_settings(self) -> int:
        found = self.session.found
        self.session.complain(found.failures)
        for target in found.targets[:1]:
            emit("".join(f"{line}\n" for line in lines(target.path, target.settings, self.session.rules)))
        return FAILED if found.failures else CLEAN

    def _watch(self) -> int:
        """Check again and again. A broken configuration is said, and perhaps mended in the next round."""

        def once() -> None:
            if sys.stdout.isatty():
                emit("\x1b[2J\x1b[H")
            try:
                CheckRun(self.session.again(), self.options)._once()
            except ConfigError as error:
                self.session.console.error(str(error))
            self.session.console.inform("Watching for changes; Ctrl-C ends this.")

        watch(once, self._look)
        return CLEAN

    def _look(self) -> Stamps:
        """The state of all files that the result depends on."""
        session = self.session.again()
        files = [target.file for target in session.look().targets]
        folders = {Path.cwd(), *(Path(file).parent for file in files)}
        return stamps([*files, *(str(folder / name) for folder in folders for name in CONFIG_NAMES)])
