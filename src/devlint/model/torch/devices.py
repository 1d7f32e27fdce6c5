"""Device names, the functions that ask for accelerators, and what is tied to CUDA."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from devlint.model.torch.effects import words

# The types that torch.device accepts. Others ("npu", "mlu") come with a plugin that renames privateuseone.
DEVICE_TYPES: frozenset[str] = words(
    """
    cpu cuda fpga hip hpu ideep ipu lazy maia meta mkldnn mps mtia opencl opengl privateuseone ve vulkan xla
    xpu
    """
)

# Types that tensors of a program live on, other than the CPU and meta; those that plugins bring included.
ACCELERATORS: frozenset[str] = words("cuda hip hpu ipu maia mlu mps mtia musa npu privateuseone sdaa xla xpu")

_DEVICE = re.compile(r"([a-zA-Z_]+)(?::(0|[1-9][0-9]*))?")
_LARGEST_INDEX = 2**31 - 1


def is_valid_device(name: str, extra: Collection[str] = ()) -> bool:
    """Whether torch.device takes a string; `extra` are the types that plugins of the program bring."""
    match = _DEVICE.fullmatch(name)
    if match is None or (match[1] not in DEVICE_TYPES and match[1] not in extra):
        return False
    return match[2] is None or int(match[2]) <= _LARGEST_INDEX


_MEANT = re.compile(r"(?i:cpu|cuda|gpu|hpu|meta|mps|npu|tpu|xla|xpu)")


def means_device(name: str) -> bool:
    """Whether a string names a device, or was meant to: `"gpu"`, `"CUDA:0"`."""
    return _MEANT.match(name) is not None or is_valid_device(name, ACCELERATORS)


# Functions that say whether, or how many of, a type of device can be used, and the type; "accelerator":
# whatever the machine has.
AVAILABILITY: dict[str, str] = {
    "torch.accelerator.device_count": "accelerator",
    "torch.accelerator.is_available": "accelerator",
    "torch.backends.cuda.is_built": "cuda",
    "torch.backends.mps.is_available": "mps",
    "torch.backends.mps.is_built": "mps",
    "torch.cuda.device_count": "cuda",
    "torch.cuda.is_available": "cuda",
    "torch.mps.device_count": "mps",
    "torch.mps.is_available": "mps",
    "torch.mtia.device_count": "mtia",
    "torch.mtia.is_available": "mtia",
    "torch.xpu.device_count": "xpu",
    "torch.xpu.is_available": "xpu",
    # Plugins.
    "habana_frameworks.torch.hpu.device_count": "hpu",
    "habana_frameworks.torch.hpu.is_available": "hpu",
    "torch.hpu.device_count": "hpu",
    "torch.hpu.is_available": "hpu",
    "torch.mlu.device_count": "mlu",
    "torch.mlu.is_available": "mlu",
    "torch.musa.device_count": "musa",
    "torch.musa.is_available": "musa",
    "torch.npu.device_count": "npu",
    "torch.npu.is_available": "npu",
    "torch_npu.npu.device_count": "npu",
    "torch_npu.npu.is_available": "npu",
    # Wrappers of other libraries.
    **dict.fromkeys(
        words(
            """
            accelerate.utils.is_cuda_available lightning.fabric.accelerators.CUDAAccelerator.is_available
            lightning.fabric.accelerators.cuda.is_cuda_available
            lightning.fabric.accelerators.cuda.num_cuda_devices
            lightning.pytorch.accelerators.CUDAAccelerator.is_available
            lightning_fabric.accelerators.CUDAAccelerator.is_available mmengine.device.is_cuda_available
            pytorch_lightning.accelerators.CUDAAccelerator.is_available
            transformers.utils.import_utils.is_torch_cuda_available transformers.utils.is_torch_cuda_available
            """
        ),
        "cuda",
    ),
    **dict.fromkeys(
        words(
            """
            accelerate.utils.is_mps_available lightning.fabric.accelerators.MPSAccelerator.is_available
            lightning.pytorch.accelerators.MPSAccelerator.is_available
            lightning_fabric.accelerators.MPSAccelerator.is_available mmengine.device.is_mps_available
            pytorch_lightning.accelerators.MPSAccelerator.is_available
            transformers.utils.import_utils.is_torch_mps_available transformers.utils.is_torch_mps_available
            """
        ),
        "mps",
    ),
    **dict.fromkeys(
        words(
            """
            accelerate.utils.is_npu_available diffusers.utils.is_torch_npu_available
            mmengine.device.is_npu_available transformers.is_torch_npu_available
            transformers.utils.import_utils.is_torch_npu_available transformers.utils.is_torch_npu_available
            """
        ),
        "npu",
    ),
    **dict.fromkeys(
        words(
            """
            accelerate.utils.is_xpu_available transformers.is_torch_xpu_available
            transformers.utils.import_utils.is_torch_xpu_available transformers.utils.is_torch_xpu_available
            """
        ),
        "xpu",
    ),
    **dict.fromkeys(
        words(
            """
            accelerate.utils.is_hpu_available transformers.is_torch_hpu_available
            transformers.utils.is_torch_hpu_available
            """
        ),
        "hpu",
    ),
    **dict.fromkeys(
        words(
            """
            accelerate.utils.is_mlu_available mmengine.device.is_mlu_available
            transformers.is_torch_mlu_available transformers.utils.is_torch_mlu_available
            """
        ),
        "mlu",
    ),
    **dict.fromkeys(
        words(
            """
            accelerate.utils.is_musa_available mmengine.device.is_musa_available
            transformers.is_torch_musa_available transformers.utils.is_torch_musa_available
            """
        ),
        "musa",
    ),
}

_LEGACY = {
    "BFloat16Tensor": "torch.bfloat16",
    "BoolTensor": "torch.bool",
    "ByteTensor": "torch.uint8",
    "CharTensor": "torch.int8",
    "DoubleTensor": "torch.float64",
    "FloatTensor": "torch.float32",
    "HalfTensor": "torch.float16",
    "IntTensor": "torch.int32",
    "LongTensor": "torch.int64",
    "ShortTensor": "torch.int16",
}

# The tensor types of old, and the dtype of each. Called, they make a tensor: those of torch.cuda on the card,
# those of torch on the CPU.
LEGACY_TYPES: dict[str, str] = {
    **{f"torch.{name}": dtype for name, dtype in _LEGACY.items()},
    **{f"torch.cuda.{name}": dtype for name, dtype in _LEGACY.items()},
}


class CudaOnly(NamedTuple):
    """A name that is tied to CUDA and has a form that is not."""

    neutral: str
    """The device-neutral form, as a person would write it; `device` stands for the program's device."""
    since: tuple[int, int]
    """The first torch that has the neutral form."""
    replacement: str = ""
    """The name that takes the place of this one with "cuda" as an argument: the same to the letter. Empty:
    there is none."""
    argument: str = ""
    """The keyword of that argument; empty: it goes first."""
    positional: tuple[str, ...] = ()
    """The positional parameters of the old name, where the new one has them in another order: they must
    become keywords."""
    harmless: bool = False
    """It does nothing on a machine without CUDA (rather than raise)."""


