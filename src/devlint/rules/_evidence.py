"""What several rules ask of values: words for evidence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from devlint.model.cond import leaves, tips
from devlint.model.device import AVAILABLE, CPU, At, Device, Like, Verdict
from devlint.model.entering import FORWARD
from devlint.model.events import Combine, trail
from devlint.model.moves import receiver_of
from devlint.model.torch.devices import ACCELERATORS
from devlint.model.torch.effects import Op
from devlint.model.torch.methods import METHODS
from devlint.model.torch.modules import MODULES
from devlint.model.value import (
    FACTORY_STEPS,
    PLACE,
    REST,
    Const,
    DeviceValue,
    Obj,
    Site,
    Step,
    Tensor,
    Tuple,
    Unknown,
)
from devlint.syntax import tree as t
from devlint.syntax.walk import function_around, own_attribute, own_names, scopes_on, walk, way_to

OTHER = frozenset({"module", "host", "array", "struct"})
"""Uses that show that something is no tensor."""


def is_tensor(leaf: Any) -> bool:
    """Whether a leaf is known to be a tensor: by what made it, or by how it is used."""
    if type(leaf) is Tensor:
        return True
    return type(leaf) is Unknown and "tensor" in leaf.root.seen and not leaf.root.seen & OTHER


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
    return "device" in seen if device.named else "tensor" in seen and not seen & OTHER


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
    if "%stateless" in module.attrs:
        return False
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


def learns(module: Obj, depth: int = 0) -> bool:
    """Whether a module is known to have parameters, or statistics that it gathers while it is trained."""
    if "%stateless" in module.attrs or "%frozen" in module.attrs or depth > 4:
        return False
    info = MODULES.get(module.lib) if module.cls is None else None
    if info is not None and info.state != "never" and not info.loss and info.container is None:
        return True
    for key, value in module.attrs.items():
        if isinstance(key, tuple) or key == REST or key in module.registered:
            for leaf in tips(value):
                if isinstance(leaf, Obj) and leaf.is_module and leaf.attrs.get("%owned") in (module, True):
                    if learns(leaf, depth + 1):
                        return True
                if type(leaf) is Tensor and leaf.grad == "param":
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


def reassigned(site: Site) -> bool:
    """Whether a method's result takes the place of its receiver: `x = x.to(device)`."""
    stmt, node = site.stmt, site.node
    if not isinstance(stmt, t.Assign) or not isinstance(node, t.Call) or not isinstance(node.func, t.Attr):
        return False
    receiver = node.func.value
    if not isinstance(receiver, t.Name) or stmt.value is not node:
        return False
    return any(isinstance(target, t.Name) and target.id == receiver.id for target in stmt.targets)


def returned(site: Site) -> bool:
    """Whether a method's result is what a function returns: its receiver, a local name, is lost."""
    stmt, node = site.stmt, site.node
    if not isinstance(stmt, t.Return) or stmt.value is not node or not isinstance(node, t.Call):
        return False
    return isinstance(node.func, t.Attr) and isinstance(node.func.value, t.Name)


def in_same_function(a: Site, b: Site) -> bool:
    """Whether two places are in the same function, or both in none."""
    return a.file is b.file and _function(a) is _function(b)


def is_lost(site: Site, made: Site) -> bool:
    """Whether the result of a method takes the place of its receiver, or is all that is returned, where the
    receiver was made in the same function and has no name but this one."""
    if not in_same_function(site, made):
        return False
    receiver = receiver_of(site.node) if reassigned(site) or returned(site) else None
    return isinstance(receiver, t.Name) and receiver.id in own_names(made.stmt)


def _function(site: Site) -> t.FunctionDef | t.ClassDef | None:
    scopes = scopes_on(way_to(site.file.tree, site.stmt))
    return scopes[-1] if scopes else None


def is_surely_before(a: Site, b: Site) -> bool:
    """Whether a function that comes to b has been at a, but for loops without a turn."""
    if not in_same_function(a, b):
        return False
    first, second = way_to(a.file.tree, a.stmt), way_to(b.file.tree, b.stmt)
    for i, (x, y) in enumerate(zip(first, second, strict=False)):
        if x.block is not y.block or x.at > y.at:
            return False
        if x.at < y.at:
            return all(
                isinstance(level.owner, (t.For, t.While, t.With))
                or (isinstance(level.owner, t.Try) and level.block is level.owner.body)
                for level in first[i + 1 :]
            )
    return False


def differs(event: Combine) -> bool:
    """Whether the operands are on two devices that the program names."""
    if event.verdict is Verdict.DIFFERENT:
        return True
    named = [d for d in (event.left_device, event.right_device) if isinstance(d, Like)]
    return bool(named) and all(d.named and "device" in d.root.seen for d in named)


def fault_of(event: Combine) -> Site | None:
    """The place that made an operand which is on the CPU, if all that it meets is one fault. (Of a loader's
    batch each part is to be moved by itself.)"""
    for leaf, _, _ in sides(event):
        step: Step | None = leaf.cause
        while step is not None and step.kind == "arg":
            step = step.prev
        if leaf.device is CPU and step is not None and step.kind in _MADE:
            return step.site
    return None


def is_mismatch(event: Combine) -> bool:
    """Whether operands, or a tensor and what it is indexed by, are on two devices, and nothing else explains it."""
    if (event.owner is not None and event.op != "index") or event.where.caught:
        return False
    return differs(event) and not explained(event)


