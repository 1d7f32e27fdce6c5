"""`.cuda()` ties the program to one kind of accelerator"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Move
from devlint.model.value import Obj, Tensor, Unknown
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import is_tensor
from devlint.syntax import tree as t
from devlint.syntax.edit import move_to

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _is_torch_s(node: t.Node) -> bool:
    """Whether a call has the arguments of PyTorch's `.cuda()`: `device`, `non_blocking`, `memory_format`."""
    if not isinstance(node, t.Call):
        return False
    positional = sum(1 for arg in node.args if arg.name is None)
    names = {arg.name for arg in node.args if arg.name is not None}
    return positional <= 1 and names <= {"device", "non_blocking", "memory_format"}


def _check(event: Move) -> Iterator[Finding]:
    if event.method != "cuda" or event.where.guarded or event.where.caught:
        return
    if event.where.function is not None and getattr(event.where.function.node, "name", "") == "cuda":
        return  # the class's own `.cuda()`: it does what it is called
    receiver = event.receiver
    if type(receiver) is Unknown and not _is_torch_s(event.site.node):
        return
    if event.dropped and is_tensor(receiver):
        return  # unassigned-move says more
    known = (
        type(receiver) is Tensor
        or type(receiver) is Unknown
        or isinstance(receiver, Obj)
        and receiver.is_module
    )
    if not known or b"torch" not in event.site.file.source.data:
        return
    yield Finding(
        event.site,
        "`.cuda()` raises on a machine without CUDA, and knows no other accelerator",
        help="use `.to(device)`",
        fix=partial(_fix, event),
    )


def _fix(event: Move, ctx: Context) -> Draft | None:
    written = ctx.card(event)
    call = event.site.node
    if written is None or not isinstance(call, t.Call):
        return None
    return ctx.draft(
        f"Use `.to({written.text})`", Safety.UNSAFE, written.edits, move_to(ctx.source, call, written.text)
    )


RULE = Rule(
    code="DEV201",
    name="hardcoded-cuda-call",
    summary="`.cuda()`: use `.to(device)`",
    severity=Severity.WARNING,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
