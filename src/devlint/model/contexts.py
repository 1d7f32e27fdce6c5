"""Which calls are worth entering a function for again.

A function is entered with the values that it is called with, so what it does is known for each caller. But a
second call that says no more of devices than the first would only repeat it: its result is taken from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

from devlint.model.cond import Cond, choose, each, make, tips
from devlint.model.device import UNKNOWN, At, Like
from devlint.model.torch.devices import ACCELERATORS
from devlint.model.value import PLACE, REST, Const, DeviceValue, Function, Obj, Root, Tensor, Tuple, Unknown

PLAIN_ENTRIES = 1
"""How often a function is entered with arguments that say nothing of devices."""
VARIANTS = 4
"""With how many different flags it is."""
BUILD_ENTRIES = 3
"""How often a constructor is: its instances need their attributes."""
TELLING_ENTRIES = 8
"""How often a function is entered at all."""

LISTS = frozenset({"list", "dict", "set", "iterator"})
"""Kinds of containers, whose items may be anything."""


def tells(value: Any, depth: int = 0) -> bool:
    """Whether an argument says where something lives, or is something that can be moved."""
    for leaf in tips(value):
        kind = type(leaf)
        if kind is Tensor:
            if isinstance(leaf.device, At) or leaf.grad == "leaf" or leaf.pinned:
                return True
        elif kind is DeviceValue:
            return True
        elif kind is Unknown:
            if isinstance(leaf.device, At):
                return True
        elif kind is Const:
            if isinstance(leaf.value, str) and leaf.value.partition(":")[0] in ACCELERATORS:
                return True
        elif kind is Tuple and depth < 3:
            if any(tells(x, depth + 1) for x in leaf.items) or (
                leaf.rest is not None and tells(leaf.rest, depth + 1)
            ):
                return True
        elif kind is Obj:
            if leaf.kind not in LISTS:
                return True
            if depth < 3 and any(
                tells(x, depth + 1) for k, x in leaf.attrs.items() if isinstance(k, tuple) or k == REST
            ):
                return True
        elif kind is Function and leaf.self_value is not None:
            return True
    return False


def is_rooted(value: Any) -> bool:
    """Whether what an object keeps says where something is wherever the object goes: a tensor on a device
    that is named, a device, an instance that may keep such things itself."""
    for leaf in tips(value):
        if type(leaf) is DeviceValue or (type(leaf) is Tensor and isinstance(leaf.device, At)):
            return True
        if isinstance(leaf, Obj):
            shared = leaf.kind in LISTS
            if leaf.cls is not None or (shared and any(map(is_rooted, leaf.attrs.values()))):
                return True
    return False


def portable(value: Any) -> bool:
    """Whether a result can stand for that of another call: it has no identity of its own."""
    for leaf in tips(value):
        if type(leaf) is Tuple:
            if not all(portable(x) for x in leaf.items) or (
                leaf.rest is not None and not portable(leaf.rest)
            ):
                return False
        elif type(leaf) not in (Tensor, Unknown, Const, DeviceValue):
            return False
    return True


def surroundings(func: Function, told: tuple[Any, ...]) -> Any:
    """What a function sees: its receiver, the variables around its definition, the arguments that tell."""
    receiver = func.self_value
    own: tuple[Any, ...] = ()
    if isinstance(receiver, Obj):
        own = (receiver.cls, *_marks(receiver.attrs))
    elif receiver is not None:
        own = (receiver,)
    around = _marks(func.closure.vars) if func.closure is not None else ()
    return own, around, tuple(map(_argument, told))


def _argument(value: Any) -> Any:
    """What of an argument decides about the result."""
    kind = type(value)
    if kind is Tensor:
        return value.device, value.grad, value.pinned, value.zero_dim
    if kind is Unknown:
        return value.root, value.device
    if kind is Tuple:
        return tuple(map(_argument, value.items)), _argument(value.rest)
    if kind is Obj:
        shared = value.kind in LISTS
        inner = (
            tuple((k, _argument(v)) for k, v in value.attrs.items() if type(v) is not Obj) if shared else ()
        )
        return (inner or id(value), _marks(value.attrs))
    return value


def _marks(values: dict[Any, Any]) -> tuple[Any, ...]:
    return tuple((key, mark) for key, value in values.items() if (mark := _mark(value)) is not None)


def _mark(value: Any) -> Any:
    """What of a value says where something is, or may decide about a branch."""
    kind = type(value)
    if kind is Tensor or kind is DeviceValue:
        return _mark(value.device)
    if kind is Const:
        return (value.value,) if value.value is None or isinstance(value.value, (bool, str)) else None
    if kind is Obj:
        return _mark(value.attrs.get(PLACE))
    if kind is Like:
        return "module" if value.root.kind == "module" else value
    return value if kind is At or kind is Cond or kind is Function else None


def replica(obj: Obj, onto: Obj | None = None, known: dict[int, Obj] | None = None) -> Obj:
    """Another object like this one, with modules and containers of its own."""
    out = onto if onto is not None else Obj(obj.kind, obj.site, obj.cls, obj.lib)
    known = {} if known is None else known
    known[id(obj)] = out

    def own(leaf: Any) -> Any:
        if not isinstance(leaf, Obj) or not (leaf.is_module or leaf.kind in ("list", "dict", "set")):
            return leaf
        return known.get(id(leaf)) or replica(leaf, known=known)

    for key, value in obj.attrs.items():
        if key == "%owned":
            out.attrs[key] = known.get(id(value), value)
        else:
            out.attrs[key] = each(value, own)
    out.registered = set(obj.registered)
    out.cause, out.root = obj.cause, obj.root
    return out


def exchanged(before: dict[Any, Any], given: dict[Any, Any]) -> dict[int, Obj] | None:
    """The objects to put for those among other arguments, if they differ in nothing else that matters."""
    if before.keys() != given.keys():
        return None
    out: dict[int, Obj] = {}
    for name, old in before.items():
        new = given[name]
        if type(old) is not type(new):
            return None
        if isinstance(old, Obj):
            if (old.kind, old.cls, old.lib) != (new.kind, new.cls, new.lib) and not old.is_module:
                return None
            out[id(old)] = new
        elif type(old) is Const:
            if old != new and not all(type(x.value) in (int, float) for x in (old, new)):
                return None  # numbers say how many, how large
        elif type(old) is not Unknown and old != new:
            return None
    return out


def rehome(value: Any, receiver: Any) -> Any:
    """A result of a method as another receiver's: what was on the first module is on this one."""
    if not isinstance(receiver, Obj) or not receiver.is_module:
        return value
    place = receiver.attrs.get(PLACE)

    def moved(leaf: Any) -> Any:
        if type(leaf) is Tuple:
            rest = rehome(leaf.rest, receiver) if leaf.rest is not None else None
            return Tuple(tuple(rehome(x, receiver) for x in leaf.items), rest)
        if type(leaf) is Tensor and isinstance(leaf.device, Like) and leaf.device.root.kind == "module":
            return each(place, lambda d: Tensor(d, leaf.cause, leaf.zero_dim))
        return leaf

    return each(value, moved)


