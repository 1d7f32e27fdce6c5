"""An asynchronous copy from memory that is not pinned"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.model.device import CPU
from devlint.model.events import Move
from devlint.model.value import Const, Tensor, Unknown
from devlint.rule import Finding, Rule
from devlint.rules._evidence import goes_to_accelerator, is_pinned, notes
from devlint.syntax import tree as t


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if (
        event.non_blocking != Const(True)
        or type(receiver) not in (Tensor, Unknown)
        or receiver.device is not CPU
    ):
        return
    if not goes_to_accelerator(event.target):
        return
    node = event.site.node
    inner = node.func.value if isinstance(node, t.Call) and isinstance(node.func, t.Attr) else None
    if isinstance(inner, t.Call) and isinstance(inner.func, t.Attr) and inner.func.attr == "pin_memory":
        yield Finding(event.site, "pinning just before the copy is slower than a plain copy")
        return
    if is_pinned(receiver) is False:
        yield Finding(
            event.site,
            "the memory is not pinned: the copy does not overlap with computation",
            notes(receiver),
            help="pin it where it is made (`pin_memory=True` in the loader)",
        )


RULE = Rule(
    code="DEV601",
    name="non-blocking-unpinned",
    summary="an asynchronous copy from memory that is not pinned",
    severity=Severity.INFO,
    on=(Move,),
    check=_check,
)
