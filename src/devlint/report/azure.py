"""Logging commands of Azure Pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from devlint.diagnostic import FileResult, Severity
from devlint.report.context import ReportContext
from devlint.report.people import said


def render(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write one command a finding, and one a file that could not be checked."""
    for result in results:
        if result.failure is not None:
            path = _property(result.failure.path)
            stream.write(
                f"##vso[task.logissue type=error;sourcepath={path};]{_data(result.failure.message)}\n"
            )
        for found in result.diagnostics:
            kind = "error" if found.severity is Severity.ERROR else "warning"
            start = context.texts.in_document(found).start
            where = f"linenumber={start.row};columnnumber={start.column}"
            head = f"type={kind};sourcepath={_property(found.path)};{where};code={found.code};"
            stream.write(f"##vso[task.logissue {head}]{_data(said(found))}\n")


def _data(text: str) -> str:
    """Escaped as the agent reads it (azure-pipelines-task-lib, taskcommand.ts)."""
    return text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace("]", "%5D").replace(";", "%3B")
