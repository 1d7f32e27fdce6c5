from __future__ import annotations

import warnings

import pytest

from devlint.syntax import errors
from devlint.syntax.errors import parse_or_raise, python_error
from devlint.syntax.source import ParseError, Source


def test_what_parses_is_parsed() -> None:
    source = Source.from_text("a.py", "x = 1\n")
    parse_or_raise(source)
    assert source.quick_tree is not None
    assert "cst" not in vars(source)


def test_pythons_words_come_first() -> None:
    with pytest.raises(ParseError) as caught:
        parse_or_raise(Source.from_text("a.py", "x = [\n\n"))
    assert (caught.value.message, caught.value.position) == ("'[' was never closed", (1, 5))


def test_where_python_finds_nothing_libcst_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "python_error", lambda _: None)
    with pytest.raises(ParseError, match="expected"):
        parse_or_raise(Source.from_text("a.py", "x = [\n\n"))


def test_brackets_that_python_refuses_never_reach_the_parser() -> None:
    source = Source.from_text("a.py", "x = " + "f(\n" * 5000 + ")" * 5000)
    with pytest.raises(ParseError, match="too many nested parentheses"):
        parse_or_raise(source)
    assert "cst" not in vars(source)


def test_brackets_in_a_string_or_side_by_side_nest_nothing() -> None:
    parse_or_raise(Source.from_text("a.py", f"x = '{'(' * 500}'\n"))
    parse_or_raise(Source.from_text("a.py", "x = [" + "(1), " * 500 + "]\n"))


@pytest.mark.parametrize("text", ["x = '\\d'\n", "x = 1\n", "x = " + "-" * 100_000 + "1\n"])
def test_no_error_and_no_warning(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert python_error(text) is None


def test_a_null_byte_is_no_crash() -> None:
    error = python_error("x = '\0'\n")
    assert error is None or "null" in error.message


def test_the_place_is_inside_the_text() -> None:
    error = python_error("if x:")
    assert error is not None
    assert error.position.row == 1
