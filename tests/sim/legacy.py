"""The legacy tensor types: `torch.FloatTensor`, `torch.cuda.LongTensor`."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from tests.sim import claims
from tests.sim.machine import CPU, Machine
from tests.sim.patching import replace

_DTYPES = {
    "FloatTensor": torch.float32,
    "DoubleTensor": torch.float64,
    "HalfTensor": torch.float16,
    "BFloat16Tensor": torch.bfloat16,
    "LongTensor": torch.int64,
    "IntTensor": torch.int32,
    "ShortTensor": torch.int16,
    "CharTensor": torch.int8,
    "ByteTensor": torch.uint8,
    "BoolTensor": torch.bool,
}
_CONSTRUCTORS = {name: getattr(torch, name) for name in _DTYPES}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}


def legacy_type(device: torch.device, dtype: torch.dtype) -> str:
    """What `Tensor.type()` says, for example `torch.cuda.FloatTensor`."""
    prefix = "torch.cuda." if device.type == "cuda" else "torch."
    return prefix + _NAMES.get(dtype, "Tensor")


class LegacyType(type):
    """A legacy tensor type: called it makes a tensor; `isinstance` looks at type and device."""

    machine: Machine
    device_type: str
    dtype: torch.dtype
    is_cuda: bool

    @classmethod
    def make(mcs, machine: Machine, name: str, device_type: str) -> LegacyType:
        """The type of that name, of `torch` or of `torch.cuda`."""
        made = mcs(name, (), {"__module__": "torch.cuda" if device_type == "cuda" else "torch"})
        made.machine, made.device_type, made.dtype = machine, device_type, _DTYPES[name]
        made.is_cuda = device_type == "cuda"
        return made

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        device = cls.machine.resolve(cls.device_type)
        if args and isinstance(args[0], Tensor) and claims.claim(args[0]) != device:
            here = legacy_type(claims.claim(args[0]), args[0].dtype)
            raise TypeError(f"expected {cls.__module__}.{cls.__name__} (got {here})")
        with torch._C.DisableTorchFunction():
            out = _CONSTRUCTORS[cls.__name__](*args, **kwargs)
        return claims.adopt(out, device)

    def __instancecheck__(cls, value: object) -> bool:
        said = f"{cls.__module__}.{cls.__name__}"
        return isinstance(value, Tensor) and legacy_type(claims.claim(value), value.dtype) == said

    @staticmethod
    def named(target: Any) -> LegacyType:
        """The type that a `dtype` argument stands for: one of these, or its name.

        Raises:
            ValueError: there is no such type.
        """
        if isinstance(target, LegacyType):
            return target
        prefix, _, name = str(target).rpartition(".")
        if name not in _DTYPES or prefix not in ("torch", "torch.cuda"):
            raise ValueError(f"invalid type: '{target}'")
        return LegacyType.make(Machine(), name, "cuda" if prefix == "torch.cuda" else "cpu")


def install(machine: Machine) -> None:
    """Replace the legacy types and the functions that make one of them the default."""
    replace(torch, **{name: LegacyType.make(machine, name, "cpu") for name in _DTYPES})
    replace(torch.cuda, **{name: LegacyType.make(machine, name, "cuda") for name in _DTYPES})

    def set_default_tensor_type(kind: Any) -> None:
        named = LegacyType.named(kind)
        machine.default = None if machine.resolve(named.device_type) == CPU else torch.device("cuda")
        torch.set_default_dtype(named.dtype)

    replace(torch, set_default_tensor_type=set_default_tensor_type)
