"""One file to what it does with devices.

The top level is read as Python would run it, `if __name__ == "__main__"` included. Then everything that
this did not reach is read for its own sake: each module class is built and called, each function and method
is entered with unknown arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from devlint.model.attributes import method_kind
from devlint.model.contexts import is_rooted
from devlint.model.definitions import asks
from devlint.model.device import CPU
from devlint.model.entering import FORWARD
from devlint.model.events import End, Event
from devlint.model.interpret import Interpret
from devlint.model.machine import NORMAL, Frame
from devlint.model.program import File, Program
from devlint.model.reach import callers_first, is_known, speaks
from devlint.model.value import PLACE, Class, Function, Obj, Site
from devlint.syntax import tree as t
from devlint.syntax.source import Source


@dataclass(frozen=True, slots=True)
class Model:
    """What was found: the events, and the files that were looked into for it. The values in the events are
    to be read before the program analyses another file."""

    file: File
    events: tuple[Event, ...]
    dependencies: tuple[str, ...]


def analyse(
    source: Source,
    program: Program,
    *,
    tracing: bool = False,
    machine: Callable[[Program, File], Analysis] | None = None,
) -> Model:
    """Reads a file; with `tracing`, every binding of a name is an event too. `machine` makes another machine
    than the usual one, to watch it at work.

    Raises:
        ParseError: it does not parse.
    """
    program.start()
    file = program.main = program.adopt(source)
    file.forget()
    file.state = "running"
    reading = Analysis(program, file) if machine is None else machine(program, file)
    reading.tracing = tracing
    try:
        reading.read()
    finally:
        file.state = "done"
    return Model(file, tuple(reading.events), program.read)


class Analysis(Interpret):
    """The machine that reads one file to the end."""

    def __init__(self, program: Program, file: File, budget: int = 0) -> None:
        super().__init__(program, file, budget or 2 * file.tree.size + 4_000)

    def read(self) -> None:
        """Reads the top level, then whatever it did not reach."""
        import os

        self.path = os.path.abspath(self.file.path)
        self.block(self.file.tree.body)
        # What the program does may cost more than what nobody calls.
        self.budget = self.steps + self.file.tree.size + 150
        if asks(self.file.globals.get("pytestmark")):
            self.skipped.update(id(value.node) for value, _ in self.defined)
        done = 0
        while done < len(self.defined):
            batch = self.defined[done:]
            done = len(self.defined)
            classes = [x for x in batch if isinstance(x[0], Class) and x[0].file is self.file]
            for value, guarded in classes:
                if not _is_private(value):
                    self._study_class(value, guarded)
            self._study_functions(batch)
            for value, guarded in classes:
                if _is_private(value) and id(value.node) not in self.run_somewhere:
                    self._study_class(value, guarded)
        self.finish_loaders()
        self.finish_takes()
        self.finish_ranks()
        self.finish_stale()
        self.finish_saves()
        self.finish_loads()
        self.finish_late()
        for obj in self.ended:
            self.emit(End(obj.site, self.bare_where(), obj, tuple(self.stores.get(id(obj), ()))))
        self.program.undo = self._forget

    def _forget(self) -> None:
        """Undoes what was done to objects of other files; importers read this file's top level anew."""
        self.rollback(0)
        self.file.forget()

    def _study_functions(self, batch: list[tuple[Any, bool]]) -> None:
        """Enters the functions that nothing has entered, callers first; those that say nothing of devices
        can only do so for a caller that does."""
        functions = [
            (value, guarded)
            for value, guarded in batch
            if isinstance(value, Function) and value.file is self.file and value.owner is None
        ]
        known = {name for name, found in self.file.globals.items() if is_known(found)}
        under = {id(value.node): guarded for value, guarded in functions}
        for value in callers_first([value for value, _ in functions]):
            guarded = under[id(value.node)]
            words = value.node.words
            if id(value.node) not in self.entered and (speaks(words) or not words.isdisjoint(known)):
                self._study(value, guarded, None)

    def _study(self, func: Function, guarded: bool, receiver: Any) -> None:
        """Enters a function with unknown arguments."""
        self.budget = max(self.budget, self.steps + 2 * func.node.size + 40)
        frame = Frame(func.file, {}, func.closure)
        bound = func.bound(receiver) if receiver is not None else func
        frame.function, frame.owner, frame.self_value = bound, func.owner, receiver
        frame.guarded = guarded or self.is_skipped(func) or self.handed_on.get(id(func.node), False)
        frame.stmt = func.node
        is_module = isinstance(receiver, Obj) and receiver.is_module
        frame.forward = is_module and func.node.name in FORWARD
        skip = 0
        if receiver is not None and func.node.params:
            frame.vars[func.node.params[0].name] = receiver
            skip = 1
        self.symbolic(func, frame, skip)

        if self.tracing:
            self.trace_params(bound, frame)

        def run() -> str:
            self.run(bound, frame)
            return NORMAL

        self.branch(self.opaque("called"), run, lambda: NORMAL)

    def _study_class(self, cls: Class, guarded: bool) -> None:
        """Builds an instance and calls its methods."""
        methods = [
            v for v in cls.attrs.values() if isinstance(v, Function) and isinstance(v.node, t.FunctionDef)
        ]
        forward = cls.find("forward") if cls.kind == "module" else None
        pending = [m for m in methods if id(m.node) not in self.entered or m.node.name in FORWARD]
        if not any(speaks(m.node.words) for m in methods) and not self._knows(methods):
            # Only what it is built of, and what `forward` meets, can matter.
            pending = [m for m in pending if cls.kind == "module" and m.node.name in FORWARD]
            if cls.kind != "module":
                return
        if not pending and forward is None:
            return
        obj = Obj("instance", Site(self.file, cls.node, cls.node), cls)
        if cls.kind == "module":
            obj.attrs[PLACE] = CPU
        init = cls.find("__init__")
        if init is not None and isinstance(init[0], Function):
            self._study_init(init[0], obj, guarded)
        else:
            self._fields(cls, obj, [], {}, cls.node)
        self.loosen(obj)
        if cls.kind == "module":
            self.ended.append(obj)
            self.settle(obj, f"this {cls.node.name}")
        inherited = forward[0] if forward is not None else None
        if isinstance(inherited, Function) and inherited not in methods:
            # It was read with its own class: only what stays behind is new.
            if any(is_rooted(v) for k, v in obj.attrs.items() if k not in obj.registered):
                pending.append(inherited)
        pending = [m for m in pending if m.node.name not in ("__init__", "__post_init__")]
        for method in sorted(callers_first(pending), key=_order):
            if id(method.node) in self.entered and method.node.name not in FORWARD:
                continue
            kind = method_kind(method.node)
            self._study(method, guarded, None if kind == "static" else cls if kind == "class" else obj)

    def _knows(self, methods: list[Function]) -> bool:
        """Whether methods use names of the top level that stand for something with a device."""
        known = {name for name, found in self.file.globals.items() if is_known(found)}
        return any(not m.node.words.isdisjoint(known) for m in methods)

    def _study_init(self, init: Function, obj: Obj, guarded: bool) -> None:
        self.budget = max(self.budget, self.steps + 2 * init.node.size + 40)
        frame = Frame(init.file, {}, init.closure)
        bound = init.bound(obj)
        frame.function, frame.owner, frame.self_value = bound, init.owner, obj
        frame.guarded = guarded or self.is_skipped(init)
        frame.stmt = init.node
        if init.node.params:
            frame.vars[init.node.params[0].name] = obj
        self.symbolic(init, frame, 1)
        self.run(bound, frame)


def _is_private(cls: Class) -> bool:
    """Whether a class is its file's own affair (PEP 8: one leading underscore)."""
    return cls.node.name.startswith("_")


def _order(method: Function) -> int:
    """Methods that set attributes come first, `forward` last."""
    name = method.node.name
    return 2 if name in FORWARD else 1
