"""A name of torch.cuda that has a device-neutral form"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Use
from devlint.model.torch.devices import CUDA_ONLY_APIS
from devlint.rule import Finding, Rule

PER_CARD = frozenset({"torch.cuda.set_device", "torch.cuda.current_device"})
"""What programs of several ranks need, and neutral names came for only lately.
"""


def _check(event: Use) -> Iterator[Finding]:
    api = CUDA_ONLY_APIS.get(event.name)
    if api is None or event.name in PER_CARD:
        return
    if not event.name.startswith("torch.cuda.amp.") and (
        api.harmless or not event.called or event.where.guarded or event.where.caught
    ):
        return
    yield Finding(event.site, f"`{event.name}` is for CUDA alone", help=f"use `{api.neutral}`")


RULE = Rule(
    code="DEV207",
    name="cuda-only-api",
    summary="a name of torch.cuda that has a device-neutral form",
    severity=Severity.WARNING,
    on=(Use,),
    check=_check,
    safeties=frozenset({Safety.SAFE, Safety.UNSAFE}),
)
