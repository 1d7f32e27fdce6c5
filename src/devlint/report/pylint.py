"""pylint's `parseable` lines, which many editors and CI plugins read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from devlint.diagnostic import FileResult
from devlint.report.context import ReportContext


def render(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write one line a finding."""
    for result in results:
        for found in result.diagnostics:
            stream.write(f"{found.path}:{found.start.row}: [{found.code}] {found.message}\n")
