"""The errors of PyTorch over devices: each message finds its entry, each entry names rules that exist."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from devlint.errors import ERRORS, find
from devlint.rules import all_rules

# As they stand in reports.
MESSAGES = {
    "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!": "same-device",
    "Expected all tensors to be on the same device, but got mat2 is on cpu, different from other tensors on "
    "cuda:0 (when checking argument in method wrapper_CUDA_bmm)": "same-device",
    "Tensor for argument #2 'mat1' is on CPU, but expected it to be on GPU (while checking arguments for addmm)": "same-device",
    "Expected object of device type cuda but got device type cpu for argument #1 'self' in call to _th_mm": "same-device",
    "Expected object of backend CUDA but got backend CPU for argument #4 'mat1'": "same-device",
    "Trying to pass too many CPU scalars to non-CPU kernel!": "same-device",
    "Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same or input "
    "should be a MKLDNN tensor and weight is a dense tensor": "input-and-weight-type",
    "Input and hidden tensors are not at the same device, found input tensor at cuda:0 and hidden tensor at "
    "cpu": "input-and-weight-type",
    "module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on "
    "device: cpu": "parallel-module-elsewhere",
    "indices should be either on cpu or on the same device as the indexed tensor (cpu)": "index-device",
    "Expected a 'cuda' device type for generator but found 'cpu'": "generator-device",
    "'lengths' argument should be a 1D CPU int64 tensor, but got 1D cuda:0 Long tensor": "lengths-on-cpu",
    "cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned": "pin-memory",
    "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory "
    "first.": "numpy-from-device",
    "can't convert mps:0 device type tensor to numpy. Use Tensor.cpu() to copy": "numpy-from-device",
    "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are "
    "running on a CPU-only machine, please use torch.load with map_location": "deserialize-without-cuda",
    "don't know how to restore data location of torch.storage.UntypedStorage (tagged with npu:0)": "deserialize-without-cuda",
    "Attempting to deserialize object on CUDA device 3 but torch.cuda.device_count() is 1. Please use "
    "torch.load with map_location": "deserialize-ordinal",
    "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the "
    "'spawn' start method": "re-initialize-in-fork",
    "Torch not compiled with CUDA enabled": "no-cuda",
    "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU": "no-cuda",
    "No CUDA GPUs are available": "no-cuda",
    "CUDA error: invalid device ordinal": "invalid-ordinal",
    "Invalid device id": "invalid-ordinal",
    "Invalid device string: 'cuda: 0'": "invalid-string",
    "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl device type at start of device string: gpu": "invalid-string",
    "can't optimize a non-leaf Tensor": "non-leaf",
    "cannot assign 'torch.cuda.FloatTensor' as parameter 'weight' (torch.nn.Parameter or None expected)": "no-parameter",
    'Error(s) in loading state_dict for Net:\n\tMissing key(s) in state_dict: "fc.weight".\n\tUnexpected '
    'key(s) in state_dict: "module.fc.weight". ': "module-prefix",
    "'DataParallel' object has no attribute 'fc'": "module-prefix",
    'Error(s) in loading state_dict for Net:\n\tMissing key(s) in state_dict: "fc.weight".': "missing-keys",
    "optimizer got an empty parameter list": "no-parameters",
    "DistributedDataParallel device_ids and output_device arguments only work with single-device/"
    "multiple-device GPU modules or CPU modules, but got device_ids [0]": "ddp-devices",
    "Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 1000": "duplicate-gpu",
    "No backend type associated with device type cpu": "collective-on-cpu",
    "Tensors must be CUDA and dense": "collective-on-cpu",
    "Placeholder storage has not been allocated on MPS device!": "mps-placeholder",
    "The operator 'aten::_fft_r2c' is not currently implemented for the MPS device.": "mps-operator",
    "\"addmm_impl_cpu_\" not implemented for 'Half'": "half-on-cpu",
    "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty()": "meta-copy",
    "You can't move a model that has some modules offloaded to cpu or disk.": "dispatched",
    "`.to` is not supported for `4-bit` or `8-bit` bitsandbytes models.": "dispatched",
    "Expected a cuda device, but got: cpu": "cuda-function-elsewhere",
    "module 'torch' has no attribute 'accelerator'": "no-accelerator-api",
    "CUDA error: device-side assert triggered": "device-assert",
    "CUDA out of memory. Tried to allocate 2.00 GiB.": "out-of-memory",
}


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_finds_its_entry(message: str) -> None:
    found = find(f"RuntimeError: {message}")
    assert found is not None
    assert found.name == MESSAGES[message]


def test_every_entry_is_tested() -> None:
    assert {error.name for error in ERRORS} == set(MESSAGES.values())


def test_names_are_unique_and_the_rules_exist() -> None:
    names = [error.name for error in ERRORS]
    assert len(names) == len(set(names))
    known = {rule.name for rule in all_rules()}
    assert [rule for error in ERRORS for rule in error.rules if rule not in known] == []


def test_sentences_end() -> None:
    for error in ERRORS:
        for sentence in (error.meaning, *(cause.text for cause in error.causes)):
            assert re.search(r"[.)`]$", sentence), sentence


@pytest.mark.parametrize(
    "message", ["name 'x' is not defined", "mat1 and mat2 shapes cannot be multiplied", "", "unassigned-mov"]
)
def test_other_errors_are_left_alone(message: str) -> None:
    assert find(message) is None


RAISED: dict[str, Callable[[Any], object]] = {
    "no-cuda": lambda torch: torch.ones(2, device="cuda"),
    "invalid-string": lambda torch: torch.device("gpu"),
    "non-leaf": lambda torch: torch.optim.SGD([torch.nn.Parameter(torch.ones(2)) * 1], lr=0.1),
    "no-parameters": lambda torch: torch.optim.SGD([], lr=0.1),
    "no-parameter": lambda torch: setattr(torch.nn.Linear(2, 2), "weight", torch.ones(2, 2)),
    "module-prefix": lambda torch: torch.nn.Linear(2, 2).load_state_dict({"module.weight": torch.ones(2)}),
    "missing-keys": lambda torch: torch.nn.Linear(2, 2).load_state_dict({}),
    "meta-copy": lambda torch: torch.ones(2, device="meta").to("cpu"),
}


@pytest.mark.parametrize("name", RAISED)
def test_what_the_installed_pytorch_says(name: str) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    if name == "no-cuda" and torch.cuda.is_available():
        pytest.skip("this machine has CUDA")
    try:
        RAISED[name](torch)
    except Exception as raised:
        found = find(f"{type(raised).__name__}: {raised}")
    else:
        pytest.fail("nothing was raised")
    assert found is not None
    assert found.name == name
