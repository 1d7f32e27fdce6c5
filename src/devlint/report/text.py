"""The report for people: each finding with its code, the trail that led there, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from devlint.diagnostic import Diagnostic, FileResult, Fix, Note, Safety
from devlint.report import frame
from devlint.report.context import ReportContext, SourceText
from devlint.report.diff import changed_lines
from devlint.report.frame import Mark
from devlint.report.people import place, star, summary
from devlint.report.style import Style
from devlint.text import one_line

_LONGEST_FIX = 8
"""A fix that changes more lines than this is described, not shown,"""
_WIDEST_FIX = 160
"""and so is one that changes a line of more characters."""


def render(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write the report."""
    style = Style(context.color)
    for result in results:
        for diagnostic in result.diagnostics:
            for line in finding(diagnostic, context, style):
                stream.write(f"{line.rstrip()}\n")
            stream.write("\n")
    for line in summary(results, context):
        stream.write(f"{line}\n")


def finding(diagnostic: Diagnostic, context: ReportContext, style: Style) -> Iterator[str]:
    """The lines about one finding."""
    tag = f"{diagnostic.severity.value}[{diagnostic.code} {diagnostic.name}]"
    message = f"{star(diagnostic, context, style)}{style.bold(diagnostic.message)}"
    yield f"{style.severity(diagnostic.severity, tag)}: {message}"
    text = context.texts.get(diagnostic.path)
    here = [n for n in diagnostic.notes if (n.path, n.cell) == (diagnostic.path, diagnostic.cell)]
    rows = [diagnostic.start.row, *(note.start.row for note in here)]
    pad = " " * frame.gutter(max(rows) + 2)
    yield f"{pad}{style.frame('-->')} {one_line(diagnostic.path)}:{place(diagnostic)}"
    if text is not None:
        marks = [Mark(diagnostic.mark or diagnostic.start, diagnostic.end), *map(_mark, here)]
        yield from frame.render(text.cell(diagnostic.cell), marks, style, diagnostic.start.row)
    for note in diagnostic.notes:
        if note not in here:
            yield from _elsewhere(note, context, style)
    if diagnostic.fix is not None:
        yield from _fix(diagnostic.fix, text, style)
    elif diagnostic.help:
        yield f"{style.bold('help')}: {diagnostic.help}"


def _mark(note: Note) -> Mark:
    return Mark(note.start, note.end, note.message, primary=False)


def _elsewhere(note: Note, context: ReportContext, style: Style) -> Iterator[str]:
    """A step of the trail in another file or cell, in a frame of its own."""
    pad = " " * frame.gutter(note.start.row)
    yield f"{pad}{style.frame(':::')} {one_line(note.path)}:{place(note)}"
    text = context.texts.get(note.path)
    if text is None:
        yield f"{style.bold('note')}: {note.message}"
    else:
        yield from frame.render(text.cell(note.cell), [_mark(note)], style)


def _fix(fix: Fix, text: SourceText | None, style: Style) -> Iterator[str]:
    """What the fix does, and the lines as it changes them."""
    unsafe = fix.safety is Safety.UNSAFE
    hint = " (unsafe: read it before you keep it)" if unsafe else ""
    yield f"{style.bold('fix')}: {fix.message}{hint}"
    if text is None:
        return
    changed = list(changed_lines(text, fix.edits))
    if len(changed) > _LONGEST_FIX or max(map(len, changed), default=0) > _WIDEST_FIX:
        return
    for line in changed:
        paint = {"-": style.bad, "+": style.good}.get(line[0], style.frame)
        yield paint(f"  {line}")
