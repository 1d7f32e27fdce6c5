"""Device strings, availability and CUDA-only names are judged against the installed torch."""

from __future__ import annotations

import inspect
import itertools
import re
from typing import Any

import pytest

from devlint.model.torch.devices import (
    ACCELERATORS,
    AVAILABILITY,
    CUDA_ONLY_APIS,
    DEVICE_TYPES,
    LEGACY_TYPES,
    is_valid_device,
)
from tests.model.torch.names import exists, resolve

torch = pytest.importorskip("torch", reason="the tables are judged against PyTorch")

TYPES = sorted(
    DEVICE_TYPES | ACCELERATORS | {"CUDA", "Cuda", "GPU", "auto", "cuda0", "gpu", "msnpu", "tpu", "hip", ""}
)
INDICES = [
    "",
    ":",
    ":0",
    ":1",
    ":00",
    ":01",
    ":-1",
    ": 0",
    ":0 ",
    ":+1",
    ":a",
    ":1a",
    ":0:1",
    "::0",
    ":127",
    "0",
    "_0",
    ".0",
]
INDICES += [
    ":2147483647",
    ":2147483648",
    ":4294967296",
    ":99999999999999999999",
    ":1_0",
    ":\u0661",
    "\n",
    ":0\n",
]
STRINGS = ["".join(parts) for parts in itertools.product(TYPES, INDICES)]
STRINGS += [
    "0",
    " cuda",
    "cuda ",
    "GPU:0",
    "cpu:cuda",
    "cuda-0",
    "cuda/0",
    "none",
    "None",
    "cuda,0",
    "cuda:0,1",
]


def accepted(text: str) -> bool:
    try:
        torch.device(text)
    except RuntimeError:
        return False
    return True


@pytest.mark.filterwarnings("ignore:'mkldnn'")
def test_strings_are_judged_as_torch_judges_them() -> None:
    assert [text for text in STRINGS if is_valid_device(text) != accepted(text)] == []
    assert len(STRINGS) > 700


def test_types_are_those_that_torch_names() -> None:
    with pytest.raises(RuntimeError) as error:
        torch.device("nothing")
    listed = re.search(r"Expected one of (.*?) device type", str(error.value))
    assert listed is not None
    assert set(listed[1].replace(" or ", ", ").split(", ")) == DEVICE_TYPES


def test_plugins_bring_types() -> None:
    assert not is_valid_device("npu:0")
    assert is_valid_device("npu:0", ("npu",))
    assert not is_valid_device("npu:00", ("npu",))


def test_the_cpu_and_meta_are_no_accelerators() -> None:
    assert not {"cpu", "meta"} & ACCELERATORS


def test_availability_functions_answer() -> None:
    """Without a GPU all of torch's own say no; "accelerator" speaks of any."""
    own = [name for name in AVAILABILITY if name.startswith("torch.") and exists(name)]
    assert len(own) >= 11
    if not torch.accelerator.is_available():
        assert [name for name in own if resolve(name)() and name != "torch.backends.cuda.is_built"] == []
    assert set(AVAILABILITY.values()) <= ACCELERATORS | {"accelerator"}


@pytest.mark.filterwarnings("ignore")
def test_legacy_types_have_the_dtype() -> None:
    for name, dtype in LEGACY_TYPES.items():
        assert resolve(name).dtype is resolve(dtype)


@pytest.mark.parametrize("name", sorted(CUDA_ONLY_APIS))
def test_neutral_forms_exist(name: str) -> None:
    api = CUDA_ONLY_APIS[name]
    assert exists(api.neutral.partition("(")[0])
    assert not api.replacement or exists(api.replacement)
    assert (1, 0) <= api.since <= (2, 13)


@pytest.mark.parametrize("name", sorted(n for n, api in CUDA_ONLY_APIS.items() if api.replacement))
def test_replacements_take_what_the_old_name_takes(name: str) -> None:
    """The same arguments after the device type, or the old ones in another order, which is noted."""
    api = CUDA_ONLY_APIS[name]
    old = list(inspect.signature(resolve(name)).parameters.values())
    new = inspect.signature(resolve(api.replacement)).parameters
    assert {p.name for p in old} <= set(new) | {"bwd", "fwd"}
    names = list(new)
    if api.argument:
        assert api.argument in new
    else:
        assert names[0] in ("device", "device_type")
    positional = [p.name for p in old if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    if api.positional:
        assert list(api.positional) == positional
    elif not api.argument:
        assert names[1 : 1 + len(positional)] == positional


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(torch.cuda.is_available(), reason="says what happens without CUDA")
@pytest.mark.parametrize("name", sorted(CUDA_ONLY_APIS))
def test_harmless_means_harmless_without_cuda(name: str) -> None:
    arguments: dict[str, tuple[Any, ...]] = {
        "torch.cuda.set_device": (0,),
        "torch.cuda.manual_seed": (0,),
        "torch.cuda.manual_seed_all": (0,),
    }
    call = resolve(name)
    args = arguments.get(name, (lambda: None,) if "custom" in name else ())
    if CUDA_ONLY_APIS[name].harmless:
        call(*args)
    else:
        with pytest.raises((AssertionError, AttributeError, RuntimeError)):
            call(*args)
