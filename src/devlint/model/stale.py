"""Devices that a module keeps, and places things by."""

from __future__ import annotations

from typing import Any

from devlint.model.cond import Cond, pairs, tips
from devlint.model.device import CPU, Like
from devlint.model.events import (
    Combine,
    Move,
    StaleDevice,
)
from devlint.model.late import Late
from devlint.model.library import PARALLEL, canonical
from devlint.model.value import (
    PLACE,
    Const,
    DeviceValue,
    Obj,
    Unknown,
)
from devlint.syntax import tree as t
from devlint.syntax.walk import own_attribute, walk, way_to


class Stale(Late):
    """The part of the machine that remembers what modules placed by a device that they keep."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.stale: list[tuple[StaleDevice, bool | None, list[t.Node]]] = []
        """What was placed by a kept device, whether the module is there, and the expressions that give what
        was placed and nothing else sees."""

    def watch_device(self, value: Any, node: t.Node) -> None:
        """A module places something by a device that it keeps."""
        self.watch_index(value, node)
        frame = self.frame
        obj = frame.self_value
        if not frame.forward or not isinstance(obj, Obj) or not obj.is_module or self.follows(obj):
            return
        if type(value) not in (DeviceValue, Unknown, Const, Cond) or obj.cls is None:
            return
        if any(obj.cls.find(name) is not None for name in ("to", "_apply", "cuda")):
            return
        if PARALLEL & {canonical(name) for name in obj.cls.libs}:
            return
        stores = self.stores.get(id(obj), ())
        read = self._own_attributes(node)
        for attr, stored, site in stores:
            kept = tips(obj.attrs.get(attr))
            is_it = attr in read and any(leaf in kept for leaf in tips(value))
            if is_it or (stored is value and not read and not self._is_argument(node, value)):
                every = tuple(other for name, _, other in stores if name == attr)
                event = StaleDevice(self.site(node), self.where(), obj, attr, site, every)
                self.stale.append((event, self._agrees(obj, value), [node, *self._calls_giving(node)]))
                return

    def _calls_giving(self, node: t.Node) -> list[t.Node]:
        """The calls of the function in the statement that called it, if all that it does with the value of
        a node is to return it."""
        frame = self.frame
        if (
            frame.caller is None
            or frame.function is None
            or not _is_returned(frame.file.tree, frame.stmt, node)
        ):
            return []
        name = getattr(frame.function.node, "name", "")
        return [
            x
            for x in walk(frame.caller.stmt)
            if isinstance(x, t.Call)
            and name == (x.func.attr if isinstance(x.func, t.Attr) else getattr(x.func, "id", None))
        ]

    def _own_attributes(self, node: t.Node) -> set[str]:
        """The attributes of `self` that the arguments of a call are."""
        function = self.frame.function
        if function is None or not isinstance(node, t.Call):
            return set()
        return {own_attribute(arg.value, function.node) for arg in node.args} - {""}

    def _is_argument(self, node: t.Node, value: Any) -> bool:
        """Whether a device came as an argument of the function in which it is used."""
        function = self.frame.function
        names = {p.name for p in function.node.params} if function is not None else set()
        used = {x.id for x in walk(node) if isinstance(x, t.Name)}
        return any(self.frame.vars.get(name) is value for name in names & used)

    def _agrees(self, module: Obj, device: Any) -> bool | None:
        """Whether a module is where its device attribute says; None if its user decides where it is."""
        place = module.attrs.get(PLACE)
        if any(isinstance(leaf, Like) and not leaf.named for leaf in tips(place)):
            return None
        both = [(a, b) for _, a, b in pairs(place, self.as_devices(device), self.assume)]
        return all(a is CPU or a == b for a, b in both)

    def finish_stale(self) -> None:
        """The devices kept by modules that the program moves elsewhere, or never says where."""
        placed = [event.obj.cls for event, agrees, _ in self.stale if agrees is not None]
        again = {
            id(event.site.node.func.value)
            for event in self.events
            if isinstance(event, Move)
            and (event.target is not None or event.like is not None)
            and isinstance(event.site.node, t.Call)
            and isinstance(event.site.node.func, t.Attr)
        }
        for event, agrees, (node, *calls) in self.stale:
            if id(node) in again or (calls and all(id(call) in again for call in calls)):
                continue  # moved on at once: nothing meets it where this puts it
            open_to_all = agrees is None and event.obj.cls not in placed and not _is_setting(event)
            if agrees is False or open_to_all:
                self.emit(event)
                self._follows_from(event.site.node)

    def _follows_from(self, node: t.Node) -> None:
        """Drops the events that are there only because a node placed a tensor where it did."""
        self.events[:] = [
            event
            for event in self.events
            if not isinstance(event, Combine)
            or all(
                leaf.cause is None or leaf.cause.site.node is not node for leaf in (event.left, event.right)
            )
        ]


def _is_setting(event: StaleDevice) -> bool:
    """Whether a kept device is one of the settings that a module is given, `config["device"]`, `args.device`:
    what the whole program goes by, who places the module included."""
    return all(map(_is_of_settings, tips(event.obj.attrs.get(event.attr))))


def _is_of_settings(leaf: Any) -> bool:
    if type(leaf) is Unknown:
        return leaf.root.source is not None
    place = leaf.device if type(leaf) is DeviceValue else None
    if not isinstance(place, Like) or place.named or place.root.kind != "param":
        return False
    return place.root.seen.isdisjoint(("tensor", "module", "asked"))


def _is_returned(tree: t.Tree, stmt: t.Node, node: t.Node) -> bool:
    """Whether a statement is `return node`, or binds a name to it which the next one returns."""
    if isinstance(stmt, t.Return):
        return stmt.value is node
    if not isinstance(stmt, t.Assign) or stmt.value is not node or len(stmt.targets) != 1:
        return False
    name = stmt.targets[0]
    way = way_to(tree, stmt)
    after = way[-1].block[way[-1].at + 1 :][:1] if way else []
    return isinstance(name, t.Name) and any(
        isinstance(x, t.Return) and isinstance(x.value, t.Name) and x.value.id == name.id for x in after
    )
