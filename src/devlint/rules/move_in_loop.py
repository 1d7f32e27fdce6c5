"""The same, unchanged tensor is moved on every iteration"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.model.events import LoopMove
from devlint.rule import Finding, Rule
from devlint.rules._evidence import notes


def _check(event: LoopMove) -> Iterator[Finding]:
    yield Finding(
        event.site,
        "the same tensor is copied on every iteration",
        notes(event.receiver),
        help="move it once, before the loop",
    )


RULE = Rule(
    code="DEV604",
    name="move-in-loop",
    summary="the same, unchanged tensor is moved on every iteration",
    severity=Severity.INFO,
    on=(LoopMove,),
    check=_check,
)
