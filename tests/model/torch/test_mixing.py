"""Which devices operations let mix, and where results live: judged by FakeTensorMode with two devices.

No GPU is needed: a fake tensor has a device but no data. It is laxer than a GPU in one way: it lets a 0-dim
CPU tensor into every operation, so what the tables call STRICT is judged with tensors that have dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from devlint.model.torch.effects import Mix, Out
from tests.model.torch.opinfo import Case, cases

torch = pytest.importorskip("torch", reason="the tables are judged against PyTorch")
pytest.importorskip("numpy", reason="PyTorch's samples are made with NumPy")

pytestmark = pytest.mark.slow

FOLLOWING = (Out.SAME, Out.MANY, Out.SCALAR, Out.RECEIVER, Out.LIKE, Out.NEW)

# Where FakeTensor does not look, and a GPU does.
LAX = {
    **dict.fromkeys(
        (
            f"torch.{space}conv{kind}{n}d"
            for space in ("", "nn.functional.")
            for kind in ("", "_transpose")
            for n in (1, 2, 3)
        ),
        "FakeTensor has a convolution of its own",
    ),
    "torch.nn.functional.linear_cross_entropy": "its chunks are matmuls, which raise on a GPU",
}
# Where FakeTensor refuses, and the kernel does not ask.
FUSSY = {
    "torch.as_strided_scatter": "a clone, and copy_ into a view of it",
    "torch.select_scatter": "a clone, and copy_ into a view of it",
    "torch.nextafter": "FakeTensor runs a reference for it; in place it lets scalars in, as TensorIterator does",
}
# Errors of a torch without CUDA, and of operations whose result depends on data: they judge nothing.
NO_VERDICT = ("not linked", "not compiled", "data-dependent", "aten.", "dynamic")


class Faked(NamedTuple):
    """A call whose tensors can be faked on any device."""

    case: Case
    flat: list[Any]
    spec: Any
    places: list[int]

    def run(self, devices: dict[int, str]) -> Any:
        """Runs it with each tensor on the device that is given for it, else on CUDA.

        Raises:
            Exception: whatever the operation raises.
        """
        from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
        from torch.utils._pytree import tree_unflatten

        mode = FakeTensorMode()
        flat = list(self.flat)
        for i in self.places:
            x = flat[i]
            shell = torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device="meta")
            flat[i] = FakeTensor(mode, shell, torch.device(devices.get(i, "cuda")))
        args, kwargs = tree_unflatten(flat, self.spec)
        with mode:
            return self.case.call(*args, **kwargs)

    def runs(self) -> bool:
        """Whether it runs with all tensors on CUDA: here some need a torch with CUDA, or data."""
        try:
            self.run({})
        except Exception:
            return False
        return True

    def refused(self, devices: dict[int, str]) -> bool:
        """Whether the operation raises because of the devices."""
        try:
            self.run(devices)
        except Exception as error:
            text = str(error).lower()
            return ("device" in text or "on cpu" in text) and not any(word in text for word in NO_VERDICT)
        return False


def faked() -> Iterator[Faked]:
    """The calls that run with all tensors on CUDA."""
    from torch.utils._pytree import tree_flatten

    for case in cases():
        if "device" in case.kwargs or case.name in LAX or case.name in FUSSY or case.name == "Tensor.to":
            continue
        flat, spec = tree_flatten((case.args, case.kwargs))
        places = [i for i, x in enumerate(flat) if isinstance(x, torch.Tensor)]
        plain = all(flat[i].layout == torch.strided and flat[i].numel() for i in places)
        call = Faked(case, flat, spec, places)
        if places and plain and call.runs():
            yield call


def results(value: Any) -> Iterator[Any]:
    """The tensors of a result."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from results(item)


@pytest.fixture(scope="module")
def calls() -> list[Faked]:
    torch.manual_seed(0)
    return list(faked())


def judged(call: Faked, place: int) -> bool:
    """Whether the tensor at a place is one that must agree with the others."""
    op = call.case.op
    if op.operands is None:
        return op.mix in (Mix.ELEMENTWISE, Mix.STRICT)
    named = {name for name, value in call.case.bound().items() if value is call.flat[place]}
    return op.mix in (Mix.ELEMENTWISE, Mix.STRICT) and bool(named & set(op.operands))


def several(calls: list[Faked], mixes: tuple[Mix, ...]) -> list[Faked]:
    return [call for call in calls if len(call.places) > 1 and call.case.op.mix in mixes]


def test_results_live_with_the_operands(calls: list[Faked]) -> None:
    odd = set()
    for call in calls:
        if call.case.op.out in FOLLOWING:
            devices = {x.device.type for x in results(call.run({}))}
            odd |= {(call.case.name, tuple(devices))} if devices - {"cuda"} else set()
    assert sorted(odd) == []
    assert len({call.case.name for call in calls}) > 500


def test_other_devices_are_refused(calls: list[Faked]) -> None:
    """A CPU tensor with dimensions among CUDA tensors."""
    odd, names = set(), set()
    for call in several(calls, (Mix.ELEMENTWISE, Mix.STRICT)):
        for place in call.places:
            if call.flat[place].ndim and judged(call, place):
                names.add(call.case.name)
                if not call.refused({place: "cpu"}):
                    odd.add((call.case.name, call.places.index(place)))
    assert sorted(odd) == []
    assert len(names) > 200


def test_free_operands_are_accepted(calls: list[Faked]) -> None:
    odd = set()
    for call in several(calls, (Mix.FREE, Mix.COPY)):
        for place in call.places[1:]:
            if call.refused({place: "cpu"}):
                odd.add((call.case.name, call.places.index(place)))
    assert sorted(odd) == []


def test_scalars_on_the_cpu_mix_elementwise(calls: list[Faked]) -> None:
    """One 0-dim CPU input, as TensorIterator allows."""
    odd, names = set(), set()
    for call in several(calls, (Mix.ELEMENTWISE,)):
        for place in call.places:
            receiver = call.case.op.out is Out.RECEIVER and place == call.places[0]
            if call.flat[place].ndim == 0 and judged(call, place) and not receiver:
                names.add(call.case.name)
                if call.refused({place: "cpu"}):
                    odd.add((call.case.name, call.places.index(place)))
    assert sorted(odd) == []
    assert len(names) > 40


def test_scalars_on_the_cpu_take_no_results(calls: list[Faked]) -> None:
    """`cpu_scalar.add_(cuda_tensor)`."""
    odd, names = set(), set()
    for call in several(calls, (Mix.ELEMENTWISE,)):
        first = call.places[0]
        if call.case.op.out is Out.RECEIVER and call.flat[first].ndim == 0:
            names.add(call.case.name)
            if not call.refused({first: "cpu"}):
                odd.add(call.case.name)
    assert sorted(odd) == []
    assert len(names) > 5
