"""`if use_cuda: x = x.cuda()`: the guards around moves, and what becomes of them once there is a device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devlint.model.events import Move
from devlint.syntax import tree as t
from devlint.syntax.edit import move_to
from devlint.syntax.layout import text_of, whole
from devlint.syntax.source import Source
from devlint.syntax.statements import unguard
from devlint.syntax.walk import Level, walk
from devlint.text import Edit


@dataclass(frozen=True, slots=True)
class Guard:
    """A test on which a move to the GPU depends: of an `if` or of a conditional expression."""

    test: t.Expr
    node: t.If | t.IfExp
    move: t.Call
    way: tuple[Level, ...]


def guard_of(event: Move, way: tuple[Level, ...]) -> Guard | None:
    """The innermost test around a move that asks for a flag; None if there is none."""
    call = event.site.node
    assert isinstance(call, t.Call)
    for node in walk(event.site.stmt) if not isinstance(event.site.stmt, t.If) else ():
        if (
            isinstance(node, t.IfExp)
            and any(inner is call for inner in walk(node.body))
            and is_flag(node.test)
        ):
            return Guard(node.test, node, call, way)
    for level in reversed(way):
        if isinstance(level.owner, t.If) and level.block is level.owner.body and is_flag(level.owner.test):
            return Guard(level.owner.test, level.owner, call, way)
        if isinstance(level.owner, (t.FunctionDef, t.ClassDef)):
            return None
    return None


def is_flag(test: t.Expr) -> bool:
    """Whether a test reads flags, and compares nothing: `use_cuda`, `not args.no_cuda`, `is_available()`."""
    if isinstance(test, t.Name):
        return True
    if isinstance(test, t.Attr):
        return is_flag(test.value)
    if isinstance(test, t.Call):
        return not test.args and isinstance(test.func, t.Attr) and test.func.attr == "is_available"
    if isinstance(test, t.Unary):
        return test.op == "Not" and is_flag(test.operand)
    if isinstance(test, t.BoolOp):
        return test.op == "And" and is_flag(test.left) and is_flag(test.right)
    return False


def roots(test: t.Expr) -> set[str]:
    """The names that a test begins with."""
    return {node.id for node in walk(test) if isinstance(node, t.Name)}


def attributes(test: t.Expr) -> set[tuple[str, str]]:
    """The attributes of names that a test reads: `args.cuda`."""
    return {
        (node.value.id, node.attr)
        for node in walk(test)
        if isinstance(node, t.Attr) and isinstance(node.value, t.Name)
    }


def without(source: Source, guards: Sequence[Guard], device: str) -> Iterator[Edit]:
    """The edits that make moves under guards unconditional: only where nothing else is guarded."""
    done: set[int] = set()
    for guard in guards:
        if id(guard.node) in done:
            continue
        done.add(id(guard.node))
        if isinstance(guard.node, t.IfExp):
            yield from _conditional(source, guard.node, device)
        else:
            yield from _statement(source, guard.node, device)


def _conditional(source: Source, node: t.IfExp, device: str) -> Iterator[Edit]:
    call = node.body
    if not _is_plain_move(call) or _receiver(source, call) != text_of(source, node.orelse):
        return
    assert isinstance(call, t.Call)
    yield from move_to(source, call, device)
    yield Edit(whole(source, call).end, whole(source, node.orelse).end, "")


def _statement(source: Source, node: t.If, device: str) -> Iterator[Edit]:
    calls = [call for stmt in node.body for call in _moves(source, stmt)]
    if not calls or any(not list(_moves(source, stmt)) for stmt in node.body):
        return
    edits = unguard(source, node)
    if edits is None:
        return
    yield from edits
    for call in calls:
        yield from move_to(source, call, device)


def _moves(source: Source, stmt: t.Stmt) -> Iterator[t.Call]:
    """The moves that a statement consists of: `m.cuda()`, `x = x.cuda()`, `x, y = x.cuda(), y.cuda()`."""
    if isinstance(stmt, t.ExprStmt) and _is_plain_move(stmt.value):
        yield stmt.value  # type: ignore[misc]
    if not isinstance(stmt, t.Assign) or len(stmt.targets) != 1:
        return
    target, value = stmt.targets[0], stmt.value
    pairs = [(target, value)]
    if (
        isinstance(target, t.Display)
        and isinstance(value, t.Display)
        and len(target.items) == len(value.items)
    ):
        pairs = list(zip(target.items, value.items, strict=True))
    if all(_is_plain_move(v) and _receiver(source, v) == text_of(source, k) for k, v in pairs):
        yield from (v for _, v in pairs)  # type: ignore[misc]


def _is_plain_move(node: t.Expr) -> bool:
    """Whether an expression is `x.cuda()`, perhaps with non_blocking."""
    return (
        isinstance(node, t.Call)
        and isinstance(node.func, t.Attr)
        and node.func.attr == "cuda"
        and all(arg.name == "non_blocking" for arg in node.args)
    )


def _receiver(source: Source, call: t.Expr) -> str:
    assert isinstance(call, t.Call)
    assert isinstance(call.func, t.Attr)
    return text_of(source, call.func.value)
