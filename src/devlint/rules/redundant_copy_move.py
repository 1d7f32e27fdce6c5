"""`copy_` crosses devices itself"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import CopyMove
from devlint.rule import Finding, Rule


def _check(event: CopyMove) -> Iterator[Finding]:
    yield Finding(event.move, "`copy_` crosses devices itself: the move makes a copy for nothing")


RULE = Rule(
    code="DEV106",
    name="redundant-copy-move",
    summary="`copy_` crosses devices itself",
    severity=Severity.INFO,
    on=(CopyMove,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
