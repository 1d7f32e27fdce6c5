"""Modules that are moved after something has taken their parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from devlint.model.cond import pairs, tips
from devlint.model.contexts import LISTS
from devlint.model.device import CPU, Verdict, compare
from devlint.model.events import (
    LateMove,
)
from devlint.model.lifetimes import Fate, fate
from devlint.model.machine import Frame
from devlint.model.ranks import Ranks
from devlint.model.value import (
    PLACE,
    REST,
    Const,
    Obj,
    Site,
    Tensor,
    Tuple,
    Unknown,
)
from devlint.syntax import tree as t

OPTIMIZER, WRAPPED, MAKERS = "%optimizer", "%wrapped", "%makers"


class Late(Ranks):
    """The part of the machine that remembers what has the parameters of modules."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.came_late: set[int] = set()
        """The optimizers and wrappers, by the nodes that made them, whose modules were moved later."""
        self.unfollowed: set[int] = set()
        """The optimizers, by the nodes that made them, that were handed to calls which were not followed
        after their modules had been moved."""

    def watch_optimizer(self, params: Any, site: Site, fragile: bool) -> None:
        """Remembers that an optimizer has the parameters of these modules."""
        for module in self.modules_of(params, 0):
            taken = self._watch(module, OPTIMIZER, Obj("optimizer", site))
            taken.attrs["%fragile"] = Const(fragile)

    def watch_wrapped(self, module: Any, site: Site) -> None:
        """Remembers that a module is wrapped."""
        for leaf in tips(module):
            if isinstance(leaf, Obj) and leaf.is_module:
                self._watch(leaf, WRAPPED, Obj("wrapper", site))

    def _watch(self, module: Obj | Unknown, key: str, taken: Obj) -> Obj:
        """Remembers what took the parameters of a module, and where these were."""
        taken.attrs[PLACE] = module.attrs.get(PLACE, CPU)
        taken.attrs[MAKERS] = tuple(self._makers())
        self.write(module.attrs, key, taken)
        return taken

    def modules_of(self, value: Any, depth: int) -> list[Obj | Unknown]:
        """The modules whose parameters are in a value."""
        out: list[Obj | Unknown] = []
        for leaf in tips(value):
            if type(leaf) is Tensor and leaf.cause is not None and leaf.cause.kind == "module":
                if isinstance(leaf.cause.owner, (Obj, Unknown)):
                    out.append(leaf.cause.owner)
            elif depth < 5 and type(leaf) is Tuple:
                inner = [*leaf.items, *((leaf.rest,) if leaf.rest is not None else ())]
                out += [m for x in inner for m in self.modules_of(x, depth + 1)]
            elif depth < 5 and isinstance(leaf, Obj) and leaf.kind in LISTS:
                inner = [v for k, v in leaf.attrs.items() if isinstance(k, tuple) or k == REST]
                out += [m for x in inner for m in self.modules_of(x, depth + 1)]
        return out

    def place(self, module: Obj, devices: Any) -> None:
        """Moves a module; a move that changes its place comes too late for what has its parameters."""
        before = module.attrs.get(PLACE, CPU)
        super().place(module, devices)
        self.late = []
        if devices is None or not self._changes(before, module.attrs[PLACE]):
            return
        for inner in self._with_children(module, [], 0):
            for key, kind in ((OPTIMIZER, "optimizer"), (WRAPPED, "ddp")):
                earlier = self._earlier(inner, key)
                if earlier is not None and self._changes(earlier.attrs[PLACE], inner.attrs.get(PLACE)):
                    self.late.append((kind, module, earlier))

    def _earlier(self, module: Obj | Unknown, key: str) -> Obj | None:
        """What took the parameters of a module, in some case, and is still there."""
        found = (leaf for leaf in tips(module.attrs.get(key)) if isinstance(leaf, Obj))
        return next((taken for taken in found if not self._is_gone(taken)), None)

    def _makers(self) -> Iterator[tuple[t.Node, t.FunctionDef | t.Lambda]]:
        """The functions that are being run, innermost first, with the statements that they are at."""
        frame: Frame | None = self.frame
        while frame is not None and frame.function is not None:
            yield frame.stmt, frame.function.node
            frame = frame.caller

    def _is_gone(self, taken: Obj) -> bool:
        """Whether the functions have ended that made something, and kept it to themselves."""
        for stmt, function in taken.attrs.get(MAKERS, ()):
            if id(function) in self.active:
                return False
            what = fate(stmt, function)
            if what is not Fate.RETURNED:
                return what is Fate.GONE
        return False

    def _changes(self, before: Any, after: Any) -> bool:
        """Whether a move takes something from the CPU to another place; back is a way to save or to end."""
        return any(
            a is CPU and compare(a, b) in (Verdict.DIFFERENT, Verdict.FOLLOWS)
            for _, a, b in pairs(before, after, self.assume)
        )

    def _with_children(self, module: Obj, seen: list[Obj], depth: int) -> list[Obj]:
        if module in seen or depth > 4:
            return seen
        seen.append(module)
        for key, value in module.attrs.items():
            if isinstance(key, tuple) or key == REST or key in module.registered:
                for leaf in tips(value):
                    if isinstance(leaf, Obj) and leaf.is_module:
                        self._with_children(leaf, seen, depth + 1)
        return seen

    def say_late(self, site: Site) -> None:
        """Says what the move of a module that was made at a site comes too late for."""
        for kind, module, earlier in self.late:
            self._say(site, kind, module, earlier)
        self.late = []

    def _say(self, site: Site, kind: str, module: Obj | Unknown, earlier: Obj) -> None:
        fragile = earlier.attrs.get("%fragile") == Const(True)
        self.emit(LateMove(site, self.where(), kind, module, earlier.site, fragile))
        self.came_late.add(id(earlier.site.node))

    def watch_unfollowed(self, given: tuple[Any, ...]) -> None:
        """A call was not followed. What has an optimizer may give it the parameters again."""
        for value in given if self.came_late else ():
            for leaf in tips(value):
                held = (leaf, *leaf.attrs.values()) if isinstance(leaf, Obj) else ()
                self.unfollowed |= {
                    id(x.site.node)
                    for one in held
                    for x in tips(one)
                    if isinstance(x, Obj) and x.kind == "optimizer"
                }

    def finish_late(self) -> None:
        """Moves that came too late, but for those of modules whose optimizer was not watched to the end."""
        self.events[:] = [
            event
            for event in self.events
            if not isinstance(event, LateMove) or id(event.earlier.node) not in self.unfollowed
        ]

    def watch_unknown(self, module: Unknown, devices: Any, site: Site) -> None:
        """Something whose parameters an optimizer has is moved, for the first time as far as is known."""
        earlier = self._earlier(module, OPTIMIZER)
        leaves_cpu = any(d is not CPU and d is not None for d in tips(devices))
        if earlier is not None and "%placed" not in module.attrs and leaves_cpu:
            self._say(site, "optimizer", module, earlier)
        self.write(module.attrs, "%placed", Const(True))
