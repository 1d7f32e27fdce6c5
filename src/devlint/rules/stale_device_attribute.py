"""A module places tensors by the device it was built with"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import StaleDevice
from devlint.rule import Finding, Rule


def _check(event: StaleDevice) -> Iterator[Finding]:
    yield Finding(
        event.stored,
        f"`{event.attr}` stays what it was when the module is moved",
        ((event.site, "a tensor is placed by it here"),),
        help="ask the input or a parameter for its device",
    )


RULE = Rule(
    code="DEV307",
    name="stale-device-attribute",
    summary="a module places tensors by the device it was built with",
    severity=Severity.ERROR,
    on=(StaleDevice,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
