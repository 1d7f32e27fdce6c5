"""The mode through which every call of torch goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from tests.sim import autograd, claims, creation, indexing, moves, operations, recurrent
from tests.sim.machine import Machine
from tests.sim.moves import Handler

_HANDLERS: dict[Any, Handler] = {
    **moves.HANDLERS,
    **creation.HANDLERS,
    **indexing.HANDLERS,
    **recurrent.HANDLERS,
    **autograd.HANDLERS,
}


class Simulation(TorchFunctionMode):
    """Sets the claim in factories and moves, checks it in operations, and hands it on.

    While a call is handled the mode is off, so that handlers see the real CPU tensors.
    """

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self.machine = machine

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = dict(kwargs or {})
        if func is torch.device:
            return self._device(args, kwargs)
        if func is Tensor.__repr__:
            return self._repr(args[0], **kwargs)
        handler = _HANDLERS.get(func)
        if handler is not None:
            return handler(self.machine, func, args, kwargs)
        if "device" in kwargs:
            device = kwargs.pop("device")
            out = operations.run(func, args, kwargs)
            return out if device is None else claims.place(out, self.machine.resolve(device))
        for value in claims.tensors(args[:1]):
            creation.check_generators(args, kwargs, claims.claim(value))
        return operations.run(func, args, kwargs)

    def _device(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> torch.device:
        """`torch.device(0)` is the first GPU; all else the real class judges."""
        if len(args) == 1 and not kwargs and isinstance(args[0], int):
            return self.machine.name(args[0])
        return torch.device(*args, **kwargs)

    def _repr(self, tensor: Tensor, *, tensor_contents: Any = None) -> str:
        """Printing reads the values, and shows the device."""
        if claims.claim(tensor).type == "cuda":
            self.machine.synchronize()
        shown: Callable[..., str] = torch._tensor_str._str
        with self:
            return shown(tensor, tensor_contents=tensor_contents)
