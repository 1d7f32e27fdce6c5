"""torch.load is told a device that other machines do not have"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Take
from devlint.model.torch.devices import ACCELERATORS, is_valid_device
from devlint.rule import Draft, Finding, Rule

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Take) -> Iterator[Finding]:
    site = event.literal.site
    if site is None or event.how != "map_location":
        return
    if event.fallback or event.where.guarded or event.where.caught:
        return
    name = str(event.literal.value)
    if name.partition(":")[0] not in ACCELERATORS or not is_valid_device(name, ACCELERATORS):
        return
    yield Finding(
        site,
        f'loads onto "{name}", which other machines do not have',
        ((event.site, "loaded here"),) if event.site.stmt is not site.stmt else (),
        help='use `map_location="cpu"` or the device variable',
        fix=partial(_fix, event),
    )


def _fix(event: Take, ctx: Context) -> Draft | None:
    text = ctx.device_for(event) or ctx.string("cpu", event.literal)
    edit = ctx.replace_literal(event, text)
    return None if edit is None else ctx.draft(f"Load onto `{text}`", Safety.UNSAFE, edit)


RULE = Rule(
    code="DEV502",
    name="hardcoded-map-location",
    summary="torch.load is told a device that other machines do not have",
    severity=Severity.WARNING,
    on=(Take,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
