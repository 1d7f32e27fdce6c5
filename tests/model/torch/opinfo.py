"""Inputs for the operations of the tables, from the samples that PyTorch tests its own operators with."""

from __future__ import annotations

import itertools
import sys
import types
import unittest
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from devlint.model.torch.effects import Op
from devlint.model.torch.functions import ALIASES, FUNCTIONS
from devlint.model.torch.methods import METHODS
from tests.model.torch.calls import calls
from tests.model.torch.names import resolve

SAMPLES = 6
"""Samples taken of each operator."""


class Case(NamedTuple):
    """One call of one operation, run for real on the CPU."""

    name: str
    op: Op
    call: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any

    def bound(self) -> dict[str, Any]:
        """The arguments by their names, as far as the entry names them."""
        return {**dict(zip(self.op.params, self.args, strict=False)), **self.kwargs}


def _op_db() -> list[Any]:
    """PyTorch's operator database.

    Its module imports expecttest for the sake of its own test classes; a stand-in does.
    """
    try:
        import expecttest  # type: ignore[import-not-found]  # noqa: F401
    except ModuleNotFoundError:
        stand_in = types.ModuleType("expecttest")
        stand_in.TestCase = unittest.TestCase  # type: ignore[attr-defined]
        sys.modules["expecttest"] = stand_in
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db
    return list(op_db)


def _entries(info: Any) -> Iterator[tuple[str, Op, Callable[..., Any]]]:
    """The entries that an operator's samples can judge: functions, and methods that work in place."""
    for spelling in (info, *info.aliases):
        name = ALIASES.get(f"torch.{spelling.name}", f"torch.{spelling.name}")
        if name in FUNCTIONS:
            yield name, FUNCTIONS[name], spelling.op
        elif spelling.name in METHODS:
            yield f"Tensor.{spelling.name}", METHODS[spelling.name], spelling.op
        in_place = spelling.inplace_variant
        if in_place is not None and f"{spelling.name}_" in METHODS:
            yield f"Tensor.{spelling.name}_", METHODS[f"{spelling.name}_"], in_place
        if f"{name}_" in FUNCTIONS:
            yield f"{name}_", FUNCTIONS[f"{name}_"], resolve(f"{name}_")


def _dtype(info: Any) -> Any:
    import torch

    supported = info.supported_dtypes("cpu")
    wanted = (torch.float32, torch.int64, torch.bool, torch.complex64)
    return next((dtype for dtype in wanted if dtype in supported), torch.float32)


def _copied(value: Any) -> Any:
    import torch
    from torch.utils._pytree import tree_map

    return tree_map(lambda x: x.clone() if isinstance(x, torch.Tensor) else x, value)


def _own() -> Iterator[Case]:
    for name, args in calls().items():
        call = resolve(name)
        yield Case(name, FUNCTIONS[name], call, args, {}, call(*args))


@cache
def cases() -> tuple[Case, ...]:
    """The calls of all samples that run here."""
    import torch

    torch.manual_seed(0)
    found: list[Case] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found += _own()
        for info in _op_db():
            entries = list(_entries(info))
            if not entries:
                continue
            samples = itertools.islice(info.sample_inputs("cpu", _dtype(info), requires_grad=False), SAMPLES)
            for sample, (name, op, call) in itertools.product(list(samples), entries):
                args, kwargs = _copied(((sample.input, *sample.args), sample.kwargs))
                try:
                    found.append(Case(name, op, call, args, kwargs, call(*args, **kwargs)))
                except (RuntimeError, TypeError, ValueError, NotImplementedError, IndexError):
                    continue
    return tuple(found)