def of_one_fault(event: Combine, every: Iterable[Combine]) -> list[Combine]:
    """The meetings that are wrong by the same fault as this one."""
    fault = fault_of(event)
    if fault is None:
        return [event]
    found = ((other, fault_of(other)) for other in every if is_mismatch(other))
    return [other for other, at in found if at is not None and at.node is fault.node]


MADE_HERE = FACTORY_STEPS | {"typed"}
"""Kinds of steps that make a tensor on the CPU because nothing else was said."""
_MADE = MADE_HERE | {"host", "module", "param", "load", "move", "dropped"}


def is_made_in_forward(step: Step, event: Combine) -> bool:
    """Whether a factory made something in `forward`, or in a method that `forward` calls on its own object and
    that was read before."""
    if step.kind not in MADE_HERE:
        return False
    owner, maker = event.where.self_value, function_around(step.site.file.tree, step.site.stmt)
    if step.owner or not event.where.forward or maker is None or not isinstance(owner, Obj):
        return bool(step.owner)
    methods = [x for cls in owner.cls.mro for x in cls.node.body] if owner.cls is not None else []
    return any(x is maker for x in methods) and any(
        isinstance(x, t.FunctionDef) and x.name in FORWARD and _calls_own(x, maker.name) for x in methods
    )


def _calls_own(method: t.FunctionDef, name: str) -> bool:
    """Whether a method calls another one of its object."""
    calls = (x.func for x in walk(*method.body) if isinstance(x, t.Call))
    return any(own_attribute(func, method) == name for func in calls)


def explained(event: Combine, passed: bool = False) -> bool:
    """Whether another rule tells of the cause: a factory in `forward`, a plain attribute or container, a
    dropped move, or (unless `passed`) a call that was given what is misplaced."""
    if event.owner is not None and (
        _is_stray(event.owner) or (event.where.forward and "%owned" not in event.owner.attrs)
    ):
        return True
    for leaf, _, _ in sides(event):
        if any(_is_stray(step.owner) for step in _steps(leaf)):
            return True
        if not passed and first_call(leaf) is not None:
            return True
        if leaf.device is CPU:
            for step in causes(leaf):
                if step.kind in ("store", "dropped") or is_made_in_forward(step, event):
                    return True
                if (
                    event.where.forward
                    and step.kind in ("param", "module")
                    and not (passed and _all_on_cpu(event))
                ):
                    return True
    return False


def _is_stray(owner: Any) -> bool:
    """Whether a module is kept in a plain container of another one, which does not move it."""
    return isinstance(owner, Obj) and "%stray" in owner.attrs and "%owned" not in owner.attrs


def _steps(leaf: Any) -> Iterator[Step]:
    """The whole trail of a leaf."""
    step: Step | None = leaf.cause
    while step is not None:
        yield step
        step = step.prev


def _all_on_cpu(event: Combine) -> bool:
    """Whether the module that was called from outside is on the CPU as a whole."""
    call = first_call(event.left) or first_call(event.right)
    return (
        call is not None
        and isinstance(call.owner, Obj)
        and all(place is CPU for place in tips(call.owner.attrs.get(PLACE, CPU)))
    )


def first_call(leaf: Any) -> Step | None:
    """The outermost call of a module through which a value came."""
    step: Step | None = leaf.cause
    found = None
    while step is not None:
        if step.kind == "arg":
            found = step
        step = step.prev
    return found


def on_accelerator(value: Any) -> Any:
    """The leaf that is on an accelerator, where there is one; None if none is known to be."""
    for _, leaf in leaves(value, {AVAILABLE: True}):
        if type(leaf) is Tuple:
            found = next(filter(None, map(on_accelerator, leaf.items)), None)
            if found is not None:
                return found
        elif is_tensor(leaf) and _is_accelerator(leaf.device):
            return leaf
    return None


def _is_accelerator(device: Device) -> bool:
    """Whether a device is an accelerator, that of a module, or one that a caller chooses."""
    if isinstance(device, At):
        return device.type in ACCELERATORS
    return isinstance(device, Like) and (
        device.root.kind == "module" or (device.named and "device" in device.root.seen)
    )


def goes_to_accelerator(target: Any, types: Collection[str] = ACCELERATORS) -> bool:
    """Whether a device value is, where there is one, an accelerator of these types."""
    for _, leaf in leaves(target, {AVAILABLE: True}):
        if type(leaf) is DeviceValue or type(leaf) is Tensor:
            device = leaf.device
            if isinstance(device, At) and device.type in types:
                return True
        elif type(leaf) is Const and str(leaf.value).partition(":")[0] in types:
            return True
    return False


def is_pinned(leaf: Any) -> bool | None:
    """Whether a tensor is in pinned memory, as far as its maker says."""
    if type(leaf) is Tensor and leaf.pinned is not False:
        return leaf.pinned
    step: Step | None = leaf.cause
    while step is not None and step.kind == "arg":
        step = step.prev
    if step is None:
        return None
    if type(leaf) is Unknown and step.kind == "loader" and isinstance(step.owner, Obj):
        given = step.owner.attrs.get("pin_memory")
        if given is None:
            return None if "%open" in step.owner.attrs else False
        certain = all(x == Const(True) for _, x in leaves(given, {AVAILABLE: True}))
        return True if certain and "%derived" not in leaf.attrs else None
    return False if step.kind in FACTORY_STEPS | {"host", "loader"} else None
