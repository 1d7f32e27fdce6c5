"""The operands of an operation as they are written, and bringing them together on one device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from devlint.fix.idiom import Written
from devlint.fix.values import Names, attribute_of, lookup, value_of
from devlint.model.cond import tips
from devlint.model.device import CPU, Device, Like
from devlint.model.events import Combine, Where
from devlint.model.moves import parse_device
from devlint.model.value import FACTORY_STEPS, Const, DeviceValue, Site, Unknown
from devlint.syntax import tree as t
from devlint.syntax.edit import attribute, set_argument
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context


def bring_together(ctx: Context, events: Sequence[Combine]) -> list[Edit] | None:
    """The edits that mend all these meetings of one misplaced tensor: it is created where the others are, or
    moved there in each operation (an index: to the CPU). None where one of them cannot be mended."""
    created = _create_there(ctx, events)
    if created is not None:
        return created
    edits: list[Edit] = []
    for event in events:
        more = _move(ctx, event)
        if more is None:
            return None
        edits += more
    return edits


def _create_there(ctx: Context, events: Sequence[Combine]) -> list[Edit] | None:
    """The edit that gives the factory a device, where all that its tensor meets is on the same one."""
    sides = [(e.left, e.right_device) if e.left_device is CPU else (e.right, e.left_device) for e in events]
    if not sides:
        return None
    leaf, other = sides[0]
    step = leaf.cause
    while step is not None and step.kind == "arg":
        step = step.prev
    if step is None or step.kind not in FACTORY_STEPS or step.site.file is not ctx.site.file:
        return None
    factory = step.site.node
    if any(device != other for _, device in sides) or all(e.op == "index" for e in events):
        return None
    if not isinstance(factory, t.Call) or not ctx.without_device(factory):
        return None
    named = {named_device(ctx, create.site, create.where, other) for create in ctx.created(factory)}
    name = named.pop() if len(named) == 1 else None
    device = Written(name) if name else ctx.device_met(step.site, other, events[0].site)
    if device is None:
        return None
    return [*device.edits, *set_argument(ctx.source, factory, "device", device.text)]


def _move(ctx: Context, event: Combine) -> list[Edit] | None:
    pair = _pair(event)
    if pair is None:
        return None
    left, right = pair
    if event.op == "index":
        return attribute(ctx.source, right, "cpu()")
    moved, kept, place = right, left, event.left_device
    if event.left_device is CPU:
        moved, kept, place = left, right, event.right_device
    if not _can_move(event, moved):
        return None
    device = named_device(ctx, event.site, event.where, place) or device_of_path(ctx, kept)
    if device is None:
        return None
    return _to(ctx, moved, device)


def move_arguments(ctx: Context, calls: Sequence[tuple[Combine, Site]]) -> list[Edit]:
    """The edits that mend all these calls of modules and losses with one misplaced tensor: it is made where
    the others are, or moved in each call. None where one of them cannot be mended."""
    created = _create_there(ctx, [event for event, _ in calls])
    if created is not None and all(_is_given(event) for event, _ in calls):
        return created
    moved = [_move_argument(ctx, event, site) for event, site in calls]
    return [edit for edits in moved for edit in edits] if all(moved) else []


def _is_given(event: Combine) -> bool:
    """Whether what is misplaced was passed to a module, and is no part of it that stayed behind."""
    leaf = event.left if event.left_device is CPU else event.right
    step = leaf.cause
    while step is not None and step.kind != "arg":
        step = step.prev
    return step is not None or (event.op == "call" and leaf is not event.left)


def _move_argument(ctx: Context, event: Combine, site: Site) -> list[Edit]:
    """None where it is the module that stayed behind, or where it is not known which argument it is, or how
    the device is written."""
    leaf, place = event.right, event.left_device
    if event.left_device is CPU:
        leaf, place = event.left, event.right_device
    if leaf.device is not CPU or (event.op == "call" and leaf is event.left):
        return []
    given, where = _outermost(leaf) or (_argument(event, leaf), event.where)
    device = named_device(ctx, site, where, place) if given is not None else None
    return [] if given is None or device is None else _to(ctx, given, device)


def _outermost(leaf: Any) -> tuple[t.Expr, Where] | None:
    """The argument with which a tensor was passed to the outermost module's call."""
    step, found = leaf.cause, None
    while step is not None:
        found = step.given if step.kind == "arg" else found
        step = step.prev
    return found


