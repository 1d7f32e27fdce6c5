"""What the formats for people (text, concise, grouped) share: the mark of a fix and the closing lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from devlint.diagnostic import Diagnostic, FileResult, Note, Severity
from devlint.report.context import ReportContext
from devlint.report.style import Style
from devlint.text import one_line

_NOUNS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "info"}


def count(number: int, noun: str) -> str:
    """A number with its noun: `1 error`, `2 errors`, `3 info`."""
    plural = noun if number == 1 or noun == "info" else f"{noun}s"
    return f"{number} {plural}"


def place(found: Diagnostic | Note) -> str:
    """Row and column as people jump to them, after the cell in a notebook."""
    return f"{in_cell(found)}{found.start.row}:{found.start.column}"


def in_cell(found: Diagnostic | Note) -> str:
    """The cell, before a row."""
    return f"cell {found.cell}:" if found.cell is not None else ""


def said(found: Diagnostic) -> str:
    """The message, for formats that know no cells: in a notebook it says where it belongs."""
    return found.message if found.cell is None else f"{place(found)}: {found.message}"


def star(diagnostic: Diagnostic, context: ReportContext, style: Style) -> str:
    """`[*] ` before the message of a finding that `--fix` would fix, as ruff marks it."""
    return f"[{style.good('*')}] " if context.applicable(diagnostic) else ""


def summary(results: Sequence[FileResult], context: ReportContext) -> Iterator[str]:
    """The closing lines: how many findings of which severity, and how many can be fixed."""
    if not context.summary:
        return
    style = Style(context.color)
    found = [diagnostic for result in results for diagnostic in result.diagnostics]
    if context.fixed and context.show_fixes:
        yield from fixes(context.fixed)
    if not found:
        yield from _nothing(results, context, style)
        return
    files = len({diagnostic.path for diagnostic in found})
    if context.fixed:
        total = len(found) + len(context.fixed)
        counts = f"{count(total, 'finding')} ({len(context.fixed)} fixed, {len(found)} remaining)"
    else:
        counts = f"{count(len(found), 'finding')} ({severities(found)}) in {count(files, 'file')}"
    yield f"Found {counts}."
    yield from _fixable(found, context, style)


def severities(found: Sequence[Diagnostic]) -> str:
    """`2 errors, 1 warning`."""
    counts = Counter(diagnostic.severity for diagnostic in found)
    return ", ".join(count(counts[level], _NOUNS[level]) for level in Severity if counts[level])


def fixes(fixed: Sequence[Diagnostic]) -> Iterator[str]:
    """An enumeration of what has been fixed, file by file."""
    yield f"Fixed {count(len(fixed), 'finding')}:"
    for path in dict.fromkeys(diagnostic.path for diagnostic in fixed):
        yield f"- {one_line(path)}:"
        rules = Counter((d.code, d.name) for d in fixed if d.path == path)
        for (code, name), number in sorted(rules.items(), key=lambda item: (-item[1], item[0])):
            yield f"    {number} x {code} ({name})"
    yield ""


def _nothing(results: Sequence[FileResult], context: ReportContext, style: Style) -> Iterator[str]:
    if context.fixed:
        yield f"Found {count(len(context.fixed), 'finding')} ({len(context.fixed)} fixed, 0 remaining)."
    elif results and not any(result.failure for result in results):
        yield f"{style.good('All checks passed!')} {count(len(results), 'file')} checked."


def _fixable(found: Sequence[Diagnostic], context: ReportContext, style: Style) -> Iterator[str]:
    """What a fixing run would do, with the flags that make it."""
    applicable = sum(map(context.applicable, found))
    hidden = sum(diagnostic.fix is not None for diagnostic in found) - applicable
    if applicable:
        flags = "--fix --unsafe-fixes" if context.unsafe else "--fix"
        more = f" ({hidden} more with `--unsafe-fixes`)" if hidden else ""
        yield f"[{style.good('*')}] {applicable} fixable with `devlint check {flags}`{more}."
    elif hidden:
        yield f"{hidden} fixable with `devlint check --fix --unsafe-fixes`."
