"""What several rules ask of values: words for evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from devlint.model.cond import tips
from devlint.model.device import At, Device, Like
from devlint.model.events import Combine, trail
from devlint.model.torch.devices import ACCELERATORS
from devlint.model.torch.effects import Op
from devlint.model.torch.methods import METHODS
from devlint.model.torch.modules import MODULES
from devlint.model.value import REST, Obj, Site, Step, Tensor, Tuple, Unknown
from devlint.syntax import tree as t


def is_tensor(leaf: Any) -> bool:
    """Whether a leaf is known to be a tensor: by what made it, or by how it is used."""
    if type(leaf) is Tensor:
        return True
    return (
        type(leaf) is Unknown
        and "tensor" in leaf.root.seen
        and not leaf.root.seen & {"module", "host", "array"}
    )


def made_in(node: t.Node, step: Step, through: Callable[[Op], bool] = lambda op: True) -> bool:
    """Whether the receiver of a method's call is the call that a step tells of, perhaps with a few
    methods of tensors after it that `through` allows."""
    at = node.func.value if isinstance(node, t.Call) and isinstance(node.func, t.Attr) else None
    for _ in range(4):
        if at is step.site.node:
            return True
        if not (isinstance(at, t.Call) and isinstance(at.func, t.Attr)):
            return False
        op = METHODS.get(at.func.attr)
        if op is None or not through(op):
            return False
        at = at.func.value
    return False


def may_be_on_accelerator(device: Device) -> bool:
    """Whether a device is an accelerator, or that of a value which its user may move to one."""
    if isinstance(device, At):
        return device.type in ACCELERATORS
    if not isinstance(device, Like):
        return False
    seen = device.root.seen
    return "device" in seen if device.named else "tensor" in seen and not seen & {"host", "array"}


def causes(leaf: Any) -> list[Step]:
    """The steps that say why a value is where it is: calls that it was passed through are skipped."""
    out: list[Step] = []
    stack: list[Step] = [leaf.cause] if leaf.cause is not None else []
    while stack:
        step = stack.pop()
        stack += step.also
        if step.kind in ("arg", "loader") and step.prev is not None:
            stack.append(step.prev)
        elif step not in out:
            out.append(step)
    return out


def sides(event: Combine) -> Iterator[tuple[Any, Any, Device]]:
    """Both operands: the leaf, the other leaf and the other's device."""
    yield event.left, event.right, event.right_device
    yield event.right, event.left, event.left_device


def notes(leaf: Any) -> tuple[tuple[Site, str], ...]:
    """The trail of a leaf as notes."""
    return tuple(trail(getattr(leaf, "cause", None)))


def origin(step: Step) -> tuple[tuple[Site, str], ...]:
    """What led to a step, as notes."""
    return tuple(trail(step.prev, 2))


def has_state(module: Obj, depth: int = 0) -> bool:
    """Whether a module has parameters or buffers, which moving and training concern."""
    if module.cls is None:
        info = MODULES.get(module.lib)
        if info is None:
            return module.lib != ""
        if info.state == "always" or (info.state == "option" and not info.loss and info.container is None):
            return True
    if depth > 4:
        return True
    for key, value in module.attrs.items():
        if isinstance(key, tuple) or key == REST or key in module.registered:
            for leaf in tips(value):
                if isinstance(leaf, Obj) and leaf.is_module and has_state(leaf, depth + 1):
                    return True
                if type(leaf) is Tensor:
                    return True
    return False


def held(value: Any, depth: int = 0) -> Iterator[Any]:
    """What plain lists, tuples and dicts hold, at any depth."""
    for leaf in tips(value):
        if type(leaf) is Tuple:
            inner = [*leaf.items, *((leaf.rest,) if leaf.rest is not None else ())]
        elif isinstance(leaf, Obj) and leaf.kind in ("list", "dict", "set"):
            inner = [v for k, v in leaf.attrs.items() if isinstance(k, tuple) or k == REST]
        else:
            if depth:
                yield leaf
            continue
        if depth < 4:
            for x in inner:
                yield from held(x, depth + 1)
