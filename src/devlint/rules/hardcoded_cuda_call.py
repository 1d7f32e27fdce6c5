"""`.cuda()` ties the program to one kind of accelerator"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Move
from devlint.model.value import Obj, Tensor, Unknown
from devlint.rule import Finding, Rule
from devlint.rules._evidence import is_tensor


def _check(event: Move) -> Iterator[Finding]:
    if event.method != "cuda" or event.where.guarded or event.where.caught:
        return
    receiver = event.receiver
    if event.dropped and is_tensor(receiver):
        return  # unassigned-move says more
    known = (
        type(receiver) is Tensor
        or type(receiver) is Unknown
        or isinstance(receiver, Obj)
        and receiver.is_module
    )
    if not known or b"torch" not in event.site.file.source.data:
        return
    yield Finding(
        event.site,
        "`.cuda()` raises on a machine without CUDA, and knows no other accelerator",
        help="use `.to(device)`",
    )


RULE = Rule(
    code="DEV201",
    name="hardcoded-cuda-call",
    summary="`.cuda()`: use `.to(device)`",
    severity=Severity.WARNING,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
