"""The patterns of `match`: which part of the subject each inner pattern is for."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from devlint.syntax import tree as t


def parts(node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, t.Path]]:
    """The patterns in a pattern, each with the way from the pattern's value to its own."""
    if isinstance(node, (cst.MatchList, cst.MatchTuple)):
        yield from _sequence(node)
    elif isinstance(node, cst.MatchMapping):
        for entry in node.elements:
            key = entry.key.evaluated_value if isinstance(entry.key, cst.SimpleString) else None
            yield entry.pattern, (key if isinstance(key, str) else None,)
    elif isinstance(node, cst.MatchClass):
        for positional in node.patterns:
            yield positional.value, (None,)
        for keyword in node.kwds:
            yield keyword.pattern, ((keyword.key.value,),)
    elif isinstance(node, cst.MatchOr):
        for option in node.patterns:
            yield option.pattern, ()
    elif isinstance(node, cst.MatchAs) and node.pattern is not None:
        yield node.pattern, ()


def _sequence(node: cst.MatchList | cst.MatchTuple) -> Iterator[tuple[cst.CSTNode, t.Path]]:
    """Elements before the starred one are counted from the start, those after it from the end."""
    count = len(node.patterns)
    star = next((i for i, x in enumerate(node.patterns) if isinstance(x, cst.MatchStar)), count)
    for i, element in enumerate(node.patterns):
        if isinstance(element, cst.MatchStar):
            yield element, (slice(star, star + 1 - count or None),)
        else:
            yield element.value, (i if i < star else i - count,)
