"""One line of a file: the values that it uses, those that it binds, and what meets in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from devlint.syntax import tree as t
from devlint.syntax.source import Source
from devlint.syntax.walk import blocks, children
from devlint.trace.shapes import Bound, Meet, Trace


@dataclass(frozen=True, slots=True)
class Glance:
    """A statement, by its rows, with the values of its names before it and what comes of it."""

    first: int
    last: int
    used: tuple[Bound, ...]
    bound: tuple[Bound, ...]
    meets: tuple[Meet, ...]


def glance(source: Source, trace: Trace, row: int) -> Glance | None:
    """What is known of a row; None where no statement stands."""
    found = _statement(source, source.tree, row)
    if found is None:
        return None
    first, last = source.rows(found)
    if isinstance(found, (t.FunctionDef, t.ClassDef)):
        names: list[str] = []
    else:
        spelled = sorted(_names(found), key=lambda node: source.span(node).start)
        names = list(dict.fromkeys(name for node in spelled for name in _prefixes(node)))
    here = [line for line in trace.lines if first <= line.row <= last]
    used = [bound for name in names for bound in _before(trace, name, first)]
    return Glance(
        first,
        last,
        tuple(used),
        tuple(bound for line in here for bound in line.bound),
        tuple(meet for line in here for meet in line.meets),
    )


def _statement(source: Source, node: t.Node, row: int) -> t.Node | None:
    """The innermost statement whose own rows (those of its header) hold a row."""
    for body in blocks(node):
        for stmt in body:
            first, last = source.rows(stmt)
            if first <= row <= last and not list(blocks(stmt)):
                return stmt
            inner = _statement(source, stmt, row)
            if inner is not None:
                return inner
            if first <= row <= last:
                return stmt
    return None


def _names(node: t.Node) -> Iterator[t.Expr]:
    """The names and chains of attributes inside a statement (of one with a body: in its header)."""
    inside = {id(stmt) for body in blocks(node) for stmt in body}
    for child in children(node):
        if id(child) in inside:
            continue
        if isinstance(child, (t.Name, t.Attr)):
            yield child
        yield from _names(child)


def _prefixes(node: t.Expr) -> Iterator[str]:
    """`self.net.weight`: that, `self.net`, `self`."""
    parts: list[str] = []
    at: t.Expr = node
    while isinstance(at, t.Attr):
        parts.append(at.attr)
        at = at.value
    if isinstance(at, t.Name):
        whole = [at.id, *reversed(parts)]
        for end in range(len(whole), 0, -1):
            yield ".".join(whole[:end])


def _before(trace: Trace, name: str, row: int) -> list[Bound]:
    """What was bound to a name last before a row: in its function, else in its class or at the top level."""
    own = trace.block(row)
    whole = own.name if own is not None else ""
    found: dict[int, list[Bound]] = {}
    for line in trace.lines:
        for bound in line.bound:
            if bound.name != name:
                continue
            block = trace.block(line.row)
            around = block.name if block is not None else ""
            if around == whole:
                if line.row < row:
                    found.setdefault(line.row, []).append(bound)
            elif name.startswith("self."):
                owner = around.rpartition(".")[0]
                if owner == whole.rpartition(".")[0]:
                    found.setdefault(line.row - 1_000_000, []).append(_now(trace, owner, bound))
            elif whole.startswith(around + ".") or not around:
                found.setdefault(line.row - 2_000_000, []).append(bound)
    return found[max(found)] if found else []


def _now(trace: Trace, owner: str, bound: Bound) -> Bound:
    """An attribute in another method than the one that set it: what a module registers has moved with it."""
    for state in trace.states:
        if state.name == owner:
            for held in state.registered:
                if f"self.{held.name}" == bound.name:
                    return replace(bound, spot=held.spot, before=None)
    return bound
