"""torch.load is not told where to"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Load
from devlint.model.value import Const
from devlint.rule import Finding, Rule


def _check(event: Load) -> Iterator[Finding]:
    absent = event.place is None or event.place == Const(None)
    if not absent or event.open_ended:
        return
    yield Finding(
        event.site,
        "tensors go back to the device that they were saved from, which may not be there",
        help="pass `map_location=`",
    )


RULE = Rule(
    code="DEV501",
    name="load-without-map-location",
    summary="torch.load is not told where to",
    severity=Severity.WARNING,
    on=(Load,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
