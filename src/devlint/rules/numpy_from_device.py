"""A tensor on an accelerator is handed to NumPy"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import HostRead
from devlint.rule import Finding, Rule
from devlint.rules._evidence import notes, on_accelerator


def _check(event: HostRead) -> Iterator[Finding]:
    if event.kind != "numpy":
        return
    leaf = on_accelerator(event.value)
    if leaf is None:
        return
    yield Finding(
        event.site, f"`{event.how}` needs a tensor on the CPU", notes(leaf), help="call `.cpu()` first"
    )


RULE = Rule(
    code="DEV403",
    name="numpy-from-device",
    summary="a tensor on an accelerator is handed to NumPy",
    severity=Severity.ERROR,
    on=(HostRead,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
