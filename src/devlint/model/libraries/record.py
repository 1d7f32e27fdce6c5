"""What a table about a library says: plain data, nothing here knows values or rules."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from devlint.model.torch.effects import Op
from devlint.model.torch.modules import ModuleInfo


class Base(NamedTuple):
    """An nn.Module class of a library."""

    device: bool = False
    """Its `device` attribute follows the module: to place tensors by it is right."""
    adds_state: bool = False
    """`add_state` registers tensors (torchmetrics): attributes made by it move with the module."""
    moves_more: bool = False
    """Its `to` or `_apply` moves more than what is registered."""
    auto: bool = False
    """A framework places it, and hands it batches that are placed."""
    placed: bool = False
    """The constructor puts it on a device (its `device` argument, or the best there is)."""
    stateless: bool = False
    """It has no parameters and no buffers: nothing that must move (image transforms)."""


PLAIN = Base()
NETWORK = ModuleInfo(state="always")
"""Of a network: it returns a tensor."""
SOME = ModuleInfo(state="always", call="some")
"""It returns, at least in training, a structure of tensors, or takes one."""
_NONE: Mapping[str, Any] = MappingProxyType({})


class Library(NamedTuple):
    """One library. All names are dotted, as a program may import them, public re-exports included."""

    bases: Mapping[str, Base] = _NONE
    """Its nn.Module classes."""
    factories: frozenset[str] = frozenset()
    """Functions that return one nn.Module, on the CPU unless `device_map=` or `device=` says otherwise."""
    networks: Mapping[str, ModuleInfo] = _NONE
    """Of these classes and functions, those whose modules have parameters, take tensors where they are
    themselves, and return tensors there."""
    self_moving: frozenset[str] = frozenset()
    """Classes that are no modules, whose `.to()` and `.cuda()` move in place: a dropped result is right."""
    copy_moving: frozenset[str] = frozenset()
    """Classes that are no tensors, whose `.to()` and `.cuda()` return the moved copy, as a tensor's do."""
    functions: Mapping[str, Op] = _NONE
    """Functions on tensors."""
    host_sinks: frozenset[str] = frozenset()
    """Functions (or whole namespaces) that read tensors on the host: one on an accelerator raises."""
    auto_device: Mapping[str, frozenset[str]] = _NONE
    """Classes of frameworks, and their methods that get batches which are already placed."""
    placers: frozenset[str] = frozenset()
    """Calls that return what they are given (models, optimizers, loaders), placed by the framework."""
    loaders: frozenset[str] = frozenset()
    """Data loaders whose batches are on the CPU."""
    graph_loaders: frozenset[str] = frozenset()
    """Of these, those whose batches are no tensors: `.to()` and `.cuda()` move one in place."""


def bases(base: Base, names: str, *namespaces: str) -> dict[str, Base]:
    """The same entry for every name of a blank-separated list, in each namespace."""
    short = names.split()
    return {f"{space}.{name}": base for space in namespaces for name in short}
