"""Assignments to `self.name` in a module: what may stand in their place, and `register_buffer`."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from devlint.model.cond import tips
from devlint.model.events import Store
from devlint.model.value import Class, Const, Site, Tensor, Unknown
from devlint.syntax import tree as t
from devlint.syntax.layout import indentation, limit, line_start, newline, step, text_of, whole
from devlint.syntax.walk import Level, targets, walk, way_to
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context


class Attribute(NamedTuple):
    """An assignment `self.name = value` in a method of a module's class."""

    stmt: t.Assign | t.AnnAssign
    target: t.Attr
    value: t.Expr
    owner: t.ClassDef
    method: t.FunctionDef
    way: tuple[Level, ...]


def attribute_at(site: Site) -> Attribute | None:
    """The assignment at a site; None for any other form (several targets, another receiver)."""
    stmt, target = site.stmt, site.node
    if not isinstance(target, t.Attr) or not isinstance(stmt, (t.Assign, t.AnnAssign)) or stmt.value is None:
        return None
    whole_targets = stmt.targets if isinstance(stmt, t.Assign) else [stmt.target]
    way = way_to(site.file.tree, stmt)
    owners = [level.owner for level in way]
    method = next((o for o in reversed(owners) if isinstance(o, t.FunctionDef)), None)
    if len(whole_targets) != 1 or whole_targets[0] is not target or method is None or not method.params:
        return None
    owner = owners[owners.index(method) - 1]
    receiver = method.params[0].name
    if not isinstance(owner, t.ClassDef) or not _is_name(target.value, receiver):
        return None
    return Attribute(stmt, target, stmt.value, owner, method, way)


def _is_name(node: t.Expr, name: str) -> bool:
    return isinstance(node, t.Name) and node.id == name


def inside(attribute: Attribute) -> tuple[Level, ...]:
    """The way to the assignment from the top of its method."""
    depth = next(i for i, level in enumerate(attribute.way) if level.owner is attribute.method)
    return attribute.way[depth:]


def after_super(attribute: Attribute) -> bool:
    """Whether the module was initialised before: in a method other than `__init__`, or after the call of
    `super().__init__()` (or `Base.__init__(self)`)."""
    if attribute.method.name != "__init__":
        return True
    return any(_initialises(stmt) for level in inside(attribute) for stmt in level.block[: level.at])


def _initialises(stmt: t.Stmt) -> bool:
    return isinstance(stmt, t.ExprStmt) and any(
        isinstance(node, t.Call) and isinstance(node.func, t.Attr) and node.func.attr == "__init__"
        for node in walk(stmt)
    )


def others(attribute: Attribute) -> list[t.Node]:
    """The other statements of the class that set the same attribute of the receiver."""
    found: list[t.Node] = []
    for method in attribute.owner.body:
        if isinstance(method, t.FunctionDef) and method.params:
            receiver = method.params[0].name
            found += [
                node
                for node in walk(*method.body)
                if node is not attribute.stmt and any(_is(x, receiver, attribute) for x in targets(node))
            ]
    return found


def _is(node: t.Node, receiver: str, attribute: Attribute) -> bool:
    return isinstance(node, t.Attr) and node.attr == attribute.target.attr and _is_name(node.value, receiver)


def uses(attribute: Attribute) -> Iterator[t.Attr]:
    """Where the class reads an attribute of the attribute: `self.layers.append`."""
    for node in walk(attribute.owner):
        if isinstance(node, t.Attr) and isinstance(node.value, t.Attr):
            inner = node.value
            if inner.attr == attribute.target.attr and isinstance(inner.value, t.Name):
                yield node


def is_class_attribute(ctx: Context, attribute: Attribute) -> bool:
    """Whether the class, or a base in the project, has the name as well: then nothing can be registered."""
    cls = ctx.site.file.globals.get(attribute.owner.name)
    if isinstance(cls, Class):
        return cls.find(attribute.target.attr) is not None
    return any(
        _is_name(target, attribute.target.attr)
        for stmt in attribute.owner.body
        if isinstance(stmt, t.Assign)
        for target in stmt.targets
    )


