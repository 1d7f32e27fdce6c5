"""Calls: what is called, methods of what is no instance of the project, making instances."""

from __future__ import annotations

import sys
from typing import Any

from devlint.model.cond import Cond, each, restrict, tips
from devlint.model.contexts import (
    LISTS,
    TELLING_ENTRIES,
    exchanged,
    replica,
)
from devlint.model.device import CPU, UNKNOWN, At
from devlint.model.entering import Entering
from devlint.model.events import Build
from devlint.model.libraries import COPY_MOVING, PLACERS
from devlint.model.library import canonical
from devlint.model.machine import MORE_POSITIONAL
from devlint.model.torch.methods import MOVES
from devlint.model.torch.modules import OPTIMIZERS, SCALERS, SCHEDULERS
from devlint.model.value import (
    NONE,
    PLACE,
    REST,
    Bound,
    Class,
    Const,
    DeviceValue,
    Function,
    Lib,
    Obj,
    Partial,
    Root,
    Spread,
    Tensor,
    Tuple,
    Unknown,
    item,
)
from devlint.syntax import tree as t


class Calls(Entering):
    """The part of the machine that calls."""

    def call(self, func: Any, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int = 0) -> Any:
        """The result of a call."""
        kind = type(func)
        if kind is Cond:
            func = restrict(func, self.assume)
            if type(func) is Cond:
                return self.per_leaf(func, lambda leaf: self._call_assumed(leaf, args, kwargs, node, extra))
            kind = type(func)
        if kind is Function:
            return self.call_function(func, args, kwargs, extra)
        if kind is Class:
            return self.instantiate(func, args, kwargs, node, extra)
        if kind is Partial:
            return self.call(func.func, [*func.args, *args], {**func.kwargs, **kwargs}, node, extra)
        if isinstance(func, Obj) and func.cls is not None:
            return self._call_obj(func, args, kwargs, node, extra)
        if extra & MORE_POSITIONAL:
            args = [a.element if type(a) is Spread else a for a in args]
        if kind is Lib:
            return self.call_lib(func.name, args, kwargs, node, extra)
        if kind is Bound:
            return self.call_bound(func.receiver, func.name, args, kwargs, node, extra)
        if isinstance(func, Obj):
            return self._call_obj(func, args, kwargs, node, extra)
        if kind is Unknown:
            return self._call_unknown(func, args)
        return self.unknown("a call", "call")

    def _call_assumed(
        self, func: Any, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int
    ) -> Any:
        """A call under an assumption that the arguments may depend on too."""
        args = [restrict(value, self.assume) for value in args]
        kwargs = {name: restrict(value, self.assume) for name, value in kwargs.items()}
        return self.call(func, args, kwargs, node, extra)

    def _call_unknown(self, func: Unknown, args: list[Any]) -> Any:
        func.root.seen.add("asked")
        self.adopt_given(args)
        out = self.unknown(f"{func.root.label}()", "call")
        if isinstance(func.device, At) and "module" in func.root.seen:
            out.device, out.cause = func.device, func.cause  # a module that was moved there
        if "%asks" in func.attrs:
            out.attrs["%asks"] = True
        return out

    def _call_obj(self, obj: Obj, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        if obj.cls is not None:
            method = obj.cls.find("__call__")
            if method is not None and isinstance(method[0], Function):
                return self.call_function(method[0].bound(obj), args, kwargs, extra)
        if obj.is_module:
            return self.call_module(obj, args, kwargs, node, extra)
        return self.unknown("a call", "call")

    def call_bound(
        self, receiver: Any, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int
    ) -> Any:
        """A method of something that is no instance of the project."""
        if (
            type(receiver) in (Const, Cond)
            and isinstance(node, t.Call)
            and isinstance(node.func, t.Attr)
            and isinstance(node.func.value, t.Compare)
        ):
            receiver = Unknown(Root("a comparison", "call"), UNKNOWN)  # a truth has no methods: it is none
        if type(receiver) is Cond:
            return self.per_leaf(
                receiver, lambda leaf: self.call_bound(leaf, name, args, kwargs, node, extra)
            )
        if name == "synchronize":
            self.waits += 1  # of a stream, an event, a device module
        if name == "load_state_dict" and _has_no_tensors(receiver):
            self.becomes_state(args[:1])
        if type(receiver) is Unknown and "%class" in receiver.attrs:
            full = f"{receiver.attrs['%class']}.{name}"
            if full in PLACERS:
                return self.placed_by_framework(args)
        if type(receiver) is Unknown and receiver.root.kind in ("checkpoint", "key"):
            out = self.checkpoint_method(receiver, name, args, node)
            if out is not None:
                return out
        if type(receiver) is Unknown and name == "keys" and not args:
            return self.iterator(self.unknown("a key", "host"))
        if type(receiver) is Unknown and name == "update":
            self._update(receiver, args, kwargs)
        if type(receiver) is Tensor or type(receiver) is Unknown:
            return self.tensor_method(receiver, name, args, kwargs, node, extra)
        name = name.removeprefix("super.")
        if isinstance(receiver, Obj):
            return self._obj_method(receiver, name, args, kwargs, node, extra)
        if type(receiver) is Const and isinstance(receiver.value, str):
            return self._str_method(receiver, name, args)
        if isinstance(receiver, Class):
            if receiver.kind == "module" and name.startswith(("from_", "load_")):
                obj = Obj("module", self.site(node), None, "?")
                obj.attrs[PLACE] = CPU
                return obj
            forward = receiver.find("forward") if name == "apply" else None
            if forward is not None and "torch.autograd.Function" in receiver.libs:
                return self.call(forward[0], [self.unknown("ctx", "context"), *args], kwargs, node, extra)
            return self.unknown(f"{receiver.node.name}.{name}()", "call")
        return self.unknown(f".{name}()", "call")

    def _update(self, batch: Unknown, args: list[Any], kwargs: dict[str, Any]) -> None:
        """`batch.update({"x": x.to(device)})`: what may be a dict has these items now."""
        given = args[0] if args else None
        new = given.attrs if isinstance(given, Obj) and given.kind == "dict" else {}
        if REST in new:
            for key in [k for k in batch.attrs if isinstance(k, tuple)]:
                self.write(batch.attrs, key, new[REST])
            self.write(batch.attrs, REST, new[REST])
        for key, value in [*new.items(), *((item(name), value) for name, value in kwargs.items())]:
            if isinstance(key, tuple):
                self.write(batch.attrs, key, value)

    def _obj_method(
        self, obj: Obj, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int
    ) -> Any:
        if name == "__init__" and "device" in kwargs and "device" not in obj.attrs:
            self._keep_device(obj, kwargs["device"])
        if obj.is_module:
            out = self.module_method(obj, name, args, kwargs, node)
            if out is not None:
                return out
        elif obj.kind in LISTS:
            return self.container_method(obj, name, args, kwargs, node)
        elif obj.kind == "mover" and (
            name in MOVES or name in ("pin_memory", "clone", "contiguous", "detach")
        ):
            return self._move_mover(obj, name, args, kwargs, node, extra)
        elif obj.kind == "distribution":
            return self.distribution_method(obj, name, args, node)
        elif obj.kind == "parser":
            return self.parser_method(obj, name, args, kwargs, node)
        elif obj.kind == "generator" and name in ("manual_seed", "set_state"):
            if name == "set_state":
                self.call_lib("torch.set_rng_state", args, kwargs, node, extra)
            return obj
        if name in ("__init__", "__setattr__", "__init_subclass__"):
            if name == "__setattr__" and len(args) == 2 and type(args[0]) is Const:
                self.set_attr(obj, str(args[0].value), args[1], node)
            return NONE
        return self.unknown(f".{name}()", "call")

    def _keep_device(self, obj: Obj, device: Any) -> None:
        """A library's base class is given a device: that is what `self.device` is from now on."""
        kept = each(self.as_devices(device), lambda d: DeviceValue(UNKNOWN if d is None else d, text=True))
        self.write(obj.attrs, "device", kept)

    def checkpoint_method(self, receiver: Unknown, name: str, args: list[Any], node: t.Expr) -> Any:
        """A method of what torch.load returned, or of a key of it."""
        if receiver.root.kind == "key":
            if name in ("replace", "removeprefix") and args and args[0] == Const("module."):
                self.strip_prefix(node)
            return Unknown(receiver.root) if name in ("replace", "removeprefix") else None
        key = Unknown(Root("a key", "key"))
        value = receiver.attrs.get("%element")
        if value is None:
            value = Unknown(Root("a saved tensor", "checkpoint"), receiver.device, receiver.cause)
        if name in ("items", "values"):
            self.write(receiver.attrs, "%element", value)
        if name in ("items", "keys", "values"):
            return self.iterator({"items": Tuple((key, value)), "keys": key}.get(name, value))
        return value if name in ("get", "pop", "copy") else None

    def _move_mover(
        self, obj: Obj, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int
    ) -> Any:
        """`.to()` of what holds tensors: in place, or on a copy."""
        target = obj
        if obj.lib in COPY_MOVING or name not in MOVES:
            target = Obj("mover", obj.site, None, obj.lib)
            target.attrs.update(obj.attrs)
        if name in MOVES:
            for key, value in list(obj.attrs.items()):
                if any(type(leaf) is Tensor for leaf in tips(value)):
                    moved = each(value, lambda leaf: self.moved_leaf(leaf, name, args, kwargs, node))
                    self.write(target.attrs, key, moved)
        return target

    def moved_leaf(self, leaf: Any, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        """A tensor inside something that is moved."""
        before = len(self.events)
        out = self.tensor_method(leaf, name, args, kwargs, node, 0) if type(leaf) is Tensor else leaf
        del self.events[before:]
        return out

    def _str_method(self, receiver: Const, name: str, args: list[Any]) -> Any:
        text = str(receiver.value)
        if name in ("startswith", "endswith") and len(args) == 1:
            if type(args[0]) is Const and isinstance(args[0].value, str):
                return Const(getattr(text, name)(args[0].value))
        if name in ("lower", "upper", "strip") and not args:
            return Const(getattr(text, name)(), receiver.site)
        out = self.unknown("a string", "host")
        if name == "format":
            if args and all(type(a) is Const and type(a.value) in (int, str) for a in args):
                try:
                    return Const(text.format(*(a.value for a in args)), receiver.site)
                except (ValueError, LookupError):
                    return out
            out.attrs["%text"] = text
        return out

    # -- classes -------------------------------------------------------------------------------------

    def instantiate(
        self, cls: Class, args: list[Any], kwargs: dict[str, Any], node: t.Node, extra: int
    ) -> Obj:
        """An instance of a class of the project."""
        site = self.site(node)
        obj = Obj("instance", site, cls)
        if cls.kind == "module":
            ambient = self.frame.ambient if self.frame.ambient is not None else self.default_device
            obj.attrs[PLACE] = CPU if ambient is None else self.as_devices(ambient)
        init = cls.find("__init__")
        if init is not None and isinstance(init[0], Function):
            before = id(init[0].node) in self.entered, len(obj.attrs)
            self._note_lists(init[0].node, args, kwargs)
            self.call_function(init[0].bound(obj), args, kwargs, extra)
            self._keep_model(obj, *before, {**dict(enumerate(args)), **kwargs})
        else:
            self._fields(cls, obj, args, kwargs, node)
        self.loosen(obj)
        for lib in cls.libs:
            if canonical(lib) in OPTIMIZERS:
                params = args[0] if args else kwargs.get("params")
                self.watch_optimizer(params, site, True)
        if cls.kind == "module":
            self.ended.append(obj)
            self.emit(Build(site, self.bare_where(), obj, ""))
        return obj

    def _note_lists(self, init: t.FunctionDef, args: list[Any], kwargs: dict[str, Any]) -> None:
        """Which parameters a constructor is given a list for: what is made of those is not 0-dim."""
        given = dict(zip((p.name for p in init.params[1:]), args, strict=False)) | kwargs
        for p in init.params[1:]:
            value = given.get(p.name)
            is_list = type(value) is Tuple or (isinstance(value, Obj) and value.kind == "list")
            self.listed[id(init), p.name] = is_list and self.listed.get((id(init), p.name), True)

    def _keep_model(self, obj: Obj, again: bool, bare: int, given: dict[Any, Any]) -> None:
        """An instance that was made as others before, so that its constructor was not entered, is like one
        that was made of the same."""
        made = self.first_made.setdefault(id(obj.cls), [])
        if len(obj.attrs) > bare:
            if len(made) < TELLING_ENTRIES:
                own = {id(x): x for x in given.values() if isinstance(x, Obj)}
                made.append((given, replica(obj, known=own)))
            return
        for before, first in made if again else ():
            known = exchanged(before, given)
            if known is not None:
                place = obj.attrs.get(PLACE)
                replica(first, obj, known)
                if place is not None and place != first.attrs.get(PLACE):
                    self.place(obj, place)
                return

    def loosen(self, obj: Obj) -> None:
        """An instance of which a base is not known was made: that may place the modules it holds."""
        cls = obj.cls
        if cls is None or cls.kind == "module" or all(map(_is_plain, cls.libs)):
            return
        for value in list(obj.attrs.values()):
            for leaf in tips(value):
                if isinstance(leaf, Obj) and leaf.is_module:
                    self.place(leaf, UNKNOWN)

    def _fields(self, cls: Class, obj: Obj, args: list[Any], kwargs: dict[str, Any], node: t.Node) -> None:
        """The fields of a dataclass (dataclasses, Python documentation) or a NamedTuple."""
        at = 0
        for base in reversed(cls.mro):
            for name, default in base.attrs.get("%fields", ()):
                if name in kwargs:
                    value = kwargs[name]
                elif at < len(args):
                    value = args[at]
                    at += 1
                else:
                    value = self._field_default(default, name)
                obj.attrs[name] = value
        after = cls.find("__post_init__")
        if after is not None and isinstance(after[0], Function):
            self.call_function(after[0].bound(obj), [], {}, 0)

    def _field_default(self, default: Any, name: str) -> Any:
        if isinstance(default, Obj) and default.kind == "field":
            factory = default.attrs.get("default_factory")
            if factory is not None:
                return self.call(factory, [], {}, t.Unspelled(default.site.node))
            default = default.attrs.get("default")
        return default if default is not None else self.unknown(name, "attribute")


def _has_no_tensors(receiver: Any) -> bool:
    """Whether something keeps numbers only in its state: a scaler of gradients, a schedule of rates."""
    if type(receiver) is Unknown:
        return str(receiver.attrs.get("%class", "")) in SCALERS
    return isinstance(receiver, Obj) and receiver.lib in SCHEDULERS


def _is_plain(base: str) -> bool:
    """Whether a library's class does nothing to the modules that its instances hold."""
    root = base.split(".", 1)[0]
    return root in sys.stdlib_module_names or root in ("builtins", "torch", "typing_extensions")
