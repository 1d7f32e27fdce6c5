"""The patterns of `match`: which part of the subject each inner pattern is for."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from devlint.syntax import tree as t
from devlint.syntax.lowering import steps_in_sequence


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
    """The starred element has no wrapper around it."""
    steps = steps_in_sequence([isinstance(x, cst.MatchStar) for x in node.patterns])
    for element, step in zip(node.patterns, steps, strict=True):
        yield element if isinstance(element, cst.MatchStar) else element.value, (step,)
