"""A layer is built inside `forward`"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.model.events import Build
from devlint.rule import Finding, Rule
from devlint.rules._evidence import has_state


def _check(event: Build) -> Iterator[Finding]:
    if not event.where.forward or "%owned" in event.obj.attrs or not has_state(event.obj):
        return
    yield Finding(
        event.site,
        "a layer is built on every call: it is never trained, and starts on the CPU",
        help="build it in `__init__`",
    )


RULE = Rule(
    code="DEV305",
    name="module-in-forward",
    summary="a layer is built inside `forward`",
    severity=Severity.ERROR,
    on=(Build,),
    check=_check,
)
