"""`torch.save` and `torch.load`: the real ones, told through their registry where a storage is and goes."""

from __future__ import annotations

from typing import Any

import torch

from tests.sim import claims
from tests.sim.machine import Machine, Place
from tests.sim.patching import replace


def install(machine: Machine) -> None:
    """Register the simulated GPUs as a location of storages."""

    def tag(storage: Any) -> str | None:
        device = claims.claim_of_storage(storage)
        return str(device) if device.type == "cuda" else None

    def restore(storage: Any, location: str) -> Any:
        if not location.startswith("cuda"):
            return None
        validate: Any = torch.serialization._validate_device
        return claims.place_storage(storage, machine.resolve(validate(location, "cuda")))

    torch.serialization.register_package(5, tag, restore)

    def to_cuda(self: Any, device: Place | None = None, non_blocking: bool = False) -> Any:
        """`storage.cuda(1)`, as functions given for `map_location` say it."""
        return claims.place_storage(self.clone(), machine.resolve("cuda" if device is None else device))

    replace(torch.UntypedStorage, cuda=to_cuda)
