"""What a function of another file does with arguments of which no device is known, worked out once a run.

A function is entered with the values it is called with (see `calls`). Where these say nothing of devices, all
callers in all files would get the same: it is read once, by a machine of its own, with a symbol for each
argument, and every call takes the result with its own arguments put for the symbols. A function that does
more than return something (it writes to what outlives it, it waits, it joins a process group) has no summary:
it is entered for each caller.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from devlint.model.cond import Cond, make, tips
from devlint.model.device import UNKNOWN, Device, Like
from devlint.model.events import Event
from devlint.model.machine import MISSING, Frame, is_opaque
from devlint.model.program import NOTHING
from devlint.model.value import (
    Class,
    Const,
    DeviceValue,
    FileValue,
    Function,
    Lib,
    Obj,
    Root,
    Tensor,
    Tuple,
    Unknown,
)
from devlint.model.watch import Watch
from devlint.syntax import tree as t

MAX_NESTED = 12
"""How deep summaries need each other."""

Key = tuple[Any, ...]


class Summary(NamedTuple):
    """What a call gives. `result` is MISSING where there is no summary; `symbols` stand for the leaves of the
    arguments, in their order; `events` are those of a call in `forward`; `reads` the files that were looked
    into; a `cyclic` one needed itself, and holds for callers outside of the cycle only."""

    result: Any
    symbols: tuple[Any, ...]
    events: tuple[Event, ...]
    called: frozenset[str]
    reads: frozenset[str]
    cyclic: bool


class Summaries(Watch):
    """The part of the machine that takes results of functions of other files from their summaries."""

    def summarized(self, func: Function, args: list[Any], kwargs: dict[str, Any], extra: int) -> Any:
        """The result of a call of whose arguments no device is known, or MISSING: it has to be entered."""
        frame, node = self.frame, func.node
        if (
            func.file is self.file
            or func.file is self.program.main
            or func.self_value is not None
            or func.closure is not None
            or type(node) is not t.FunctionDef
            or node.is_generator
            or self.tracing
            or frame.worker
            or frame.ambient is not None
            or self.default_device is not None
        ):
            return MISSING
        signs = []
        for value in (*args, *kwargs.values()):
            sign = signature(value)
            if sign is None:
                return MISSING
            signs.append(sign)
        where = (frame.forward, frame.guarded or self.is_guarded(), frame.caught > 0) if frame.forward else ()
        key = (id(node), where, tuple(signs), len(args), tuple(kwargs), extra)
        found = self._summary(key, func, args, kwargs, extra)
        if found is None or found.result is MISSING:
            return MISSING
        if found.events and key not in self.replayed:
            self.replayed.add(key)
            self.events += found.events
        self.called |= found.called
        given = [leaf for value in (*args, *kwargs.values()) for leaf in symbols_of(value)]
        return self._instance(found, given)

    def _summary(
        self, key: Key, func: Function, args: list[Any], kwargs: dict[str, Any], extra: int
    ) -> Summary | None:
        program = self.program
        found: Summary | None = func.file.summaries.get(key)
        if found is not None and not (found.cyclic and program.summing):
            program.note(found.reads)
            return found
        if key in program.summing or len(program.summing) >= MAX_NESTED:
            at = program.summing.index(key) if key in program.summing else -1
            program.needed = min(program.needed, at)
            return None
        at, needed = len(program.summing), program.needed
        program.summing.append(key)
        program.needed = NOTHING
        with program.watched() as reads:
            found = self._worked_out(func, args, kwargs, extra)
        program.note(reads)
        program.summing.pop()
        low, program.needed = program.needed, min(needed, program.needed)
        found = found._replace(reads=frozenset(reads), cyclic=low == at)
        if low >= at:
            func.file.summaries[key] = found
        return found

    def _worked_out(self, func: Function, args: list[Any], kwargs: dict[str, Any], extra: int) -> Summary:
        """Reads a function with symbols for the arguments."""
        node = func.node
        machine = type(self)(self.program, func.file, 3 * node.size + 200)
        machine.path = os.path.abspath(func.file.path)
        frame = Frame(func.file, {}, None)
        frame.function, frame.owner, frame.caller = func, func.owner, machine.frame
        frame.forward, frame.stmt = self.frame.forward, node
        frame.guarded = frame.forward and (self.frame.guarded or self.is_guarded())
        frame.caught = int(frame.forward and self.frame.caught > 0)
        given = [symbol(value) for value in args]
        named = {name: symbol(value) for name, value in kwargs.items()}
        machine.bind_params(func, frame, given, named, extra)
        result = machine.run(func, frame)
        symbols = tuple(leaf for value in (*given, *named.values()) for leaf in symbols_of(value))
        if not _is_plain(result) or machine.has_acted(frame):
            machine.rollback(0)
            return Summary(MISSING, (), (), frozenset(), frozenset(), False)
        events = tuple(machine.events) if frame.forward else ()
        return Summary(result, symbols, events, frozenset(machine.called), frozenset(), False)

    def has_acted(self, frame: Frame) -> bool:
        """Whether what was run here had effects on more than its own variables."""
        if (
            self.acted
            or self.waits
            or self.backwards
            or self.reads
            or self.late
            or self.stale
            or self.joined
            or self.indices
            or self.loaders
            or self.saved
            or self.default_device is not None
        ):
            return True
        shared = {id(frame.file.globals)}
        for value in frame.file.globals.values():
            if isinstance(value, (Obj, Class)):
                shared.add(id(value.attrs))
            elif type(value) is FileValue:
                shared.add(id(value.file.globals))
        return any(
            id(store) in shared
            and not (old is MISSING and type(new := store.get(key)) is Unknown and new.root.kind == "global")
            for store, key, old in self.journal
        )

    def _instance(self, summary: Summary, given: list[Any]) -> Any:
        """The result of a summary with the leaves of a call's arguments for the symbols."""
        if type(summary.result) is Const:
            return summary.result
        roots: dict[int, Any] = {}
        for stands, leaf in zip(summary.symbols, given, strict=True):
            if type(stands) is Unknown:
                roots[id(stands.root)] = leaf
                if type(leaf) is Unknown:
                    leaf.root.seen |= stands.root.seen
            elif type(stands.device) is Like:
                roots[id(stands.device.root)] = leaf
        return _Substitution(self, roots).value(summary.result)


