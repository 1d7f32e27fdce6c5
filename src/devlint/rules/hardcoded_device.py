"""A device is named that other machines do not have"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Take
from devlint.model.torch.devices import ACCELERATORS, is_valid_device
from devlint.model.value import Unknown
from devlint.rule import Draft, Finding, Rule

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Take) -> Iterator[Finding]:
    site = event.literal.site
    if site is None or event.how in ("map_location", "compared"):
        return
    if event.fallback or event.where.guarded or event.where.caught:
        return
    if type(event.index) is Unknown:
        return  # `torch.device("cuda", rank)`: which card it is was chosen elsewhere
    name = str(event.literal.value)
    if name.partition(":")[0] not in ACCELERATORS or not is_valid_device(name, ACCELERATORS):
        return
    yield Finding(
        site,
        f'"{name}" is named with no fallback: on a machine without it this raises',
        ((event.site, f"taken as a device here ({event.how})"),) if event.site.node is not site.node else (),
        help='use `"cuda" if torch.cuda.is_available() else "cpu"`',
        fix=partial(_fix, event),
    )


def _fix(event: Take, ctx: Context) -> Draft | None:
    written = ctx.instead_of(event)
    if written is None:
        return None
    return ctx.draft(f"Use `{written.text}`", Safety.UNSAFE, written.edits)


RULE = Rule(
    code="DEV202",
    name="hardcoded-device",
    summary="a device is named that other machines do not have",
    severity=Severity.WARNING,
    on=(Take,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
