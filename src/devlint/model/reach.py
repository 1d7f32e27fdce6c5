"""What a function can do, by its text: whether it can matter to devices, and what it does to its object."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from devlint.model.cond import Cond
from devlint.model.torch.devices import CUDA_ONLY_APIS, LEGACY_TYPES
from devlint.model.torch.factories import FACTORIES
from devlint.model.torch.methods import MOVES
from devlint.model.value import Class, DeviceValue, FileValue, Function, Lib, Obj, Partial, Tensor
from devlint.syntax import tree as t
from devlint.syntax.walk import argument_of, own_attribute, walk

SPOKEN = (
    frozenset(MOVES)
    | frozenset(name.rsplit(".", 1)[-1] for name in FACTORIES)
    | frozenset(name.rsplit(".", 1)[-1] for name in (*LEGACY_TYPES, *CUDA_ONLY_APIS))
    | frozenset(
        "Buffer DataLoader DistributedDataParallel DDP Parameter asarray backward copy_ device from_numpy "
        "get_device init_process_group is_cuda load map_location mps non_blocking numpy pin_memory "
        "register_buffer requires_grad_ reveal save set_default_device state_dict xpu".split()
    )
) - {"range", "complex", "normal"}
"""What a function spells that says something of devices by itself."""


def speaks(words: set[str]) -> bool:
    """Whether words that a function spells say something of devices."""
    return not words.isdisjoint(SPOKEN) or any(w.startswith(("cuda", "gpu", "module.")) for w in words)


def callers_first(functions: Sequence[Function]) -> list[Function]:
    """Functions in an order in which those that name others stand before these, as far as they do not name
    each other; else as they were."""
    named: dict[str, list[Function]] = {}
    for func in functions:
        named.setdefault(func.node.name, []).append(func)
    done: set[int] = set()
    out: list[Function] = []
    for root in reversed(functions):
        stack = [(root, False)]
        while stack:
            func, is_left = stack.pop()
            if is_left:
                out.append(func)
            elif id(func) not in done:
                done.add(id(func))
                stack.append((func, True))
                callees = (named[name] for name in named if name in func.node.words)
                stack += [(callee, False) for same in callees for callee in same]
    return out[::-1]


def is_known(value: Any) -> bool:
    """Whether a name of the top level stands for something with a device, or for a call of torch."""
    if isinstance(value, Lib):
        return value.name.rsplit(".", 1)[-1] in SPOKEN
    return type(value) in (Tensor, DeviceValue, Partial, Cond) or (isinstance(value, Obj) and value.is_module)


REGISTERS = frozenset({"add_module", "add_state", "register_buffer", "register_module", "register_parameter"})
"""Methods by which a module registers an attribute under the name that they are given."""


class Effects(NamedTuple):
    """What a method does to its object: the attributes that it assigns, those of which it assigns items,
    those that it registers by name, and whether it moves it."""

    written: frozenset[str]
    filled: frozenset[str]
    registered: frozenset[str]
    moves_itself: bool


def effects_of(node: t.FunctionDef) -> Effects:
    """What a method does to its object by its own text."""
    written: set[str] = set()
    filled: set[str] = set()
    registered: set[str] = set()
    moves = False

    for part in walk(*node.body):
        if isinstance(part, t.Call):
            called = own_attribute(part.func, node)
            moves = moves or called in MOVES
            name = argument_of(part, "name", 0) if called in REGISTERS else None
            if isinstance(name, t.Const) and isinstance(name.value, str):
                registered.add(name.value)
            continue
        for target in getattr(part, "targets", ()) or (getattr(part, "target", None),):
            for item in target.items if isinstance(target, t.Display) else (target,):
                written.add(own_attribute(item, node))
                filled.add(own_attribute(item.value, node) if isinstance(item, t.Subscript) else "")
    return Effects(frozenset(written - {""}), frozenset(filled - {""}), frozenset(registered), moves)


def matters(func: Function) -> bool:
    """Whether a function, or one that it names, says anything of devices or makes modules. One that does not
    can do nothing with arguments of which no device is known."""
    known = func.file.matters
    found = known.get(func.node)
    if found is None:
        found = known[func.node] = any(map(_says, _reached(func)))
    return found


def _says(found: Any) -> bool:
    if isinstance(found, Function):
        words = found.node.words
        return speaks(words) or not words.isdisjoint(("nn", "def", "lambda"))  # what it makes it may return
    if isinstance(found, Class):
        return found.kind != "plain"
    return is_known(found) or (isinstance(found, Lib) and _may_make(found.name))


def _may_make(name: str) -> bool:
    """Whether something of a library may make modules or place tensors."""
    root, _, rest = name.partition(".")
    if root == "torch":
        return rest.startswith("nn") and rest != "nn.functional" and not name.rsplit(".", 1)[-1].islower()
    return root not in sys.stdlib_module_names and root not in ("numpy", "builtins", "typing_extensions")


def _reached(func: Function) -> Iterator[Any]:
    """A function, and all that it and what it names name at the top level of their files and in their
    classes."""
    seen = {func.node}
    left = [func]
    yield func
    while left:
        one = left.pop()
        for value in _named(one):
            yield value
            parts = value.attrs.values() if isinstance(value, Class) else (value,)
            for part in parts:
                if isinstance(part, Function) and part.node not in seen:
                    seen.add(part.node)
                    left.append(part)
                    yield part


def _named(func: Function) -> Iterator[Any]:
    """What the words of a function may stand for."""
    words = func.node.words
    spaces = [func.file.globals]
    if func.owner is not None:
        spaces += [cls.attrs for cls in func.owner.mro]
    for word in words:
        for space in spaces:
            found = space.get(word)
            if isinstance(found, FileValue):
                yield from (found.file.globals[x] for x in words if x in found.file.globals)
            elif found is not None:
                yield found
