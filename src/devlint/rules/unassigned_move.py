"""The result of moving a tensor is dropped"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Move
from devlint.model.value import Tensor
from devlint.rule import Finding, Rule
from devlint.rules._evidence import is_tensor, made_in, notes


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if not event.dropped or event.where.caught or (event.target is None and event.like is None):
        return
    if not is_tensor(receiver):
        return
    step = receiver.cause
    if step is not None and made_in(event.site.node, step):
        return  # `torch.zeros(1).cuda()` starts CUDA: nobody could miss the tensor
    yield Finding(
        event.site,
        f"the result of `.{event.method}()` is dropped: it moves no tensor in place",
        notes(receiver) if type(receiver) is Tensor else (),
        help="assign the result",
    )


RULE = Rule(
    code="DEV101",
    name="unassigned-move",
    summary="the result of moving a tensor is dropped",
    severity=Severity.ERROR,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.SAFE, Safety.UNSAFE}),
)
