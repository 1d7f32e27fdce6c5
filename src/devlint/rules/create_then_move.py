"""A tensor is created on the CPU, only to be moved"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from devlint.diagnostic import Safety, Severity
from devlint.model.device import CPU
from devlint.model.events import Move
from devlint.model.torch.effects import Mix, Op, Out
from devlint.model.value import Const, DeviceValue, Tensor
from devlint.rule import Finding, Rule
from devlint.rules._evidence import made_in
from devlint.syntax import tree as t


def _reshapes(op: Op) -> bool:
    """Whether an operation leaves the number of bytes to copy as it is, and meets no other tensor."""
    return op.out is Out.SAME and op.mix is Mix.FREE and not op.zero_dim_if_no


def _belongs_on_cpu(call: t.Node) -> bool:
    """Whether a factory is told to draw from a generator, or to make pinned memory: both are the CPU's."""
    return isinstance(call, t.Call) and any(arg.name in ("generator", "pin_memory") for arg in call.args)


def _is_cpu(target: Any) -> bool:
    if type(target) is DeviceValue:
        return target.device is CPU
    return type(target) is Const and target.value == "cpu"


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if type(receiver) is not Tensor or event.target is None or event.dropped or receiver.grad:
        return
    step = receiver.cause
    if step is None or step.kind != "create" or _is_cpu(event.target):
        return
    if receiver.pinned or _belongs_on_cpu(step.site.node):
        return
    if not made_in(event.site.node, step, _reshapes):
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
