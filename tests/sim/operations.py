"""Whether the operands of a call may meet, and where its result lies.

What may meet is PyTorch's rule, not a guess: kernels built on TensorIterator take one 0-dim CPU tensor as
an input beside GPU tensors (aten/src/ATen/TensorIterator.cpp, compute_types), never as an output; all
others want one device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from tests.sim import claims
from tests.sim.claims import claim
from tests.sim.machine import CPU
from tests.sim.moves import Arguments, Keywords
from tests.sim.patching import words

_ELEMENTWISE = words(
    """
    add sub rsub subtract mul multiply div divide true_divide truediv floor_divide floordiv mod fmod remainder pow
    float_power eq ne lt le gt ge greater greater_equal less less_equal not_equal and or xor lshift rshift
    logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift
    maximum minimum max min fmax fmin atan2 arctan2 copysign hypot nextafter heaviside gcd lcm ldexp logaddexp
    logaddexp2 xlogy special_xlogy special_xlog1py special_zeta addcmul addcdiv lerp clamp clamp_min clamp_max clip
    complex polar isclose allclose contains kl_div dist
    """
)
"""Functions built on TensorIterator with CPU scalars allowed, and sums of such."""

_UNLIMITED = frozenset({"where", "isclose", "allclose"})
"""Those that take any number of CPU scalars, because they move them first."""

_BROADCAST_LOSSES = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"})
"""Losses that broadcast their operands before an element-wise kernel: 0-dim ones meet only each other."""

_FIRST_DECIDES = words(
    """
    expand_as view_as reshape_as resize_as_ broadcast_tensors is_same_size result_type can_cast is_set_to
    set_ __set__ __get__ __len__ __hash__ __repr__ __reduce_ex__
    _has_compatible_shallow_copy_type untyped_storage storage data_ptr swap_tensors
    select_scatter slice_scatter diagonal_scatter as_strided_scatter
    """
)
"""Functions that read no values of their second operand, or copy them as `copy_` does."""

_FREE_ARGUMENTS: dict[str, frozenset[str]] = {
    "binary_cross_entropy_with_logits": frozenset({"weight", "pos_weight"}),
    "ctc_loss": frozenset({"input_lengths", "target_lengths"}),
}
"""Arguments of functions that want one device otherwise: these may be 0-dim (or, for ctc_loss, anywhere)."""

_IN_PLACE_DUNDERS = words(
    """
    __iadd__ __isub__ __imul__ __itruediv__ __idiv__ __ifloordiv__ __imod__ __ipow__ __iand__ __ior__ __ixor__
    __ilshift__ __irshift__
    """
)


def mixed(name: str, first: torch.device, second: torch.device) -> RuntimeError:
    """The error of operands on two devices."""
    return RuntimeError(
        "Expected all tensors to be on the same device, but found at least two devices, "
        f"{first} and {second}! (when checking arguments of {name})"
    )


def run(func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """Check the operands of a call, run it, and put what it makes where its operands are."""
    operands = list(claims.tensors((args, kwargs)))
    claims.settle(operands)
    name = getattr(func, "__name__", "")
    if name.startswith(("_foreach", "_fused", "_amp_foreach")):
        return _rows(name, func, args, kwargs)
    device = _common(name, func, args, kwargs, operands)
    return claims.adopt(func(*args, **kwargs), device)


def _common(
    name: str, func: Callable[..., Any], args: Arguments, kwargs: Keywords, operands: list[Tensor]
) -> torch.device:
    if not operands:
        return CPU
    if name in _FIRST_DECIDES:
        return claim(operands[0])
    if name in _CHECKS:
        return _CHECKS[name](name, args, kwargs)
    outputs = list(claims.tensors(kwargs.get("out")))
    if isinstance(args[0] if args else None, Tensor) and _in_place(name):
        outputs.append(args[0])
    base = _base(name)
    if base in _ELEMENTWISE:
        return elementwise(base, operands, outputs)
    if name in _BROADCAST_LOSSES and all(t.dim() == 0 for t in operands):
        return elementwise(name, operands, outputs)
    if name in _FREE_ARGUMENTS:
        return _but_for(name, func, args, kwargs)
    return same(name, operands)


def _in_place(name: str) -> bool:
    return name in _IN_PLACE_DUNDERS or (name.endswith("_") and not name.endswith("__"))


def _base(name: str) -> str:
    """The operation behind a name: `__radd__`, `__iadd__` and `add_` are all `add`."""
    if name.startswith("__") and name.endswith("__"):
        inner = name[2:-2]
        if name in _IN_PLACE_DUNDERS:
            return inner[1:]
        return inner[1:] if inner[:1] == "r" and inner[1:] in _ELEMENTWISE else inner
    return name.rstrip("_")


def elementwise(name: str, operands: Iterable[Tensor], outputs: Iterable[Tensor] = ()) -> torch.device:
    """The common device of an element-wise call."""
    written = {id(t) for t in outputs}
    everything = [*outputs, *(t for t in operands if id(t) not in written)]
    common = next((claim(t) for t in everything if claim(t) != CPU), CPU)
    scalars = 0
    for tensor in everything:
        if claim(tensor) == common:
            continue
        if claim(tensor) != CPU or tensor.dim() > 0 or id(tensor) in written:
            raise mixed(name, common, claim(tensor))
        scalars += 1
    if scalars > 1 and name not in _UNLIMITED:
        raise RuntimeError("Trying to pass too many CPU scalars to non-CPU kernel!")
    return common


def same(name: str, operands: Iterable[Tensor]) -> torch.device:
    """The one device of a call that wants one."""
    common: torch.device | None = None
    for tensor in operands:
        here = claim(tensor)
        if common is None:
            common = here
        elif here != common:
            raise mixed(name, *sorted((common, here), key=lambda d: (d.type != "cuda", str(d))))
    return common or CPU


def _but_for(name: str, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> torch.device:
    """One device for all but some arguments: lengths may be anywhere, weights may be CPU scalars."""
    bound = dict(zip(func.__code__.co_varnames, args, strict=False)) | kwargs
    free = _FREE_ARGUMENTS[name]
    common = same(name, claims.tensors([value for key, value in bound.items() if key not in free]))
    if name != "ctc_loss":
        for tensor in claims.tensors([bound.get(key) for key in free]):
            if claim(tensor) != common and (tensor.dim() > 0 or claim(tensor) != CPU):
                raise mixed(name, common, claim(tensor))
    return common


def _where(name: str, args: Arguments, kwargs: Keywords) -> torch.device:
    """`torch.where` moves CPU scalars, the condition too."""
    return elementwise("where", list(claims.tensors((args, kwargs))))


def _masked_fill(name: str, args: Arguments, kwargs: Keywords) -> torch.device:
    """The mask is with the tensor; the value is 0-dim and may be on the CPU, never on another GPU."""
    bound = dict(zip(("self", "mask", "value"), args, strict=False)) | kwargs
    common = same(name, [bound["self"], bound["mask"]])
    value = bound["value"]
    if isinstance(value, Tensor) and claim(value) not in (common, CPU):
        raise mixed(name, common, claim(value))
    return common


def _index_fill(name: str, args: Arguments, kwargs: Keywords) -> torch.device:
    """The value is 0-dim and read on the host."""
    bound = dict(zip(("self", "dim", "index", "value"), args, strict=False)) | kwargs
    return same(name, [bound["self"], bound["index"]])


def _fill(_: str, args: Arguments, __: Keywords) -> torch.device:
    """The value is 0-dim and read on the host."""
    return claim(args[0])


def _tensor_split(name: str, args: Arguments, kwargs: Keywords) -> torch.device:
    """The sections are read on the host, and must be there."""
    sections = args[1] if len(args) > 1 else next(iter(kwargs.values()), None)
    if isinstance(sections, Tensor) and claim(sections) != CPU:
        raise RuntimeError(
            "tensor_split expected tensor_indices_or_sections to be on cpu, but it's on "
            + str(claim(sections))
        )
    return claim(args[0])


def _equal(_: str, args: Arguments, kwargs: Keywords) -> torch.device:
    first, second = claims.tensors((args, kwargs))
    if claim(first) != claim(second):
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{claim(first)} and {claim(second)}! (torch.equal)"
        )
    return claim(first)


def _rows(name: str, func: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """Functions over lists (optimizers) want one device in each row; CPU scalars may join."""
    lists = [
        a
        for a in (*args, *kwargs.values())
        if isinstance(a, (list, tuple)) and isinstance(next(iter(a), None), Tensor)
    ]
    devices = []
    for row in zip(*lists, strict=False):
        if "copy" in name:
            devices.append(claim(row[0]))
        else:
            written = row[:1] if name.endswith("_") else ()
            devices.append(elementwise(name, row, written))
    out = func(*args, **kwargs)
    if isinstance(out, (list, tuple)):
        for value, device in zip(out, devices, strict=False):
            claims.adopt(value, device)
    return out


_CHECKS: dict[str, Callable[[str, Arguments, Keywords], torch.device]] = {
    "where": _where,
    "masked_fill": _masked_fill,
    "masked_fill_": _masked_fill,
    "index_fill": _index_fill,
    "index_fill_": _index_fill,
    "fill_": _fill,
    "tensor_split": _tensor_split,
    "equal": _equal,
}
