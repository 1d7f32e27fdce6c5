"""Attributes, items, iteration and unpacking of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from devlint.model.cond import Cond, each, restrict, tips
from devlint.model.device import UNKNOWN, At, Like
from devlint.model.events import Store
from devlint.model.machine import MISSING, Machine
from devlint.model.torch.methods import METHODS, PROPERTIES
from devlint.model.value import (
    FALSE,
    PLACE,
    REST,
    Bound,
    Class,
    Const,
    DeviceValue,
    FileValue,
    Function,
    Lib,
    Obj,
    Root,
    Step,
    Super,
    Tensor,
    Tuple,
    Unknown,
    Value,
)
from devlint.syntax import tree as t

NAMED_RESULTS = ("values", "indices")
SAME_TENSOR = frozenset({"data", "grad", "T", "mT", "H", "mH", "real", "imag"})
HOST_PROPERTIES = frozenset({"shape", "dtype", "ndim", "layout", "itemsize", "nbytes", "names"})


def method_kind(node: t.FunctionDef) -> str:
    """ "plain", "static", "class", "property" or "setter", by the function's decorators."""
    if node.facts is None:
        kind = "plain"
        for d in node.decorators:
            name = d.id if isinstance(d, t.Name) else d.attr if isinstance(d, t.Attr) else ""
            if name in ("property", "cached_property", "lazy_property"):
                kind = "property"
            elif name in ("staticmethod", "classmethod"):
                kind = name.removesuffix("method")
            elif name in ("setter", "deleter"):
                kind = "setter"
        node.facts = kind
    return str(node.facts)


