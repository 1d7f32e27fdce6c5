"""A torch.device is compared with a string"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from devlint.diagnostic import Safety, Severity
from devlint.model.cond import tips
from devlint.model.device import Like
from devlint.model.events import Compared
from devlint.model.value import Const, DeviceValue, Obj, Tuple
from devlint.rule import Finding, Rule


def _is_device(value: Any) -> bool:
    found = False
    for leaf in tips(value):
        if type(leaf) is Const and leaf.value is None:
            continue
        if type(leaf) is not DeviceValue:
            return False
        device = leaf.device
        if isinstance(device, Like) and not device.named and not device.root.seen & {"tensor", "module"}:
            return False
        found = True
    return found


def _is_string(value: Any) -> bool:
    if type(value) is Tuple:
        return bool(value.items) and all(_is_string(x) for x in value.items)
    if isinstance(value, Obj):
        items = [v for k, v in value.attrs.items() if isinstance(k, tuple)]
        return value.kind in ("list", "set") and bool(items) and all(_is_string(x) for x in items)
    return all(type(leaf) is Const and isinstance(leaf.value, str) for leaf in tips(value))


def _check(event: Compared) -> Iterator[Finding]:
    if event.op not in ("Equal", "NotEqual", "In", "NotIn"):
        return
    pairs = [(event.left, event.right)]
    if event.op in ("Equal", "NotEqual"):
        pairs.append((event.right, event.left))
    if not any(_is_device(a) and _is_string(b) for a, b in pairs):
        return
    always = "false" if event.op in ("Equal", "In") else "true"
    yield Finding(
        event.site,
        f"a torch.device never equals a string: this is always {always}",
        help="compare `.type`",
    )


RULE = Rule(
    code="DEV204",
    name="device-string-comparison",
    summary="a torch.device is compared with a string",
    severity=Severity.ERROR,
    on=(Compared,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
