"""Statements that bind names, attributes and items."""

from __future__ import annotations

from typing import Any

from devlint.model.cond import each, leaves, tips
from devlint.model.device import UNKNOWN
from devlint.model.imports import Imports
from devlint.model.machine import MISSING, NORMAL
from devlint.model.moves import spelled
from devlint.model.torch.effects import Mix
from devlint.model.value import (
    REST,
    TRUE,
    Const,
    Obj,
    Step,
    Tensor,
    Tuple,
    Unknown,
    item,
)
from devlint.syntax import tree as t


class Assignments(Imports):
    """The part of the machine that assigns."""

    def assign(self, target: t.Expr, value: Any) -> None:
        """Binds a target to a value."""
        kind = type(target)
        if self.tracing and (kind is t.Name or kind is t.Attr):
            self.trace(self.site(target), spelled(target), value)
        if kind is t.Name:
            frame = self.frame
            if frame.owner is not None and frame.function is None and frame.owner.kind == "module":
                value = self.kept(
                    value, Step("store", self.site(target), "kept as an attribute of the class")
                )
            self.write(self.frame.outer_names.get(target.id, self.frame.vars), target.id, value)  # type: ignore[attr-defined]
        elif isinstance(target, t.Attr):
            owner = self.expr(target.value)
            if target.attr == "requires_grad" and type(owner) is Tensor:
                self._require_grad(target.value, owner, value)
            if target.attr == "data" and isinstance(target.value, t.Attr):
                self._replace_data(target.value.value, value)
            self.set_attr(owner, target.attr, value, target)
        elif isinstance(target, t.Subscript):
            self._assign_item(target, value)
        elif isinstance(target, t.Display):
            self._unpack(target, value)
        elif isinstance(target, t.Starred):
            self.assign(target.value, value)

    def _require_grad(self, name: t.Expr, tensor: Tensor, value: Any) -> None:
        """`x.requires_grad = True`: x becomes a leaf that gets a gradient."""
        if isinstance(name, (t.Name, t.Attr)) and value == TRUE and tensor.grad in ("", "frozen"):
            self.assign(name, Tensor(tensor.device, tensor.cause, tensor.zero_dim, "leaf", tensor.pinned))

    def _replace_data(self, name: t.Expr, value: Any) -> None:
        """`cell.weight.data = other.weight.data`: the parameter is now where the other one is, which need not
        be where its module was."""
        module = self.expr(name) if isinstance(name, t.Name) else None
        if not isinstance(module, Obj) or not module.is_module:
            return
        if any(type(leaf) is not Tensor or leaf.device != self.device_tree(module) for leaf in tips(value)):
            self.place(module, UNKNOWN)

    def _assign_item(self, target: t.Subscript, value: Any) -> None:
        obj, index = self.expr(target.value), self.expr(target.index)
        if isinstance(target.value, (t.Name, t.Attr)) and all(type(x) is Tuple for x in tips(obj)):
            self.assign(target.value, each(obj, lambda leaf: self._with_item(leaf, index, value)))
            return
        for _, leaf in leaves(obj, self.assume):
            if type(leaf) is Tensor:
                # The indices may be anywhere: `index_put_` brings them to the tensor, as reading does not.
                indices = [i for i in self.flatten([index]) if type(i) is Tensor and i.zero_dim is False]
                if indices and type(value) is Tensor:
                    self.combine("index_put_", Mix.ELEMENTWISE, [leaf, value], target)
            else:
                self.set_item(leaf, index, value, target)

    def _with_item(self, listed: Tuple, index: Any, new: Any) -> Tuple:
        """What a loader collated, which is a list in truth (torch.utils.data.default_collate), with an item
        set."""
        items = list(listed.items)
        if type(index) is Const and isinstance(index.value, int) and -len(items) <= index.value < len(items):
            items[index.value] = new
        elif type(index) is Unknown and self.frame.loop and all(type(x) is Tensor for x in tips(new)):
            items = [new if type(old) is Tensor else old for old in items]  # `x[i] = x[i].to(device)`
        return Tuple(tuple(items), listed.rest)

    def _unpack(self, target: t.Display, value: Any) -> None:
        items = target.items
        star = next((i for i, x in enumerate(items) if isinstance(x, t.Starred)), None)
        if star is None:
            for x, v in zip(items, self.unpack(value, len(items)), strict=False):
                self.assign(x, v)
            return
        after = len(items) - star - 1
        value = _as_tuple(value)
        if type(value) is Tuple and value.rest is None and len(value.items) >= len(items) - 1:
            end = len(value.items) - after
            parts = [*value.items[:star], Tuple(value.items[star:end]), *value.items[end:]]
        else:
            element = self.iterate(value, target)
            parts = [
                *self.unpack(value, star),
                self.new_list("list", target, rest=element),
                *([element] * after),
            ]
        for x, v in zip(items, parts, strict=False):
            self.assign(x, v)

    def _do_assign(self, stmt: t.Assign) -> str:
        targets = stmt.targets
        first = targets[0]
        if (
            len(targets) == 1
            and isinstance(first, t.Display)
            and isinstance(stmt.value, t.Display)
            and len(first.items) == len(stmt.value.items)
            and not any(isinstance(x, t.Starred) for x in (*first.items, *stmt.value.items))
        ):
            values = [self.expr(v) for v in stmt.value.items]
            for x, v in zip(first.items, values, strict=False):
                self.assign(x, v)
            return NORMAL
        if len(targets) == 1 and isinstance(first, t.Display) and isinstance(stmt.value, t.Display):
            parts = self._stretched(first, stmt.value)
            if parts is not None:
                for x, v in zip(first.items, parts, strict=False):
                    self.assign(x, v)
                return NORMAL
        value = self.expr(stmt.value)
        for target in targets:
            self.assign(target, value)
        return NORMAL

    def _stretched(self, target: t.Display, value: t.Display) -> list[Any] | None:
        """`b, n, device = *x.shape, x.device`: how many values the starred one gives is known by what
        stands around it. In `b, *_, device = *x.shape, x.device` it does not matter."""
        stars = [isinstance(x, t.Starred) for x in value.items]
        if sum(stars) != 1:
            return None
        values = [self.expr(x.value if isinstance(x, t.Starred) else x) for x in value.items]
        at = stars.index(True)
        lead, inner, trail = values[:at], values[at], values[at + 1 :]
        open_at = next((i for i, x in enumerate(target.items) if isinstance(x, t.Starred)), None)
        if open_at is None:
            return [*lead, *self.unpack(inner, len(target.items) - len(values) + 1), *trail]
        after = len(target.items) - open_at - 1
        inner = _as_tuple(inner)
        if type(inner) is Tuple and inner.rest is None:
            every = [*lead, *inner.items, *trail]
            end = len(every) - after
            return [*every[:open_at], Tuple(tuple(every[open_at:end])), *every[end:]]
        element = self.iterate(inner, target)
        lead += [element] * (open_at - len(lead))
        trail = [element] * (after - len(trail)) + trail
        middle = [*lead[open_at:], element, *trail[: len(trail) - after]]
        rest = middle[0]
        for other in middle[1:]:
            rest = self.either(self.opaque("item"), rest, other)
        return [
            *lead[:open_at],
            self.new_list("list", target, rest=rest),
            *trail[len(trail) - after :],
        ]

    def _do_ann_assign(self, stmt: t.AnnAssign) -> str:
        if stmt.value is not None:
            self.assign(stmt.target, self.expr(stmt.value))
        return NORMAL

    def _do_aug_assign(self, stmt: t.AugAssign) -> str:
        old = self.expr(stmt.target)
        value = self.expr(stmt.value)
        if isinstance(old, Obj) and (old.kind == "list" or old.is_module) and stmt.op == "Add":
            self.extend(old, value)
            return NORMAL
        new = self.binary(stmt.op, old, value, stmt.target)
        self.assign(stmt.target, old if type(old) is Tensor else new)
        return NORMAL

    def _do_delete(self, stmt: t.Delete) -> str:
        target = stmt.target
        if isinstance(target, t.Name) and target.id in self.frame.vars:
            self.write(self.frame.vars, target.id, MISSING)
        elif isinstance(target, t.Subscript):
            owner, key = self.expr(target.value), self.expr(target.index)
            if isinstance(owner, Obj) and owner.kind == "dict" and type(key) is Const:
                self.write(owner.attrs, item(key.value), MISSING)
        return NORMAL

    def _do_scope(self, stmt: t.Scope) -> str:
        for name in stmt.names:
            store = self.frame.file.globals
            if stmt.kind == "nonlocal":
                scope = self.frame.closure
                while scope is not None and name not in scope.vars:
                    scope = scope.closure
                if scope is not None:
                    store = scope.vars
            self.frame.outer_names[name] = store
        return NORMAL


def _as_tuple(value: Any) -> Any:
    """A list of which all items are known as the tuple of them; anything else as it is."""
    if isinstance(value, Obj) and value.kind == "list" and REST not in value.attrs:
        return Tuple(tuple(v for k, v in value.attrs.items() if isinstance(k, tuple)))
    return value
