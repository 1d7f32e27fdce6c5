"""SARIF 2.1.0, for code scanning: relative addresses, fixes, and the trail as related locations."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, TextIO
from urllib.parse import quote

from devlint.catalogue import page
from devlint.diagnostic import Diagnostic, FileResult, Note, Severity
from devlint.links import repository, rule_url
from devlint.report.context import ReportContext, SourceText
from devlint.report.gitlab import fingerprint
from devlint.report.people import said
from devlint.rule import Rule
from devlint.text import Position

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write one run."""
    found = [diagnostic for result in results for diagnostic in result.diagnostics]
    codes = sorted({diagnostic.code for diagnostic in found})
    driver: dict[str, Any] = {
        "name": "devlint",
        "version": context.version,
        "rules": [_rule(context.rules[code]) for code in codes],
    }
    if (address := repository()) is not None:
        driver["informationUri"] = address
    failures = [result.failure for result in results if result.failure is not None]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not failures,
                "toolExecutionNotifications": [
                    {
                        "level": "error",
                        "message": {"text": failure.message},
                        "locations": [{"physicalLocation": {"artifactLocation": _artifact(failure.path)}}],
                    }
                    for failure in failures
                ],
            }
        ],
        "results": _results(found, codes, context),
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    document = {"$schema": schema, "version": "2.1.0", "runs": [run]}
    stream.write(json.dumps(document, indent=2) + "\n")


def _rule(rule: Rule) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": page(rule), "markdown": page(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"problem.severity": rule.severity.value, "tags": ["pytorch", "device"]},
    }
    if (address := rule_url(rule.name)) is not None:
        entry["helpUri"] = address
    return entry


def _results(
    found: Sequence[Diagnostic], codes: Sequence[str], context: ReportContext
) -> list[dict[str, Any]]:
    seen: Counter[tuple[str, str, str]] = Counter()
    entries = []
    for diagnostic in found:
        text = context.texts.get(diagnostic.path)
        line = context.texts.line(diagnostic.path, diagnostic.start.row, diagnostic.cell).strip()
        key = (diagnostic.path, diagnostic.code, line)
        seen[key] += 1
        result: dict[str, Any] = {
            "ruleId": diagnostic.code,
            "ruleIndex": codes.index(diagnostic.code),
            "level": _LEVELS[diagnostic.severity],
            "message": {"text": said(diagnostic)},
            "locations": [_location(diagnostic, context)],
            "partialFingerprints": {"devlint/v1": fingerprint(*key, seen[key])},
        }
        if diagnostic.notes:
            result["relatedLocations"] = [
                {
                    "id": number,
                    "message": {"text": note.message},
                    **_location(note, context),
                }
                for number, note in enumerate(diagnostic.notes)
            ]
        # In the file itself, an edit of a cell is one of a string: nobody could apply it.
        if diagnostic.fix is not None and text is not None and diagnostic.cell is None:
            result["fixes"] = [_fix(diagnostic, text)]
        entries.append(result)
    return entries


def _fix(diagnostic: Diagnostic, text: SourceText) -> dict[str, Any]:
    assert diagnostic.fix is not None
    replacements = []
    for edit in sorted(set(diagnostic.fix.edits)):
        place = text.place(edit)
        replacement: dict[str, Any] = {"deletedRegion": _region(place.start, place.end)}
        if edit.text:
            replacement["insertedContent"] = {"text": edit.text}
        replacements.append(replacement)
    return {
        "description": {"text": f"{diagnostic.fix.message} ({diagnostic.fix.safety.value})"},
        "artifactChanges": [{"artifactLocation": _artifact(diagnostic.path), "replacements": replacements}],
    }


def _location(found: Diagnostic | Note, context: ReportContext) -> dict[str, Any]:
    where = context.texts.in_document(found)
    region = _region(where.start, where.end)
    return {"physicalLocation": {"artifactLocation": _artifact(found.path), "region": region}}


def _artifact(path: str) -> dict[str, str]:
    """A file of the project by its address relative to the root of the sources."""
    uri = quote(path.encode("utf-8", "surrogateescape"))
    return {"uri": f"file://{uri}"} if path.startswith("/") else {"uri": uri, "uriBaseId": "%SRCROOT%"}


def _region(start: Position, end: Position) -> dict[str, int]:
    return {
        "startLine": start.row,
        "startColumn": start.column,
        "endLine": end.row,
        "endColumn": end.column,
    }
