"""Models that a library has spread over devices, or quantised for one, and that may not be moved any more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from devlint.model.cond import tips
from devlint.model.torch.effects import words
from devlint.model.value import TRUE, Const, Obj, Unknown

# Functions of Accelerate that put a model's parts on devices, and hooks around them.
DISPATCHERS = words("cpu_offload disk_offload dispatch_model load_checkpoint_and_dispatch", "accelerate.")

# Values of `device_map` that may use several devices; the name of one device just puts the model there.
_SPREADS = frozenset({"auto", "balanced", "balanced_low_0", "sequential"})
_BITS = ("load_in_4bit", "load_in_8bit")


def is_dispatched(kwargs: Mapping[str, Any]) -> bool:
    """Whether arguments of `from_pretrained` spread or quantise the model, in every case."""
    placed = kwargs.get("device_map")
    if placed is not None and all(_spreads(leaf) for leaf in tips(placed)):
        return True
    if any(kwargs.get(name) == TRUE for name in _BITS):
        return True
    config = kwargs.get("quantization_config")
    return config is not None and all(_is_bits_and_bytes(leaf) for leaf in tips(config))


def _spreads(leaf: Any) -> bool:
    if type(leaf) is Const:
        return leaf.value in _SPREADS
    if isinstance(leaf, Obj) and leaf.kind == "dict":
        places = [value for key, value in leaf.attrs.items() if isinstance(key, tuple)]
        return any(value != places[0] for value in places) and all(type(value) is Const for value in places)
    return False


def _is_bits_and_bytes(leaf: Any) -> bool:
    if type(leaf) is not Unknown:
        return False
    return str(leaf.attrs.get("%class", "")).endswith(".BitsAndBytesConfig")
