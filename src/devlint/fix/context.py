"""What a rule's fix is given: the source, the verbs of editing, and the device to write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from devlint.config import Settings
from devlint.diagnostic import Safety
from devlint.fix import attributes, containers, devices, factories, literals, operands, passing
from devlint.fix.asking import asked
from devlint.fix.devices import Ambiguous, Scene
from devlint.fix.factories import Destination
from devlint.fix.guards import Guard, guard_of
from devlint.fix.idiom import Needs, Written, idiom
from devlint.fix.literals import is_direct
from devlint.fix.targets import can_assign
from devlint.fix.values import is_device, spelled, value_of
from devlint.model.events import Combine, Create, Event, Move, Take, Where
from devlint.model.program import File
from devlint.model.value import Const, Obj, Partial, Site, Tensor, Unknown
from devlint.rule import Draft
from devlint.syntax import tree as t
from devlint.syntax.edit import argument, replace
from devlint.syntax.layout import quote, text_of
from devlint.syntax.source import Source
from devlint.syntax.walk import Level, walk
from devlint.text import Edit

E = TypeVar("E", bound=Event)


@dataclass
class _Wants:
    """Where a file wants a device: the places for which nothing is at hand, with the strings that stand there
    now, and the guarded moves; `asking` are the ways to places that ask a module, by function and text."""

    scenes: list[Scene] = field(default_factory=list)
    literals: list[str] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    asking: dict[tuple[int, str], list[tuple[Level, ...]]] = field(default_factory=dict)


class Workshop:
    """What the fixes of one file share: its events, and the one device variable that they may put in."""

    def __init__(self, file: File, events: Sequence[Event], settings: Settings) -> None:
        self.file = file
        self.settings = settings
        self.events = [event for event in events if event.site.file is file]

    @cached_property
    def created(self) -> dict[int, list[Create]]:
        """The events of each factory call, by its node."""
        out: dict[int, list[Create]] = {}
        for event in self.events:
            if isinstance(event, Create):
                out.setdefault(id(event.site.node), []).append(event)
        return out

    def factories(self, function: t.FunctionDef) -> list[Create]:
        """One event for each factory call of a function that names no device."""
        inside = {id(node) for node in walk(*function.body)}
        return [
            events[0]
            for node, events in self.created.items()
            if node in inside and events[0].device is None and not events[0].ambient
        ]

    @cached_property
    def _wants(self) -> _Wants:
        wants = _Wants()
        for event in _placements(self.events):
            scene = Scene(event.site, event.where.names)
            if event.where.guarded and isinstance(event, Move):
                guard = guard_of(event, scene.way)
                wants.guards += [guard] if guard is not None else []
                continue
            receiver = event.receiver if isinstance(event, Move) else None
            found = self.at_hand(scene, receiver) if scene.way else ""
            if found is None:
                wants.scenes.append(scene)
                wants.literals.append("cuda" if isinstance(event, Move) else str(event.literal.value))
            elif found.startswith("next("):
                wants.asking.setdefault((id(scene.functions[0]), found), []).append(scene.way)
        return wants

    @cached_property
    def _idiom(self) -> Written | None:
        wants = self._wants
        return idiom(self.file, Needs(wants.scenes, wants.guards, wants.literals), self.settings)

    def variable(self, node: t.Node) -> Written | None:
        """The device variable that is put into the file, if it is meant for this node too."""
        return self._idiom if any(scene.site.node is node for scene in self._wants.scenes) else None

    def asked(self, scene: Scene, text: str) -> Written:
        """The device of a module at a place; a variable of the function, if it is wanted more than once."""
        ways = self._wants.asking.get((id(scene.functions[0]), text), ())
        return asked(self.file.source, scene, ways, text)

    def at_hand(self, scene: Scene, receiver: Any) -> str | None:
        """The device at a place that needs no new variable; "" if there are several and none is meant."""
        try:
            found = devices.at_hand(scene)
        except Ambiguous:
            return ""
        if found is None and type(receiver) is Tensor:
            found = devices.of_input(scene)
        return found or devices.of_module(scene) or devices.of_argument(scene)


def _placements(events: Iterable[Event]) -> list[Move | Take]:
    """The moves to CUDA and the literals of `.to("cuda")`, `device="cuda"`: for each place one event, an
    unguarded one if there is any."""
    found: dict[int, Move | Take] = {}
    for event in events:
        if event.where.caught or not isinstance(event, (Move, Take)):
            continue
        if isinstance(event, Take) and (event.fallback or event.where.guarded or not is_direct(event)):
            continue
        if isinstance(event, Move) and not takes_default_card(event):
            continue
        known = found.get(id(event.site.node))
        if known is None or (known.where.guarded and not event.where.guarded):
            found[id(event.site.node)] = event
    return list(found.values())


def takes_default_card(event: Move) -> bool:
    """Whether a move is `.cuda()` of a tensor, module or unknown thing, with no index but 0."""
    call = event.site.node
    if event.method != "cuda" or not isinstance(call, t.Call) or not isinstance(call.func, t.Attr):
        return False
    receiver = event.receiver
    moves = receiver.is_module if isinstance(receiver, Obj) else isinstance(receiver, (Tensor, Unknown))
    if not moves:
        return False
    index = argument(call, "device", 0)
    if any(arg.star for arg in call.args):
        return False
    return index is None or (isinstance(index.value, t.Const) and index.value.value in (None, 0))


class Context:
    """Given to `Finding.fix`: where the finding is, and how to write what mends it."""

    def __init__(self, site: Site, workshop: Workshop) -> None:
        self.site = site
        self.workshop = workshop

    @property
    def source(self) -> Source:
        """The file of the finding."""
        return self.site.file.source

    @property
    def settings(self) -> Settings:
        """The settings of the file."""
        return self.workshop.settings

    def text(self, node: t.Node) -> str:
        """The text of an expression, with the brackets around it."""
        return text_of(self.source, node)

    def scene(self, site: Site, where: Where | None = None) -> Scene:
        """A place of this file, with the names that are in scope there."""
        return Scene(site, where.names if where is not None else ())

    def created(self, node: t.Node) -> list[Create]:
        """The events of a factory call: one for each way on which it is reached."""
        return self.workshop.created.get(id(node), [])

    def device(self, site: Site, where: Where, receiver: Any = None) -> Written | None:
        """The device to write at a place: one that is at hand, else the file's new variable.

        `receiver` is what is moved there: a tensor that was made here may follow the input. None where
        several devices are at hand, or no variable can be put in.
        """
        scene = self.scene(site, where)
        if not scene.way:
            return None
        found = self.workshop.at_hand(scene, receiver)
        if found is None:
            return self.workshop.variable(site.node)
        if found.startswith("next("):
            return self.workshop.asked(scene, found)
        return Written(found) if found else None

    def move_arguments(self, calls: Sequence[tuple[Combine, Site]]) -> list[Edit]:
        """Edits that put the misplaced argument of calls where it is wanted; none where it is a guess."""
        return operands.move_arguments(self, calls)

    def every(self, kind: type[E]) -> list[E]:
        """The events of a kind in this file."""
        return [event for event in self.workshop.events if isinstance(event, kind)]

    def alike(self, event: E) -> list[E]:
        """The events of that kind at that place: one for each argument, and for each way there."""
        return [
            other
            for other in self.workshop.events
            if type(other) is type(event) and other.site.node is event.site.node
        ]

    def bring_together(self, events: Sequence[Combine]) -> list[Edit] | None:
        """The edits that put one tensor where those are that it meets; None where that is a guess."""
        return operands.bring_together(self, events)

    def card(self, event: Move) -> Written | None:
        """The device to write for `.cuda()`; None for a card of its own (`.cuda(1)`, `.cuda(rank)`)."""
        call = event.site.node
        if not isinstance(call, t.Call) or any(arg.name == "memory_format" for arg in call.args):
            return None
        if takes_default_card(event):
            return self.device(event.site, event.where, event.receiver)
        index = argument(call, "device", 0)
        if event.method == "cuda" and index is not None and is_device(event.target, self.text(index.value)):
            return Written(self.text(index.value))
        return None

    def can_assign(self, event: Move, target: t.Expr) -> bool:
        """Whether an assignment to what was moved does what was meant."""
        scene = self.scene(event.site, event.where)
        return bool(scene.way) and can_assign(scene, target)

    def without_device(self, factory: t.Call) -> list[Create]:
        """The events of a factory call that can be told a device."""
        return factories.without_device(self.created(factory), factory)

    def destination(self, event: Move) -> Destination | None:
        """What a move asks for, as text; None where it asks for more than a device and a dtype."""
        return factories.destination(self, event)

    def create_there(self, factory: t.Call, call: t.Call, moved: Destination) -> list[Edit]:
        """The edits that let a factory make its tensor at the destination, and take the move off."""
        return factories.create_there(self, factory, call, moved)

    def device_met(self, factory: Site, other: Any, meeting: Site) -> Written | None:
        """The device, written at a factory, of the tensor that its result meets."""
        return factories.device_met(self, factory, other, meeting)

    def pass_device(self, factory: Site, event: Combine, other: Any) -> list[Edit] | None:
        """The edits that let a helper's caller say where the helper makes its tensor."""
        return passing.pass_device(self, factory, event, other)

    def instead_of(self, event: Take, name: str | None = None) -> Written | None:
        """What replaces a device string, or `name` in its place; the edits do it."""
        return literals.instead_of(self, event, name)

    def replace_literal(self, event: Take, text: str) -> Edit | None:
        """Puts a text in the place of a device string; None if that is not all of its value."""
        literal = literals.literal_of(event)
        return None if literal is None else replace(self.source, literal, text)

    def device_for(self, event: Take) -> str | None:
        """The device variable in scope where a string is used up; None if it comes from elsewhere."""
        return self.named_device(event.site, event.where) if literals.is_argument(event) else None

    def as_container(self, site: Site, value: Any, what: str = "Module") -> list[Edit] | None:
        """The container that is assigned there as `nn.ModuleList` or `nn.ModuleDict` (or of `what`)."""
        return containers.as_container(self, site, value, what)

    def as_buffer(self, site: Site) -> list[Edit] | None:
        """The assignment of a tensor there as `register_buffer`."""
        return attributes.as_buffer(self, site)

    def string(self, value: str, like: Const | None = None) -> str:
        """A string literal in the quotes of another, or those of the file."""
        if like is None or like.site is None:
            return literals.in_quotes_of(quote(self.source), value)
        return literals.in_quotes_of(self.source.segment(like.site.node), value)

    def calls(self, call: t.Call, full: str, where: Where) -> bool:
        """Whether what is called is that function of a library, perhaps through functools.partial."""
        func = value_of(where.names, call.func)
        return getattr(func.func if type(func) is Partial else func, "name", "") == full

    def input_device(self, site: Site, where: Where) -> str | None:
        """The device of the first tensor that the function at a place is given."""
        scene = self.scene(site, where)
        return devices.of_input(scene) if scene.way else None

    def module_device(self, site: Site, where: Where) -> str | None:
        """The device of the parameters of the module whose method a place is in."""
        scene = self.scene(site, where)
        return devices.of_module(scene) if scene.way else None

    def named_device(self, site: Site, where: Where) -> str | None:
        """The device that a name in scope has; None if there is none, or no single one."""
        scene = self.scene(site, where)
        try:
            return devices.at_hand(scene) if scene.way else None
        except Ambiguous:
            return None

    def spelled(self, full: str, where: Where | None = None) -> str | None:
        """How a library's name is written at a place; None where it is not imported."""
        names = where.names if where is not None and where.names else (self.site.file.globals,)
        return spelled(names, full)

    def draft(self, message: str, safety: Safety, *edits: Edit | Iterable[Edit]) -> Draft:
        """A fix of these edits."""
        flat: list[Edit] = []
        for edit in edits:
            flat += [edit] if isinstance(edit, Edit) else edit
        return Draft(message, safety, tuple(sorted(set(flat))))


__all__ = ["Context", "Workshop", "Written"]
