"""A move that comes too late: the edits that do it earlier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from devlint.model.events import LateMove
from devlint.syntax import tree as t
from devlint.syntax.edit import argument, attribute, unwrap_method
from devlint.syntax.layout import text_of, whole
from devlint.syntax.reorder import do_earlier, take_away
from devlint.syntax.source import Source
from devlint.syntax.walk import Level, own_names, targets, walk, way_to
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context


def before_earlier(event: LateMove, ctx: Context) -> list[Edit] | None:
    """Moves the statement of the move before the one that it comes too late for; None where that would
    change more than the order of the two."""
    found = _both(event, ctx.source)
    if found is None:
        return None
    level, first = found
    if _is_rebound(level, first, _paths(ctx.source, level.stmt)):
        return None
    return do_earlier(ctx.source, level.stmt, level.block[first])


def before_wrapping(event: LateMove, ctx: Context) -> list[Edit] | None:
    """Moves what is wrapped before it is wrapped, in place of moving the wrapper."""
    wrapping, call = event.earlier.node, event.site.node
    if not isinstance(wrapping, t.Call) or not isinstance(call, t.Call) or not isinstance(call.func, t.Attr):
        return None
    source, func, module = ctx.source, call.func, argument(wrapping, "module", 0)
    if module is None:
        return None
    text = source.text[whole(source, func.value).end : whole(source, call).end]
    if func.value is wrapping:
        off = unwrap_method(source, call)
        return [off, *attribute(source, module.value, text.strip().removeprefix("."))]
    found = _both(event, source)
    if found is None:
        return None
    level, first = found
    moved, wrapped = text_of(ctx.source, func.value), text_of(ctx.source, module.value)
    wrapper = {text_of(ctx.source, target) for target in targets(level.block[first])}
    if moved not in wrapper | {wrapped}:
        return None
    paths = _paths(ctx.source, *(arg.value for arg in call.args))
    if _is_rebound(level, first, paths) or _is_rebound(level, first + 1, {moved}):
        return None
    if isinstance(module.value, (t.Name, t.Attr)):
        return do_earlier(source, level.stmt, level.block[first], wrapped + text)
    gone = take_away(source, level.stmt) if len(level.block) > 1 else None
    return None if gone is None else [gone, *attribute(source, module.value, text.strip().removeprefix("."))]


def _both(event: LateMove, source: Source) -> tuple[Level, int] | None:
    """The statement that is nothing but the move (or an `if` around it), and the number in its block of
    the statement that it comes too late for."""
    if event.site.file is not event.earlier.file or not _is_all(event, source):
        return None
    way = way_to(event.site.file.tree, event.site.stmt)
    other = way_to(event.site.file.tree, event.earlier.stmt)
    for level in reversed(way):
        for beside in other:
            if beside.block is level.block and beside.at < level.at:
                return level, beside.at
        if len(level.block) > 1 or not isinstance(level.owner, t.If) or level.owner.orelse:
            return None
    return None


def _is_all(event: LateMove, source: Source) -> bool:
    stmt, call = event.site.stmt, event.site.node
    if not isinstance(call, t.Call) or not isinstance(call.func, t.Attr):
        return False
    if isinstance(stmt, t.ExprStmt):
        return stmt.value is call
    if not isinstance(stmt, t.Assign) or stmt.value is not call or len(stmt.targets) != 1:
        return False
    return text_of(source, stmt.targets[0]) == text_of(source, call.func.value)


def _paths(source: Source, *nodes: t.Node) -> set[str]:
    """The names and attributes that nodes read."""
    return {text_of(source, node) for node in walk(*nodes) if isinstance(node, (t.Name, t.Attr))}


def _is_rebound(level: Level, first: int, paths: set[str]) -> bool:
    """Whether the statements from number `first` up to the move bind one of the names."""
    source_of = set(_bound(level.block[first : level.at]))
    return bool(source_of & paths)


def _bound(stmts: list[t.Stmt]) -> Iterator[str]:
    for node in walk(*stmts):
        yield from own_names(node)
        for target in targets(node):
            parts = []
            while isinstance(target, t.Attr):
                parts.append(target.attr)
                target = target.value
            if isinstance(target, t.Name) and parts:
                yield ".".join([target.id, *reversed(parts)])


__all__ = ["before_earlier", "before_wrapping"]
