"""`torch.cuda` and `torch.accelerator`: what they say of the machine, and what runs beside the host."""

from __future__ import annotations

import pytest

from tests.sim import run
from tests.sim.tables import agrees, says

NO_CUDA = "!Torch not compiled with CUDA enabled"
NO_ACCELERATOR = "!Cannot access accelerator device when none is available"

API: dict[str, tuple[str, str]] = {
    "torch.cuda.is_available(), torch.cuda.device_count()": ("(True, 2)", "(False, 0)"),
    "torch.cuda.current_device()": ("0", NO_CUDA),
    "torch.cuda.set_device('cuda:1'); d = torch.zeros(1, device='cuda').device; torch.cuda.set_device(0); d": (
        "cuda:1",
        "!",
    ),
    "torch.cuda.set_device(2)": ("!invalid device ordinal", "!"),
    "torch.cuda.set_device('cpu')": ("!Expected a cuda device", "!"),
    "with torch.cuda.device(1): x = cpu.cuda()\nx.device, torch.cuda.current_device()": (
        "(device(type='cuda', index=1), 0)",
        "!",
    ),
    "with torch.cuda.device_of(torch.ones(1, device='cuda:1')): x = cpu.cuda()\nx.device": ("cuda:1", "!"),
    "torch.cuda.get_device_name(1)": ("Simulated GPU", NO_CUDA),
    "torch.cuda.get_device_properties(0).total_memory > 0": ("True", NO_CUDA),
    "torch.cuda.get_device_capability() >= (7, 0)": ("True", NO_CUDA),
    "torch.cuda.mem_get_info()[1] > 0": ("True", NO_CUDA),
    "torch.cuda.memory_allocated()": ("0", "0"),
    "torch.cuda.empty_cache()": ("None", "None"),
    "torch.cuda.manual_seed_all(0)": ("None", "None"),
    "torch.cuda.synchronize()": ("None", NO_CUDA),
    "torch.cuda.is_bf16_supported()": ("True", "False"),
    "torch.cuda.get_rng_state().device": ("cpu", NO_CUDA),
    "torch.accelerator.is_available(), torch.accelerator.device_count()": ("(True, 2)", "(False, 0)"),
    "torch.accelerator.current_accelerator()": ("cuda", "None"),
    "torch.accelerator.current_device_index()": ("0", NO_ACCELERATOR),
    "torch.accelerator.set_device_index(1); d = cpu.cuda().device; torch.accelerator.set_device_index(0); d": (
        "cuda:1",
        NO_ACCELERATOR,
    ),
    "torch.accelerator.synchronize()": ("None", NO_ACCELERATOR),
    "s = torch.cuda.Stream()\nwith torch.cuda.stream(s): x = gpu + 1\ns.synchronize(); x.device": (
        "cuda:0",
        "!",
    ),
    "torch.cuda.current_stream().wait_stream(torch.cuda.Stream())": ("None", "!"),
    "a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True); a.record(); b.record(); a.elapsed_time(b) > 0": (
        "True",
        "!",
    ),
    "gpu.record_stream(torch.cuda.current_stream())": ("None", "!"),
    "torch.version.cuda is None": ("False", "True"),
}


@pytest.mark.parametrize("gpus", [2, 0])
@pytest.mark.parametrize("row", API)
def test_what_the_machine_says_of_itself(row: str, gpus: int) -> None:
    want = API[row][0 if gpus else 1]
    said = says(API, row, gpus)
    assert agrees(said, want), said


COPY = """
import torch
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.full((2,), 3.0, device=device)
{copy}
{wait}
print(y.sum().item())
"""
TO = "y = x.to('cpu', non_blocking=True)"
INTO = "y = torch.zeros(2, pin_memory=torch.cuda.is_available()); y.copy_(x, non_blocking=True)"


@pytest.mark.parametrize("copy", [TO, INTO])
@pytest.mark.parametrize(
    ("wait", "arrived"),
    [
        ("", False),
        ("y = y + 0", False),
        ("if torch.cuda.is_available(): torch.cuda.synchronize()", True),
        ("if torch.accelerator.is_available(): torch.accelerator.synchronize()", True),
        ("if torch.cuda.is_available(): torch.cuda.current_stream().synchronize()", True),
        ("x.sum().item()", True),
        ("print(x.cpu()[0].item())", True),
    ],
)
def test_an_asynchronous_copy_to_the_host_has_to_be_waited_for(copy: str, wait: str, arrived: bool) -> None:
    program = COPY.format(copy=copy, wait=wait)
    assert run(program, 0).stdout.splitlines()[-1] == "6.0"
    assert run(program, 1).stdout.splitlines()[-1] == ("6.0" if arrived else "0.0")


@pytest.mark.parametrize("copy", ["y = x.to('cpu')", "y = torch.zeros(2); y.copy_(x, non_blocking=True)"])
def test_other_copies_have_arrived(copy: str) -> None:
    assert run(COPY.format(copy=copy, wait=""), 1).stdout == "6.0\n"
