"""Calls that make tensors: factories, `*_like`, `new_*`, and the generators that random ones draw from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._device import _device_constructors

from tests.sim import claims
from tests.sim.claims import claim
from tests.sim.machine import CPU, Machine, Place
from tests.sim.moves import Arguments, Handler, Keywords, move
from tests.sim.operations import elementwise
from tests.sim.patching import replace


class Generator(torch.Generator):
    """A generator that claims to be on a device."""

    _machine = Machine()
    _claimed: torch.device

    def __new__(cls, device: Place = "cpu") -> Generator:
        claimed = cls._machine.resolve(device)
        self = super().__new__(cls)
        self._claimed = claimed
        return self

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        """Where it claims to be."""
        return self._claimed


def install(machine: Machine) -> None:
    """Replace `torch.Generator`, and the default device (PyTorch keeps it below all other modes)."""
    Generator._machine = machine

    def set_default_device(device: Place | None) -> None:
        machine.default = None if device is None else machine.name(device)

    def get_default_device() -> torch.device:
        return torch.empty(0).device

    replace(
        torch,
        Generator=Generator,
        set_default_device=set_default_device,
        get_default_device=get_default_device,
    )


def check_generators(args: Arguments, kwargs: Keywords, device: torch.device) -> None:
    """A generator draws only on its own kind of device."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, torch.Generator) and value.device.type != device.type:
            raise RuntimeError(
                f"Expected a '{device.type}' device type for generator but found '{value.device.type}'"
            )


def _raw(func: Callable[..., Any], args: Arguments, kwargs: Keywords, device: torch.device) -> Any:
    """Make it in real memory, or on the real meta device; page-locked memory is only claimed."""
    pinned = kwargs.pop("pin_memory", False)
    if device.type == "meta":
        return func(*args, device=device, **kwargs)
    out = claims.place(func(*args, device=CPU, **kwargs), device)
    return claims.pin(out) if pinned else out


def _create(machine: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    device = kwargs.pop("device", None)
    there = machine.factory_device() if device is None else machine.resolve(device)
    check_generators(args, kwargs, there)
    return _raw(func, args, kwargs, there)


def _sparse(machine: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """A sparse tensor is where its values are."""
    device = kwargs.pop("device", None)
    values = next(reversed([*claims.tensors(args)]), None)
    default = machine.factory_device() if values is None else claim(values)
    return _raw(func, args, kwargs, default if device is None else machine.resolve(device))


def _from_data(machine: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """`torch.tensor` and `as_tensor`: the device of a tensor is kept, all else goes where factories put it."""
    device = kwargs.pop("device", None)
    data = args[0] if args else kwargs.get("data", kwargs.get("obj"))
    if isinstance(data, Tensor):
        if func is not torch.tensor:
            dtype = args[1] if len(args) > 1 else kwargs.get("dtype")
            return move(machine, data, device, dtype, copy=bool(kwargs.get("copy")))
        there = claim(data) if device is None else machine.resolve(device)
        return _raw(func, args, kwargs, there)
    there = machine.factory_device() if device is None else machine.resolve(device)
    out = _raw(func, args, kwargs, CPU if there.type == "cuda" else there)
    return (
        claims.place(out.detach().clone().requires_grad_(out.requires_grad), there)
        if there.type == "cuda"
        else out
    )


def _like(machine: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    device = kwargs.pop("device", None)
    there = claim(args[0]) if device is None else machine.resolve(device)
    check_generators(args, kwargs, there)
    return _raw(func, args, kwargs, there)


def _normal(machine: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """With tensors an operation, with numbers and a size a factory."""
    given = list(claims.tensors((args, kwargs)))
    if not given:
        return _create(machine, func, args, kwargs)
    there = elementwise("normal", given, given[:1])  # what is made is like the first, then scaled in place
    check_generators(args, kwargs, there)
    return claims.adopt(func(*args, **kwargs), there)


_SPARSE = {
    torch.sparse_coo_tensor,
    torch.sparse_csr_tensor,
    torch.sparse_csc_tensor,
    torch.sparse_bsr_tensor,
    torch.sparse_bsc_tensor,
    torch.sparse_compressed_tensor,
}
_FROM_DATA = {torch.tensor, torch.as_tensor, torch.asarray}
_LIKE = {
    torch.zeros_like,
    torch.ones_like,
    torch.empty_like,
    torch.full_like,
    torch.rand_like,
    torch.randn_like,
    torch.randint_like,
    Tensor.new_zeros,
    Tensor.new_ones,
    Tensor.new_empty,
    Tensor.new_full,
    Tensor.new_tensor,
    Tensor.new_empty_strided,
}

HANDLERS: dict[Any, Handler] = {
    **dict.fromkeys(_device_constructors(), _create),
    **dict.fromkeys(_SPARSE, _sparse),
    **dict.fromkeys(_FROM_DATA, _from_data),
    **dict.fromkeys(_LIKE, _like),
    torch.normal: _normal,
}
