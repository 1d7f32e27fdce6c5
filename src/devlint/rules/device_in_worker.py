"""An accelerator is used inside a loader's worker"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.model.events import Create, Move
from devlint.rule import Finding, Rule
from devlint.rules._evidence import goes_to_accelerator


def _check(event: Move | Create) -> Iterator[Finding]:
    if not event.where.worker:
        return
    target = event.target if isinstance(event, Move) else event.device
    if target is None or not goes_to_accelerator(target):
        return
    yield Finding(
        event.site,
        "this runs in the loader's worker processes, which cannot use CUDA",
        help="return CPU tensors, and move the batch in the training loop",
    )


RULE = Rule(
    code="DEV606",
    name="device-in-worker",
    summary="an accelerator is used inside a loader's worker",
    severity=Severity.ERROR,
    on=(
        Move,
        Create,
    ),
    check=_check,
)
