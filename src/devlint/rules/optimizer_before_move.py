"""The optimizer is built before the model is moved"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import LateMove
from devlint.rule import Finding, Rule


def _check(event: LateMove) -> Iterator[Finding]:
    if event.kind != "optimizer":
        return
    if event.fragile:
        message = "moved after the optimizer took the parameters: the state that it made then stays behind"
    else:
        message = "moved after the optimizer took the parameters: they may not be those that it trains"
    yield Finding(
        event.site, message, ((event.earlier, "the optimizer is built here"),), help="move the model first"
    )


RULE = Rule(
    code="DEV306",
    name="optimizer-before-move",
    summary="the optimizer is built before the model is moved",
    severity=Severity.WARNING,
    on=(LateMove,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
