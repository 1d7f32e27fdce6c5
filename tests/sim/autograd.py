"""Autograd: backward runs in C++, so what Python sees of it must be told where it lies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.utils.checkpoint as checkpoint
from torch import Tensor
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack

from tests.sim import claims
from tests.sim.claims import claim
from tests.sim.machine import Machine
from tests.sim.moves import Arguments, Handler, Keywords
from tests.sim.patching import replace


def install(mode: TorchFunctionMode) -> None:
    """Keep the mode on inside backward, and tell custom functions where their gradients lie."""
    run_backward: Callable[..., Any] = vars(torch.autograd)["_engine_run_backward"]
    active: Callable[[], list[TorchFunctionMode]] = _get_current_function_mode_stack

    def engine(*args: Any, **kwargs: Any) -> Any:
        if mode in active():
            return run_backward(*args, **kwargs)
        with mode:
            return run_backward(*args, **kwargs)

    replace(torch.autograd, _engine_run_backward=engine)
    apply: Callable[..., Any] = vars(torch.autograd.Function)["apply"].__func__

    def traced(cls: type, *args: Any, **kwargs: Any) -> Any:
        out = apply(cls, *args, **kwargs)
        values = out if isinstance(out, tuple) else (out,)
        places = [claim(v) if isinstance(v, Tensor) else None for v in values]
        node = next((v.grad_fn for v in values if isinstance(v, Tensor) and v.grad_fn is not None), None)
        if node is not None:
            node.register_prehook(lambda grads: _adopt_each(grads, places))
        return out

    replace(torch.autograd.Function, apply=classmethod(traced))
    # Checkpointing compares what was saved, inside an operation, where the mode is off, with what it makes anew.
    checkpoint._allowed_determinism_checks_to_fns["default"] = lambda t: {"shape": t.shape, "dtype": t.dtype}


def _adopt_each(grads: tuple[Any, ...], places: list[torch.device | None]) -> None:
    for grad, device in zip(grads, places, strict=False):
        if device is not None:
            claims.adopt(grad, device)


def _backward(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """The gradient that is passed in is where the tensor is."""
    bound = dict(zip(("self", "gradient"), args, strict=False)) | kwargs
    gradient = bound.get("gradient")
    if isinstance(gradient, Tensor) and claim(gradient) != claim(args[0]):
        raise RuntimeError(
            f"Function {args[0].grad_fn.name() if args[0].grad_fn else 'backward'} returned an invalid gradient "
            f"at index 0 - expected device {claim(args[0])} but got {claim(gradient)}"
        )
    return func(*args, **kwargs)


def _grad(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """A gradient lies where its input lies."""
    inputs = args[1] if len(args) > 1 else kwargs["inputs"]
    claims.settle((args, kwargs))
    grads = func(*args, **kwargs)
    for grad, tensor in zip(grads, claims.tensors(inputs), strict=False):
        if isinstance(grad, Tensor):
            claims.adopt(grad, claim(tensor))
    return grads


def _register_hook(_: Machine, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    tensor, hook = args
    here = claim(tensor)
    return func(tensor, lambda grad: hook(claims.adopt(grad, here)))


HANDLERS: dict[Any, Handler] = {
    Tensor.backward: _backward,
    torch.autograd.grad: _grad,
    Tensor.register_hook: _register_hook,
}
