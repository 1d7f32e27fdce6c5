"""Indexing: which index may meet which tensor (aten/src/ATen/TensorIndexing.h, TensorAdvancedIndexing.cpp)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tests.sim import claims
from tests.sim.claims import claim
from tests.sim.machine import CPU, Machine
from tests.sim.moves import Arguments, Handler, Keywords
from tests.sim.operations import mixed


def _parts(index: Any) -> Iterator[Any]:
    if isinstance(index, tuple):
        for part in index:
            yield from _parts(part)
    else:
        yield index


def _is_mask(tensor: Tensor) -> bool:
    return tensor.dtype in (torch.bool, torch.uint8)


def _is_advanced(part: Any) -> bool:
    """Whether it is indexing by tensors; a 0-dim integer is a number, which selects."""
    if isinstance(part, Tensor):
        return part.dim() > 0 or _is_mask(part)
    return isinstance(part, list) or (isinstance(part, np.ndarray) and part.ndim > 0)


def _check_indices(base: Tensor, index: Any) -> None:
    """To read, index tensors are on the CPU or with the tensor. (To write they may be anywhere: PyTorch's
    `_index_put_impl_` asks nothing, and brings them to the tensor.)"""
    here = claim(base)
    for part in _parts(index):
        found = [*claims.tensors(part)] if isinstance(part, list) else [part]
        for tensor in found:
            if isinstance(tensor, Tensor) and tensor.dim() > 0 and claim(tensor) not in (CPU, here):
                raise RuntimeError(
                    f"indices should be either on {CPU} or on the same device as the indexed tensor ({here})"
                )


def _check_value(base: Tensor, index: Any, value: Any) -> None:
    """With tensor indices the value is with the tensor, or 0-dim, or one CPU number for one mask."""
    if not isinstance(value, Tensor) or claim(value) == claim(base) or value.dim() == 0:
        return
    advanced = [part for part in _parts(index) if _is_advanced(part)]
    if not advanced:
        return  # a copy_ into a view, which crosses devices
    first = advanced[0]
    one_mask = (
        len(advanced) == 1 and isinstance(first, Tensor) and _is_mask(first) and claim(first) == claim(base)
    )
    if one_mask and value.numel() == 1 and claim(value) == CPU:
        return
    raise mixed("index_put_", claim(base), claim(value))


def _getitem(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    base, index = args
    claims.settle(args)
    _check_indices(base, index)
    return claims.adopt(func(base, index), claim(base))


def _setitem(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    base, index, value = args
    claims.settle(args)
    _check_value(base, index, value)
    return func(base, index, value)


def _index_put(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    bound = dict(zip(("self", "indices", "values"), args, strict=False)) | kwargs
    claims.settle((args, kwargs))
    index = tuple(bound["indices"])
    _check_value(bound["self"], index, bound["values"])
    return claims.adopt(func(*args, **kwargs), claim(bound["self"]))


HANDLERS: dict[Any, Handler] = {
    Tensor.__getitem__: _getitem,
    Tensor.__setitem__: _setitem,
    Tensor.index_put: _index_put,
    Tensor.index_put_: _index_put,
    torch.index_put: _index_put,
    torch.index_put_: _index_put,
}
