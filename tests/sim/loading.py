"""Worker processes: they are forked, and CUDA does not survive a fork."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from multiprocessing.reduction import ForkingPickler
from typing import Any

import torch
import torch.multiprocessing
import torch.utils.data.dataloader as dataloader
from torch.multiprocessing import reductions
from torch.overrides import TorchFunctionMode

from tests.sim import claims
from tests.sim.machine import Machine
from tests.sim.patching import replace


def install(machine: Machine, mode: TorchFunctionMode) -> None:
    """Watch forks and threads, carry claims between processes, and run spawned functions."""
    os.register_at_fork(after_in_child=machine.after_fork)
    multiprocessing.set_start_method("fork", force=True)
    _threads(mode)
    _spawned_loaders(machine)
    for kind in (torch.Tensor, torch.nn.Parameter):
        ForkingPickler.register(kind, _reduce)
    replace(torch.multiprocessing, spawn=_spawn(machine))


def _threads(mode: TorchFunctionMode) -> None:
    """Modes belong to a thread: new threads begin in this one."""
    bootstrap: Callable[..., None] = vars(threading.Thread)["_bootstrap_inner"]

    def inside(self: threading.Thread) -> None:
        with mode:
            bootstrap(self)

    replace(threading.Thread, _bootstrap_inner=inside)


def _reduce(tensor: torch.Tensor) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    device = claims.claim(tensor)
    with torch._C.DisableTorchFunction():
        reduce: Any = reductions.reduce_tensor
        rebuild, args = reduce(tensor)
    return _rebuild, (rebuild, args, str(device))


def _rebuild(rebuild: Callable[..., Any], args: tuple[Any, ...], device: str) -> Any:
    with torch._C.DisableTorchFunction():
        return claims.place(rebuild(*args), torch.device(device))


def _spawned_loaders(machine: Machine) -> None:
    """Workers that are spawned begin without CUDA, so they may use it; here they are forked all the same."""
    start = dataloader._MultiProcessingDataLoaderIter.__init__

    def init(self: Any, loader: Any) -> None:
        context = loader.multiprocessing_context
        if context is None or context.get_start_method() == "fork":
            start(self, loader)
            return
        used, machine.used = machine.used, False
        loader._DataLoader__multiprocessing_context = multiprocessing.get_context("fork")
        try:
            start(self, loader)
        finally:
            machine.used = used
            loader._DataLoader__multiprocessing_context = context

    replace(dataloader._MultiProcessingDataLoaderIter, __init__=init)


def _spawn(machine: Machine) -> Callable[..., None]:
    def spawn(
        fn: Callable[..., Any], args: tuple[Any, ...] = (), nprocs: int = 1, join: bool = True, **_: Any
    ) -> None:
        """Run the ranks one after the other, each with the first GPU current."""
        for rank in range(nprocs):
            machine.current = 0
            fn(rank, *args)

    return spawn
