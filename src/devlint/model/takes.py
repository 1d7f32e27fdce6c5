"""Device strings on their way to where a device is taken.

A literal may be taken in several places, or repaired before it is; only when the whole file was read is it
known whether it ever arrives bare. So uses are gathered by literal, and become one event each at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from devlint.model.cond import leaves, tips
from devlint.model.device import AVAILABLE, CPU, At
from devlint.model.events import Take, Where
from devlint.model.machine import Frame, Machine, is_guard
from devlint.model.torch.devices import ACCELERATORS
from devlint.model.value import Const, DeviceValue, Site, Tuple, Unknown
from devlint.syntax import tree as t
from devlint.syntax.walk import walk

COMPARED = "compared"


@dataclass(slots=True)
class Uses:
    """The uses of one literal: those that only wrap it (`torch.device("cuda")`), and the real ones."""

    literal: Const
    wrapped: list[tuple[Site, Where, str, bool, Any]] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    found: list[bool] = field(default_factory=list)
    """Of those that wrap it: whether there was found to be such a device."""
    taken: list[tuple[Site, Where, str, bool, Any]] = field(default_factory=list)
    fallback: bool = False


class Taking(Machine):
    """The part of the machine that follows device strings."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.literals: dict[Any, Uses] = {}
        """The literals met so far, by file and node."""

    def take(self, value: Any, how: str, node: t.Node, index: Any = None) -> None:
        """A value arrived where a device is taken."""
        if type(value) is Unknown:
            if "%text" not in value.attrs and how != ".to":
                value.root.seen.add("device")
            return
        if type(value) is not Const and type(value) is not DeviceValue and not hasattr(value, "flag"):
            return
        found = list(leaves(value, self.assume))
        fallback = any(_is_host(leaf) or _is_found(path, leaf) for path, leaf in found)
        where = None
        for path, leaf in found:
            literal = _literal(leaf)
            if type(literal) is not Const or literal.site is None or not isinstance(literal.value, str):
                if type(leaf) is Unknown and "%text" not in leaf.attrs and how != ".to":
                    leaf.root.seen.add("device")
                continue
            where = where or self.where()
            safe = fallback or path.get(AVAILABLE) is True or _chosen(path, found)
            uses = self.uses_of(literal)
            entry = (self.site(node), where, how, safe, index)
            if how == "torch.device":
                uses.frames.append(self.frame)
                uses.found.append(self.frame.guarded or any(map(_finds, self.assume.items())))
                uses.wrapped.append(entry)
            else:
                uses.taken.append(entry)

    def compare_only(self, value: Any, node: t.Expr) -> None:
        """`x.device == torch.device("cuda")`: a device is named where nothing is placed on it."""
        if isinstance(node, t.Display):
            parts = value.items if type(value) is Tuple else getattr(value, "attrs", {}).values()
            for inner, part in zip(parts, node.items, strict=False):
                self.compare_only(inner, part)
        elif isinstance(node, t.Call):
            for leaf in tips(value):
                if type(leaf) is DeviceValue and leaf.literal is not None:
                    uses = self.uses_of(leaf.literal)
                    uses.wrapped = [(e[0], e[1], COMPARED, e[3], e[4]) for e in uses.wrapped]

    def alternatives(self, a: DeviceValue, b: DeviceValue) -> None:
        """A device is the one or the other: the CPU is a fallback, wherever the value goes."""
        for one, other in ((a, b), (b, a)):
            if one.literal is not None and other.device is CPU:
                self.uses_of(one.literal).fallback = True

    def uses_of(self, literal: Const) -> Uses:
        """The record of a literal."""
        assert literal.site is not None
        key = (literal.site.file.path, id(literal.site.node))
        record = self.literals.get(key)
        if record is None:
            record = self.literals[key] = Uses(literal)
        return record

    def finish_takes(self) -> None:
        """One Take for each literal: the first use that is bare, else the first of all."""
        for uses in self.literals.values():
            entries = uses.taken or [(*e[:3], e[3] or uses.fallback, e[4]) for e in uses.wrapped]
            bare = [e for e in entries if not (e[3] or e[1].guarded or e[1].caught)]
            seen_to = not uses.taken and any(map(_asks, uses.frames))
            if seen_to or (uses.found and all(uses.found)):
                # The function, or its class, asks for an accelerator itself, and hands the device on or
                # decides elsewhere what becomes of it: it has seen to it. Or it makes such a device only
                # where there is one.
                bare = []
                entries = [(*e[:3], True, e[4]) for e in entries]
            if not entries:
                continue  # only looked up: nothing took it
            bare.sort(key=lambda e: e[2] == "map_location")  # what else it places says more
            site, where, how, fallback, index = (bare or entries)[0]
            self.emit(Take(site, where, uses.literal, how, fallback, index))


def _finds(assumed: tuple[Any, bool]) -> bool:
    """Whether an assumption says that there is an accelerator, or that something is on one."""
    flag, value = assumed
    return value and (
        flag == AVAILABLE or (isinstance(flag, tuple) and flag[0] in ("available", "device =="))
    )


def _asks(frame: Frame) -> bool:
    """Whether a function, or a method of the same class, asks whether there is an accelerator."""
    if frame.function is None:
        return False
    return frame.asked or (
        frame.owner is not None
        and any(isinstance(x, t.Attr) and x.attr == "is_available" for x in walk(*frame.owner.node.body))
    )


def _chosen(path: Mapping[Any, bool], found: list[tuple[dict[Any, bool], Any]]) -> bool:
    """Whether somebody asked for this device: with a flag, which otherwise stands for another device, or
    for none."""
    return any(
        is_guard(flag, value)
        and any(
            p.get(flag) is (not value) and not _is_hard(leaf) and not _is_asked(leaf, flag)
            for p, leaf in found
        )
        for flag, value in path.items()
    )


def _is_asked(leaf: Any, flag: Any) -> bool:
    """Whether a flag only asks whether the leaf was given: `device or "cuda"`."""
    return type(leaf) is Unknown and isinstance(flag, tuple) and leaf.root in flag


def _is_hard(leaf: Any) -> bool:
    """Whether a leaf is a device that other machines do not have."""
    if type(leaf) is DeviceValue:
        return isinstance(leaf.device, At) and leaf.device.type in ACCELERATORS
    return type(leaf) is Const and str(leaf.value).partition(":")[0] in ACCELERATORS


def _literal(leaf: Any) -> Any:
    return leaf.literal if type(leaf) is DeviceValue else leaf


def _is_found(path: Mapping[Any, bool], leaf: Any) -> bool:
    """Whether torch was asked which accelerator there is (`torch.accelerator.current_accelerator()`).

    What else may be taken is for machines, or versions, that cannot be asked.
    """
    literal = _literal(leaf)
    named = type(literal) is Const and literal.site is not None
    return _is_hard(leaf) and not named and path.get(AVAILABLE) is True


def _is_host(leaf: Any) -> bool:
    if type(leaf) is DeviceValue:
        return leaf.device is CPU
    return type(leaf) is Const and isinstance(leaf.value, str) and leaf.value.startswith("cpu")
