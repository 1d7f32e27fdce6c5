"""Pinned memory, and a copy that blocks"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.device import CPU
from devlint.model.events import Move
from devlint.model.value import Tensor, Unknown
from devlint.rule import Finding, Rule
from devlint.rules._evidence import goes_to_accelerator, is_pinned, notes


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if (
        event.non_blocking is not None
        or type(receiver) not in (Tensor, Unknown)
        or receiver.device is not CPU
    ):
        return
    if not goes_to_accelerator(event.target) or is_pinned(receiver) is not True:
        return
    yield Finding(
        event.site,
        "the batch is in pinned memory, but the copy blocks",
        notes(receiver),
        help="pass `non_blocking=True`",
    )


RULE = Rule(
    code="DEV602",
    name="pinned-blocking",
    summary="pinned memory, and a copy that blocks",
    severity=Severity.INFO,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
