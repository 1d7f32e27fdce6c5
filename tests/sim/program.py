"""Running one program on the simulated machine, in this process: it must be a fresh one."""

from __future__ import annotations

import os
import random
import runpy
import sys
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch._dynamo  # the first optimizer imports it: it must see the real torch

from tests.sim import autograd, checkpoints, creation, cuda, distributed, legacy, loading
from tests.sim.machine import Machine
from tests.sim.mode import Simulation
from tests.sim.patching import replace


def execute(
    path: Path, *, gpus: int, rank: int | None = None, world: int = 1, argv: Sequence[str] = ()
) -> str | None:
    """Run a program as `__main__` in its folder; the error it raises, in one line, or None.

    With no GPU nothing is simulated but the other ranks: the installed PyTorch finds none and says so itself.
    With a `rank` the program runs as torchrun starts it.
    """
    machine = Machine(gpus=gpus)
    if rank is not None:
        _environment(rank, world, gpus)
    os.chdir(path.parent)
    sys.argv = [path.name, *argv]
    sys.path.insert(0, str(path.parent))
    warnings.simplefilter("ignore")
    _seed()
    replace(torch, compile=_as_written)
    replace(torch.jit, script=_as_written, trace=_traced)
    distributed.install(machine)
    if gpus == 0:
        return _run(path)
    mode = Simulation(machine)
    cuda.install(machine)
    legacy.install(machine)
    creation.install(machine)
    checkpoints.install(machine)
    autograd.install(mode)
    loading.install(machine, mode)
    with mode:
        return _run(path)


def _as_written(model: Any = None, *_: Any, **__: Any) -> Any:
    """What compiling gives, as far as devices go: `compile(model)`, or a decorator with arguments."""
    return _as_written if model is None else model


def _traced(model: Any, example_inputs: Any, *_: Any, **__: Any) -> Any:
    """Tracing runs the model once; what it gives computes the same."""
    model(*example_inputs) if isinstance(example_inputs, (tuple, list)) else model(example_inputs)
    return model


def _run(path: Path) -> str | None:
    try:
        runpy.run_path(str(path), run_name="__main__")
    except SystemExit as stop:
        return None if stop.code in (None, 0) else f"SystemExit: {stop.code}"
    except BaseException as error:
        traceback.print_exc()
        return describe(error)
    return None


def describe(error: BaseException) -> str:
    """An error in one line. What a worker process raised is its own last line."""
    text = str(error)
    if "in DataLoader worker process" in text:
        return text.strip().splitlines()[-1]
    return f"{type(error).__name__}: {' '.join(text.split())}"


def _seed() -> None:
    """Programs that do not seed say the same on every machine."""
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)


def _environment(rank: int, world: int, gpus: int) -> None:
    """What torchrun tells a rank; a machine has as many ranks as GPUs, further ones are on the next machine."""
    here = min(world, gpus or world)
    values: dict[str, Any] = {
        "RANK": rank,
        "LOCAL_RANK": rank % here,
        "WORLD_SIZE": world,
        "LOCAL_WORLD_SIZE": here,
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": 29500,
    }
    os.environ.update({key: str(value) for key, value in values.items()})
