"""A module is moved after DistributedDataParallel wrapped it"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import LateMove
from devlint.rule import Finding, Rule


def _check(event: LateMove) -> Iterator[Finding]:
    if event.kind == "ddp":
        yield Finding(
            event.site,
            "moved after DistributedDataParallel took its parameters",
            ((event.earlier, "wrapped here"),),
            help="move the module, then wrap it",
        )


RULE = Rule(
    code="DEV505",
    name="ddp-before-move",
    summary="a module is moved after DistributedDataParallel wrapped it",
    severity=Severity.ERROR,
    on=(LateMove,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
