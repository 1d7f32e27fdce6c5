"""The API of `torch.cuda` and `torch.accelerator` on the simulated machine."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch

from tests.sim.machine import Machine, Place
from tests.sim.patching import replace, words

_RETURN_NOTHING = words(
    """
    empty_cache manual_seed manual_seed_all seed seed_all ipc_collect reset_peak_memory_stats
    reset_max_memory_allocated reset_accumulated_memory_stats set_per_process_memory_fraction set_sync_debug_mode
    """
)
_RETURN_ZERO = words("memory_allocated max_memory_allocated memory_reserved max_memory_reserved")


class Stream:
    """A queue of work on a GPU; here work is done at once, only copies to the host wait."""

    machine = Machine()

    def __init__(self, device: Place | None = None, priority: int = 0, **_: Any) -> None:
        self.device = torch.device("cuda", self.machine.index(device))
        self.priority = priority

    def synchronize(self) -> None:
        """Wait for the work that was queued."""
        self.machine.synchronize()

    def wait_stream(self, stream: Stream) -> None:
        """Let later work of this stream wait for another's: the host does not wait."""

    def wait_event(self, event: Event) -> None:
        """Let later work of this stream wait for an event: the host does not wait."""

    def record_event(self, event: Event | None = None) -> Event:
        """An event after the work that is queued now."""
        return event or Event()

    def is_capturing(self) -> bool:
        """Whether a CUDA graph is being captured: never."""
        return False

    def query(self) -> bool:
        """Whether all work is done."""
        return not self.machine.pending

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        return None


class Event:
    """A mark in a stream."""

    machine = Machine()

    def __init__(self, device: Place | None = None, **_: Any) -> None:
        self.machine.index(device)

    def record(self, stream: Stream | None = None) -> None:
        """Mark the work that is queued now."""

    def wait(self, stream: Stream | None = None) -> None:
        """Let a stream wait: the host does not."""

    def synchronize(self) -> None:
        """Wait on the host for the work before the mark."""
        self.machine.synchronize()

    def query(self) -> bool:
        """Whether the work before the mark is done."""
        return not self.machine.pending

    def elapsed_time(self, other: Event) -> float:
        """Milliseconds between two marks."""
        return 1.0


def record_stream(tensor: torch.Tensor, stream: Stream) -> None:
    """`Tensor.record_stream`: memory is not reused here."""
    if not tensor.is_cuda:
        raise NotImplementedError(
            "Could not run 'aten::record_stream' with arguments from the 'CPU' backend."
        )


class DeviceContext:
    """`with torch.cuda.device(1):`, and its `idx`; None and -1 change nothing."""

    machine = Machine()

    def __init__(self, device: Place | None) -> None:
        self.idx = -1 if device in (None, -1) else self.machine.index(device)
        self.prev_idx = -1

    def __enter__(self) -> None:
        self.prev_idx = self.machine.current
        if self.idx >= 0:
            self.machine.current = self.idx

    def __exit__(self, *_: object) -> None:
        self.machine.current = self.prev_idx


class DeviceOf(DeviceContext):
    """`with torch.cuda.device_of(tensor):`"""

    def __init__(self, tensor: torch.Tensor) -> None:
        super().__init__(tensor.device if tensor.is_cuda else None)


