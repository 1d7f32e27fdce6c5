"""reviewdog's JSON; its columns count bytes of UTF-8."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TextIO

from devlint.diagnostic import Diagnostic, FileResult
from devlint.links import repository, rule_url
from devlint.report.context import ReportContext
from devlint.report.people import said
from devlint.text import Position


def render(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write all findings."""
    document = {
        "diagnostics": [_entry(found, context) for result in results for found in result.diagnostics],
        "severity": "WARNING",
        "source": {"name": "devlint", **_url(repository())},
    }
    stream.write(json.dumps(document, indent=2) + "\n")


def _entry(found: Diagnostic, context: ReportContext) -> dict[str, Any]:
    place = _range(found.path, found.start, found.end, context)
    if found.cell is not None:
        place = {"start": {"line": context.texts.in_document(found).start.row, "column": 1}}
    return {
        "code": {"value": found.code, **_url(rule_url(found.name))},
        "location": {"path": found.path, "range": place},
        "message": said(found),
        "severity": found.severity.name,
        "suggestions": _suggestions(found, context),
    }


def _url(address: str | None) -> dict[str, str]:
    return {"url": address} if address else {}


def _suggestions(found: Diagnostic, context: ReportContext) -> list[dict[str, Any]]:
    """Those that a reviewer may apply with a click: the edits of a fix."""
    text = context.texts.get(found.path)
    if found.fix is None or text is None or found.cell is not None:
        return []
    places = [(text.place(edit), edit.text) for edit in sorted(set(found.fix.edits))]
    return [
        {"range": _range(found.path, place.start, place.end, context), "text": content}
        for place, content in places
    ]


def _range(path: str, start: Position, end: Position, context: ReportContext) -> dict[str, Any]:
    return {"start": _position(path, start, context), "end": _position(path, end, context)}


def _position(path: str, position: Position, context: ReportContext) -> dict[str, int]:
    prefix = context.texts.line(path, position.row)[: position.column - 1]
    return {"line": position.row, "column": len(prefix.encode("utf-8", "replace")) + 1}
