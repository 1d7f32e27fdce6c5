"""A tensor type of old that is tied to CUDA"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Use
from devlint.model.torch.devices import LEGACY_TYPES
from devlint.rule import Finding, Rule


def _check(event: Use) -> Iterator[Finding]:
    if event.name not in LEGACY_TYPES and event.name != "torch.set_default_tensor_type":
        return
    if event.name in LEGACY_TYPES and ".cuda." not in event.name:
        return
    yield Finding(
        event.site,
        f"`{event.name}` is tied to CUDA and deprecated",
        help="create tensors with `device=` and `dtype=`",
    )


RULE = Rule(
    code="DEV206",
    name="legacy-tensor-type",
    summary="a tensor type of old that is tied to CUDA",
    severity=Severity.WARNING,
    on=(Use,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
