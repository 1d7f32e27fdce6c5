"""The factories are those that the installed torch has."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from devlint.model.torch.effects import Out
from devlint.model.torch.functions import FACTORIES, FUNCTIONS, LIKE_FACTORIES, RANDOM_FACTORIES
from tests.model.torch.names import public_functions, resolve

torch = pytest.importorskip("torch", reason="the tables are judged against PyTorch")

PYTHON = (
    "torch",
    "torch.fft",
    "torch.nested",
    "torch.random",
    "torch.signal.windows",
    "torch.testing",
    "torch.utils.dlpack",
)
# They take `device=` and make no tensor, or take their tensor from somewhere else.
OTHERS = {
    "torch.from_dlpack": "shares the memory of another library's tensor",
    "torch.get_device_module": "returns torch.cuda and the like",
    "torch.set_default_device": "sets what factories use",
    "torch.utils.dlpack.from_dlpack": "torch.from_dlpack",
}
# Built-in functions of namespaces, which have no signature; their documentation shows it.
DOCUMENTED = {"torch.fft.fftfreq", "torch.fft.rfftfreq"}


def builtin_factories() -> set[str]:
    """The functions of torch that its stub says take `device`."""
    stub = (Path(torch.__path__[0]) / "_C" / "_VariableFunctions.pyi").read_text()
    found = re.finditer(r"^def (\w+)\((.*?)\) ->", stub, re.DOTALL | re.MULTILINE)
    names = {m[1] for m in found if re.search(r"\bdevice:", m[2]) and not m[1].startswith("_")}
    return {f"torch.{name}" for name in names if hasattr(torch, name)}


def python_factories() -> set[str]:
    """The functions written in Python that take `device`."""
    found = set()
    for module in PYTHON:
        for name in public_functions(module):
            try:
                parameters = inspect.signature(resolve(name)).parameters
            except ValueError:
                continue
            if "device" in parameters:
                found.add(name)
    return found


def test_all_factories_and_no_other() -> None:
    installed = builtin_factories() | python_factories() | DOCUMENTED
    assert installed - set(OTHERS) == FACTORIES | LIKE_FACTORIES


@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_documented_factories_take_device(name: str) -> None:
    assert resolve(name)(4, device="meta").device.type == "meta"


def test_random_factories_take_a_generator() -> None:
    assert RANDOM_FACTORIES <= FACTORIES | LIKE_FACTORIES
    stub = (Path(torch.__path__[0]) / "_C" / "_VariableFunctions.pyi").read_text()
    drawing = {
        f"torch.{m[1]}" for m in re.finditer(r"^def (\w+)\([^)]*?generator:[^)]*?device:", stub, re.MULTILINE)
    }
    assert drawing <= RANDOM_FACTORIES
    assert RANDOM_FACTORIES - drawing == {"torch.testing.make_tensor"}


# What each factory is called with to make a tensor.
ARGUMENTS: dict[str, tuple[object, ...]] = {
    "torch.arange": (0, 4, 1),
    "torch.as_tensor": ([1.0],),
    "torch.asarray": ([1.0],),
    "torch.empty_permuted": ((2, 3), (1, 0)),
    "torch.empty_strided": ((2, 3), (3, 1)),
    "torch.eye": (2, 3),
    "torch.full": ((2,), 1.0),
    "torch.linspace": (0, 1, 5),
    "torch.logspace": (0, 1, 5, 10.0),
    "torch.normal": (0.0, 1.0, (2,)),
    "torch.randint": (0, 4, (2,)),
    "torch.randperm": (4,),
    "torch.scalar_tensor": (1.0,),
    "torch.sparse_coo_tensor": ([[0, 1]], [1.0, 2.0], (2,)),
    "torch.sparse_csr_tensor": ([0, 1, 2], [0, 1], [1.0, 2.0], (2, 2)),
    "torch.tensor": ([1.0],),
    "torch.tril_indices": (3, 3, 0),
    "torch.bartlett_window": (4, True),
    "torch.hann_window": (4, True),
    "torch.kaiser_window": (4, True),
    "torch.nested.nested_tensor": ([[1.0], [2.0, 3.0]],),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_positional_parameters(name: str) -> None:
    """What the table names is accepted in its place and by keyword alike, and none of it is the device."""
    function, arguments, op = resolve(name), ARGUMENTS[name], FUNCTIONS[name]
    assert op.out is Out.NEW
    keywords = dict(zip(op.params, arguments, strict=False))
    assert len(keywords) == len(arguments)
    made, named = function(*arguments, device="cpu"), function(**keywords, device="cpu")
    assert made.is_nested or made.size() == named.size()
    with pytest.raises((TypeError, RuntimeError, ValueError)):
        function(*arguments, torch.device("meta")).device.type.index("meta")


@pytest.mark.parametrize("name", sorted(LIKE_FACTORIES))
def test_like_factories_follow_their_operand(name: str) -> None:
    x = torch.empty(2, 3, device="meta")
    extra = {"torch.full_like": (1.0,), "torch.randint_like": (5,)}.get(name, ())
    assert resolve(name)(x, *extra).device.type == "meta"
    assert resolve(name)(x, *extra, device="cpu").device.type == "cpu"
    assert FUNCTIONS[name].out is Out.LIKE


@pytest.mark.filterwarnings("ignore:To copy construct")
@pytest.mark.parametrize("name", ["torch.as_tensor", "torch.asarray", "torch.normal", "torch.tensor"])
def test_data_on_another_device_stays_there(name: str) -> None:
    assert FUNCTIONS[name].follows
    meta = torch.ones(2, device="meta")
    made = resolve(name)(meta, 1.0) if name == "torch.normal" else resolve(name)(meta)
    assert made.device.type == "meta"


def test_sparse_tensors_follow_their_values() -> None:
    assert FUNCTIONS["torch.sparse_coo_tensor"].follows == ("values",)
    indices, values = torch.zeros(1, 2, dtype=torch.long, device="meta"), torch.ones(2, device="meta")
    assert torch.sparse_coo_tensor(indices, values, (3,)).device.type == "meta"
