"""What names mean at the place of an event: their values, and how a library's name is spelled there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from devlint.model.cond import leaves
from devlint.model.device import AVAILABLE, CPU, At, Like
from devlint.model.libraries import module_base
from devlint.model.torch.devices import ACCELERATORS, is_valid_device
from devlint.model.torch.modules import MODULES
from devlint.model.value import REST, Class, Const, DeviceValue, Function, Lib, Obj, Tensor, Unknown
from devlint.syntax import tree as t

Names = Sequence[Mapping[str, Any]]
"""The names in scope with their values, innermost first."""


def lookup(names: Names, name: str) -> Any:
    """What a name is bound to; None if that is not known."""
    for scope in names:
        if name in scope:
            return scope[name]
    return None


def value_of(names: Names, node: t.Expr) -> Any:
    """The value of a name, an attribute or an item, read without running anything; None if not known."""
    if isinstance(node, t.Const):
        return Const(node.value)
    if isinstance(node, t.Name):
        return lookup(names, node.id)
    if isinstance(node, t.Attr):
        owner = value_of(names, node.value)
        if type(owner) is Lib:
            return Lib(f"{owner.name}.{node.attr}")
        return attribute_of(owner, node.attr)
    if isinstance(node, t.Subscript) and isinstance(node.index, t.Const):
        owner = value_of(names, node.value)
        return owner.attrs.get(("item", node.index.value)) if isinstance(owner, (Obj, Unknown)) else None
    return None


def attribute_of(owner: Any, name: str) -> Any:
    """An attribute of an object, of itself or of its class; None if it is not known."""
    if isinstance(owner, (Obj, Unknown)) and name in owner.attrs:
        return owner.attrs[name]
    cls = owner.cls if isinstance(owner, Obj) else owner
    if isinstance(cls, Class):
        found = cls.find(name)
        return found[0] if found is not None else None
    return None


def spelled(names: Names, full: str) -> str | None:
    """How a library's name is written here: `torch.nn.ModuleList` as `nn.ModuleList` where `nn` is
    imported; None where nothing that leads to it is."""
    best: tuple[int, str] | None = None
    for scope in names:
        for name, value in scope.items():
            if type(value) is not Lib or not name.isidentifier() or lookup(names, name) is not value:
                continue
            if full == value.name or full.startswith(value.name + "."):
                found = (-len(value.name), name + full[len(value.name) :])
                best = found if best is None else min(best, found)
    return best[1] if best is not None else None


_SAYS_DEVICE = re.compile("dev|gpu|cuda", re.IGNORECASE)


def is_device(value: Any, name: str) -> bool:
    """Whether a value is a device to put things on: at least in one case no CPU, in no case anything else.
    Of something unknown that is taken for a device, the name has to say it too: `x.to(labels)` does not."""
    found = False
    for _, leaf in leaves(value):
        if type(leaf) is DeviceValue:
            found = found or leaf.device is not CPU
        elif type(leaf) is Const:
            if not isinstance(leaf.value, str) or not is_valid_device(leaf.value, ACCELERATORS):
                return False
            found = found or not leaf.value.startswith("cpu")
        elif type(leaf) is Unknown:
            seen = leaf.root.seen
            if "device" not in seen or seen & _NO_DEVICE or leaf.root.kind == "host":
                return False
            if _SAYS_DEVICE.search(name) is None:
                return False
            found = True
        else:
            return False
    return found


def may_be_device(value: Any) -> bool:
    """Whether nothing is known of a value that speaks against its name being `device`."""
    every = [leaf for _, leaf in leaves(value)]
    return all(
        type(leaf) is Unknown and leaf.root.kind != "host" and not leaf.root.seen & _NO_DEVICE
        for leaf in every
    )


_NO_DEVICE = frozenset({"tensor", "module", "array", "host"})


def is_flag(value: Any) -> bool:
    """Whether a value is true only where an accelerator is available."""
    found = False
    for path, leaf in leaves(value):
        if type(leaf) is not Const or not isinstance(leaf.value, bool):
            return False
        if leaf.value:
            if path.get(AVAILABLE) is not True:
                return False
            found = True
    return found


def devices_of(value: Any) -> frozenset[Any]:
    """The devices of what is known to be a tensor in every case; none for anything else."""
    every = [leaf for _, leaf in leaves(value)]
    return frozenset(leaf.device for leaf in every) if all(map(_is_tensor, every)) else frozenset()


def _is_tensor(leaf: Any) -> bool:
    if type(leaf) is not Unknown:
        return type(leaf) is Tensor
    return "tensor" in leaf.root.seen and not leaf.root.seen & _NO_TENSOR


_NO_TENSOR = frozenset({"module", "host", "array", "struct", "unpacked"})
"""Uses of what has no `device`, or may have none: a batch that is taken apart is a tuple."""


def follows_input(device: Any) -> bool:
    """Whether a device is an accelerator's, or that of a value which its user may move to one."""
    return isinstance(device, Like) or (isinstance(device, At) and device.type in ACCELERATORS)


def has_device(value: Any) -> bool:
    """Whether an object's class is a library's module whose `device` follows it (LightningModule)."""
    if not isinstance(value, Obj):
        return False
    libs = value.cls.libs if value.cls is not None else [value.lib]
    found = map(module_base, libs)
    return any(base is not None and base.device for base in found)


def is_module(value: Any) -> bool:
    """Whether a value is a module with parameters in every case, as far as its uses tell."""
    return all(
        has_parameters(leaf)
        if isinstance(leaf, Obj)
        else type(leaf) is Unknown and "module" in leaf.root.seen and not leaf.root.seen & _NO_MODULE
        for _, leaf in leaves(value)
    )


_NO_MODULE = frozenset({"tensor", "array", "host", "device"})


def has_parameters(module: Any, depth: int = 0) -> bool:
    """Whether `next(module.parameters())` is sure to find one."""
    if not isinstance(module, Obj) or not module.is_module or depth > 4:
        return False
    if module.cls is None:
        info = MODULES.get(module.lib)
        if info is not None and info.state == "always":
            return True
    for key, value in module.attrs.items():
        if key in module.registered or isinstance(key, tuple) or key == REST:
            every = [leaf for _, leaf in leaves(value)]
            if every and all(_is_parameter(leaf) or has_parameters(leaf, depth + 1) for leaf in every):
                return True
    return False


def _is_parameter(leaf: Any) -> bool:
    return type(leaf) is Tensor and leaf.grad == "param"


def properties(owner: Any) -> Iterator[str]:
    """The names of a class's properties."""
    cls = owner.cls if isinstance(owner, Obj) else owner
    for base in cls.mro if isinstance(cls, Class) else ():
        for name, value in base.attrs.items():
            if isinstance(value, Function) and any(
                isinstance(d, (t.Name, t.Attr)) and (d.id if isinstance(d, t.Name) else d.attr) in _PROPERTIES
                for d in getattr(value.node, "decorators", ())
            ):
                yield name


_PROPERTIES = frozenset({"property", "cached_property"})
