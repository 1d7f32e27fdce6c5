"""The result of moving a tensor is dropped"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Move
from devlint.model.value import Tensor
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import is_tensor, made_in, notes
from devlint.syntax import tree as t
from devlint.syntax.edit import before, move_to

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if not event.dropped or event.where.caught or (event.target is None and event.like is None):
        return
    if not is_tensor(receiver):
        return
    step = receiver.cause
    if step is not None and made_in(event.site.node, step):
        return  # `torch.zeros(1).cuda()` starts CUDA: nobody could miss the tensor
    yield Finding(
        event.site,
        f"the result of `.{event.method}()` is dropped: it moves no tensor in place",
        notes(receiver) if type(receiver) is Tensor else (),
        help="assign the result",
        fix=partial(_fix, event),
    )


def _fix(event: Move, ctx: Context) -> Draft | None:
    call, stmt = event.site.node, event.site.stmt
    if not isinstance(stmt, t.ExprStmt) or not isinstance(call, t.Call) or not isinstance(call.func, t.Attr):
        return None
    if not ctx.can_assign(event, call.func.value):
        return None
    target = ctx.text(call.func.value)
    message, assigned = f"Assign the result to `{target}`", before(ctx.source, call, f"{target} = ")
    if event.method != "cuda" or event.where.guarded:
        return ctx.draft(message, Safety.SAFE, assigned)
    written = ctx.card(event)
    if written is None:
        return None
    return ctx.draft(message, Safety.UNSAFE, written.edits, assigned, move_to(ctx.source, call, written.text))


RULE = Rule(
    code="DEV101",
    name="unassigned-move",
    summary="the result of moving a tensor is dropped",
    severity=Severity.ERROR,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.SAFE, Safety.UNSAFE}),
)
