"""Brackets nested deeper than Python takes them: libcst's parser does, at gigabytes of memory."""

from __future__ import annotations

import ast
import re

from devlint.syntax.source import ParseError, Source
from devlint.text import Position

# CPython's MAXLEVEL. A run of opening brackets may stand in a string, so Python has the last word.
_DEEP = re.compile(rb"(?:[(\[{][^()\[\]{}]*){201}")


def refuse_deep_nesting(source: Source) -> None:
    """Lets Python itself judge a text that may nest too deeply.

    Raises:
        ParseError: Python does not take it either.
    """
    if _DEEP.search(source.data) is None:
        return
    try:
        ast.parse(source.text)
    except SyntaxError as error:
        row = min(max(error.lineno or 1, 1), source.lines.rows)
        raise ParseError(error.msg, Position(row, max(error.offset or 1, 1))) from None
