"""Operands on different devices"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Combine
from devlint.rule import Finding, Rule
from devlint.rules._evidence import differs, explained, notes


def _check(event: Combine) -> Iterator[Finding]:
    if event.owner is not None or event.op == "index" or not differs(event) or explained(event):
        return
    yield Finding(
        event.site,
        f"operands on different devices: {event.left_device!r} and {event.right_device!r}",
        (*notes(event.left), *notes(event.right)),
    )


RULE = Rule(
    code="DEV401",
    name="device-mismatch",
    summary="operands on different devices",
    severity=Severity.ERROR,
    on=(Combine,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