class _Substitution:
    """Puts leaves of arguments for symbols, and new unknown things for those of the summary."""

    def __init__(self, machine: Summaries, leaves: dict[int, Any]) -> None:
        self._machine = machine
        self._leaves = leaves
        self._flags: dict[Any, Any] = {}
        self._roots: dict[int, Root] = {}

    def value(self, tree: Any) -> Any:
        """A value."""
        if type(tree) is Cond:
            return make(self._flag(tree.flag), self.value(tree.then), self.value(tree.other))
        kind = type(tree)
        if kind is Tensor:
            return Tensor(self._device(tree.device), tree.cause, tree.zero_dim, tree.grad, tree.pinned)
        if kind is DeviceValue:
            return DeviceValue(self._device(tree.device), tree.literal, tree.text)
        if kind is Tuple:
            rest = self.value(tree.rest) if tree.rest is not None else None
            return Tuple(tuple(map(self.value, tree.items)), rest)
        if kind is Unknown:
            leaf = self._leaves.get(id(tree.root))
            if leaf is not None and "%derived" not in tree.attrs:
                return leaf
            out = Unknown(self._root(tree.root), self._device(tree.device), tree.cause)
            out.attrs.update((key, v) for key, v in tree.attrs.items() if type(key) is str and key[0] == "%")
            return out
        return tree

    def _device(self, device: Any) -> Any:
        if type(device) is not Like:
            return device
        leaf = self._leaves.get(id(device.root))
        if leaf is None:
            return Like(self._root(device.root), device.named)
        return leaf.device if type(leaf) in (Tensor, Unknown) else UNKNOWN

    def _root(self, root: Root) -> Root:
        leaf = self._leaves.get(id(root))
        if type(leaf) is Unknown:
            return leaf.root
        found = self._roots.get(id(root))
        if found is None:
            found = self._roots[id(root)] = Root(root.label, root.kind)
            found.seen |= root.seen
            found.annotation = root.annotation
            found.source = self._root(root.source) if root.source is not None else None
        return found

    def _flag(self, flag: Any) -> Any:
        found = self._flags.get(flag)
        if found is None:
            found = self._machine.opaque(flag[0]).flag if is_opaque(flag) else self._renamed(flag)
            self._flags[flag] = found
        return found

    def _renamed(self, part: Any) -> Any:
        if type(part) is tuple:
            return tuple(map(self._renamed, part))
        if type(part) is frozenset:
            return frozenset(map(self._device, part))
        if isinstance(part, Root):
            return self._root(part)
        return self.value(part) if type(part) is Unknown else part


def signature(value: Any) -> Any:
    """What of an argument a summary is made for, or None if it can be made for none."""
    kind = type(value)
    if kind is Unknown:
        own = type(value.device) is Like and value.device.root is value.root
        return ("?", value.root.kind, frozenset(value.root.seen), own) if not value.attrs else None
    if kind is Tensor:
        place = value.device.root.kind if type(value.device) is Like else ""
        return "tensor", place, value.zero_dim, value.grad, value.pinned
    if kind is Const:
        return (type(value.value), None if type(value.value) in (int, float) else value.value)
    if kind is Tuple:
        signs = tuple(map(signature, value.items))
        rest = signature(value.rest) if value.rest is not None else ()
        return None if None in signs or rest is None else ("tuple", signs, rest)
    if kind is Lib:
        return "lib", value.name
    return None


def symbol(value: Any) -> Any:
    """A value of the same signature, of which nothing else is known."""
    kind = type(value)
    if kind is Unknown:
        root = Root(value.root.label, value.root.kind)
        root.seen |= value.root.seen
        own = type(value.device) is Like and value.device.root is value.root
        return Unknown(root, None if own else UNKNOWN)
    if kind is Tensor:
        place: Device = UNKNOWN
        if type(value.device) is Like:
            root = Root(value.device.root.label, value.device.root.kind)
            root.seen |= value.device.root.seen
            place = Like(root)
        return Tensor(place, None, value.zero_dim, value.grad, value.pinned)
    if kind is Const and type(value.value) in (int, float):
        return Unknown(Root("a number", "host"))
    if kind is Tuple:
        return Tuple(tuple(map(symbol, value.items)), symbol(value.rest) if value.rest is not None else None)
    return value


def symbols_of(value: Any) -> list[Any]:
    """The leaves of an argument for which symbols stand."""
    kind = type(value)
    if kind is Tuple:
        parts = value.items if value.rest is None else (*value.items, value.rest)
        return [leaf for part in parts for leaf in symbols_of(part)]
    if kind is Const:
        return [value] if type(value.value) in (int, float) else []
    return [value] if kind is Unknown or kind is Tensor else []


def _is_plain(value: Any) -> bool:
    """Whether a result has no identity of its own."""
    for leaf in tips(value):
        if type(leaf) is Tuple:
            if not all(map(_is_plain, leaf.items)) or (leaf.rest is not None and not _is_plain(leaf.rest)):
                return False
        elif type(leaf) not in (Tensor, Unknown, Const, DeviceValue, Lib, Class):
            return False
    return True
