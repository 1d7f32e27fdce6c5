"""Whether `x = x.to(d)` can be written for `x.to(d)`: x must be a place that keeps, and is read again."""

from __future__ import annotations

from typing import Any

from devlint.fix.devices import Scene
from devlint.fix.values import properties, value_of
from devlint.model.cond import leaves
from devlint.model.value import Obj, Tensor, Unknown
from devlint.syntax import tree as t
from devlint.syntax.walk import bound_names, own_names, walk


def can_assign(scene: Scene, target: t.Expr) -> bool:
    """Whether an assignment to the expression does what its author meant by moving it in place."""
    if isinstance(target, t.Name):
        function = scene.functions[0] if scene.functions else None
        return (function is None or target.id in bound_names(function)) and is_read_later(scene, target.id)
    if isinstance(target, t.Attr):
        owner = value_of(scene.names, target.value)
        return (
            _is_path(target.value)
            and target.attr not in properties(owner)
            and not _is_parameter(scene, target)
        )
    if isinstance(target, t.Subscript) and _is_path(target.value):
        return _keeps_items(value_of(scene.names, target.value), target.index)
    return False


def _is_path(node: t.Expr) -> bool:
    while isinstance(node, t.Attr):
        node = node.value
    return isinstance(node, t.Name)


def _is_parameter(scene: Scene, target: t.Attr) -> bool:
    return any(type(v) is Tensor and v.grad == "param" for _, v in leaves(value_of(scene.names, target)))


def _keeps_items(container: Any, index: t.Expr) -> bool:
    """Whether a container is a list or a dict; of something unknown only a string tells that."""
    if isinstance(container, Obj):
        return container.kind in ("list", "dict")
    if type(container) is Tensor:
        return False
    return type(container) is Unknown and isinstance(index, t.Const) and isinstance(index.value, str)


def is_read_later(scene: Scene, name: str) -> bool:
    """Whether something reads a variable after the place, or in the next turn of a loop around it."""
    for level in reversed(scene.way):
        if any(_reads(stmt, name) for stmt in level.block[level.at + 1 :]):
            return True
        if isinstance(level.owner, (t.For, t.While)):
            if name in own_names(level.owner):
                return False
            if any(_reads(stmt, name) for stmt in level.block[: level.at]):
                return True
        if isinstance(level.owner, t.FunctionDef):
            return False
    return False


def _reads(stmt: t.Stmt, name: str) -> bool:
    return any(isinstance(node, t.Name) and node.id == name for node in walk(stmt))