def as_buffer(ctx: Context, site: Site) -> list[Edit] | None:
    """`self.name = value` as `self.register_buffer("name", value, persistent=False)`; None where that would
    raise, there or at a later assignment, or change more than where the tensor lives.

    Registered is what comes first: an earlier assignment of the same name, and those in other branches.
    """
    attribute = attribute_at(site)
    if attribute is None or not all(map(_fits_a_buffer, _stored(ctx, attribute))):
        return None
    first = [other for other in others(attribute) if _order(attribute, other) is Order.BEFORE]
    if first:
        earlier = _attribute_of(site, first[0])
        if len(first) > 1 or earlier is None or earlier.method.name != "__init__":
            return None
        attribute = earlier
    beside = [other for other in others(attribute) if _order(attribute, other) is Order.BESIDE]
    every = [attribute, *(_attribute_of(site, other) for other in beside)]
    edits: list[Edit] = []
    for each in every:
        if each is None or not _can_register(ctx, each):
            return None
        edits += _register(ctx, each)
    return edits


def _stored(ctx: Context, attribute: Attribute) -> list[Any]:
    """All that the file ever makes this attribute of the class, or of one that is made of it."""
    return [
        event.value
        for event in ctx.every(Store)
        if event.attr == attribute.target.attr
        and event.obj.cls is not None
        and any(cls.node is attribute.owner for cls in event.obj.cls.mro)
    ]


def _attribute_of(site: Site, stmt: t.Node) -> Attribute | None:
    if not isinstance(stmt, (t.Assign, t.AnnAssign)):
        return None
    return attribute_at(site._replace(stmt=stmt, node=next(targets(stmt), stmt)))


def _can_register(ctx: Context, attribute: Attribute) -> bool:
    """Whether an assignment, reached first, only ever stores tensors that nobody trains, or None."""
    if not after_super(attribute) or is_class_attribute(ctx, attribute):
        return False
    if any(_order(attribute, other) is Order.BEFORE for other in others(attribute)):
        return False
    stored = [event.value for event in ctx.every(Store) if event.site.node is attribute.target]
    if not stored:
        return isinstance(attribute.value, t.Const) and attribute.value.value is None
    return not any(type(leaf) is Tensor and leaf.grad for value in stored for leaf in tips(value))


def _register(ctx: Context, attribute: Attribute) -> list[Edit]:
    source, stmt = ctx.source, attribute.stmt
    receiver, name = text_of(source, attribute.target.value), attribute.target.attr
    start, value = source.span(stmt).start, whole(source, attribute.value)
    row = newline(source) + indentation(source, start)
    head = ""
    if isinstance(stmt, t.AnnAssign):
        head = f"{receiver}.{name}: {text_of(source, stmt.annotation)}{row}"
    call, named = f"{receiver}.register_buffer(", f"{ctx.string(name)}, "
    inner = source.text[value.start : value.end]
    width = start - line_start(source, start) + len(call) + len(named) + len(inner) + len(_TAIL) + 3
    if "\n" in inner or "\r" in inner or width <= limit(source):
        return [Edit(start, value.start, head + call + named), Edit(value.end, value.end, f", {_TAIL})")]
    deeper = row + step(source)
    return [
        Edit(start, value.start, f"{head}{call}{deeper}{named}"),
        Edit(value.end, value.end, f", {_TAIL}{row})"),
    ]


_TAIL = "persistent=False"


def _fits_a_buffer(value: Any) -> bool:
    """Whether a value is always a tensor or None: PyTorch lets nothing else be assigned to a buffer."""
    return all(
        type(leaf) in (Tensor, Unknown) or (type(leaf) is Const and leaf.value is None)
        for leaf in tips(value)
    )


class Order(enum.Enum):
    """When another assignment of a name may happen, seen from one."""

    BEFORE = enum.auto()
    AFTER = enum.auto()
    BESIDE = enum.auto()
    """In another branch: never both."""


def _order(attribute: Attribute, other: t.Node) -> Order:
    """When another assignment happens. Methods run after `__init__`, unless it calls them."""
    method = attribute.method
    way = way_to(t.Tree(None, method.body, 0), other)
    if not way:
        after = method.name == "__init__" and not _is_called(attribute, other)
        return Order.AFTER if after else Order.BEFORE
    for mine, its in zip(inside(attribute), way, strict=False):
        if mine.block is not its.block:
            return Order.BESIDE
        if mine.at != its.at:
            return Order.BEFORE if its.at < mine.at else Order.AFTER
    return Order.BEFORE


def _is_called(attribute: Attribute, other: t.Node) -> bool:
    """Whether the method of the assignment names the method in which another one stands."""
    receiver = attribute.method.params[0].name
    named = {
        node.attr
        for node in walk(*attribute.method.body)
        if isinstance(node, t.Attr) and _is_name(node.value, receiver)
    }
    return any(
        method.name in named and any(node is other for node in walk(method))
        for method in attribute.owner.body
        if isinstance(method, t.FunctionDef)
    )
