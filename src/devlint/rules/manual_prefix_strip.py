"""`module.` is cut from a checkpoint's keys by hand"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.model.events import StripPrefix
from devlint.rule import Finding, Rule


def _check(event: StripPrefix) -> Iterator[Finding]:
    yield Finding(
        event.site,
        "the prefix of a wrapper is cut by hand",
        help="use torch.nn.modules.utils.consume_prefix_in_state_dict_if_present",
    )


RULE = Rule(
    code="DEV504",
    name="manual-prefix-strip",
    summary="`module.` is cut from a checkpoint's keys by hand",
    severity=Severity.INFO,
    on=(StripPrefix,),
    check=_check,
)
