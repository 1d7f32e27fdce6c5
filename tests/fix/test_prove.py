from __future__ import annotations

from dataclasses import replace

import pytest

from devlint.diagnostic import Diagnostic, Failure, FileResult, Note, Severity
from devlint.fix.prove import Change, judge
from devlint.syntax.source import Source
from devlint.text import Edit, Position, Span

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
UNCHANGED = Change(Source.from_text("a.py", "x\n"))


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
    result = FileResult("a.py", found(after))
    assert judge(found(before), found(fixed), result, UNCHANGED).against == why


def test_a_text_that_cannot_be_checked_is_not_proven() -> None:
    after = FileResult("a.py", failure=Failure("a.py", "nested too deeply"))
    assert judge(found("DEV101"), found("DEV101"), after, UNCHANGED).against == (
        "the new text cannot be checked: nested too deeply"
    )


# x = make()   ->   x = make(d)
# use(x)            use(x)
TEXT = "x = make()\nuse(x)\n"
CHANGE = Change(Source.from_text("a.py", TEXT)).then(
    Source.from_text("a.py", TEXT.replace("()", "(d)")), [Edit(9, 9, "d")]
)


def at(code: str, start: int, *shows: int, notes: tuple[Note, ...] = ()) -> Diagnostic:
    spans = tuple(Span(show, show + 1) for show in shows)
    return replace(ONE, code=code, span=Span(start, start + 1), shows=spans, notes=notes)


def note(row: int, first: int, last: int) -> Note:
    return Note("made here", "a.py", Position(row, first), Position(row, last))


def against(before: list[Diagnostic], after: list[Diagnostic]) -> str | None:
    return judge(before, before[:1], FileResult("a.py", tuple(after)), CHANGE).against


def test_a_finding_is_known_by_its_place_which_edits_move() -> None:
    fixed, other = at("DEV301", 0), at("DEV301", 11)
    assert against([fixed, other], [at("DEV301", 12)]) is None
    assert against([fixed], [at("DEV301", 0)]) == "DEV301 is still found afterwards"
    assert against([fixed], [at("DEV301", 12)]) == "DEV301 is found afterwards"


def test_what_goes_wrong_where_something_did_before_was_only_hidden() -> None:
    fixed = at("DEV301", 0, 11)
    assert against([fixed], [at("DEV402", 12, 12)]) is None
    assert against([fixed], [at("DEV402", 12, 12, 14)]) == "DEV402 is found afterwards"
    assert against([fixed], [at("DEV402", 12)]) == "DEV402 is found afterwards"


def test_what_was_rewritten_on_the_way_there_was_not_hidden() -> None:
    fixed = at("DEV301", 0, 11)
    beside, rewritten = note(1, 1, 2), note(1, 5, 12)
    assert against([fixed], [at("DEV402", 12, 12, notes=(beside,))]) is None
    assert against([fixed], [at("DEV402", 12, 12, notes=(beside, rewritten))]) == "DEV402 is found afterwards"
