"""Faults that show only when two places are seen together: moves in loops, reads of what is still being
copied or is computed on every step, copies of copies."""

from __future__ import annotations

from typing import Any

from devlint.model.cond import pairs, tips
from devlint.model.device import CPU
from devlint.model.events import (
    AsyncRead,
    CopyMove,
    LoopMove,
    Sync,
)
from devlint.model.machine import MISSING
from devlint.model.saving import Saving
from devlint.model.value import (
    Const,
    Obj,
    Site,
    Step,
    Tensor,
    Unknown,
)
from devlint.syntax import tree as t


class Watch(Saving):
    """The part of the machine that remembers what a later line may break."""

    def watch_move(self, receiver: Any, result: Any, devices: Any, site: Site, blocking: Any) -> None:
        """Says what a move comes too late for, and remembers moves in loops and copies to the host."""
        if isinstance(receiver, Obj):
            self.say_late(site)
            return
        if type(receiver) is Unknown:
            self.watch_unknown(receiver, devices, site)
        here = type(result) is Tensor and result.cause is not None and result.cause.site == site
        moved = here and receiver.device is not CPU
        if devices is CPU and blocking is None and receiver.device is not CPU:
            self.waits += 1
            if self.in_loop_body():
                self.reads.append((site, receiver, "cpu"))
        if blocking == Const(True) and devices is CPU and moved:
            result.cause.owner = self.waits
        node = site.node.func if isinstance(site.node, t.Call) else None
        copies = any(type(x) is Tensor and x.cause is not None and x.cause.site == site for x in tips(result))
        if self.in_loop_body() and isinstance(node, t.Attr) and type(receiver) is Tensor and copies:
            self._remember_loop_move(node.value, receiver, site)

    # -- loops ---------------------------------------------------------------------------------------

    loop_conds = 0
    loop_frame: Any = None

    def in_loop_body(self) -> bool:
        """Whether what is read now is done on every turn of the innermost loop, by that loop's function."""
        frame = self.frame
        return frame is self.loop_frame and len(frame.conds) <= self.loop_conds

    def _remember_loop_move(self, node: t.Expr, receiver: Tensor, site: Site) -> None:
        store: Any = None
        if isinstance(node, t.Name):
            store, key = self.frame.vars, node.id
        elif isinstance(node, t.Attr) and isinstance(node.value, t.Name):
            owner = self.lookup_name(node.value.id)
            if isinstance(owner, Obj):
                store, key = owner.attrs, node.attr
        if store is not None and store.get(key, MISSING) is receiver:
            self.loop_moves[-1].append((store, key, receiver, site))

    def lookup_name(self, name: str) -> Any:
        """What a name is bound to."""
        raise NotImplementedError

    def loop_ended(self, changes: list[tuple[dict[Any, Any], Any, Any]]) -> None:
        """A loop's body was read: what it moved, and did not write, is the same on every turn."""
        written = {(id(store), key) for store, key, _ in changes}
        for store, key, receiver, site in self.loop_moves[-1]:
            if (id(store), key) not in written:
                self.emit(LoopMove(site, self.where(), receiver))

    # -- reads ---------------------------------------------------------------------------------------

    backwards = 0

    def watch_read(self, value: Any, how: str, node: t.Node) -> None:
        """The host reads a tensor."""
        step = getattr(value, "cause", None)
        if type(value) is Tensor and isinstance(step, Step) and step.kind == "move":
            if type(step.owner) is int and step.owner == self.waits:
                self.emit(AsyncRead(step.site, self.where(), self.site(node)))
        if getattr(value, "device", CPU) is not CPU:
            self.waits += 1
        if self.in_loop_body():
            self.reads.append((self.site(node), value, how))

    def training_loop_ended(self) -> None:
        """A loop that called backward() has ended: what it read on each step, it waited for."""
        for site, value, how in self.reads:
            self.emit(Sync(site, self.bare_where(), value, how))

    # -- the rest ------------------------------------------------------------------------------------

    def watch_copy(self, target: Any, source: Any, node: t.Expr) -> None:
        """`target.copy_(source.to(target.device))`."""
        if not isinstance(node, t.Call) or not node.args:
            return
        moved = self.moved_by(node.args[0].value)
        if moved is None or (moved.cast and not any(leaf is target for leaf in tips(moved.like))):
            return  # with a cast on the way, copy_ gets other values
        both = [(a, b) for _, a, b in pairs(target, source, self.assume)]
        if all(type(a) in (Tensor, Unknown) and type(b) in (Tensor, Unknown) for a, b in both) and all(
            a.device == b.device for a, b in both
        ):
            self.emit(CopyMove(self.site(node), self.bare_where(), target, source, moved.site))
