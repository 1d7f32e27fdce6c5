"""The device that a tensor claims to be on.

Every tensor is a real CPU tensor. The claim is kept on its storage, because on a real machine the device
is a property of the storage: views, `.data`, parameters and tensors that autograd saved share it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from tests.sim.machine import CPU

_CLAIM = "_claimed_device"
_PINNED = "_claimed_pinned"
_DEPTH = 5


def _holder(tensor: Tensor) -> Any:
    """What carries the claim: the storage, or for sparse tensors (which have none) the tensor."""
    try:
        return tensor.untyped_storage()
    except NotImplementedError:
        if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            return _holder(torch._C._functorch.get_unwrapped(tensor))
        return tensor


def claim(tensor: Tensor) -> torch.device:
    """The device that a tensor claims to be on."""
    with torch._C.DisableTorchFunction():
        if tensor.device.type != "cpu":
            return tensor.device
        found: torch.device = getattr(_holder(tensor), _CLAIM, CPU)
        return found


def place(value: Any, device: torch.device) -> Any:
    """Put tensors, also in containers, on a device."""
    for tensor in tensors(value):
        with torch._C.DisableTorchFunction():
            setattr(_holder(tensor), _CLAIM, device)
    return value


def adopt(value: Any, device: torch.device) -> Any:
    """Put those tensors on a device whose storage is new; views and in-place results stay where they are."""
    for tensor in tensors(value):
        with torch._C.DisableTorchFunction():
            holder = _holder(tensor)
            if not hasattr(holder, _CLAIM):
                setattr(holder, _CLAIM, device)
    return value


def settle(value: Any) -> None:
    """Write down where each tensor is, before a call may make an alias of it."""
    for tensor in tensors(value):
        adopt(tensor, claim(tensor))


def pin(tensor: Tensor) -> Tensor:
    """Mark the memory of a tensor as page-locked."""
    with torch._C.DisableTorchFunction():
        setattr(_holder(tensor), _PINNED, True)
    return tensor


def is_pinned(tensor: Tensor) -> bool:
    """Whether the memory of a tensor is page-locked."""
    with torch._C.DisableTorchFunction():
        return bool(getattr(_holder(tensor), _PINNED, False))


def claim_of_storage(storage: Any) -> torch.device:
    """The device that a storage claims to be on."""
    found: torch.device = getattr(getattr(storage, "_untyped_storage", storage), _CLAIM, CPU)
    return found


def place_storage(storage: Any, device: torch.device) -> Any:
    """Put a storage on a device."""
    setattr(getattr(storage, "_untyped_storage", storage), _CLAIM, device)
    return storage


def tensors(value: Any, depth: int = 0) -> Iterator[Tensor]:
    """The tensors in a value: itself, or those in tuples, lists, sets and dictionaries."""
    if isinstance(value, Tensor):
        yield value
    elif depth < _DEPTH and isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from tensors(item, depth + 1)
    elif depth < _DEPTH and isinstance(value, dict):
        for item in value.values():
            yield from tensors(item, depth + 1)
