"""A tensor is created in `forward` without the input's device"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.device import CPU, Device
from devlint.model.events import Combine
from devlint.model.value import Step
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import causes, may_be_on_accelerator, sides
from devlint.syntax import tree as t
from devlint.syntax.edit import set_argument

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Combine) -> Iterator[Finding]:
    for leaf, _, other in sides(event):
        if leaf.device is not CPU or not may_be_on_accelerator(other):
            continue
        for step in causes(leaf):
            if step.kind in ("create", "typed") and step.owner:
                yield Finding(
                    step.site,
                    "created on the CPU, whatever the device of the input",
                    ((event.site, f"it meets a tensor on {other!r} here"),),
                    help="pass `device=`",
                    fix=partial(_fix, event, step, other),
                )


def _fix(event: Combine, step: Step, other: Device, ctx: Context) -> Draft | None:
    factory = step.site.node
    if not isinstance(factory, t.Call) or not ctx.without_device(factory):
        return None
    device = ctx.device_met(step.site, other, event.site)
    if device is None:
        return None
    edits = set_argument(ctx.source, factory, "device", device)
    return ctx.draft(f"Create it on `{device}`", Safety.SAFE, edits)


RULE = Rule(
    code="DEV304",
    name="factory-without-device",
    summary="a tensor is created in `forward` without the input's device",
    severity=Severity.ERROR,
    on=(Combine,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
