"""How a file is laid out: its newline, its indentation, how long its lines may be."""

from __future__ import annotations

import functools
import re
from collections import Counter

from devlint.syntax import tree as t
from devlint.syntax.source import Source
from devlint.text import Span

_LIMITS = (79, 88, 100, 110, 120)
# Strings and comments; long strings come first, so that their quotes are not taken for short ones.
_STRING = re.compile(
    r'''"""(?:\\.|[^\\])*?"""|#[^\r\n]*|"(?:\\.|[^"\\\r\n])*"'''
    r"|'''(?:\\.|[^\\])*?'''|'(?:\\.|[^'\\\r\n])*'",
    re.DOTALL,
)
_HANGING = re.compile(r"\([ \t]*(?:#.*)?\r?$", re.MULTILINE)
_ALIGNED = re.compile(r"\([^()\s#][^()#\r\n]*,[ \t]*\r?$", re.MULTILINE)
_LONG = frozenset({'"""', "'''"})
# What is asked for each fix, and read from the whole text.
_once = functools.lru_cache(maxsize=2)
_NEWLINE = re.compile(r"\r\n|\n|\r")


def newline(source: Source) -> str:
    """The line end that the file uses: its first one."""
    found = _NEWLINE.search(source.text)
    return found[0] if found else "\n"


def step(source: Source) -> str:
    """One level of indentation."""
    return source.cst.default_indent


@_once
def limit(source: Source) -> int:
    """How long lines may become: the smallest usual limit that all but one in a hundred lines keep."""
    lengths = sorted(len(line) for line in _NEWLINE.split(source.text))
    longest = lengths[-1 - len(lengths) // 100]
    return next((usual for usual in _LIMITS if longest <= usual), longest)


@_once
def hangs(source: Source) -> bool:
    """Whether the file breaks calls after the opening bracket, as black does; else the arguments are aligned
    with the first one."""
    return len(_HANGING.findall(source.text)) >= len(_ALIGNED.findall(source.text))


def line_start(source: Source, offset: int) -> int:
    """The start of the line of an offset."""
    return source.lines.line(source.lines.position(offset).row).start


def line_end(source: Source, offset: int) -> int:
    """The end of the line of an offset, before its line end."""
    return source.lines.line(source.lines.position(offset).row).end


def indentation(source: Source, offset: int) -> str:
    """The blanks at the start of the line of an offset; Python counts them from the last form feed."""
    start = line_start(source, offset)
    return source.text[start : _skip_blanks(source.text, start)].rpartition("\f")[2]


def starts_line(source: Source, offset: int) -> bool:
    """Whether only blanks stand before an offset on its line."""
    return not source.text[line_start(source, offset) : offset].strip(" \t\f")


def ends_line(source: Source, offset: int) -> bool:
    """Whether only blanks and a comment stand after an offset on its line."""
    rest = source.text[offset : line_end(source, offset)].strip(" \t\f")
    return not rest or rest.startswith("#")


def whole(source: Source, node: t.Node) -> Span:
    """The span of an expression with the brackets around it."""
    span = source.span(node)
    placed = source.cst_of(node)
    left, right = getattr(placed, "lpar", ()), getattr(placed, "rpar", ())
    if not left or not right:
        return span
    return Span(source.place(left[0]).start, source.place(right[-1]).end)


def text_of(source: Source, node: t.Node) -> str:
    """The text of an expression with the brackets around it."""
    span = whole(source, node)
    return source.text[span.start : span.end]


@_once
def quote(source: Source) -> str:
    """The quote that the file uses more for its short strings."""
    counts = Counter(m[0][0] for m in _STRING.finditer(source.text) if m[0][:3] not in _LONG)
    return "'" if counts["'"] > counts['"'] else '"'


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\f":
        at += 1
    return at
