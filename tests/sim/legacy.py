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


class LegacyType:
    """A legacy tensor type: called it makes a tensor; `isinstance` looks at type and device."""

    def __init__(self, machine: Machine, name: str, device_type: str) -> None:
        self._machine = machine
        self.device_type = device_type
        self.dtype = _DTYPES[name]
        self.is_cuda = device_type == "cuda"
        self.__name__ = name
        self.__module__ = "torch.cuda" if self.is_cuda else "torch"

    def __call__(self, *args: Any, **kwargs: Any) -> Tensor:
        device = self._machine.resolve(self.device_type)
        if args and isinstance(args[0], Tensor) and claims.claim(args[0]) != device:
            raise TypeError(f"expected {self} (got {legacy_type(claims.claim(args[0]), args[0].dtype)})")
        with torch._C.DisableTorchFunction():
            out: Tensor = _CONSTRUCTORS[self.__name__](*args, **kwargs)
        return claims.adopt(out, device)  # type: ignore[no-any-return]

    def __instancecheck__(self, value: object) -> bool:
        return isinstance(value, Tensor) and legacy_type(claims.claim(value), value.dtype) == str(self)

    def __or__(self, other: object) -> Any:
        """In annotations: `torch.FloatTensor | None`."""
        return Any

    __ror__ = __or__

    def __str__(self) -> str:
        return f"{self.__module__}.{self.__name__}"

    __repr__ = __str__

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
        return LegacyType(Machine(), name, "cuda" if prefix == "torch.cuda" else "cpu")


def install(machine: Machine) -> None:
    """Replace the legacy types and the functions that make one of them the default."""
    replace(torch, **{name: LegacyType(machine, name, "cpu") for name in _DTYPES})
    replace(torch.cuda, **{name: LegacyType(machine, name, "cuda") for name in _DTYPES})

    def set_default_tensor_type(kind: Any) -> None:
        named = LegacyType.named(kind)
        machine.default = None if machine.resolve(named.device_type) == CPU else torch.device("cuda")
        torch.set_default_dtype(named.dtype)

    replace(torch, set_default_tensor_type=set_default_tensor_type)
