"""Passing the device on: a helper that makes a tensor from sizes alone is told where by its caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from devlint.fix import devices
from devlint.fix.devices import Scene
from devlint.fix.values import follows_input
from devlint.model.events import Combine
from devlint.model.value import Site
from devlint.syntax import tree as t
from devlint.syntax.edit import set_argument
from devlint.syntax.layout import whole
from devlint.syntax.walk import bound_names, walk
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context

_TRANSPARENT = frozenset({"staticmethod", "classmethod"})


def pass_device(ctx: Context, factory: Site, event: Combine, other: Any) -> list[Edit] | None:
    """The edits that give the function of a factory a parameter `device=None`, and the calls in the function
    where its result meets a tensor that tensor's device. None where the function may be another at run time.
    """
    call = factory.node
    if event.site.file is not factory.file or not isinstance(call, t.Call):
        return None
    helper, caller = _function(ctx, factory), _function(ctx, event.site)
    if helper is None or caller is None or helper is caller or not _can_take(ctx, helper):
        return None
    calls = [node for node in walk(*caller.body) if isinstance(node, t.Call) and _calls(node, helper)]
    scenes = [_scene_of(event, caller, node) for node in calls]
    if not scenes or any(arg.star == "**" for node in calls for arg in node.args):
        return None
    device = devices.of_tensor(scenes[0], lambda d: bool(d == other), event.site.node)
    device = device or devices.of_tensor(scenes[0], follows_input, event.site.node)
    if device is None or not all(scene.has(device.partition(".")[0]) for scene in scenes):
        return None
    edits = [_parameter(ctx, helper), *set_argument(ctx.source, call, "device", "device")]
    for node in calls:
        edits += set_argument(ctx.source, node, "device", device)
    return edits


def _scene_of(event: Combine, function: t.FunctionDef, node: t.Node) -> Scene:
    """The place of a call in the function in which tensors meet, with the names that are in scope there."""
    around = [s for s in walk(*function.body) if isinstance(s, t.Stmt) and any(x is node for x in walk(s))]
    return Scene(event.site._replace(stmt=around[-1]), event.where.names)


def _function(ctx: Context, site: Site) -> t.FunctionDef | None:
    functions = ctx.scene(site).functions
    return functions[0] if len(functions) == 1 else None


def _can_take(ctx: Context, helper: t.FunctionDef) -> bool:
    """Whether a function can get a parameter, and is the only one of its name in the file."""
    decorators = {d.id if isinstance(d, t.Name) else "?" for d in helper.decorators}
    if decorators - _TRANSPARENT or any(p.kind in ("star", "starstar", "positional") for p in helper.params):
        return False
    same = [
        node
        for node in walk(*ctx.site.file.tree.body)
        if isinstance(node, t.FunctionDef) and node.name == helper.name
    ]
    return same == [helper] and "device" not in bound_names(helper)


def _calls(node: t.Call, helper: t.FunctionDef) -> bool:
    func = node.func
    return (func.id if isinstance(func, t.Name) else getattr(func, "attr", "")) == helper.name


def _parameter(ctx: Context, helper: t.FunctionDef) -> Edit:
    """The new last parameter, annotated if the others are."""
    own = [p for p in helper.params if p is not helper.params[0] or p.name not in ("self", "cls")]
    typed = bool(own) and all(p.annotation is not None for p in own)
    text = f'device: "{ctx.spelled("torch") or "torch"}.device | None" = None' if typed else "device=None"
    if not helper.params:
        start = ctx.source.header(helper).start
        at = ctx.source.text.index("(", ctx.source.text.index(helper.name, start)) + 1
        return Edit(at, at, text)
    last = helper.params[-1]
    end = whole(ctx.source, last.default or last.annotation or last).end
    return Edit(end, end, f", {text}")
