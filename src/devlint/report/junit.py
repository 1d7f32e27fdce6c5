"""JUnit's XML, which test dashboards read."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import TextIO

from devlint.diagnostic import FileResult
from devlint.report.context import ReportContext
from devlint.report.people import said

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 document may hold, not even escaped."""


def render(results: Sequence[FileResult], stream: TextIO, context: ReportContext) -> None:
    """Write a suite for each file with findings; an empty run has one case that passes."""
    failures = sum(len(result.diagnostics) for result in results)
    errors = sum(result.failure is not None for result in results)
    counts = f'tests="{failures + errors or 1}" failures="{failures}" errors="{errors}" skipped="0"'
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write(f'<testsuites name="devlint" {counts}>\n')
    for line in _suites(results, context):
        stream.write(f"{line}\n")
    if not failures + errors:
        stream.write(f'  <testsuite name="devlint" {counts}>\n')
        stream.write('    <testcase name="No findings" classname="devlint"/>\n  </testsuite>\n')
    stream.write("</testsuites>\n")


def _suites(results: Sequence[FileResult], context: ReportContext) -> Iterator[str]:
    for result in results:
        errors = int(result.failure is not None)
        failures = len(result.diagnostics)
        if not errors + failures:
            continue
        counts = f'tests="{failures + errors}" failures="{failures}" errors="{errors}" skipped="0"'
        yield f"  <testsuite name={_attribute(result.path)} {counts}>"
        yield from _cases(result, context)
        yield "  </testsuite>"


def _cases(result: FileResult, context: ReportContext) -> Iterator[str]:
    group = _attribute(str(PurePosixPath(result.path).with_suffix("")))
    if result.failure is not None:
        yield f'    <testcase name="devlint" classname={group}>'
        yield f"      <error message={_attribute(result.failure.message)}/>"
        yield "    </testcase>"
    for found in result.diagnostics:
        name = f'name="devlint.{found.code}" classname={group}'
        start = context.texts.in_document(found).start
        yield f'    <testcase {name} line="{start.row}" column="{start.column}">'
        body = f"line {start.row}, col {start.column}, {said(found)}"
        kind = f'type="{found.severity.value}" message={_attribute(said(found))}'
        yield f"      <failure {kind}>{_element(body)}</failure>"
        yield "    </testcase>"


def _attribute(text: str) -> str:
    # A parser makes blanks of the line ends in an attribute, unless they are written as characters.
    return '"' + _element(text).replace("\n", "&#10;") + '"'


def _element(text: str) -> str:
    return html.escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)).replace("\r", "&#13;")
