"""A module or a loss is called with what is on another device"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Combine
from devlint.rule import Finding, Rule
from devlint.rules._evidence import differs, explained, first_call, notes


def _check(event: Combine) -> Iterator[Finding]:
    if not differs(event) or explained(event, passed=True):
        return
    call = first_call(event.left) or first_call(event.right)
    if call is not None:
        site = call.site
    elif event.owner is not None:
        site = event.site
    else:
        return
    yield Finding(
        site,
        f"called with tensors on {event.left_device!r} and {event.right_device!r}",
        (*notes(event.left), *notes(event.right)),
        help="move the input to the module's device",
    )


RULE = Rule(
    code="DEV402",
    name="input-not-moved",
    summary="a module or a loss is called with what is on another device",
    severity=Severity.ERROR,
    on=(Combine,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
