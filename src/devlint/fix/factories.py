"""Creating a tensor where it is needed: the factory gets the device, the move after it goes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from devlint.fix import devices
from devlint.fix.asking import asked
from devlint.fix.devices import Scene
from devlint.fix.idiom import Written
from devlint.fix.values import devices_of, follows_input, is_device, lookup, value_of
from devlint.model.events import Create, Move
from devlint.model.value import Lib, Site, Unknown
from devlint.syntax import tree as t
from devlint.syntax.edit import argument, arguments, set_argument, unwrap_method, without_brackets
from devlint.syntax.layout import quote
from devlint.syntax.walk import walk, way_to
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context

# Arguments with which a factory makes a tensor on the CPU, or somewhere that is given.
_BOUND = frozenset({"device", "generator", "out", "pin_memory"})
_FLOATS = re.compile(r".*\b(?:float(?:16|32|64)?|half|double|bfloat16)$")
_ANY_DTYPE = frozenset({"torch.zeros", "torch.ones", "torch.empty", "torch.eye", "torch.arange"})


class Destination(NamedTuple):
    """What a move asks for: the text of the device, that of a dtype ("" if none), and the edits that the
    device needs."""

    device: str
    dtype: str
    edits: tuple[Edit, ...] = ()


def without_device(events: list[Create], factory: t.Call) -> list[Create]:
    """The events of a factory call that can be told a device; none if it is bound to one."""
    if any(arg.star == "**" or arg.name in _BOUND for arg in factory.args):
        return []
    if not all(_is_torch_s(event, factory.func) for event in events):
        return []
    return [] if any(e.device is not None or e.generator or e.ambient for e in events) else events


def _is_torch_s(event: Create, func: t.Expr) -> bool:
    """Whether a function is written as a name of torch, and not handed over as an argument."""
    given = {p.name for p in event.where.function.node.params} if event.where.function is not None else set()
    root = func
    while isinstance(root, t.Attr):
        root = root.value
    return (
        isinstance(root, t.Name) and root.id not in given and type(value_of(event.where.names, func)) is Lib
    )


def destination(ctx: Context, event: Move) -> Destination | None:
    """What a move asks for, as text; None where it asks for more than a device and a dtype."""
    call = event.site.node
    if not isinstance(call, t.Call) or any(arg.star or arg.name == "memory_format" for arg in call.args):
        return None
    if event.method == "to":
        place, dtype = argument(call, "device", 0), argument(call, "dtype", 1)
        if place is None or event.like is not None or not _is_a_device(ctx, event, place.value):
            return None
        return Destination(ctx.text(place.value), ctx.text(dtype.value) if dtype is not None else "")
    if event.method != "cuda":
        return None
    if not event.where.guarded:
        written = ctx.card(event)
        return None if written is None else Destination(written.text, "", written.edits)
    q, index = quote(ctx.source), argument(call, "device", 0)
    if index is None or (isinstance(index.value, t.Const) and index.value.value is None):
        return Destination(f"{q}cuda{q}", "")
    number = index.value.value if isinstance(index.value, t.Const) else None
    return Destination(f"{q}cuda:{number}{q}" if isinstance(number, int) else ctx.text(index.value), "")


def _is_a_device(ctx: Context, event: Move, node: t.Expr) -> bool:
    """Whether an argument is a device for sure, and no tensor whose device is meant: by its value, or as
    far as `device` and `x.device` say it."""
    name = ctx.text(node).split(".")[-1]
    return is_device(event.target, name) or name == "device"


def create_there(ctx: Context, factory: t.Call, call: t.Call, moved: Destination) -> list[Edit]:
    """The edits that let a factory make its tensor at the destination, and take the move off."""
    edits = list(moved.edits)
    given = moved.device
    name = ctx.created(factory)[0].name
    merges = (
        call_on(call) is factory
        and argument(factory, "dtype") is None
        and not any(arg.star for arg in factory.args)
        and (name in _ANY_DTYPE or _FLOATS.fullmatch(moved.dtype) is not None)
        and len(factory.args) <= 1 + 3 * (name in _ANY_DTYPE)
    )
    if not moved.dtype or merges:
        off = unwrap_method(ctx.source, call)
        given += f", dtype={moved.dtype}" if moved.dtype else ""
    else:
        inside = arguments(ctx.source, call)
        off = Edit(inside.start, inside.end, moved.dtype)
    told = set_argument(ctx.source, factory, "device", given, beside=off)
    taken_off = off.text == "" and call_on(call) is factory
    return [*edits, off, *told, *(without_brackets(ctx.source, call, told) if taken_off else ())]


def call_on(call: t.Call) -> t.Expr | None:
    """What a method is called on."""
    return call.func.value if isinstance(call.func, t.Attr) else None


def device_met(ctx: Context, site: Site, other: Any, meeting: Site) -> Written | None:
    """The device, written at a factory, of the tensor that its result meets: a device variable or a tensor
    in scope there, else the module's parameters. It must hold on every way to the factory."""
    scenes = [ctx.scene(event.site, event.where) for event in ctx.created(site.node)]
    if not scenes or not scenes[0].way:
        return None
    for scene in scenes:
        found = devices.same_device(scene, other) or devices.of_tensor(
            scene, lambda device: bool(device == other), _near(scene, meeting)
        )
        if found is not None and all(_holds(way, found, _near(way, meeting)) for way in scenes):
            return Written(found)
    for scene in scenes:
        found = devices.of_tensor(scene, follows_input, _near(scene, meeting))
        if found is not None and all(_holds(way, found) for way in scenes):
            return Written(found)
    found = devices.of_module(scenes[0])
    if found is None or not all(devices.of_module(scene) for scene in scenes):
        return None
    if not found.startswith("next("):
        return Written(found)
    function = scenes[0].functions[0]
    ways = [way_to(scenes[0].tree, create.site.stmt) for create in ctx.workshop.factories(function)]
    return asked(ctx.source, scenes[0], ways, found)


def _near(scene: Scene, meeting: Site) -> t.Node | None:
    """The operation at which tensors meet, if it stands in the same function: names mean the same there."""
    way = way_to(scene.tree, meeting.stmt)
    inside = [level.owner for level in way if isinstance(level.owner, t.FunctionDef)]
    return meeting.node if inside[-1:] == scene.functions[:1] else None


def _holds(scene: Scene, text: str, near: t.Node | None = None) -> bool:
    """Whether `x.device` names a tensor's device on this way to the place too (it is not None there). What
    `near` reads is a tensor even where it is also wanted on the CPU (as `lengths`)."""
    name, _, attr = text.partition(".")
    value = lookup(scene.names, name)
    if not attr or devices_of(value):
        return True
    read = near is not None and any(isinstance(x, t.Name) and x.id == name for x in walk(near))
    return read and type(value) is Unknown and value.root.seen == {"tensor", "host"}
