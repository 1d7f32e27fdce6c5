"""Places in words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from devlint.model.cond import Cond, each, make, restrict, tips
from devlint.model.device import AVAILABLE, UNKNOWN, At, Device, Like
from devlint.model.value import Root, Step, Unknown
from devlint.trace.shapes import Spot

WITH_MODULE, WITH_INPUT, NOT_KNOWN = "with its module", "with the input", "unknown"
"""The lanes of what is wherever something else is, and of what is not known."""

_EXPRESSION = re.compile(r"[\w.]+(\[[^\]]*\])*")
_WHY = {
    "load": "loaded to where it was saved",
    "placed": "the device that it was asked for is not known",
    "move": "the device that it was moved to is not known",
    "module": "where its module is, is not known",
}
_MOST = 3


def spot_of(device: Device, cause: Step | None = None) -> Spot:
    """A leaf in words; `cause` is the newest step of the value that is there."""
    if isinstance(device, At):
        text = repr(device)
        return Spot(text, text, "cpu" if text == "cpu" else "accelerator")
    why = _WHY.get(cause.kind if cause is not None else "", "nothing says where")
    if isinstance(device, Like) and (device.root.kind != "host" or cause is None):
        return _like(device.root, device.named)
    return Spot(f"unknown: {why}", NOT_KNOWN, "unknown")


def _like(root: Root, named: bool) -> Spot:
    label = root.label
    if root.kind == "module":
        return Spot(f"wherever {label} is", WITH_MODULE, "module")
    if root.kind in ("call", "join", "global", "host", "checkpoint"):
        return Spot(f"unknown: {_reason(root)}", NOT_KNOWN, "unknown")
    if named and _EXPRESSION.fullmatch(label):
        return Spot(label, label, "device")
    if label.startswith("an item of "):
        return Spot(f"wherever the items of {label[11:]} are", WITH_INPUT, "input")
    if _EXPRESSION.fullmatch(label):
        return Spot(f"wherever {label} is", WITH_INPUT, "input")
    return Spot(f"unknown: {_reason(root)}", NOT_KNOWN, "unknown")


def _reason(root: Root) -> str:
    if "()" in root.label:
        return f"it comes from {root.label}"
    return f"`{root.label}` is defined elsewhere" if root.kind == "global" else root.label


def spot(tree: Any) -> Spot | None:
    """A tree of spots as one; leaves of None do not count."""
    if not any(isinstance(leaf, Spot) for leaf in tips(tree)):
        return None
    there = _with_defaults(restrict(tree, {AVAILABLE: True}))
    here = list(dict.fromkeys(x for x in tips(there) if x is not None))
    lanes = list(dict.fromkeys(x.lane for x in here)) or [NOT_KNOWN]
    families = {x.family for x in here} or {"unknown"}
    text = _text(tree)
    assert text is not None
    if len(lanes) == 1:
        return Spot(text, lanes[0], families.pop())
    lane = " or ".join(lanes) if len(lanes) <= _MOST else "several"
    return Spot(text, lane, families.pop() if len(families) == 1 else "several")


def _asks(flag: Any, then: Any) -> str | None:
    """The name of the device that a flag says is given, and that `then` is."""
    root = flag[1] if isinstance(flag, tuple) and flag[0] == "given" else None
    is_it = isinstance(root, Root) and isinstance(then, Spot) and then.text == root.label
    return root.label if is_it and root is not None else None


def _with_defaults(tree: Any) -> Any:
    """The tree where what may be given is given."""
    if type(tree) is not Cond:
        return tree
    if _asks(tree.flag, tree.then) is not None:
        return tree.then
    return make(tree.flag, _with_defaults(tree.then), _with_defaults(tree.other))


def _text(tree: Any, inside: bool = False) -> str | None:
    """All places of a tree; `inside`: as one side of another, where it is too much to say when."""
    if type(tree) is not Cond:
        return tree.text if tree is not None else None
    if all(x is None or x.family == "unknown" for x in tips(tree)):
        return next((str(x.text) for x in tips(tree) if x is not None), None)
    tree = each(tree, lambda x: x._replace(text=NOT_KNOWN) if x is not None and x.family == "unknown" else x)
    all_texts = list(dict.fromkeys(x.text for x in tips(tree) if x is not None))
    if len(all_texts) == 1:
        return str(all_texts[0])
    if len(all_texts) > _MOST:
        return "one of several places"
    then, other = _text(tree.then, True), _text(tree.other, True)
    if then is None or other is None or then == other:
        return then if other is None else other
    kind = tree.flag[0] if isinstance(tree.flag, tuple) else tree.flag
    subject = tree.flag[1] if isinstance(tree.flag, tuple) and len(tree.flag) > 1 else None
    if isinstance(subject, Unknown):
        subject = subject.root
    one = " | " not in other and other != NOT_KNOWN
    if kind == AVAILABLE and one:
        return f"{then} | {other} without an accelerator"
    if kind == "available" and one:
        return f"{then} | {other} without {subject}"
    if _asks(tree.flag, tree.then) is not None:
        return f"{then} (default {other})"
    if (
        kind == "truth"
        and not inside
        and " | " not in f"{then}{other}"
        and isinstance(subject, Root)
        and _EXPRESSION.fullmatch(subject.label)
    ):
        return f"{then} if {subject.label} | {other} if not"
    return " | ".join(dict.fromkeys([*then.split(" | "), *other.split(" | ")]))


def spots(devices: Any, cause: Step | None = None) -> Any:
    """A tree of devices as a tree of spots; what is no device becomes None."""

    def told(leaf: Any) -> Spot | None:
        if isinstance(leaf, Device):
            return spot_of(leaf, cause)
        return leaf if isinstance(leaf, Spot) else None

    return each(devices, told)


def joined(found: Iterable[Spot | None]) -> Spot:
    """Where several things are."""
    different = list(dict.fromkeys(x for x in found if x is not None))
    if len(different) == 1:
        return different[0]
    if not different:
        return spot_of(UNKNOWN)
    texts = list(dict.fromkeys(x.text for x in different))
    lanes = list(dict.fromkeys(x.lane for x in different))
    if len(texts) > 2:
        return Spot("in several places", "several", "several")
    family = different[0].family if len(lanes) == 1 else "several"
    return Spot(" and ".join(texts), " and ".join(lanes), family)
