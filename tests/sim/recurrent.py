"""Recurrent layers and packed sequences: what must be on the host, and what must meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from tests.sim import claims
from tests.sim.claims import claim
from tests.sim.machine import CPU, Machine
from tests.sim.moves import Arguments, Handler, Keywords


def _pack(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """Lengths are read on the host; the batch sizes come back there."""
    if claim(args[1]) != CPU:
        raise RuntimeError(
            "'lengths' argument should be a 1D CPU int64 tensor, "
            f"but got {args[1].dim()}D {claim(args[1])} {args[1].dtype} tensor"
        )
    data, sizes = func(*args, **kwargs)
    return claims.adopt(data, claim(args[0])), claims.adopt(sizes, CPU)


def _unpack(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    data, lengths = func(*args, **kwargs)
    return claims.adopt(data, claim(args[0])), claims.adopt(lengths, CPU)


def _recurrent(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """`lstm(input, hidden, weights, ...)`, packed: `lstm(data, batch_sizes, hidden, weights, ...)`."""
    packed = isinstance(args[3], (list, tuple))
    data, hidden, weights = (args[0], args[2], args[3]) if packed else args[:3]
    if packed and claim(args[1]) != CPU:
        raise RuntimeError(f"batch_sizes tensor should be on CPU, but got one on {claim(args[1])}")
    for kind, others in (("hidden", hidden), ("parameter", weights)):
        for tensor in claims.tensors(others):
            if claim(tensor) != claim(data):
                raise RuntimeError(
                    f"Input and {kind} tensors are not at the same device, "
                    f"found input tensor at {claim(data)} and {kind} tensor at {claim(tensor)}"
                )
    claims.settle(args)
    return claims.adopt(func(*args, **kwargs), claim(data))


HANDLERS: dict[Any, Handler] = {
    torch._C._VariableFunctions._pack_padded_sequence: _pack,
    torch._C._VariableFunctions._pad_packed_sequence: _unpack,
    **dict.fromkeys((torch.lstm, torch.gru, torch.rnn_tanh, torch.rnn_relu), _recurrent),
}
