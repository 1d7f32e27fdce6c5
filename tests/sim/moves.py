"""Calls that read or change the device of a tensor: `.device`, `.to()`, `.cuda()`, `.numpy()`, `pin_memory()`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from tests.sim import claims
from tests.sim.claims import claim
from tests.sim.legacy import LegacyType, legacy_type
from tests.sim.machine import CPU, Machine, Place

Arguments = tuple[Any, ...]
Keywords = dict[str, Any]
Handler = Callable[[Machine, Callable[..., Any], Arguments, Keywords], Any]


def move(
    machine: Machine,
    tensor: Tensor,
    device: Place | None,
    dtype: torch.dtype | None = None,
    *,
    copy: bool = False,
    non_blocking: bool = False,
    memory_format: torch.memory_format = torch.preserve_format,
) -> Tensor:
    """What `Tensor.to` does: the tensor itself where nothing changes, else a copy that autograd knows of."""
    here = claim(tensor)
    there = here if device is None else machine.resolve(device)
    dtype = dtype or tensor.dtype
    if "meta" in (here.type, there.type):
        return tensor.to(there if there.type == "meta" else CPU, dtype, copy=copy)
    same_layout = memory_format is torch.preserve_format or tensor.is_contiguous(memory_format=memory_format)
    if here == there and dtype == tensor.dtype and same_layout and not copy:
        return tensor
    to_host = here.type == "cuda" and there.type == "cpu"
    if to_host and not non_blocking:
        machine.synchronize()
    out: Tensor = claims.place(tensor.to(dtype, copy=True, memory_format=memory_format), there)
    if to_host and non_blocking:
        machine.defer(claims.pin(out))
    return out


def _to(machine: Machine, _: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Tensor:
    tensor, *rest = args
    if rest and isinstance(rest[0], Tensor):
        rest = [claim(rest[0]), rest[0].dtype, *rest[1:]]
    names = ["device", "dtype", "non_blocking", "copy"]
    if rest and isinstance(rest[0], torch.dtype):
        del names[0]
    bound = dict(zip(names, rest, strict=False)) | kwargs
    return move(machine, tensor, bound.pop("device", None), bound.pop("dtype", None), **bound)


def _cuda(machine: Machine, _: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Tensor:
    bound = dict(zip(("device", "non_blocking"), args[1:], strict=False)) | kwargs
    device = bound.pop("device", None)
    if device is not None and machine.name(device).type != "cuda":
        raise RuntimeError(f"Invalid device, must be cuda device, but got {device}")
    return move(machine, args[0], "cuda" if device is None else device, **bound)


def _cpu(machine: Machine, _: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Tensor:
    return move(machine, args[0], CPU, **kwargs)


def _type(machine: Machine, _: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    bound = dict(zip(("dtype", "non_blocking"), args[1:], strict=False)) | kwargs
    target = bound.pop("dtype", None)
    tensor = args[0]
    if target is None:
        return legacy_type(claim(tensor), tensor.dtype)
    if isinstance(target, torch.dtype):
        return move(machine, tensor, None, target, **bound)
    named = LegacyType.named(target)
    return move(machine, tensor, named.device_type, named.dtype, **bound)


def _type_as(machine: Machine, _: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Tensor:
    other = args[1] if len(args) > 1 else kwargs["other"]
    return move(machine, args[0], claim(other), other.dtype)


def _numpy(machine: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    here = claim(args[0])
    if here.type == "cuda":
        if not kwargs.get("force"):
            raise TypeError(
                f"can't convert {here} device type tensor to numpy. "
                "Use Tensor.cpu() to copy the tensor to host memory first."
            )
        machine.synchronize()
        return args[0].detach().clone().numpy()
    return func(*args, **kwargs)


def _host_only(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    if claim(args[0]).type != "cpu":
        raise TypeError(f"{func.__name__} is only implemented on CPU tensors")
    return func(*args, **kwargs)


def _read(machine: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """A read of values waits for the stream of the GPU, and with it for the copies in it."""
    if claim(args[0]).type == "cuda":
        machine.synchronize()
    return func(*args, **kwargs)


def _pin_memory(machine: Machine, _: Callable[..., Any], args: Arguments, __: Keywords) -> Tensor:
    tensor: Tensor = args[0]
    if machine.gpus == 0:
        raise RuntimeError("Cannot access accelerator device when none is available.")
    if claim(tensor).type != "cpu":
        kind = legacy_type(claim(tensor), tensor.dtype)
        raise RuntimeError(f"cannot pin '{kind}' only dense CPU tensors can be pinned")
    machine.use()
    if claims.is_pinned(tensor):
        return tensor
    return claims.pin(claims.place(tensor.clone(), CPU))


def _copy(machine: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """`copy_` crosses devices; into pinned memory it may be asynchronous."""
    bound = dict(zip(("src", "non_blocking"), args[1:], strict=False)) | kwargs
    source = bound["src"]
    out = func(*args, **kwargs)
    if isinstance(source, Tensor) and claim(source).type == "cuda" and claim(args[0]).type == "cpu":
        if bound.get("non_blocking") and claims.is_pinned(args[0]):
            machine.defer(args[0])
        else:
            machine.synchronize()
    return out


def _get_device(_: Machine, __: Callable[..., Any], args: Arguments, ___: Keywords) -> int:
    device = claim(args[0])
    return -1 if device.index is None else device.index


def _grad(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """A gradient lies where its tensor lies; it was made in C++, out of sight."""
    return claims.place(func(*args, **kwargs), claim(args[0]))


def _set_grad(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    tensor, grad = args
    if isinstance(grad, Tensor) and claim(grad) != claim(tensor):
        raise RuntimeError("assigned grad has data located on a different device")
    return func(*args, **kwargs)


def _deepcopy(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    return claims.place(func(*args, **kwargs), claim(args[0]))


# Seen by mypy as the values of attributes, these are descriptors.
_DEVICE: Any = Tensor.device
_IS_CUDA: Any = Tensor.is_cuda
_IS_CPU: Any = Tensor.is_cpu
_GRAD: Any = Tensor.grad

HANDLERS: dict[Any, Handler] = {
    _DEVICE.__get__: lambda _, __, args, ___: claim(args[0]),
    _IS_CUDA.__get__: lambda _, __, args, ___: claim(args[0]).type == "cuda",
    _IS_CPU.__get__: lambda _, __, args, ___: claim(args[0]).type == "cpu",
    _GRAD.__get__: _grad,
    _GRAD.__set__: _set_grad,
    Tensor.get_device: _get_device,
    Tensor.to: _to,
    Tensor.cuda: _cuda,
    Tensor.cpu: _cpu,
    Tensor.type: _type,
    Tensor.type_as: _type_as,
    Tensor.copy_: _copy,
    Tensor.numpy: _numpy,
    Tensor.__array__: _numpy,
    Tensor.apply_: _host_only,
    Tensor.map_: _host_only,
    Tensor.pin_memory: _pin_memory,
    Tensor.is_pinned: lambda _, __, args, ___: claims.is_pinned(args[0]),
    Tensor.__deepcopy__: _deepcopy,
    **dict.fromkeys(
        (
            Tensor.item,
            Tensor.tolist,
            Tensor.__bool__,
            Tensor.__float__,
            Tensor.__int__,
            Tensor.__index__,
            Tensor.__format__,
        ),
        _read,
    ),
}
