"""A wrapper's state_dict is saved, with its prefix"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import SaveWrapped
from devlint.rule import Finding, Rule


def _check(event: SaveWrapped) -> Iterator[Finding]:
    yield Finding(
        event.site,
        "saved from inside the wrapper: every key begins with `module.`",
        ((event.obj.site, "wrapped here"),),
        help="save `model.module.state_dict()`",
    )


RULE = Rule(
    code="DEV503",
    name="wrapped-state-dict",
    summary="a wrapper's state_dict is saved, with its prefix",
    severity=Severity.WARNING,
    on=(SaveWrapped,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
