"""The device that is at hand at a place: a name in scope, an attribute, the device of a tensor there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from devlint.fix.values import (
    Names,
    devices_of,
    follows_input,
    has_device,
    has_parameters,
    is_device,
    is_module,
    lookup,
    may_be_device,
    properties,
)
from devlint.model.value import DeviceValue, Obj, Site, Unknown
from devlint.syntax import tree as t
from devlint.syntax.walk import (
    Level,
    bound_at_end,
    bound_before,
    bound_names,
    scopes_on,
    targets,
    walk,
    way_to,
)


class Scene:
    """A place in a file: the way to its statement, the functions around it, and the names in scope there.

    A name counts as being there only if it is bound on every way to the place.
    """

    def __init__(self, site: Site, names: Names) -> None:
        self.site = site
        self.names = names or (site.file.globals,)
        self.tree = site.file.tree
        self.way = way_to(self.tree, site.stmt)

    @property
    def functions(self) -> list[t.FunctionDef]:
        """The functions around the place, innermost first."""
        return [scope for scope in reversed(scopes_on(self.way)) if isinstance(scope, t.FunctionDef)]

    @property
    def method(self) -> tuple[t.FunctionDef, str] | None:
        """The method around the place and the name of its receiver; None elsewhere."""
        scopes = scopes_on(self.way)
        for outer, inner in pairwise(scopes):
            if isinstance(outer, t.ClassDef) and isinstance(inner, t.FunctionDef):
                decorators = {d.id for d in inner.decorators if isinstance(d, t.Name)}
                if inner.params and not decorators & {"staticmethod", "classmethod"}:
                    name = inner.params[0].name
                    return (inner, name) if inner.params[0].kind != "star" else None
        return None

    def has(self, name: str) -> bool:
        """Whether a name is bound here for sure, whichever scope it is from."""
        for function in self.functions:
            if name not in bound_names(function):
                continue
            if function is self.functions[0]:
                return bound_before(self.way, name)
            return bound_at_end(function, name)
        return bound_at_end(self.tree, name) if self.functions else bound_before(self.way, name)

    def parameters(self) -> Iterator[str]:
        """The names of the parameters of the functions around, innermost first."""
        for function in self.functions:
            yield from (p.name for p in function.params if p.kind not in ("star", "starstar"))


class Ambiguous(Exception):
    """There are several devices at hand, and nothing says which is meant."""


def at_hand(scene: Scene) -> str | None:
    """The device that a name, or an attribute of a name, in scope has; None if there is none.

    Raises:
        Ambiguous: there are several, and none is called `device`.
    """
    for scope in scene.names:
        found = {name: value for name, value in scope.items() if _visible(scene, scope, name)}
        devices = {
            name: value
            for name, value in found.items()
            if (is_device(value, name) or (name == "device" and may_be_device(value))) and scene.has(name)
        }
        for name, value in found.items():
            if isinstance(value, (Obj, Unknown)) and scene.has(name):
                inner = _attribute(scene, name, value)
                if inner is not None:
                    devices[inner[0]] = inner[1]
        if devices:
            return _the_one(devices)
    return None


def _visible(scene: Scene, scope: Any, name: str) -> bool:
    return name.isidentifier() and lookup(scene.names, name) is scope[name]


def _the_one(devices: dict[str, Any]) -> str:
    """The name called `device`, else `self.device`, else `x.device`, else the only one (several names of one
    device count as one)."""
    for name in ("device", "self.device"):
        if name in devices:
            return name
    called = [name for name in devices if name.endswith(".device")] or list(devices)
    first, *others = called
    if all(devices[other] == devices[first] for other in others):
        return first
    raise Ambiguous


def _attribute(scene: Scene, name: str, value: Any) -> tuple[str, Any] | None:
    if "device" in properties(value):
        return (f"{name}.device", None) if not _is_own_property(scene) else None
    if has_device(value):
        return (f"{name}.device", None) if not _is_building(scene, name) else None
    inner = value.attrs.get("device")
    if inner is None or not (is_device(inner, "device") or may_be_device(inner)):
        return None
    if _is_building(scene, name) and not _sets_before(scene, name, "device"):
        return None
    return f"{name}.device", inner


def _is_building(scene: Scene, name: str) -> bool:
    """Whether the place is in the `__init__` of the object that has this name."""
    method = scene.method
    return method is not None and method[1] == name and method[0].name == "__init__"


def _is_own_property(scene: Scene) -> bool:
    method = scene.method
    return method is not None and method[0].name == "device"


def _sets_before(scene: Scene, name: str, attr: str) -> bool:
    """Whether an earlier statement on the way here sets an attribute of a name."""
    return any(
        isinstance(target, t.Attr)
        and target.attr == attr
        and isinstance(target.value, t.Name)
        and target.value.id == name
        for level in scene.way
        for stmt in level.block[: level.at]
        for target in targets(stmt)
    )


def of_tensor(scene: Scene, wanted: Callable[[Any], bool], near: t.Node | None = None) -> str | None:
    """`x.device` of a tensor in scope whose device is the wanted one: one that `near` names, else a
    parameter, else the newest variable."""
    names = [n.id for n in walk(near) if isinstance(n, t.Name)] if near is not None else []
    names += scene.parameters()
    if scene.functions:
        names += reversed([name for name in scene.names[0] if name.isidentifier()])
    for name in dict.fromkeys(names):
        there = any(map(wanted, devices_of(lookup(scene.names, name)))) and scene.has(name)
        if there and not _may_be_other(scene, name):
            return f"{name}.device"
    return None


def of_input(scene: Scene) -> str | None:
    """The device of the first parameter that is known to be a tensor which its user may have moved."""
    for name in scene.parameters():
        found = devices_of(lookup(scene.names, name))
        there = any(map(follows_input, found)) and scene.has(name) and not _may_be_other(scene, name)
        if there and not _is_moved(scene, name):
            return f"{name}.device"
    return None


def _may_be_other(scene: Scene, name: str) -> bool:
    """Whether what acts as a tensor may be None, or something that holds tensors, as far as the function
    around says: in a parameter's default or annotation, or by what it asks."""
    function = scene.functions[0] if scene.functions else None
    if function is None:
        return False
    given = next((p for p in function.params if p.name == name), None)
    if given is not None and given.annotation is not None and any(map(_is_holder, walk(given.annotation))):
        return True
    if any(_is_something(level, name) for level in scene.way):
        return False
    if given is not None and isinstance(given.default, t.Const) and given.default.value is None:
        return True
    return any(_asks(node, name) for node in walk(*function.body))