def _argument(event: Combine, leaf: Any) -> t.Expr | None:
    call = event.site.node
    if not isinstance(call, t.Call):
        return None
    given = [arg.value for arg in call.args if not arg.star and not isinstance(arg.value, t.Const)]
    found = [x for x in given if _is(event.where.names, x, leaf, CPU)] or given
    return found[0] if len(found) == 1 else None


def _to(ctx: Context, node: t.Expr, device: str) -> list[Edit]:
    if isinstance(node, t.Call) and ctx.without_device(node):
        return set_argument(ctx.source, node, "device", device)
    return attribute(ctx.source, node, f"to({device})")


def named_device(ctx: Context, site: Site, where: Where, place: Device) -> str | None:
    """The name in scope of a device, if that is the one that is wanted, at least where it matters."""
    text = ctx.named_device(site, where)
    if text is None:
        return None
    first, *attrs = text.split(".")
    value = lookup(where.names, first)
    for attr in attrs:
        value = attribute_of(value, attr)
    return text if value is not None and any(_names(leaf, place) for leaf in tips(value)) else None


def _names(leaf: Any, place: Device) -> bool:
    if type(leaf) is DeviceValue:
        return bool(leaf.device == place)
    if type(leaf) is Const:
        return isinstance(leaf.value, str) and parse_device(leaf.value) == place
    return type(leaf) is Unknown and Like(leaf.root, named=True) == place


def device_of_path(ctx: Context, node: t.Expr) -> str | None:
    """`x.device` for a name or a path of attributes; None for what would have to be computed twice."""
    return f"{ctx.text(node)}.device" if is_path(node) else None


def is_path(node: t.Expr) -> bool:
    """Whether an expression is a name, or attributes of one."""
    while isinstance(node, t.Attr):
        node = node.value
    return isinstance(node, t.Name)


def _can_move(event: Combine, moved: t.Expr) -> bool:
    """Whether the operand is only read: the receiver of an in-place operation has to stay where it is."""
    node, stmt = event.site.node, event.site.stmt
    if isinstance(stmt, t.AugAssign) and stmt.target is node:
        return moved is not node
    if isinstance(node, t.Call) and isinstance(node.func, t.Attr) and node.func.attr.endswith("_"):
        return moved is not node.func.value
    return not isinstance(moved, t.Starred)


def _pair(event: Combine) -> tuple[t.Expr, t.Expr] | None:
    """The two operands that differ, in the order of the event."""
    found = list(_operands(event))
    if len(found) == 2:
        return found[0], found[1]
    left = [x for x in found if _is(event.where.names, x, event.left, event.left_device)]
    right = [x for x in found if _is(event.where.names, x, event.right, event.right_device)]
    if len(left) == len(right) == 1 and left[0] is not right[0]:
        return left[0], right[0]
    return None


def _operands(event: Combine) -> Iterator[t.Expr]:
    node, stmt = event.site.node, event.site.stmt
    if isinstance(stmt, t.AugAssign) and stmt.target is node:
        yield from (stmt.target, stmt.value)
    elif isinstance(node, t.BinOp):
        yield from (node.left, node.right)
    elif isinstance(node, t.Compare):
        yield from (node.left, *(operand for _, operand in node.rest))
    elif isinstance(node, t.Subscript):
        parts = node.index.items if isinstance(node.index, t.Display) else [node.index]
        yield from (node.value, *(part for part in parts if not isinstance(part, (t.Slice, t.Const))))
    elif isinstance(node, t.Call):
        if isinstance(node.func, t.Attr) and value_of(event.where.names, node.func) is None:
            yield node.func.value
        for arg in node.args:
            if isinstance(arg.value, t.Display):
                yield from arg.value.items
            elif not isinstance(arg.value, t.Const):
                yield arg.value


def _is(names: Names, node: t.Expr, leaf: Any, device: Device) -> bool:
    """Whether an operand is, as far as its name tells, the leaf that is on that device."""
    value = value_of(names, node)
    return value is not None and any(
        x is leaf or (type(x) is type(leaf) and x == leaf and x.device == device) for x in tips(value)
    )
