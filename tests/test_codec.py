from __future__ import annotations

from typing import Any

import pytest

from devlint.codec import decode, encode
from devlint.config import Settings
from devlint.diagnostic import Diagnostic, Fix, Note, Safety, Severity
from devlint.lint import Reading
from devlint.text import Edit, Position, Span
from tests.fakes import MARK, fake_engine

DIAGNOSTIC = Diagnostic(
    code="DEV101",
    name="unassigned-move",
    severity=Severity.ERROR,
    message="é \udcff",
    path="a.py",
    span=Span(1, 2),
    start=Position(1, 2),
    end=Position(1, 3),
    statement=(1, 4),
    notes=(Note("here", "b.py", Position(3, 4), Position(5, 6)),),
    fix=Fix("do", Safety.UNSAFE, (Edit(1, 2, "x"), Edit(3, 3, ""))),
    cell=3,
)


def test_a_diagnostic_comes_back_as_it_was() -> None:
    assert decode(Diagnostic, encode(DIAGNOSTIC)) == DIAGNOSTIC


def test_a_reading_comes_back_as_it_was() -> None:
    text = MARK + "bad101()  # noqa: DEV104 why\n# devlint: disable[DEV101]\n# devlint: enable\n"
    reading = fake_engine(("/none",)).read("a.py", text.encode(), Settings())
    assert reading.raw
    assert reading.suppressions.directives
    again = decode(Reading, encode(reading))
    assert again == reading
    assert type(again.raw[0].diagnostic.span) is Span


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-1],
        lambda data: {},
        lambda data: [1, *data[1:]],
        lambda data: [*data[:2], "fatal", *data[3:]],
        lambda data: [*data[:5], [1], *data[6:]],
        lambda data: [*data[:5], [1, True], *data[6:]],
        lambda data: [*data[:9], None, *data[10:]],
    ],
)
def test_what_is_not_of_the_type_is_refused(spoil: Any) -> None:
    with pytest.raises(ValueError, match=r"expected|valid|zip"):
        decode(Diagnostic, spoil(encode(DIAGNOSTIC)))


def test_what_has_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="cannot be kept: set"):
        encode((1, {2}))
