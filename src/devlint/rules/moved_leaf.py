"""A tensor that requires a gradient is moved, and loses it"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Move
from devlint.model.value import Tensor
from devlint.rule import Finding, Rule
from devlint.rules._evidence import made_in, notes, reassigned, returned


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if type(receiver) is not Tensor or receiver.grad != "leaf" or event.dropped or receiver.cause is None:
        return
    if event.target is None and event.like is None:
        return
    if not (made_in(event.site.node, receiver.cause) or reassigned(event.site) or returned(event.site)):
        return
    yield Finding(
        event.site,
        "the moved tensor is no leaf: its `.grad` stays None, and optimizers refuse it",
        notes(receiver),
        help="create it on the device, or move it before `requires_grad_()`",
    )


RULE = Rule(
    code="DEV103",
    name="moved-leaf",
    summary="a tensor that requires a gradient is moved, and loses it",
    severity=Severity.ERROR,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.SAFE, Safety.UNSAFE}),
)
