"""What operations return is what the tables say: judged by running each on the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from devlint.model.torch.effects import Op, Out, Rank
from tests.model.torch.names import resolve
from tests.model.torch.opinfo import Case, cases

torch = pytest.importorskip("torch", reason="the tables are judged against PyTorch")
pytest.importorskip("numpy", reason="PyTorch's samples are made with NumPy")

pytestmark = pytest.mark.slow

# Flags that turn one tensor into a tuple of them, all on the same device.
MORE = ("as_tuple", "return_counts", "return_indices", "return_inverse", "_random_samples")
# The samples call these through a function of their own.
WRAPPED = {
    "Tensor.resize_": "clones first",
    "Tensor.resize_as_": "clones first",
    "torch.linalg.lstsq": "drops two of the four results",
    "torch.resize_as_": "clones first",
    "torch.zero_": "clones first",
}
# Functions that take one tensor, or several and return as many.
SEVERAL = ("torch.atleast_1d", "torch.atleast_2d", "torch.atleast_3d")


def tensors(value: Any) -> Iterator[Any]:
    """The tensors of a value, those inside lists and tuples too."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors(item)


def reduced(case: Case) -> bool:
    """Whether none of the arguments is passed that would leave dimensions."""
    bound = case.bound()
    names = case.op.zero_dim_if_no
    return bool(names) and not any(bound.get(name) is not None for name in names)


def expected(case: Case) -> Out:
    """The kind of result that the entry announces for this call."""
    op = case.op
    if op.out is Out.MANY and (reduced(case) or (op.pairwise and len(list(tensors(case.args))) > 1)):
        return Out.SAME
    bound = case.bound()
    more = any(bound.get(flag) is not None and bound.get(flag) is not False for flag in MORE)
    if op.out is Out.SAME and (more or case.name in SEVERAL) and isinstance(case.result, (tuple, list)):
        return Out.MANY
    return op.out


def wrong_kind(case: Case) -> str | None:
    """A complaint if the result is of another kind than announced."""
    out, result = expected(case), case.result
    if out is Out.HOST:
        return "has tensors" if list(tensors(result)) else None
    if out is Out.MANY:
        if not isinstance(result, (tuple, list)):
            return f"no tuple but {type(result).__name__}"
        counted = case.op.out is Out.MANY and case.op.count
        return f"{len(result)} items" if counted and len(result) != counted else None
    if out in (Out.NONE, Out.UNKNOWN):
        return None
    if not isinstance(result, torch.Tensor):
        return f"no tensor but {type(result).__name__}"
    if out is Out.RECEIVER and result is not case.args[0]:
        return "another tensor than the receiver"
    return None


def wrong_rank(case: Case) -> str | None:
    """A complaint if the result is 0-dim where it may not be, or is not where it must be."""
    op: Op = case.op
    if not isinstance(case.result, torch.Tensor):
        return None
    zero = case.result.ndim == 0
    if reduced(case) or op.out is Out.SCALAR:
        # A loss with a reduction passed by position is bound to no name here.
        return None if zero else "has dimensions"
    if op.zero_dim_if_no or op.pairwise:
        return None
    if op.rank is Rank.SOME:
        return "is 0-dim" if zero else None
    operands = list(tensors((case.args, tuple(case.kwargs.values()))))
    if op.rank is Rank.KEPT and operands and zero != all(x.ndim == 0 for x in operands):
        return f"{[tuple(x.shape) for x in operands]} gives {tuple(case.result.shape)}"
    return None


def test_most_entries_are_judged() -> None:
    names = {case.name for case in cases()}
    assert len([name for name in names if name.startswith("torch.")]) > 550
    assert len([name for name in names if name.startswith("Tensor.")]) > 120


def test_kinds() -> None:
    found = {(case.name, why) for case in cases() if case.name not in WRAPPED and (why := wrong_kind(case))}
    assert sorted(found) == []


def test_ranks() -> None:
    found = {(case.name, why) for case in cases() if (why := wrong_rank(case))}
    assert sorted(found) == []


def draws(case: Case) -> bool:
    """Whether the same call gives other numbers the second time.

    The samples' own functions set the seed, so the public function is called.
    """
    call = resolve(case.name) if case.name.startswith("torch.") else case.call
    try:
        first, second = (call(*case.args, **case.kwargs) for _ in range(2))
    except Exception:
        return False
    pairs = list(zip(tensors(first), tensors(second), strict=True))
    plain = [(a, b) for a, b in pairs if a.layout == torch.strided and a.dtype == torch.float32]
    finite = all(torch.isfinite(a).all() and torch.isfinite(b).all() for a, b in plain)
    return finite and any(not torch.allclose(a, b, atol=1e-3) for a, b in plain)


def test_what_draws_numbers_is_marked() -> None:
    again = [case for case in cases() if case.op.out in (Out.SAME, Out.NEW, Out.LIKE)]
    drawn = {case.name for case in again if draws(case)}
    uninitialised = {"torch.empty_strided", "torch.empty_permuted", "torch.empty_like", "torch.empty"}
    uninitialised |= {"Tensor.new_empty", "Tensor.new_empty_strided"}
    assert sorted(drawn - {case.name for case in again if case.op.random} - uninitialised) == []
    assert len(drawn) > 20
