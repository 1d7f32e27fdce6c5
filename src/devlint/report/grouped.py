"""The findings of each file under its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from devlint.diagnostic import FileResult
from devlint.report.context import ReportContext
from devlint.report.people import place, star, summary
from devlint.report.style import Style
from devlint.text import one_line


def render(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write the report."""
    style = Style(context.color)
    for result in results:
        if not result.diagnostics:
            continue
        stream.write(f"{style.bold(one_line(result.path))}:\n")
        width = max(len(place(found)) for found in result.diagnostics)
        for found in result.diagnostics:
            code = style.severity(found.severity, found.code)
            mark = star(found, context, style)
            stream.write(f"  {place(found):<{width}} {code} {mark}{found.message}\n")
        stream.write("\n")
    for line in summary(results, context):
        stream.write(f"{line}\n")
