"""pylint's `parseable` lines, which many editors and CI plugins read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from devlint.diagnostic import FileResult
from devlint.report.context import ReportContext
from devlint.report.people import said
from devlint.text import one_line


def render(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write one line a finding."""
    for result in results:
        for found in result.diagnostics:
            row = context.texts.in_document(found).start.row
            stream.write(f"{one_line(found.path)}:{row}: [{found.code}] {said(found)}\n")
