"""The simulated machine: how many GPUs it has, which one is current, and what has been copied when."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor

CPU = torch.device("cpu")
Place = torch.device | str | int
"""What PyTorch takes for a device."""


class AcceleratorError(RuntimeError):
    """What torch.AcceleratorError is on a GPU machine: a CUDA call failed."""


@dataclass
class Machine:
    """A machine with GPUs, as one process sees it.

    `used` says that CUDA was initialised in this process; a process forked from such a one is `forked`
    and cannot use CUDA. `pending` are the copies to the host that were started with `non_blocking=True`
    and have not been waited for: pairs of the tensor and what it will hold.
    """

    gpus: int = 0
    current: int = 0
    default: torch.device | None = None
    used: bool = False
    forked: bool = False
    pending: list[tuple[Tensor, Tensor]] = field(default_factory=list)

    def use(self) -> None:
        """Initialise CUDA, as the first use of a GPU does."""
        if self.gpus == 0:
            raise AssertionError("Torch not compiled with CUDA enabled")
        if self.forked:
            raise RuntimeError(
                "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, "
                "you must use the 'spawn' start method"
            )
        self.used = True

    def after_fork(self) -> None:
        """CUDA does not survive a fork."""
        self.forked = self.forked or self.used

    def name(self, device: Place) -> torch.device:
        """The torch.device of an argument; an integer is an index of the accelerator."""
        if isinstance(device, bool):
            raise TypeError(f"invalid device: {device!r}")
        if isinstance(device, int):
            if self.gpus == 0:
                raise RuntimeError("Cannot access accelerator device when none is available.")
            return torch.device("cuda", device)
        return torch.device(device)

    def resolve(self, device: Place) -> torch.device:
        """The device that a tensor is put on, with its index, or the error that PyTorch raises."""
        named = self.name(device)
        if named.type == "cpu":
            return CPU
        if named.type == "meta":
            return torch.device("meta")
        if named.type != "cuda":
            raise NotImplementedError(
                f"Could not run 'aten::empty.memory_format' with arguments from the '{named.type.upper()}' backend."
            )
        self.use()
        index = self.current if named.index is None else named.index
        if index >= self.gpus:
            raise AcceleratorError(
                "CUDA error: invalid device ordinal "
                "(GPU device may be out of range, do you have enough GPUs?)"
            )
        return torch.device("cuda", index)

    def index(self, device: Place | None) -> int:
        """The index of a GPU, for the functions of torch.cuda; None is the current one."""
        if device is None:
            self.use()
            return self.current
        named = torch.device("cuda", device) if isinstance(device, int) else torch.device(device)
        if named.type != "cuda":
            raise ValueError(f"Expected a cuda device, but got: {named}")
        return self.resolve(named).index

    def factory_device(self) -> torch.device:
        """Where a factory puts a tensor when it is not told."""
        return CPU if self.default is None else self.resolve(self.default)

    def defer(self, out: Tensor) -> None:
        """Let an asynchronous copy to the host hold garbage until somebody synchronises."""
        with torch.no_grad(), torch._C.DisableTorchFunction():
            self.pending.append((out, out.detach().clone()))
            out.detach().zero_()

    def synchronize(self) -> None:
        """All copies have arrived."""
        arrived, self.pending = self.pending, []
        with torch.no_grad(), torch._C.DisableTorchFunction():
            for out, value in arrived:
                out.detach().copy_(value)