def renamed(result: Any, before: tuple[Any, ...], given: tuple[Any, ...], opaque: Callable[[], Any]) -> Any:
    """The result of a call with other arguments: what followed an argument follows the one in its place, and
    what depended on it depends on that. `opaque` makes a formula for what cannot be said so."""
    names: dict[Root, Root | None] = {}
    for old, new in zip(before, given, strict=True):
        _pair(old, new, names)
    names = {old: new for old, new in names.items() if old is not new}
    return _Renaming(names, opaque).value(result) if names or any(map(is_made, tips(result))) else result


def is_made(value: Any) -> bool:
    """Whether a value is what a class of a library makes: another one at each call."""
    made = str(value.attrs.get("%class", "")) if type(value) is Unknown else ""
    return made.rsplit(".", 1)[-1][:1].isupper()


def _pair(old: Any, new: Any, names: dict[Root, Root | None]) -> None:
    """Which unknown thing stands for which."""
    if type(old) is Tuple:
        items = (
            new.items if type(new) is Tuple and len(new.items) == len(old.items) else [None] * len(old.items)
        )
        for a, b in zip(old.items, items, strict=True):
            _pair(a, b, names)
        _pair(old.rest, new.rest if type(new) is Tuple else None, names)
    elif type(old) in (Tensor, Unknown):
        if type(old) is Unknown:
            names[old.root] = new.root if type(new) is Unknown else None
        if type(old.device) is Like:
            same = type(new) in (Tensor, Unknown) and type(new.device) is Like
            names.setdefault(old.device.root, new.device.root if same else None)


class _Renaming:
    """Puts other unknown things into values and the flags that they depend on."""

    def __init__(self, names: Mapping[Root, Root | None], opaque: Callable[[], Any]) -> None:
        self._names = names
        self._opaque = opaque
        self._formulas: dict[Any, Any] = {}

    def value(self, tree: Any) -> Any:
        kind = type(tree)
        if kind is Cond:
            then, other = self.value(tree.then), self.value(tree.other)
            formula = self._formula(tree.flag)
            if formula is None:
                return tree if then is tree.then and other is tree.other else make(tree.flag, then, other)
            return choose(formula, then, other)
        if kind is Tuple:
            rest = self.value(tree.rest) if tree.rest is not None else None
            return Tuple(tuple(map(self.value, tree.items)), rest)
        if kind in (Tensor, DeviceValue, Unknown):
            return self._leaf(tree)
        return tree

    def _leaf(self, leaf: Any) -> Any:
        if type(leaf) is Unknown and leaf.root not in self._names and is_made(leaf):
            out = Unknown(Root(leaf.root.label, leaf.root.kind), None, leaf.cause)
            out.attrs["%class"] = leaf.attrs["%class"]  # what was done to the other is not done to it
            return out
        device = self._device(leaf.device)
        if type(leaf) is Unknown and leaf.root in self._names:
            root = self._names[leaf.root] or Root(leaf.root.label, leaf.root.kind)
            out = Unknown(root, device, leaf.cause)
            out.attrs.update(leaf.attrs)
            return out
        if device is leaf.device:
            return leaf
        out = copy(leaf)
        out.device = device
        return out

    def _device(self, device: Any) -> Any:
        if type(device) is not Like or device.root not in self._names:
            return device
        root = self._names[device.root]
        return UNKNOWN if root is None else Like(root, device.named)

    def _formula(self, flag: Any) -> Any:
        """The formula for a flag; None where it stays as it is."""
        if type(flag) is not tuple:
            return None
        if flag not in self._formulas:
            parts = [self._names.get(part, part) if type(part) is Root else part for part in flag]
            if None in parts and None not in flag:
                self._formulas[flag] = self._opaque()
            else:
                named = tuple(
                    frozenset(map(self._device, part)) if type(part) is frozenset else part for part in parts
                )
                self._formulas[flag] = None if named == flag else Cond(named, True, False)
        return self._formulas[flag]
