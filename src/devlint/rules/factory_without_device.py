"""A tensor is created in `forward` without the input's device"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.device import CPU
from devlint.model.events import Combine
from devlint.rule import Finding, Rule
from devlint.rules._evidence import causes, may_be_on_accelerator, sides


def _check(event: Combine) -> Iterator[Finding]:
    for leaf, _, other in sides(event):
        if leaf.device is not CPU or not may_be_on_accelerator(other):
            continue
        for step in causes(leaf):
            if step.kind in ("create", "typed") and step.owner:
                yield Finding(
                    step.site,
                    "created on the CPU, whatever the device of the input",
                    ((event.site, f"it meets a tensor on {other!r} here"),),
                    help="pass `device=`",
                )


RULE = Rule(
    code="DEV304",
    name="factory-without-device",
    summary="a tensor is created in `forward` without the input's device",
    severity=Severity.ERROR,
    on=(Combine,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
