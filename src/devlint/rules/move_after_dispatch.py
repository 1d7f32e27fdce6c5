"""A model that a library has placed is moved"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Move
from devlint.model.value import Const, Obj
from devlint.rule import Finding, Rule


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if (
        not isinstance(receiver, Obj)
        or receiver.attrs.get("%dispatched") != Const(True)
        or event.target is None
    ):
        return
    yield Finding(
        event.site,
        "the model was placed when it was loaded (`device_map`, 4 or 8 bits): moving it breaks that, or raises",
        ((receiver.site, "loaded here"),),
    )


RULE = Rule(
    code="DEV506",
    name="move-after-dispatch",
    summary="a model that a library has placed is moved",
    severity=Severity.ERROR,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
