"""Values that depend on flags: small decision trees.

`"cuda" if torch.cuda.is_available() else "cpu"` is neither unknown nor "either": it is the one when a
flag holds and the other when it does not, and everything derived from it varies with the same flag.
A tree is `Cond(flag, then, other)` with leaves of any type; a formula is a tree whose leaves are True and
False. Nothing here knows Python or PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

Flag = Hashable
Assumption = Mapping[Flag, bool]

LIMIT = 8
"""Trees with more leaves are not built: the branches are too many to tell a person about."""


class Cond:
    """`then` where `flag` holds, else `other`. Immutable."""

    __slots__ = ("flag", "flags", "other", "size", "then")

    def __init__(self, flag: Flag, then: Any, other: Any) -> None:
        self.flag = flag
        self.then = then
        self.other = other
        count = 2
        flags: set[Flag] = {flag}
        for side in (then, other):
            if type(side) is Cond:
                count += side.size - 1
                flags |= side.flags
        self.size: int = count
        self.flags: set[Flag] = flags

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is Cond
            and self.flag == other.flag
            and same(self.then, other.then)
            and same(self.other, other.other)
        )

    def __hash__(self) -> int:
        return hash((self.flag, self.size))

    def __repr__(self) -> str:
        return f"{{{self.flag} ? {self.then!r} : {self.other!r}}}"


def size(tree: Any) -> int:
    """The number of leaves."""
    return tree.size if type(tree) is Cond else 1


def same(a: Any, b: Any) -> bool:
    """Whether two trees or leaves are equal."""
    return a is b or (type(a) is type(b) and bool(a == b))


def make(flag: Flag, then: Any, other: Any) -> Any:
    """The tree of a flag, or the leaf where both sides are equal."""
    return then if same(then, other) else Cond(flag, then, other)


def restrict(tree: Any, assume: Assumption) -> Any:
    """The tree where the assumed flags are decided."""
    if type(tree) is not Cond or tree.flags.isdisjoint(assume):
        return tree
    decided = assume.get(tree.flag)
    if decided is not None:
        return restrict(tree.then if decided else tree.other, assume)
    then, other = restrict(tree.then, assume), restrict(tree.other, assume)
    if then is tree.then and other is tree.other:
        return tree
    return make(tree.flag, then, other)


def choose(formula: Any, then: Any, other: Any) -> Any:
    """`then` where the formula holds, else `other`."""
    if type(formula) is not Cond:
        return then if formula else other
    flag = formula.flag
    return make(
        flag,
        choose(formula.then, restrict(then, {flag: True}), restrict(other, {flag: True})),
        choose(formula.other, restrict(then, {flag: False}), restrict(other, {flag: False})),
    )


def negate(formula: Any) -> Any:
    """The formula that holds where this one does not."""
    if type(formula) is not Cond:
        return not formula
    return Cond(formula.flag, negate(formula.then), negate(formula.other))


def leaves(tree: Any, assume: Assumption | None = None) -> Iterator[tuple[dict[Flag, bool], Any]]:
    """Each leaf with the flags under which it stands, as far as the assumption allows."""
    if type(tree) is not Cond:
        yield {}, tree
        return
    stack: list[tuple[dict[Flag, bool], Any]] = [({}, tree)]
    while stack:
        path, node = stack.pop()
        if type(node) is not Cond:
            yield path, node
            continue
        decided = path.get(node.flag)
        if decided is None and assume:
            decided = assume.get(node.flag)
        if decided is not None:
            stack.append((path, node.then if decided else node.other))
        else:
            stack.append(({**path, node.flag: False}, node.other))
            stack.append(({**path, node.flag: True}, node.then))


def tips(tree: Any) -> list[Any]:
    """The leaves alone."""
    if type(tree) is not Cond:
        return [tree]
    return tips(tree.then) + tips(tree.other)


def each(tree: Any, function: Callable[[Any], Any]) -> Any:
    """The tree with every leaf replaced (by a leaf or a tree)."""
    if type(tree) is not Cond:
        return function(tree)
    flag = tree.flag
    then, other = each(tree.then, function), each(tree.other, function)
    return make(flag, restrict(then, {flag: True}), restrict(other, {flag: False}))


def pairs(a: Any, b: Any, assume: Assumption | None = None) -> Iterator[tuple[dict[Flag, bool], Any, Any]]:
    """The pairs of leaves that can stand together, with their flags."""
    if type(a) is not Cond and type(b) is not Cond:
        yield {}, a, b
        return
    for path, left in leaves(a, assume):
        known = {**assume, **path} if assume else path
        for more, right in leaves(b, known):
            yield {**path, **more}, left, right


def implied(formula: Any, value: bool) -> dict[Flag, bool]:
    """The flags that are certain where the formula has that value."""
    if type(formula) is not Cond:
        return {}
    out: dict[Flag, bool] = {}
    if formula.other is (not value):
        out[formula.flag] = True
        out.update(implied(formula.then, value))
    elif formula.then is (not value):
        out[formula.flag] = False
        out.update(implied(formula.other, value))
    return out
