"""What `check --fix`, `check --diff` and `fix` share: a rewriting, shown or written."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property

from devlint.cli.console import emit
from devlint.cli.exits import CLEAN, FAILED, FINDINGS
from devlint.cli.session import Session
from devlint.diagnostic import Diagnostic, FileResult, Safety
from devlint.report.diff import unified
from devlint.report.people import count, fixes
from devlint.rewrite import FixResult
from devlint.syntax.source import Source


@dataclass(frozen=True)
class Rewriting:
    """The files of a session as their fixes make them."""

    session: Session
    results: tuple[FixResult, ...]

    @classmethod
    def of(cls, session: Session, *, write: bool) -> Rewriting:
        """Work the fixes out, and write them if asked to."""
        return cls(session, session.fix(write=write))

    @cached_property
    def remaining(self) -> tuple[FileResult, ...]:
        """What is left to report."""
        return tuple(result.remaining for result in self.results)

    @cached_property
    def fixed(self) -> tuple[Diagnostic, ...]:
        """The findings that are no more."""
        return tuple(diagnostic for result in self.results for diagnostic in result.fixed)

    @cached_property
    def changed(self) -> tuple[FixResult, ...]:
        """The files whose text is another one."""
        return tuple(result for result in self.results if result.before != result.after)

    @cached_property
    def texts(self) -> dict[str, str]:
        """The new texts, for reports of what is left."""
        return {result.path: result.after for result in self.changed}

    def show(self) -> int:
        """Print the diff; 1 if there is one."""
        style = self.session.console.style(sys.stdout)
        if not self.session.console.silent:
            for result in self.changed:
                emit("".join(unified(result.before, result.after, result.path, style)))
        return self._code(FINDINGS if self.changed else CLEAN)

    def pass_on(self) -> None:
        """Write the text that came from standard input to stdout, fixed, in its own encoding."""
        data = self.session.stdin
        for result in self.changed:
            data = Source.from_bytes(result.path, data).encode(result.after)
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def summary(self, verb: str, after: str = "") -> None:
        """Say how many findings of how many files were (or would be) fixed, and which fixes are left."""
        fixes_left = [found.fix for result in self.remaining for found in result.diagnostics if found.fix]
        unsafe = sum(fix.safety is Safety.UNSAFE for fix in fixes_left)
        more = (
            f" ({unsafe} more with `--unsafe-fixes`)"
            if unsafe and not self.session.settings.unsafe_fixes
            else ""
        )
        if self.session.settings.show_fixes and self.fixed:
            self.session.console.inform("\n".join(fixes(self.fixed)).rstrip())
        if self.changed:
            what = f"{count(len(self.fixed), 'finding')} in {count(len(self.changed), 'file')}"
            self.session.console.inform(f"{verb} {what}{more}.{after}")
        else:
            self.session.console.inform(f"Nothing to fix{more}.")

    def _code(self, code: int) -> int:
        return FAILED if any(result.failure is not None for result in self.remaining) else code

    def written(self, *, non_zero: bool = False) -> int:
        """The exit code after writing, when what is left does not count."""
        return self._code(FINDINGS if non_zero and self.fixed else CLEAN)
