"""How often each rule found something (`--statistics`)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from devlint.diagnostic import FileResult
from devlint.report.context import ReportContext
from devlint.report.people import summary
from devlint.report.style import Style


@dataclass(frozen=True, slots=True)
class Count:
    """The findings of one rule; `fixable` are those that `--fix` would fix."""

    code: str
    name: str
    count: int
    fixable: int


def counts(results: Sequence[FileResult], context: ReportContext) -> list[Count]:
    """The rules that found something, the most frequent first."""
    found = [diagnostic for result in results for diagnostic in result.diagnostics]
    all_ = Counter((diagnostic.code, diagnostic.name) for diagnostic in found)
    fixable = Counter(diagnostic.code for diagnostic in found if context.applicable(diagnostic))
    rows = [Count(code, name, number, fixable[code]) for (code, name), number in all_.items()]
    return sorted(rows, key=lambda row: (-row.count, row.code))


def render_text(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write a line a rule: `12  DEV101  [*] unassigned-move`; `[-]` where only some can be fixed."""
    style = Style(context.color)
    rows = counts(results, context)
    width = max((len(str(row.count)) for row in rows), default=0)
    for row in rows:
        mark = "*" if row.fixable == row.count else "-" if row.fixable else " "
        stream.write(f"{row.count:>{width}}  {style.bold(row.code)}  [{style.good(mark)}] {row.name}\n")
    for line in summary(results, context):
        stream.write(f"{line}\n")


def render_json(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write an array of objects, as ruff does."""
    rows = [
        {
            "code": row.code,
            "name": row.name,
            "count": row.count,
            "fixable": row.fixable == row.count,
            "fixable_count": row.fixable,
        }
        for row in counts(results, context)
    ]
    stream.write(json.dumps(rows, indent=2) + "\n")
