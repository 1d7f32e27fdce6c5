"""A move and a cast in two steps"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from devlint.diagnostic import Safety, Severity
from devlint.model.cond import tips
from devlint.model.events import Move
from devlint.model.torch.methods import MOVES
from devlint.model.value import Lib, Obj
from devlint.rule import Finding, Rule
from devlint.rules._evidence import is_tensor
from devlint.syntax import tree as t

NARROW = frozenset(
    f"torch.{name}" for name in "half float16 bfloat16 int8 uint8 int16 short byte char bool".split()
)


def _narrows(dtype: Any) -> bool:
    return any(type(leaf) is Lib and leaf.name in NARROW for leaf in tips(dtype))


def _check(event: Move) -> Iterator[Finding]:
    node = event.site.node
    if not event.cast or event.target is not None or event.like is not None or not isinstance(node, t.Call):
        return
    move = node.func.value if isinstance(node.func, t.Attr) else None
    if not isinstance(move, t.Call) or not isinstance(move.func, t.Attr) or move.func.attr not in MOVES:
        return
    if move.func.attr == "cpu" or any(
        isinstance(a.value, t.Const) and a.value.value == "cpu" for a in move.args
    ):
        return
    if len(move.args) > 1 or event.dtype is None:
        return
    receiver = event.receiver
    is_module = isinstance(receiver, Obj) and receiver.is_module
    if not is_module and not (is_tensor(receiver) and _narrows(event.dtype)):
        return
    yield Finding(event.site, "moved at full width, then cast: one `.to(device, dtype)` does both")


RULE = Rule(
    code="DEV105",
    name="split-move-and-cast",
    summary="a move and a cast in two steps",
    severity=Severity.INFO,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
