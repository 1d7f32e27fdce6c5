"""ruff's JSON, with the trail of each finding as `notes`. Fields are only ever added, never changed.

The keys stand in alphabetical order, as ruff writes them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TextIO

from devlint.diagnostic import Diagnostic, FileResult, Note
from devlint.links import rule_url
from devlint.report.context import ReportContext
from devlint.text import Position


def render(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write an array of all findings."""
    found = [entry(diagnostic, context) for result in results for diagnostic in result.diagnostics]
    stream.write(json.dumps(found, indent=2, sort_keys=True) + "\n")


def render_lines(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write one object a line."""
    for result in results:
        for diagnostic in result.diagnostics:
            line = json.dumps(entry(diagnostic, context), separators=(",", ":"), sort_keys=True)
            stream.write(f"{line}\n")


def entry(diagnostic: Diagnostic, context: ReportContext) -> dict[str, Any]:
    """One finding as an object."""
    return {
        "cell": diagnostic.cell,
        "code": diagnostic.code,
        "end_location": location(diagnostic.end),
        "filename": diagnostic.path,
        "fix": _fix(diagnostic, context),
        "location": location(diagnostic.start),
        "message": diagnostic.message,
        "name": diagnostic.name,
        "noqa_row": diagnostic.statement[1],
        "notes": [_note(note) for note in diagnostic.notes],
        "severity": diagnostic.severity.value,
        "url": rule_url(diagnostic.name),
    }


def location(position: Position) -> dict[str, int]:
    """A row and a column, from 1."""
    return {"column": position.column, "row": position.row}


def _note(note: Note) -> dict[str, Any]:
    return {
        "cell": note.cell,
        "end_location": location(note.end),
        "filename": note.path,
        "location": location(note.start),
        "message": note.message,
    }


def _fix(diagnostic: Diagnostic, context: ReportContext) -> dict[str, Any] | None:
    text = context.texts.get(diagnostic.path)
    if diagnostic.fix is None or text is None:
        return None
    edits = []
    for edit in sorted(set(diagnostic.fix.edits)):
        place = text.place(edit)
        edits.append(
            {
                "cell": place.cell,
                "content": edit.text,
                "end_location": location(place.end),
                "location": location(place.start),
            }
        )
    return {
        "applicability": diagnostic.fix.safety.value,
        "edits": edits,
        "message": diagnostic.fix.message,
    }
