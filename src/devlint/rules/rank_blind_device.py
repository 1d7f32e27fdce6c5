"""Every rank of a distributed program takes the same card"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import RankBlind
from devlint.rule import Finding, Rule


def _check(event: RankBlind) -> Iterator[Finding]:
    if event.how == "global":
        message = "the global rank is no card's index: on a second node there is no such card"
    else:
        message = 'every rank of this distributed program takes the same card: "cuda" is card 0 in each'
    yield Finding(
        event.site, message, help="use the local rank: `torch.cuda.set_device(int(os.environ['LOCAL_RANK']))`"
    )


RULE = Rule(
    code="DEV205",
    name="rank-blind-device",
    summary="every rank of a distributed program takes the same card",
    severity=Severity.ERROR,
    on=(RankBlind,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
