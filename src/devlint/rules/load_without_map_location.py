"""torch.load is not told where to"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Load
from devlint.model.value import Const, Unknown
from devlint.rule import Draft, Finding, Rule
from devlint.syntax import tree as t
from devlint.syntax.edit import set_argument

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _hands_on(node: t.Node) -> bool:
    """Whether a call passes a map_location that comes from its caller, be it None this time."""
    return isinstance(node, t.Call) and any(
        (arg.name == "map_location" or (i == 1 and arg.name is None and not arg.star))
        and not isinstance(arg.value, t.Const)
        for i, arg in enumerate(node.args)
    )


def _check(event: Load) -> Iterator[Finding]:
    absent = event.place is None or event.place == Const(None)
    if not absent or event.open_ended or event.available or _hands_on(event.site.node):
        return
    if type(event.source) is Unknown and "%empty" in event.source.attrs:
        return  # written by this process, on this machine
    yield Finding(
        event.site,
        "tensors go back to the device that they were saved from, which may not be there",
        help="pass `map_location=`",
        fix=partial(_fix, event),
    )


def _fix(event: Load, ctx: Context) -> Draft | None:
    call = event.site.node
    if not isinstance(call, t.Call) or not ctx.calls(call, "torch.load", event.where):
        return None
    place = ctx.named_device(event.site, event.where) or ctx.string("cpu")
    edits = set_argument(ctx.source, call, "map_location", place, position=1)
    return ctx.draft(f"Load onto `{place}`", Safety.UNSAFE, edits)


RULE = Rule(
    code="DEV501",
    name="load-without-map-location",
    summary="torch.load is not told where to",
    severity=Severity.WARNING,
    on=(Load,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
