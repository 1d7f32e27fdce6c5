"""The result of moving a new nn.Parameter is no parameter"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Move
from devlint.model.value import Tensor
from devlint.rule import Finding, Rule
from devlint.rules._evidence import made_in, reassigned


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if type(receiver) is not Tensor or receiver.grad != "param" or event.dropped:
        return
    step = receiver.cause
    if step is None or step.kind != "param" or (event.target is None and event.like is None):
        return
    if not (made_in(event.site.node, step) or reassigned(event.site)):
        return
    yield Finding(
        event.site,
        "moving an nn.Parameter gives a plain tensor: it is neither registered nor trained",
        ((step.site, "the parameter is made here"),) if step.site.stmt is not event.site.stmt else (),
        help="create the data on the device, inside `nn.Parameter(...)`",
    )


RULE = Rule(
    code="DEV102",
    name="moved-parameter",
    summary="the result of moving a new nn.Parameter is no parameter",
    severity=Severity.ERROR,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