_AUTOCAST = CudaOnly(
    "torch.amp.autocast(device.type)",
    (1, 12),
    "torch.amp.autocast",
    positional=("enabled", "dtype", "cache_enabled"),
    harmless=True,
)
_SCALER = CudaOnly("torch.amp.GradScaler(device.type)", (2, 3), "torch.amp.GradScaler", harmless=True)
_CUSTOM_FWD = CudaOnly(
    "torch.amp.custom_fwd(device_type=device.type)",
    (2, 4),
    "torch.amp.custom_fwd",
    "device_type",
    harmless=True,
)
_CUSTOM_BWD = CudaOnly(
    "torch.amp.custom_bwd(device_type=device.type)",
    (2, 4),
    "torch.amp.custom_bwd",
    "device_type",
    harmless=True,
)

CUDA_ONLY_APIS: dict[str, CudaOnly] = {
    "torch.cuda.amp.autocast": _AUTOCAST,
    "torch.cuda.amp.autocast_mode.autocast": _AUTOCAST,
    "torch.cuda.amp.GradScaler": _SCALER,
    "torch.cuda.amp.grad_scaler.GradScaler": _SCALER,
    "torch.cuda.amp.custom_fwd": _CUSTOM_FWD,
    "torch.cuda.amp.autocast_mode.custom_fwd": _CUSTOM_FWD,
    "torch.cuda.amp.custom_bwd": _CUSTOM_BWD,
    "torch.cuda.amp.autocast_mode.custom_bwd": _CUSTOM_BWD,
    "torch.cuda.synchronize": CudaOnly("torch.accelerator.synchronize()", (2, 6)),
    "torch.cuda.current_stream": CudaOnly("torch.accelerator.current_stream()", (2, 6)),
    "torch.cuda.current_device": CudaOnly("torch.accelerator.current_device_index()", (2, 6)),
    "torch.cuda.set_device": CudaOnly("torch.accelerator.set_device_index(index)", (2, 6)),
    # torch.manual_seed seeds every device.
    "torch.cuda.manual_seed": CudaOnly("torch.manual_seed(seed)", (1, 0), harmless=True),
    "torch.cuda.manual_seed_all": CudaOnly("torch.manual_seed(seed)", (1, 0), harmless=True),
    "torch.cuda.empty_cache": CudaOnly("torch.accelerator.empty_cache()", (2, 9), harmless=True),
    "torch.cuda.mem_get_info": CudaOnly("torch.accelerator.get_memory_info()", (2, 10)),
    "torch.cuda.memory_allocated": CudaOnly("torch.accelerator.memory_allocated()", (2, 9), harmless=True),
    "torch.cuda.memory_reserved": CudaOnly("torch.accelerator.memory_reserved()", (2, 9), harmless=True),
    "torch.cuda.max_memory_allocated": CudaOnly(
        "torch.accelerator.max_memory_allocated()", (2, 9), harmless=True
    ),
    "torch.cuda.max_memory_reserved": CudaOnly(
        "torch.accelerator.max_memory_reserved()", (2, 9), harmless=True
    ),
    "torch.cuda.memory_stats": CudaOnly("torch.accelerator.memory_stats()", (2, 9), harmless=True),
    "torch.cuda.reset_peak_memory_stats": CudaOnly("torch.accelerator.reset_peak_memory_stats()", (2, 9)),
    "torch.cuda.reset_accumulated_memory_stats": CudaOnly(
        "torch.accelerator.reset_accumulated_memory_stats()", (2, 9)
    ),
}
