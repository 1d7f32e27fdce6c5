"""Workflow commands that GitHub Actions shows as annotations beside the code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from devlint.diagnostic import Diagnostic, FileResult, Severity
from devlint.report.context import Place, ReportContext
from devlint.report.people import in_cell, place
from devlint.text import one_line

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write one command a finding, and one a file that could not be checked."""
    for result in results:
        if result.failure is not None:
            title = f"title=devlint,file={_property(result.failure.path)}"
            stream.write(
                f"::error {title}::{_data(f'{one_line(result.failure.path)}: {result.failure.message}')}\n"
            )
        for found in result.diagnostics:
            stream.write(f"{_command(found, context.texts.in_document(found))}\n")


def _command(found: Diagnostic, where: Place) -> str:
    fields = [f"title=devlint ({found.code} {found.name})", f"file={_property(found.path)}"]
    fields += [f"line={where.start.row}", f"col={where.start.column}"]
    fields += [f"endLine={where.end.row}", f"endColumn={where.end.column}"]
    lines = [f"{one_line(found.path)}:{place(found)}: {found.code} {found.message}"]
    lines += [
        f"  {one_line(note.path)}:{in_cell(note)}{note.start.row}: {note.message}" for note in found.notes
    ]
    if found.help:
        lines.append(f"  help: {found.help}")
    if found.fix is not None:
        lines.append(f"  fix ({found.fix.safety.value}): {found.fix.message}")
    return f"::{_COMMANDS[found.severity]} {','.join(fields)}::{_data(chr(10).join(lines))}"


def _data(text: str) -> str:
    """Escaped as the toolkit does (actions/toolkit, packages/core/src/command.ts)."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
