"""What Python itself says of a text: libcst's words are poor, and it takes what Python refuses."""

from __future__ import annotations

import ast
import re
import warnings

from devlint.syntax.source import ParseError, Source
from devlint.text import Position

# CPython's MAXLEVEL of brackets; libcst takes more, at gigabytes of memory. A run of opening brackets may
# stand in a string, so Python has the last word.
_DEEP = re.compile(r"(?:[(\[{][^()\[\]{}]*){201}")


def parse_or_raise(source: Source) -> None:
    """Makes the tree of a source, by libcst where this Python cannot.

    Raises:
        ParseError: it does not parse. Python's own words, if it finds an error too (it says that a bracket
            was never closed where libcst says what it expected at the end of the file).
    """
    if source.quick_tree is not None:
        return
    if _DEEP.search(source.text) is not None and (error := python_error(source.text)) is not None:
        raise error
    try:
        _ = source.tree
    except ParseError as error:
        raise python_error(source.text) or error from None


def python_error(text: str) -> ParseError | None:
    """The syntax error that the running Python finds in a text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape is nothing to us
            ast.parse(text)
    except SyntaxError as error:
        return ParseError(error.msg, Position(max(error.lineno or 1, 1), max(error.offset or 1, 1)))
    except (ValueError, RecursionError, MemoryError):
        return None
    return None