def _is_something(level: Level, name: str) -> bool:
    """Whether a block is entered only where a variable is not None."""
    if not isinstance(level.owner, t.If):
        return False
    return _asks(level.owner.test, name) == ("IsNot" if level.block is level.owner.body else "Is")


def _is_holder(annotation: t.Node) -> bool:
    """`Tuple[...]`, `list[...]`, `Dict[...]`: what has items, and no device."""
    if not isinstance(annotation, t.Subscript):
        return False
    base = annotation.value
    name = base.attr if isinstance(base, t.Attr) else base.id if isinstance(base, t.Name) else ""
    return name.lower() in ("dict", "iterable", "list", "mapping", "sequence", "set", "tuple")


def _asks(node: t.Node, name: str) -> str:
    """How an expression compares a variable with None: "Is", "IsNot"; empty if it does not."""
    if not isinstance(node, t.Compare) or not isinstance(node.left, t.Name) or node.left.id != name:
        return ""
    op, other = node.rest[0]
    return op if isinstance(other, t.Const) and other.value is None and op in ("Is", "IsNot") else ""


def of_argument(scene: Scene) -> str | None:
    """`next(model.parameters()).device` of a module that the function was given and does not move itself."""
    receiver = scene.method[1] if scene.method is not None else ""
    for name in scene.parameters():
        value = lookup(scene.names, name) if name != receiver else None
        known = is_module(value) or (type(value) is Unknown and _acts_as_module(scene, name))
        if known and scene.has(name) and not _is_moved(scene, name):
            return f"next({name}.parameters()).device"
    return None


def _acts_as_module(scene: Scene, name: str) -> bool:
    """Whether the function calls something, and puts it into evaluation or training mode."""
    calls = [node.func for node in walk(*scene.functions[0].body) if isinstance(node, t.Call)]
    modes = [
        func.attr
        for func in calls
        if isinstance(func, t.Attr) and isinstance(func.value, t.Name) and func.value.id == name
    ]
    called = any(isinstance(func, t.Name) and func.id == name for func in calls)
    return called and bool({"eval", "train"} & set(modes))


def same_device(scene: Scene, device: Any) -> str | None:
    """A name in scope that holds this very device."""
    for scope in scene.names:
        for name, value in scope.items():
            same = type(value) is DeviceValue and value.device == device
            if same and _visible(scene, scope, name) and scene.has(name):
                return name
    return None


def _is_moved(scene: Scene, name: str) -> bool:
    """Whether the function moves a variable itself: at the start it may be elsewhere."""
    return any(
        isinstance(node, t.Call)
        and isinstance(node.func, t.Attr)
        and node.func.attr in ("cuda", "to")
        and isinstance(node.func.value, t.Name)
        and node.func.value.id == name
        for node in walk(scene.functions[0])
    )


def of_module(scene: Scene) -> str | None:
    """`next(self.parameters()).device` in a method of a module that has parameters for sure; `self.device`
    where a library's class has it."""
    method = scene.method
    if method is None or method[0].name in ("__init__", "__new__", "device") or not scene.has(method[1]):
        return None
    receiver = lookup(scene.names, method[1])
    if has_device(receiver):
        return f"{method[1]}.device"
    if "parameters" in getattr(receiver, "attrs", ()) or not has_parameters(receiver):
        return None
    return f"next({method[1]}.parameters()).device"
