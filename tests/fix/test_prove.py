from __future__ import annotations

from dataclasses import replace

import pytest

from devlint.diagnostic import Diagnostic, Failure, FileResult, Severity
from devlint.fix.prove import objection
from devlint.text import Position, Span

ONE = Diagnostic(
    code="DEV101",
    name="unassigned-move",
    severity=Severity.ERROR,
    message="m",
    path="a.py",
    span=Span(0, 1),
    start=Position(1, 1),
    end=Position(1, 2),
    statement=(1, 1),
)


def found(codes: str) -> tuple[Diagnostic, ...]:
    return tuple(replace(ONE, code=code) for code in codes.split())


@pytest.mark.parametrize(
    ("before", "fixed", "after", "why"),
    [
        ("DEV101", "DEV101", "", None),
        ("DEV101 DEV101 DEV104", "DEV101", "DEV101 DEV104", None),
        ("DEV101 DEV101", "DEV101", "", None),
        ("DEV101 DEV104", "DEV101 DEV104", "", None),
        ("DEV101", "DEV101", "DEV002", None),
        ("DEV101", "DEV101", "DEV101", "DEV101 is still found afterwards"),
        ("DEV101 DEV101", "DEV101", "DEV101 DEV101", "DEV101 is still found afterwards"),
        ("DEV101", "DEV101", "DEV104", "DEV104 is found afterwards"),
        ("DEV101 DEV104", "DEV101", "DEV104 DEV104", "DEV104 is found afterwards"),
        ("DEV101", "DEV101", "DEV001", "the new text does not parse"),
    ],
)
def test_what_is_fixed_is_gone_and_nothing_new_has_come(
    before: str, fixed: str, after: str, why: str | None
) -> None:
    assert objection(found(before), found(fixed), FileResult("a.py", found(after))) == why


def test_a_text_that_cannot_be_checked_is_not_proven() -> None:
    after = FileResult("a.py", failure=Failure("a.py", "nested too deeply"))
    assert objection(found("DEV101"), found("DEV101"), after) == (
        "the new text cannot be checked: nested too deeply"
    )
