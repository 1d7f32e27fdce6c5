"""The host waits for the device on every step of a training loop"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.model.device import CPU
from devlint.model.events import Sync
from devlint.rule import Finding, Rule
from devlint.rules._evidence import is_tensor


def _check(event: Sync) -> Iterator[Finding]:
    if is_tensor(event.value) and event.value.device is not CPU:
        yield Finding(
            event.site,
            f"`{event.how}` makes the host wait for the device on every step",
            help="gather values on the device, and read them now and then",
        )


RULE = Rule(
    code="DEV605",
    name="sync-in-loop",
    summary="the host waits for the device on every step of a training loop",
    severity=Severity.INFO,
    on=(Sync,),
    check=_check,
    default=False,
)
