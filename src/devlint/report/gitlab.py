"""GitLab's code quality report (a subset of Code Climate's)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, TextIO

from devlint.diagnostic import FileResult, Severity
from devlint.report.context import ReportContext
from devlint.report.people import said
from devlint.text import Position

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write an array of all findings; a fingerprint does not change when lines move."""
    issues: list[dict[str, Any]] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for result in results:
        for found in result.diagnostics:
            line = context.texts.line(found.path, found.start.row, found.cell)
            key = (found.path, found.code, line.strip())
            seen[key] += 1
            where = context.texts.in_document(found)
            issues.append(
                {
                    "check_name": found.code,
                    "description": f"{found.code}: {said(found)}",
                    "severity": _SEVERITIES[found.severity],
                    "fingerprint": fingerprint(*key, seen[key]),
                    "location": {
                        "path": found.path,
                        "positions": {"begin": _position(where.start), "end": _position(where.end)},
                    },
                }
            )
    stream.write(json.dumps(issues, indent=2) + "\n")


def fingerprint(path: str, code: str, line: str, ordinal: int) -> str:
    """The identity of a finding over changes elsewhere in the file: the line's text and its how-manieth."""
    identity = "\0".join((path, code, line, str(ordinal)))
    return hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:32]


def _position(position: Position) -> dict[str, int]:
    return {"line": position.row, "column": position.column}
