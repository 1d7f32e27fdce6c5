"""The comments of a text, and where its blocks end, from real tokens."""

from __future__ import annotations

import re
import tokenize
from dataclasses import dataclass

from devlint.text import LineIndex, Position


@dataclass(frozen=True, slots=True)
class Comments:
    """`found` are pairs of offset and text, in order; `dedents` are the first tokens after a block's end."""

    found: tuple[tuple[int, str], ...]
    dedents: tuple[Position, ...] = ()


# Strings are matched only so that a `#` in one is passed over.
_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""'
    r"|'''(?:\\.|[^\\])*?'''"
    r'|"(?:\\.|[^"\\\r\n])*"'
    r"|'(?:\\.|[^'\\\r\n])*'"
    r"|(?P<comment>#[^\r\n]*)",
    re.DOTALL,
)


def read_comments(text: str, lines: LineIndex) -> Comments:
    """All comments. Where this Python's tokenizer fails (newer syntax, a faulty file), strings and comments
    are told apart by their quotes alone."""
    comments = _tokenized(text, lines)
    if comments is not None:
        return comments
    return Comments(tuple((m.start(), m[0]) for m in _TOKEN.finditer(text) if m["comment"]))


def _tokenized(text: str, lines: LineIndex) -> Comments | None:
    starts = [lines.line(row).start for row in range(1, lines.rows + 1)]
    rows = (text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True))
    found: list[tuple[int, str]] = []
    dedents: list[Position] = []
    try:
        for token in tokenize.generate_tokens(lambda: next(rows, "")):
            if token.type == tokenize.COMMENT:
                offset = starts[token.start[0] - 1] + token.start[1]
                if not text.startswith(token.string, offset):
                    return None
                found.append((offset, token.string))
            elif token.type == tokenize.DEDENT:
                dedents.append(Position(token.start[0], token.start[1] + 1))
            elif token.type == tokenize.ERRORTOKEN and not token.string.isspace():
                return None
    except (tokenize.TokenError, SyntaxError):
        return None
    return Comments(tuple(found), tuple(dedents))
