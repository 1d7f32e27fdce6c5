"""Items: what containers hold, and what iterating over them gives."""

from __future__ import annotations

from typing import Any

from devlint.model.attributes import Attributes
from devlint.model.cond import Cond, each, leaves, restrict, tips
from devlint.model.device import CPU, At
from devlint.model.prefixes import cuts_prefix
from devlint.model.value import (
    REST,
    Class,
    Const,
    Function,
    Lib,
    Obj,
    Root,
    Step,
    Tensor,
    Tuple,
    Unknown,
    item,
)
from devlint.syntax import tree as t

MAX_ITEMS = 24


class Items(Attributes):
    """The part of the machine that knows items."""

    def get_item(self, value: Any, index: Any, node: t.Subscript) -> Any:
        """`value[index]`, except for tensors, which the tensor part handles first."""
        if type(index) is Cond and isinstance(value, (Tuple, Obj)):
            return each(restrict(index, self.assume), lambda leaf: self.get_item(value, leaf, node))
        if type(value) is Tuple:
            if type(index) is Const and isinstance(index.value, (int, bool)):
                i = int(index.value)
                if (value.rest is None and -len(value.items) <= i < len(value.items)) or 0 <= i < len(
                    value.items
                ):
                    return value.items[i]
            elif isinstance(node.index, t.Slice):
                return self._slice(value, node.index)
            return self.iterate(value, node)
        if isinstance(value, Obj):
            return self._obj_item(value, index, node)
        if type(value) is Unknown:
            return self._unknown_item(value, index, node)
        if isinstance(value, (Lib, Class)):
            return value
        return self.unknown("an item", "item")

    def _slice(self, value: Tuple, index: t.Slice) -> Any:
        lower: Any
        upper: Any
        lower, upper = (p.value if isinstance(p, t.Const) else p for p in (index.lower, index.upper))
        known = all(bound is None or isinstance(bound, int) for bound in (lower, upper))
        if value.rest is None and known and index.step is None:
            return Tuple(value.items[lower:upper])
        return Tuple((), self.iterate(value, None))

    def _unknown_item(self, value: Unknown, index: Any, node: t.Subscript) -> Any:
        if value.root.kind == "key" and isinstance(node.index, t.Slice):
            if cuts_prefix(node.index):
                self.strip_prefix(node)
            return value
        if (
            type(index) is not Const
            or isinstance(node.index, t.Slice)
            or not isinstance(index.value, (str, int))
        ):
            if REST in value.attrs:
                return value.attrs[REST]
            part = self.derived(value)
            if not isinstance(node.index, (t.Slice, t.Display)):
                part.attrs["%item"] = True
            return part
        if isinstance(index.value, str):
            value.root.seen.add("struct")
        found = value.attrs.get(item(index.value)) or value.attrs.get(REST)
        if found is None:
            found = Unknown(Root(f"{value.root.label}[{index.value!r}]", value.root.kind), None, value.cause)
            if (
                isinstance(index.value, int)
                or isinstance(value.device, At)
                or value.root.kind == "checkpoint"
            ):
                found.device = value.device
            found.root.seen = value.root.seen if isinstance(index.value, int) else set()
            found.root.source = value.root
            self.write(value.attrs, item(index.value), found)
        return found

    def derived(self, value: Unknown) -> Unknown:
        """Something computed from an unknown value: if that is a tensor, on the same device."""
        out = Unknown(value.root, value.device, value.cause)
        out.attrs["%derived"] = True
        return out

    def _obj_item(self, obj: Obj, index: Any, node: t.Subscript) -> Any:
        if obj.cls is not None:
            getter = obj.cls.find("__getitem__")
            if getter is not None:
                return self.call_function(getter[0].bound(obj), [index], {}, 0)
        if isinstance(node.index, t.Slice):
            return self.sliced(obj)
        if type(index) is Const:
            key = index.value
            if isinstance(key, int) and key < 0 and obj.kind in ("list", "module"):
                count = sum(1 for k in obj.attrs if isinstance(k, tuple))
                key += count if REST not in obj.attrs else 1_000_000
            found = obj.attrs.get(item(key))
            if found is not None:
                return found
            if REST not in obj.attrs and obj.kind in ("dict", "namespace", "object", "instance"):
                return self.remembered(obj, f"[{key!r}]", "item")
            if obj.kind == "dict":
                return obj.attrs[REST]
        last = obj.attrs.get("%last")
        if type(index) is Unknown and type(last) is tuple and last[0] is index.root:
            return last[1]  # what was stored under the same key
        return self.iterate_items(obj) or self.unknown("an item", "item")

    def sliced(self, obj: Obj) -> Any:
        """A slice of a list: another list of the same items."""
        out = Obj(obj.kind if obj.kind != "instance" else "list", obj.site, None, obj.lib)
        out.attrs.update(obj.attrs)
        out.registered = obj.registered
        return out

    def set_item(self, value: Any, index: Any, new: Any, node: t.Subscript) -> None:
        """`value[index] = new`, except for tensors."""
        if type(value) is Cond:
            self.set_item(value.then, index, new, node)
            self.set_item(value.other, index, new, node)
        elif isinstance(value, Obj):
            setter = value.cls.find("__setitem__") if value.cls is not None else None
            if setter is not None:
                self.call_function(setter[0].bound(value), [index, new], {}, 0)
            elif type(index) is Const and isinstance(index.value, (str, int)):
                if "%kept" in value.attrs:
                    new = self.kept(new, value.attrs["%kept"], 1)
                self.write(value.attrs, item(index.value), new)
                self.own_item(value, new)
            elif type(index) is Cond and all(type(key) is Const for _, key in leaves(index)):
                for path, key in leaves(index):
                    self.set_item(value, key, restrict(new, path), node)
            else:
                self._overwrite(value, new)
                self.add_item(value, new, summary=True)
                if type(index) is Unknown and "%derived" not in index.attrs:
                    self.write(value.attrs, "%last", (index.root, new))
        elif type(value) is Unknown:
            if type(index) is Const and isinstance(index.value, (str, int)):
                self.write(value.attrs, item(index.value), new)
            elif value.root.kind != "host" and self.frame.loop and _is_placed(new):  # see `_overwrite`
                for key in [*(k for k in value.attrs if isinstance(k, tuple)), REST]:
                    self.write(value.attrs, key, new)
            if isinstance(new, Obj):
                self.adopt(new)

    def _overwrite(self, obj: Obj, new: Any) -> None:
        """`batch[key] = batch[key].to(device)` in a loop over the keys: every tensor is replaced."""
        known = [(k, v) for k, v in obj.attrs.items() if isinstance(k, tuple) or k == REST]
        if self.frame.loop and _is_placed(new):
            for key, old in known:
                if _is_placed(old):
                    self.write(obj.attrs, key, new)

    def add_item(self, obj: Obj, new: Any, summary: bool = False) -> None:
        """Appends to a container; in a loop, or past a limit, into its summary."""
        self.own_item(obj, new)
        if "%kept" in obj.attrs:
            new = self.kept(new, obj.attrs["%kept"], 1)
        count = sum(1 for k in obj.attrs if isinstance(k, tuple))
        if summary or self.frame.loop or REST in obj.attrs or count >= MAX_ITEMS:
            old = obj.attrs.get(REST)
            self.write(obj.attrs, REST, new if old is None else self.either(self.opaque("item"), old, new))
        else:
            self.write(obj.attrs, item(count), new)

    def own_item(self, obj: Obj, new: Any) -> None:
        """A module put into a module container is registered."""
        if obj.is_module:
            for leaf in [new.then, new.other] if type(new) is Cond else [new]:
                if isinstance(leaf, Obj) and leaf.is_module:
                    leaf.attrs.setdefault("%owned", obj)

    def iterate_items(self, obj: Obj) -> Any:
        """What stands for any item of a container, or None if it is empty."""
        out: Any = obj.attrs.get(REST)
        for key, value in obj.attrs.items():
            if isinstance(key, tuple):
                out = value if out is None else self.either(self.opaque("item"), out, value)
        return out

    def iterate(self, value: Any, node: t.Node | None) -> Any:
        """What stands for any element that iterating over the value yields."""
        if type(value) is Cond:
            return each(restrict(value, self.assume), lambda leaf: self.iterate(leaf, node))
        if type(value) is Tuple:
            out = value.rest
            for x in value.items:
                out = x if out is None else self.either(self.opaque("item"), out, x)
            return out if out is not None else self.unknown("an item", "iter")
        if type(value) is Tensor:
            return Tensor(value.device, value.cause, None)
        if isinstance(value, Obj):
            return self.iterate_obj(value, node)
        if type(value) is Unknown:
            found = value.attrs.get("%element")
            if value.root.kind == "checkpoint":
                return Unknown(Root("a key", "key"))
            if found is None:
                root = Root(f"an item of {value.root.label}", "iter")
                found = Unknown(root, value.device if "tensor" in value.root.seen else None)
                if isinstance(value.device, At):
                    found.device, found.cause = value.device, value.cause
                self.write(value.attrs, "%element", found)
            return found
        return self.unknown("an item", "iter")

    def iterate_obj(self, obj: Obj, node: t.Node | None) -> Any:
        """What stands for any element of an object."""
        if obj.cls is not None:
            for name in ("__iter__", "__getitem__"):
                method = obj.cls.find(name)
                if method is not None and isinstance(method[0], Function):
                    args = [] if name == "__iter__" else [self.unknown("index", "host")]
                    out = self.call_function(method[0].bound(obj), args, {}, 0)
                    return self.iterate(out, node) if name == "__iter__" else out
        if obj.kind == "dict":
            return self.unknown("a key", "host")
        found = self.iterate_items(obj)
        return found if found is not None else self.unknown("an item", "iter")

    def unpack(self, value: Any, count: int) -> list[Any]:
        """The value's first `count` elements, for an unpacking assignment."""
        if type(value) is Cond:
            then, other = self.unpack(value.then, count), self.unpack(value.other, count)
            formula = Cond(value.flag, True, False)
            return [self.either(formula, a, b) for a, b in zip(then, other, strict=False)]
        if type(value) is Tuple:
            if len(value.items) >= count:
                return list(value.items[:count])
            fill = value.rest if value.rest is not None else self.unknown("an item", "iter")
            return [*value.items, *([fill] * (count - len(value.items)))]
        if isinstance(value, Obj) and value.kind == "list" and REST not in value.attrs:
            items = [value.attrs.get(item(i)) for i in range(count)]
            if None not in items:
                return items
        if type(value) is Unknown:
            value.root.seen.add("unpacked")
            return [self._element(value, i) for i in range(count)]
        return [self.iterate(value, None)] * count

    def _element(self, value: Unknown, i: int) -> Any:
        found = value.attrs.get(item(i))
        if found is None:
            label = f"{value.root.label}[{i}]" if value.root.kind != "iter" else value.root.label
            found = self.unknown(label, value.root.kind if value.root.kind in ("host", "call") else "iter")
            if isinstance(value.device, At) or "tensor" in value.root.seen:
                found.device, found.cause = value.device, value.cause
            self.write(value.attrs, item(i), found)
        return found

    def loader_tensor(self, step: Step) -> Tensor:
        """A batch that a loader collated: on the CPU, and never 0-dim."""
        return Tensor(CPU, step, False)


def _is_placed(value: Any) -> bool:
    """Whether it is a tensor, or something that has been put on a device, in some case."""
    return any(
        type(leaf) is Tensor or (type(leaf) is Unknown and isinstance(leaf.device, At))
        for leaf in tips(value)
    )
