"""Where a value lives: device terms, and whether two of them agree."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from devlint.model.value import Root


class Device:
    """A leaf of a device tree. Immutable; compared by value."""

    __slots__ = ()


class At(Device):
    """A device that the program names: `cpu`, `cuda`, `cuda:1`, `mps` ... Made by `at`."""

    __slots__ = ("index", "type")

    def __init__(self, type: str, index: int | None) -> None:
        self.type = type
        self.index = index

    def __repr__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"


@cache
def at(type: str, index: int | None = None) -> At:
    """The one At of a type and index, so that equal ones are identical."""
    return At(type, index)


CPU = at("cpu")


class Like(Device):
    """Wherever an unknown value lives (`x.device`), or the device that it names (`device`)."""

    __slots__ = ("named", "root")

    def __init__(self, root: Root, named: bool = False) -> None:
        self.root = root
        self.named = named

    def __eq__(self, other: object) -> bool:
        return type(other) is Like and self.root is other.root and self.named is other.named

    def __hash__(self) -> int:
        return hash((id(self.root), self.named))

    def __repr__(self) -> str:
        return str(self.root.label) if self.named else f"{self.root.label}.device"


class Nowhere(Device):
    """A device nothing is known about."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN = Nowhere()

AVAILABLE = "accelerator available"
"""The flag of `torch.cuda.is_available()` and its like. The faults devlint looks for are those of the
machine where it holds; one that breaks where it does not is a matter of portability."""


class Verdict(enum.Enum):
    """How two devices compare on a machine with an accelerator."""

    SAME = "same"
    DIFFERENT = "different"
    """Two named devices that differ."""
    FOLLOWS = "follows"
    """One is the CPU, the other wherever some value lives: they differ once that value is moved."""
    UNSURE = "unsure"


def equal_flag(a: Device, b: Device) -> tuple[str, frozenset[Device]]:
    """The flag of the test `a == b` of two devices."""
    return ("device ==", frozenset((a, b)))


def compare(a: Device, b: Device, known: Mapping[Any, bool] | None = None) -> Verdict:
    """Compares two leaves under the flags that are known to hold."""
    if a is b or a == b:
        return Verdict.SAME
    if a is UNKNOWN or b is UNKNOWN:
        return Verdict.UNSURE
    if known and (known.get(equal_flag(a, b)) or (CPU in (a, b) and _equals_cpu(known))):
        return Verdict.SAME
    if isinstance(a, At) and isinstance(b, At):
        if "meta" in (a.type, b.type):
            return Verdict.UNSURE
        if a.type == b.type:
            differ = a.index is not None and b.index is not None and a.type != "cpu"
            return Verdict.DIFFERENT if differ else Verdict.SAME
        return Verdict.DIFFERENT if "cpu" in (a.type, b.type) else Verdict.UNSURE
    if CPU in (a, b) and (isinstance(a, Like) or isinstance(b, Like)):
        moved = a if isinstance(a, Like) else b
        assert isinstance(moved, Like)
        if moved.root.kind == "join":
            return Verdict.UNSURE  # one of many values: nothing is known of it
        return Verdict.SAME if known and _is_host(moved.root, known) else Verdict.FOLLOWS
    return Verdict.UNSURE


def _is_host(root: Root, known: Mapping[Any, bool]) -> bool:
    """Whether a test has shown that what an unknown value names, or where it lives, is the CPU: without a
    device, a tensor is made on the default one."""
    return bool(
        known.get(("compare", root, "cuda")) is False
        or known.get(("compare", root, "cpu"))
        or known.get(("none", root, None))
        or known.get(("truth", root)) is False
    )


def _equals_cpu(known: Mapping[Any, bool]) -> bool:
    """Whether a test has shown that what moves about in the program is on the CPU just now."""
    return any(
        value and type(flag) is tuple and flag[0] == "device ==" and CPU in flag[1]
        for flag, value in known.items()
    )