class Attributes(Machine):
    """The part of the machine that reads and writes attributes and items."""

    def get_attr(self, value: Any, name: str, node: t.Expr) -> Any:
        """`value.name`."""
        if type(value) is Cond:
            return self.attr_of_each(value, name, lambda leaf: self.get_attr(leaf, name, node))
        if type(value) is Lib:
            return self.lib_attr(f"{value.name}.{name}", node)
        if isinstance(value, Obj):
            return self._obj_attr(value, name, node)
        if type(value) is Tensor:
            return self._tensor_attr(value, name)
        if type(value) is Unknown:
            return self._unknown_attr(value, name)
        if type(value) is DeviceValue:
            return self._device_attr(value, name, node)
        if type(value) is FileValue:
            return self.file_attr(value, name)
        if type(value) is Class:
            return self._class_attr(value, name)
        if type(value) is Super:
            return self._super_attr(value, name)
        if type(value) is Tuple and name in NAMED_RESULTS and len(value.items) == 2:
            return value.items[NAMED_RESULTS.index(name)]  # torch.return_types
        return Bound(value, name)

    def attr_of_each(self, value: Cond, name: str, get: Callable[[Any], Any]) -> Any:
        """An attribute of what is this or that. Where that is nothing known, `getattr(torch, kind)` or
        torch.cuda, the program has chosen a library's: using it is no event."""
        left = restrict(value, self.assume)
        chosen = any(type(leaf) is Unknown for leaf in tips(left))
        return each(left, lambda x: Lib(f"{x.name}.{name}") if chosen and type(x) is Lib else get(x))

    def lib_attr(self, name: str, node: t.Expr) -> Any:
        """A name of a library."""
        return Lib(name)

    def file_attr(self, value: FileValue, name: str) -> Any:
        """A name of another file of the project, or its submodule."""
        found = value.file.globals.get(name, MISSING)
        if found is not MISSING:
            return found
        path = self.program.find(value.file, name, 1)
        if path is not None and value.file.path.endswith("__init__.py"):
            file = self.import_file(path)
            if file is not None:
                return FileValue(file)
        found = self.from_stars(value.file, name) or self.imported_later(value.file, name)
        return found or self.unknown(name, "global")

    def from_stars(self, file: Any, name: str, seen: frozenset[Any] = frozenset()) -> Any:
        """A name that a star import of the file brings, or None."""
        seen |= {file}
        for star in file.stars:
            if type(star) is FileValue and star.file not in seen:
                found = star.file.globals.get(name) or self.from_stars(star.file, name, seen)
                if found is not None:
                    return found
        return None

    def imported_later(self, file: Any, name: str) -> Any:
        """A name that one of a file's imports for type checkers brings to others, or None."""
        raise NotImplementedError

    def _tensor_attr(self, value: Tensor, name: str) -> Any:
        if name == "device":
            return DeviceValue(value.device)
        if name in ("is_cuda", "is_cpu"):
            return self.from_formula(self.device_type_is(value.device, name[3:]))
        if name in SAME_TENSOR:
            return value if name == "data" else Tensor(value.device, value.cause, value.zero_dim)
        if name == "requires_grad" and value.grad == "frozen":
            return FALSE
        if name in HOST_PROPERTIES:
            return self.unknown(name, "host")
        if name in PROPERTIES:
            return self.unknown(name, "host")
        return Bound(value, name)

    def device_type_is(self, device: Any, kind: str) -> Any:
        """The formula of `device.type == kind`."""
        if isinstance(device, At):
            return device.type == kind
        return Cond(("compare", device.root if isinstance(device, Like) else device, kind), True, False)

    def _unknown_attr(self, value: Unknown, name: str) -> Any:
        if name == "device" and name not in value.attrs:
            return DeviceValue(value.device)
        if name in ("is_cuda", "is_cpu"):
            value.root.seen.add("tensor")
            return self.from_formula(self.device_type_is(value.device, name[3:]))
        if name in SAME_TENSOR and "array" not in value.root.seen:
            return Unknown(value.root, value.device, value.cause)
        found = value.attrs.get(name)
        if found is None:
            if name not in PROPERTIES and name not in METHODS:
                value.root.seen.add("struct")
            if name in HOST_PROPERTIES:
                value.root.seen.add("shape")
                found = self.unknown(f"{value.root.label}.{name}", "host")
            else:
                kind = "attribute" if value.root.kind not in ("iter", "host") else value.root.kind
                found = self.unknown(f"{value.root.label}.{name}", kind)
                if isinstance(value.device, At):
                    found.device, found.cause = value.device, value.cause
            self.write(value.attrs, name, found)
        return found

    def _device_attr(self, value: DeviceValue, name: str, node: t.Expr) -> Any:
        device = value.device
        if isinstance(node, t.Attr):
            self.compare_only(value, node.value)
        if name == "type":
            if isinstance(device, At):
                return Const(device.type)
            root = device.root if isinstance(device, Like) else Root("device", "device")
            return Unknown(root, None)
        if name == "index":
            return Const(device.index) if isinstance(device, At) else self.unknown("device.index", "host")
        return Bound(value, name)

    def _class_attr(self, cls: Class, name: str) -> Any:
        found = cls.find(name)
        if found is None:
            return Const(cls.node.name) if name == "__name__" else Bound(cls, name)
        value = found[0]
        if isinstance(value, Function) and isinstance(value.node, t.FunctionDef):
            return value.bound(cls) if method_kind(value.node) == "class" else value
        return value

    def _super_attr(self, value: Super, name: str) -> Any:
        self_value = value.self_value
        cls = self_value.cls if isinstance(self_value, Obj) else self_value
        mro = cls.mro if isinstance(cls, Class) else value.owner.mro
        after = mro[mro.index(value.owner) + 1 :] if value.owner in mro else value.owner.mro[1:]
        for base in after:
            found = base.attrs.get(name)
            if found is not None:
                return self.bind(found, self_value, name)
        return Bound(self_value, "super." + name)

    def bind(self, value: Any, receiver: Any, name: str) -> Any:
        """A class attribute as an instance sees it: methods bound, properties read."""
        if type(value) is Cond:
            return each(value, lambda leaf: self.bind(leaf, receiver, name))
        if not isinstance(value, Function) or not isinstance(value.node, t.FunctionDef):
            return value
        kind = method_kind(value.node)
        if kind == "static":
            return value
        if kind == "class":
            return value.bound(receiver.cls if isinstance(receiver, Obj) and receiver.cls else receiver)
        if kind == "property":
            return self.call_function(value.bound(receiver), [], {}, 0)
        return value.bound(receiver)

    def _obj_attr(self, obj: Obj, name: str, node: t.Expr) -> Any:
        found = obj.attrs.get(name)
        if found is not None:
            return found
        if obj.cls is not None:
            in_class = obj.cls.find(name)
            if in_class is not None:
                return self.bind(in_class[0], obj, name)
        return self.lib_obj_attr(obj, name, node)

    def lib_obj_attr(self, obj: Obj, name: str, node: t.Expr) -> Any:
        """An attribute that the project does not define: a library's, or unknown."""
        raise NotImplementedError

    def remembered(self, obj: Obj, name: str, kind: str = "attribute") -> Any:
        """An unknown attribute of an object: the same value at every read."""
        out = self.unknown(f"self.{name}" if obj.kind == "instance" else name, kind)
        self.write(obj.attrs, name, out)
        return out

    def set_attr(self, value: Any, name: str, new: Any, node: t.Node) -> None:
        """`value.name = new`."""
        if type(value) is Cond:
            for target in (value.then, value.other):
                self.set_attr(target, name, new, node)
        elif isinstance(value, Obj):
            self._set_obj_attr(value, name, new, node)
        elif type(value) is Tensor:
            step = value.cause
            if name == "requires_grad" and new == FALSE and step is not None and step.kind == "module":
                if isinstance(step.owner, Obj):
                    step.owner.attrs["%frozen"] = True
        elif isinstance(value, (Unknown, Class)):
            self.write(value.attrs, name, new)
        elif type(value) is Tensor and name == "data" and value.cause is not None:
            owner = value.cause.owner if value.cause.kind == "module" else None
            if isinstance(owner, Obj) and not (type(new) is Tensor and new.device == value.device):
                self.write(owner.attrs, PLACE, UNKNOWN)  # its parameters are replaced, one by one
            if isinstance(new, Obj):
                self.adopt(new)  # by what may be a module
        elif type(value) is FileValue:
            self.write(value.file.globals, name, new)

    def _set_obj_attr(self, obj: Obj, name: str, new: Any, node: t.Node) -> None:
        if obj.cls is not None:
            in_class = obj.cls.find(name)
            if in_class is not None and isinstance(in_class[0], Function):
                setter = in_class[0].node
                if isinstance(setter, t.FunctionDef) and method_kind(setter) in ("setter", "property"):
                    if method_kind(setter) == "setter":
                        self.call_function(in_class[0].bound(obj), [new], {}, 0)
                    return
        if obj.is_module:
            new = self.module_attr(obj, name, new, node)
        self.write(obj.attrs, name, new)

    def module_attr(self, obj: Obj, name: str, new: Any, node: t.Node) -> Any:
        """What an attribute of a module becomes: modules and parameters are registered by the assignment
        (torch.nn.Module.__setattr__), a plain tensor is not, unless the name is a buffer's already."""
        site = self.site(node)
        leaf: Any
        stack = [new]
        while stack:
            leaf = stack.pop()
            if type(leaf) is Cond:
                stack += [leaf.then, leaf.other]
            elif (isinstance(leaf, Obj) and leaf.is_module) or (
                type(leaf) is Tensor and leaf.grad == "param"
            ):
                obj.registered.add(name)
                if isinstance(leaf, Obj):
                    leaf.attrs.setdefault("%owned", obj)
        if name in obj.registered:
            return new
        self.stores.setdefault(id(obj), []).append((name, new, site))
        self.emit(Store(site, self.bare_where(), obj, name, new, False))

        if obj.cls is not None and any(obj.cls.find(n) is not None for n in ("_apply", "to", "cuda")):
            return new  # what such a class moves besides what is registered is its own affair
        return self.kept(new, Step("store", site, f"kept as the plain attribute `{name}`", None, obj))

    def kept(self, value: Any, step: Step, depth: int = 0) -> Any:
        """A value that became a plain attribute of a module, as `step` says: its tensors, also those in lists
        and dicts, have that as their cause. Parameters in lists are another matter."""

        def leaf(x: Any) -> Any:
            if type(x) is Tensor and x.cause is not None and x.cause.kind == "move":
                return x  # put there on purpose
            if type(x) is Tensor and not (depth and x.grad == "param"):
                cause = Step(step.kind, step.site, step.text, x.cause, step.owner)
                return Tensor(x.device, cause, x.zero_dim, x.grad, x.pinned)
            if type(x) is Tuple and depth < 3:
                rest = self.kept(x.rest, step, depth + 1) if x.rest is not None else None
                return Tuple(tuple(self.kept(i, step, depth + 1) for i in x.items), rest)
            if isinstance(x, Obj) and x.is_module and depth:
                x.attrs["%stray"] = True  # unless it is registered elsewhere, nothing moves it
            if isinstance(x, Obj) and x.kind in ("list", "dict") and depth < 3 and "%kept" not in x.attrs:
                self.write(x.attrs, "%kept", step)
                for key, inner in list(x.attrs.items()):
                    if isinstance(key, tuple) or key == REST:
                        self.write(x.attrs, key, self.kept(inner, step, depth + 1))
            return x

        return each(value, leaf)

    def strip_prefix(self, node: t.Node) -> None:
        """`module.` is cut from a key by hand (see `watch`)."""
        raise NotImplementedError


def is_none(value: Value) -> bool:
    """Whether a leaf is None."""
    return type(value) is Const and value.value is None
