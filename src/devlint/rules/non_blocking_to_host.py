"""An asynchronous copy to the CPU is read before it is done"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import AsyncRead
from devlint.rule import Finding, Rule


def _check(event: AsyncRead) -> Iterator[Finding]:
    yield Finding(
        event.site,
        "the copy may not be done when it is read: the values may be wrong",
        ((event.read, "read here"),),
        help="copy without `non_blocking`, or synchronize before the read",
    )


RULE = Rule(
    code="DEV603",
    name="non-blocking-to-host",
    summary="an asynchronous copy to the CPU is read before it is done",
    severity=Severity.ERROR,
    on=(AsyncRead,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
