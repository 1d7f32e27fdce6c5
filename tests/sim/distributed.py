"""`torch.distributed` and the parallel wrappers, seen from one rank. The other ranks say what this one says."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import torch
import torch.distributed as dist
import torch.nn.parallel
from torch import Tensor, nn
from torch.nn.parallel import _functions, comm
from torch.nn.parallel.scatter_gather import scatter_kwargs

from tests.sim.claims import claim, tensors
from tests.sim.machine import CPU, Machine
from tests.sim.patching import replace


class Group:
    """The process group that a program began."""

    def __init__(self) -> None:
        self.backend: str | None = None
        self.rank = 0
        self.size = 1

    def init_process_group(
        self,
        backend: str | None = None,
        init_method: str | None = None,
        timeout: Any = None,
        world_size: int = -1,
        rank: int = -1,
        **_: Any,
    ) -> None:
        self.backend = backend or "undefined"
        self.rank = rank if rank >= 0 else int(os.environ.get("RANK", "0"))
        self.size = world_size if world_size > 0 else int(os.environ.get("WORLD_SIZE", "1"))

    def destroy_process_group(self, group: Any = None) -> None:
        self.backend = None

    def is_available(self) -> bool:
        return True

    def is_initialized(self) -> bool:
        return self.backend is not None

    def get_backend(self, group: Any = None) -> str:
        self._begun()
        return str(self.backend)

    def get_rank(self, group: Any = None) -> int:
        self._begun()
        return self.rank

    def get_world_size(self, group: Any = None) -> int:
        self._begun()
        return self.size

    def barrier(self, *_: Any, **__: Any) -> None:
        self._begun()

    def broadcast(self, tensor: Tensor, *_: Any, **__: Any) -> None:
        self._check(tensor)

    def all_reduce(self, tensor: Tensor, op: Any = dist.ReduceOp.SUM, *_: Any, **__: Any) -> None:
        self._check(tensor)
        if op == dist.ReduceOp.SUM:
            with torch.no_grad():
                tensor.mul_(self.size)

    def reduce(self, tensor: Tensor, *_: Any, **__: Any) -> None:
        self._check(tensor)

    def all_gather(self, tensor_list: list[Tensor], tensor: Tensor, *_: Any, **__: Any) -> None:
        self._check([*tensor_list, tensor])
        with torch.no_grad():
            for out in tensor_list:
                out.copy_(tensor)

    def all_gather_object(self, object_list: list[Any], obj: Any, *_: Any, **__: Any) -> None:
        self._begun()
        object_list[:] = [obj] * len(object_list)

    def broadcast_object_list(self, object_list: list[Any], *_: Any, **__: Any) -> None:
        self._begun()

    def _begun(self) -> None:
        if self.backend is None:
            raise ValueError(
                "Default process group has not been initialized, please make sure to call init_process_group."
            )

    def _check(self, values: Any) -> None:
        """NCCL knows no CPU tensors, and wants a GPU of its own for each rank of a host."""
        self._begun()
        if self.backend != "nccl":
            return
        local = int(os.environ.get("LOCAL_RANK", self.rank))
        for tensor in tensors(values):
            device = claim(tensor)
            if device == CPU:
                raise RuntimeError("No backend type associated with device type cpu")
            if local > 0 and device.index == 0:
                raise dist.DistBackendError(
                    f"Duplicate GPU detected : rank {self.rank} and rank {self.rank - local} both on CUDA device 0"
                )


class DistributedDataParallel(nn.Module):
    """The wrapper's checks and its prefix; with one rank there is nothing to reduce."""

    _group = Group()
    _machine = Machine()

    def __init__(
        self, module: nn.Module, device_ids: Any = None, output_device: Any = None, *_: Any, **__: Any
    ) -> None:
        super().__init__()
        self._group._check([])
        trained = [p for p in module.parameters() if p.requires_grad]
        if not trained:
            raise RuntimeError(
                "DistributedDataParallel is not needed when a module doesn't have any parameters that require a gradient."
            )
        places = {claim(p) for p in module.parameters()}
        if device_ids and (len(device_ids) > 1 or len(places) > 1 or CPU in places):
            raise ValueError(
                "DistributedDataParallel device_ids and output_device arguments only work with "
                "single-device/multiple-device GPU modules or CPU modules, but got device_ids "
                f"{device_ids}, output_device {output_device}, and module parameters {places}."
            )
        if len({place.type for place in places}) > 1:
            raise ValueError(
                "DistributedDataParallel's input module must be on the same type of devices, "
                f"but input module parameters locate in { ({place.type for place in places}) }."
            )
        self._group._check(trained)
        self.module = module
        self.device_ids = [self._machine.index(d) for d in device_ids] if device_ids else None
        for parameter in trained:
            _watch(parameter)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Inputs are moved only where `device_ids` says where to."""
        if self.device_ids:
            device = torch.device("cuda", self.device_ids[0])
            moved, named = scatter_kwargs(inputs, kwargs, [device])
            return self.module(*moved[0], **named[0])
        return self.module(*inputs, **kwargs)


def _watch(parameter: nn.Parameter) -> None:
    """The buckets of the gradients stay where the parameters were when they were wrapped."""
    wrapped = claim(parameter)

    def hook(grad: Tensor) -> None:
        if claim(parameter) != wrapped:
            raise RuntimeError(
                "Expected all tensors to be on the same device: the gradient is on "
                f"{claim(parameter)}, its bucket in the DistributedDataParallel reducer on {wrapped}"
            )

    register: Any = parameter.register_hook
    register(hook)


def _broadcast(targets: list[int], *inputs: Tensor) -> tuple[Tensor, ...]:
    return tuple(t.to(torch.device("cuda", index), copy=True) for index in targets for t in inputs)


def _copies(inputs: Sequence[Tensor], devices: Sequence[int], *_: Any) -> list[list[Tensor]]:
    return [[t.to(torch.device("cuda", index)) for t in inputs] for index in devices]


def _scatter(targets: list[Any], sizes: list[int] | None, dim: int, tensor: Tensor) -> tuple[Tensor, ...]:
    parts = tensor.chunk(len(targets), dim) if sizes is None else torch.split(tensor, sizes, dim)
    return tuple(
        p.to(torch.device("cuda", torch._utils._get_device_index(d)))
        for p, d in zip(parts, targets, strict=False)
    )


def _gather(target: Any, dim: int, *inputs: Tensor) -> Tensor:
    there = torch.device("cuda", target) if isinstance(target, int) else target
    moved = [t.to(there) for t in inputs]
    return torch.stack(moved) if moved[0].dim() == 0 else torch.cat(moved, dim)


def install(machine: Machine) -> None:
    """Replace the collectives; the real DataParallel runs on copies that are made here."""
    group = Group()
    members = {name: getattr(group, name) for name in dir(group) if not name.startswith("_")}
    replace(dist, **{name: member for name, member in members.items() if callable(member)})
    DistributedDataParallel._group, DistributedDataParallel._machine = group, machine
    for module in (nn.parallel, nn.parallel.distributed):
        replace(module, DistributedDataParallel=DistributedDataParallel)
    replace(_functions.Broadcast, apply=staticmethod(_broadcast))
    replace(_functions.Scatter, apply=staticmethod(_scatter))
    replace(_functions.Gather, apply=staticmethod(_gather))
    replace(comm, broadcast_coalesced=_copies)
