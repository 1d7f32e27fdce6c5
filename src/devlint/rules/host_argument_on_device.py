"""An argument that PyTorch wants on the CPU is on the accelerator"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Combine, HostRead
from devlint.rule import Finding, Rule
from devlint.rules._evidence import differs, explained, notes, on_accelerator


def _check(event: HostRead | Combine) -> Iterator[Finding]:
    if isinstance(event, Combine):
        if event.op == "index" and differs(event) and not explained(event):
            yield Finding(
                event.site,
                f"a tensor on {event.left_device!r} is indexed by one on {event.right_device!r}",
                (*notes(event.left), *notes(event.right)),
                help="keep the index on the CPU",
            )
        return
    if event.kind == "numpy":
        return
    leaf = on_accelerator(event.value)
    if leaf is None:
        return
    if event.kind == "generator":
        message = "a generator draws on its own device only"
    else:
        message = f"`{event.how}` wants this argument on the CPU"
    yield Finding(event.site, message, notes(leaf), help="leave it on the CPU")


RULE = Rule(
    code="DEV404",
    name="host-argument-on-device",
    summary="an argument that PyTorch wants on the CPU is on the accelerator",
    severity=Severity.ERROR,
    on=(
        HostRead,
        Combine,
    ),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
