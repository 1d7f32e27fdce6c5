"""A tensor that a module needs is kept as a plain attribute"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.device import CPU
from devlint.model.events import Combine
from devlint.model.value import Step
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import causes, may_be_on_accelerator, origin, sides

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Combine) -> Iterator[Finding]:
    for leaf, _, other in sides(event):
        if leaf.device is not CPU or not may_be_on_accelerator(other):
            continue
        for step in causes(leaf):
            if step.kind == "store":
                yield Finding(
                    step.site,
                    "a plain tensor attribute: moving the module leaves it behind",
                    (*origin(step), (event.site, f"it meets a tensor on {other!r} here")),
                    help="register it with `register_buffer`",
                    fix=partial(_fix, step),
                )


def _fix(step: Step, ctx: Context) -> Draft | None:
    edits = ctx.as_buffer(step.site)
    return None if edits is None else ctx.draft("Register it as a buffer", Safety.UNSAFE, edits)


RULE = Rule(
    code="DEV301",
    name="unregistered-tensor",
    summary="a tensor that a module needs is kept as a plain attribute",
    severity=Severity.ERROR,
    on=(Combine,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
