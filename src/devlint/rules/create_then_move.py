"""A tensor is created on the CPU, only to be moved"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Move
from devlint.model.torch.effects import Out
from devlint.model.torch.methods import METHODS
from devlint.model.value import Const, Step, Tensor
from devlint.rule import Finding, Rule
from devlint.syntax import tree as t


def _made_in(node: t.Node, step: Step) -> bool:
    """Whether a move's receiver is the factory's call, perhaps with a few methods after it."""
    assert isinstance(node, t.Call)
    at: t.Expr | None = node.func.value if isinstance(node.func, t.Attr) else None
    for _ in range(4):
        if at is step.site.node:
            return True
        if not (isinstance(at, t.Call) and isinstance(at.func, t.Attr)):
            return False
        op = METHODS.get(at.func.attr)
        if op is None or op.out is not Out.SAME:
            return False
        at = at.func.value
    return False


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if type(receiver) is not Tensor or event.target is None or event.dropped or receiver.grad:
        return
    step = receiver.cause
    if step is None or step.kind != "create" or event.target == Const("cpu"):
        return
    if not isinstance(event.site.node, t.Call) or not _made_in(event.site.node, step):
        return
    yield Finding(
        event.site,
        "created on the CPU, then copied to the device: create it there",
        ((step.site, step.text),),
    )


RULE = Rule(
    code="DEV104",
    name="create-then-move",
    summary="a tensor is created on the CPU, only to be moved",
    severity=Severity.INFO,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.SAFE, Safety.UNSAFE}),
)
