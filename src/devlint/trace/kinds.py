"""What a value is, for people: only what has to do with devices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from devlint.model.cond import each, tips
from devlint.model.device import CPU, Like
from devlint.model.value import (
    PLACE,
    REST,
    Const,
    DeviceValue,
    Obj,
    Step,
    Tensor,
    Tuple,
    Unknown,
)
from devlint.trace.places import joined, spot, spot_of, spots
from devlint.trace.shapes import Spot

OTHER = frozenset({"module", "host", "array", "struct"})
"""Uses that show that something is no tensor."""
_DEVICE_NAME = re.compile(r"(cpu|cuda|mps|xpu|npu|hpu|meta)(:\d+)?")
_REST = ("args", "kwargs")
"""What stands for arguments of any number says nothing of a single one."""
_DEPTH = 4


class Seen(NamedTuple):
    """A value in words, with the newest step of its trail."""

    kind: str
    detail: str
    spot: Spot | None
    cause: Step | None


def is_tensor(leaf: Any) -> bool:
    """Whether a leaf is known to be a tensor: by what made it, or by how it is used."""
    if type(leaf) is Tensor:
        return True
    return type(leaf) is Unknown and "tensor" in leaf.root.seen and not leaf.root.seen & OTHER


def look(value: Any, place: Any = None) -> Seen | None:
    """What a value is and where; None for what has nothing to do with devices. `place` is where a module was
    when that was asked."""
    found = [(leaf, kind) for leaf in tips(value) if (kind := _kind(leaf)) is not None]
    if not found:
        return None
    kinds = list(dict.fromkeys(kind for _, (kind, _) in found))
    details = list(dict.fromkeys(detail for _, (_, detail) in found if detail))
    cause = next((c for leaf, _ in found if (c := leaf.cause) is not None), None)
    where = spot(each(value, _spots if kinds == ["device"] else _spots_or_unknown))
    if place is not None and kinds == ["module"]:
        where = spot(spots(place))
    return Seen(" or ".join(kinds), " or ".join(details), where, cause)


def _kind(leaf: Any) -> tuple[str, str] | None:
    """The kind of a leaf and its class."""
    if type(leaf) is Tensor:
        return ("parameter" if leaf.grad == "param" else "tensor"), ""
    if type(leaf) is DeviceValue:
        return "device", ""
    if type(leaf) is Const:
        is_device = isinstance(leaf.value, str) and _DEVICE_NAME.fullmatch(leaf.value)
        return ("device", "a string") if is_device else None
    if type(leaf) is Tuple or (isinstance(leaf, Obj) and leaf.kind in ("list", "dict", "set")):
        return _container(leaf)
    if isinstance(leaf, Obj):
        if leaf.is_module:
            return "module", class_name(leaf)
        return (leaf.kind, class_name(leaf)) if leaf.kind in ("optimizer", "loader") else None
    return _unknown(leaf) if type(leaf) is Unknown else None


def _unknown(leaf: Unknown) -> tuple[str, str] | None:
    seen = leaf.root.seen
    if is_tensor(leaf):
        return "tensor", ""
    if "module" in seen and "tensor" not in seen:
        return "module", ""
    if seen in ({"device"}, {"device", "given"}) and leaf.root.label not in _REST:
        return "device", ""
    if leaf.root.kind == "checkpoint":
        return "checkpoint", ""
    return ("value", "") if leaf.cause is not None and not seen & OTHER else None


def class_name(obj: Obj) -> str:
    """The class of an object, as people call it."""
    return obj.cls.node.name if obj.cls is not None else obj.lib.rsplit(".", 1)[-1]


def _container(leaf: Any) -> tuple[str, str] | None:
    if isinstance(leaf, Obj) and leaf.lib == "state_dict":
        return "state_dict", ""
    kinds = {kind[0] for inner in held(leaf) if (kind := _kind(inner)) is not None} - {"device", "value"}
    if not kinds:
        return None
    name = "tuple" if type(leaf) is Tuple else leaf.kind
    return f"{name} of {' and '.join(f'{kind}s' for kind in sorted(kinds))}", ""


def held(value: Any, depth: int = 0) -> Iterator[Any]:
    """What plain lists, tuples, sets and dicts hold, at any depth."""
    for leaf in tips(value):
        if type(leaf) is Tuple:
            inner = [*leaf.items, *((leaf.rest,) if leaf.rest is not None else ())]
        elif isinstance(leaf, Obj) and leaf.kind in ("list", "dict", "set"):
            inner = [x for key, x in leaf.attrs.items() if isinstance(key, tuple) or key == REST]
        else:
            if depth:
                yield leaf
            continue
        if depth < _DEPTH:
            for x in inner:
                yield from held(x, depth + 1)


def _spots(leaf: Any) -> Any:
    """Where a leaf is, as a tree of spots; None where that says nothing."""
    kind = _kind(leaf)
    if kind is None:
        return None
    if isinstance(leaf, Obj) and leaf.kind == "optimizer":
        return _taken(leaf.attrs.get("%params"))
    if isinstance(leaf, Obj) and leaf.kind == "loader":
        batch = leaf.attrs.get("%batch")
        return spot(each(batch, _spots)) if batch is not None else spot_of(CPU)
    if isinstance(leaf, Obj) and leaf.is_module:
        return spots(leaf.attrs.get(PLACE, CPU))
    if type(leaf) is Const:
        return Spot(str(leaf.value), str(leaf.value), "cpu" if leaf.value == "cpu" else "accelerator")
    if type(leaf) is Tensor or type(leaf) is DeviceValue:
        return spot_of(leaf.device, leaf.cause)
    if type(leaf) is Unknown:
        if kind[0] in ("device", "module"):
            return spot_of(Like(leaf.root, named=kind[0] == "device"))
        return spot_of(leaf.device, leaf.cause)
    return _joined(leaf)


def _spots_or_unknown(leaf: Any) -> Any:
    """The same, where another leaf is a tensor: then nobody knows where one of which nothing is known is."""
    if type(leaf) is Unknown and _kind(leaf) is None and not leaf.root.seen & OTHER:
        return spot_of(leaf.device, leaf.cause)
    return _spots(leaf)


def _taken(params: Any) -> Spot | None:
    """Where the parameters that an optimizer took are."""
    inside: list[Any] = []
    for leaf in tips(params):
        inside += [leaf.attrs.get(REST)] if isinstance(leaf, Obj) and leaf.kind == "iterator" else held(leaf)
    different = list(dict.fromkeys(x for value in inside if (x := spot(each(value, _spots))) is not None))
    return different[0] if len(different) == 1 else None


def _joined(container: Any) -> Spot:
    """Where the contents of a container are."""
    return joined(spot(each(inner, _spots)) for inner in held(container))