class _Cuda:
    """The functions of `torch.cuda` that ask or tell the machine; each method replaces its namesake."""

    device = DeviceContext
    device_of = DeviceOf

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def is_available(self) -> bool:
        # Asks the driver, which a later fork does not survive (docs of torch.cuda.is_available).
        self._machine.used = self._machine.used or self._machine.gpus > 0
        return self._machine.gpus > 0

    def is_initialized(self) -> bool:
        return self._machine.used and not self._machine.forked

    def init(self) -> None:
        self._machine.use()

    def device_count(self) -> int:
        return self._machine.gpus

    def current_device(self) -> int:
        self._machine.use()
        return self._machine.current

    def set_device(self, device: Place) -> None:
        self._machine.current = self._machine.index(device)

    def synchronize(self, device: Place | None = None) -> None:
        self._machine.index(device)
        self._machine.synchronize()

    def get_device_name(self, device: Place | None = None) -> str:
        self._machine.index(device)
        return "Simulated GPU"

    def get_device_capability(self, device: Place | None = None) -> tuple[int, int]:
        self._machine.index(device)
        return (9, 0)

    def get_device_properties(self, device: Place | None = None) -> Any:
        self._machine.index(device)
        return SimpleNamespace(
            name="Simulated GPU",
            major=9,
            minor=0,
            total_memory=80 << 30,
            multi_processor_count=132,
            warp_size=32,
        )

    def mem_get_info(self, device: Place | None = None) -> tuple[int, int]:
        self._machine.index(device)
        return (80 << 30, 80 << 30)

    def memory_stats(self, device: Place | None = None) -> dict[str, int]:
        return {}

    def memory_summary(self, device: Place | None = None, abbreviated: bool = False) -> str:
        return ""

    def is_bf16_supported(self, including_emulation: bool = True) -> bool:
        return True

    def get_rng_state(self, device: Place = "cuda") -> torch.Tensor:
        self._machine.index(device)
        return torch.get_rng_state()

    def set_rng_state(self, new_state: torch.Tensor, device: Place = "cuda") -> None:
        self._machine.index(device)
        torch.set_rng_state(new_state)

    def get_rng_state_all(self) -> list[torch.Tensor]:
        return [torch.get_rng_state() for _ in range(self._machine.gpus)]

    def set_rng_state_all(self, new_states: list[torch.Tensor]) -> None:
        torch.set_rng_state(new_states[0])

    def current_stream(self, device: Place | None = None) -> Stream:
        return Stream(device)

    def default_stream(self, device: Place | None = None) -> Stream:
        return Stream(device)

    def set_stream(self, stream: Stream) -> None:
        self._machine.index(stream.device)

    def stream(self, stream: Stream | None) -> contextlib.AbstractContextManager[Stream | None]:
        return contextlib.nullcontext(stream)

    def is_current_stream_capturing(self) -> bool:
        return False


class _Accelerator:
    """The functions of `torch.accelerator`; each method replaces its namesake."""

    device_index = DeviceContext

    def __init__(self, cuda: _Cuda) -> None:
        self.is_available = cuda.is_available
        self.device_count = cuda.device_count
        self.current_device_index = self.current_device_idx = cuda.current_device
        self.set_device_index = self.set_device_idx = cuda.set_device
        self.synchronize = cuda.synchronize
        self.current_stream = cuda.current_stream
        self.set_stream = cuda.set_stream
        self.get_device_capability = cuda.get_device_capability
        self.get_memory_info = cuda.mem_get_info

    def current_accelerator(self, check_available: bool = False) -> torch.device:
        return torch.device("cuda")


def install(machine: Machine) -> None:
    """Replace what `torch.cuda` and `torch.accelerator` offer."""
    Stream.machine = Event.machine = DeviceContext.machine = machine
    cuda = _Cuda(machine)
    accelerator = _Accelerator(cuda)
    for target, source in ((torch.cuda, cuda), (torch.accelerator, accelerator)):
        replace(target, **{name: getattr(source, name) for name in dir(source) if not name.startswith("_")})
        replace(target, **dict.fromkeys(_RETURN_NOTHING & {*dir(target)}, lambda *_, **__: None))
        replace(target, **dict.fromkeys(_RETURN_ZERO, lambda *_, **__: 0))
    for module in (torch.cuda, torch):
        replace(module, Stream=Stream, Event=Event)
    replace(torch.Tensor, record_stream=record_stream)
    parse: Callable[..., Any] = torch._C._nn._parse_to

    def parse_to(*args: Any, **kwargs: Any) -> Any:
        """`module.to(0)`: the real one asks the real machine what 0 is."""
        return parse(*(machine.name(a) if isinstance(a, int) else a for a in args), **kwargs)

    replace(torch._C._nn, _parse_to=parse_to)
    replace(torch.cuda.nvtx, **dict.fromkeys(("range_push", "range_pop", "mark"), lambda *_: 0))
    replace(torch.version, cuda="12.8")
    replace(torch.backends.cuda, is_built=lambda: True)
