"""The errors that PyTorch raises over devices: what they mean, what causes them, and which rules find that.

A table. The causes of an error stand in the order of how likely they are; `rules` are names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple


class Cause(NamedTuple):
    """What may have led to an error, and the rules that find it (none: reading cannot tell)."""

    text: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceError:
    """An error: how its message reads, what it says, and what causes it."""

    name: str
    pattern: str
    meaning: str
    causes: tuple[Cause, ...]

    def matches(self, text: str) -> bool:
        """Whether a message is of this kind."""
        return re.search(self.pattern, text, re.IGNORECASE | re.DOTALL) is not None

    @property
    def rules(self) -> tuple[str, ...]:
        """All rules that find a cause, the likeliest first."""
        return tuple(dict.fromkeys(rule for cause in self.causes for rule in cause.rules))


_NOT_MOVED = Cause(
    "The input, the target or the batch was not moved to the model's device, or the model was not.",
    ("input-not-moved",),
)
_DROPPED = Cause(
    "`x.to(device)` or `x.cuda()` stands alone on a line: it returns the moved tensor, and x stays where it "
    "was.",
    ("unassigned-move",),
)
_PLAIN = Cause(
    "A module keeps a tensor as a plain attribute (`self.mask = torch.ones(...)`). Moving the module moves "
    "parameters and buffers only: use `register_buffer`.",
    ("unregistered-tensor", "unregistered-parameter"),
)
_LISTED = Cause(
    "Layers are kept in a plain list, tuple or dict. They are not part of the module, and never move with "
    "it.",
    ("unregistered-module",),
)
_FRESH = Cause(
    "`forward` creates a tensor or a layer without a device: it is on the CPU, wherever the input is.",
    ("factory-without-device", "module-in-forward"),
)
_STALE = Cause(
    "A module remembers the device that it was built with, and was moved since.",
    ("stale-device-attribute",),
)
_MIXED = Cause("An operation takes one tensor that was moved, and one that was not.", ("device-mismatch",))
_NO_GPU = Cause(
    "The program names CUDA, and this machine (or this installation of PyTorch) has none: let the program "
    "choose the device.",
    ("hardcoded-device", "hardcoded-cuda-call", "cuda-only-api", "legacy-tensor-type"),
)
_SAME_CARD = Cause(
    "Every process of a distributed program takes the same card: use the local rank.", ("rank-blind-device",)
)

ERRORS: Final[tuple[DeviceError, ...]] = (
    DeviceError(
        "input-and-weight-type",
        r"Input type \(.*?\) and (weight|bias) type \(.*?\) should be the same|"
        r"Input and (hidden|parameter) tensors are not at the same device",
        "The input of a layer and its weights are on different devices (or of different types).",
        (_NOT_MOVED, _DROPPED, _LISTED, _FRESH),
    ),
    DeviceError(
        "parallel-module-elsewhere",
        r"module must have its parameters and buffers on device",
        "DataParallel wants the module on the first of its cards.",
        (
            Cause(
                "The module was never moved: `model.to(device)` before the first call.", ("input-not-moved",)
            ),
            _LISTED,
            Cause("The module was moved after it had been wrapped.", ("ddp-before-move",)),
            Cause("It was moved to another card than the first of `device_ids`.", ("hardcoded-device",)),
        ),
    ),
    DeviceError(
        "index-device",
        r"indices should be either on .{1,12} or on the same device as the indexed tensor",
        "A tensor on the CPU is indexed by one on an accelerator. (The other way round is allowed.)",
        (
            Cause(
                "The indexed tensor was not moved, or the index should stay on the CPU.", ("device-mismatch",)
            ),
            _DROPPED,
            _PLAIN,
            _FRESH,
        ),
    ),
    DeviceError(
        "generator-device",
        r"Expected a '?\w+'? device type for generator but found|Expected a .* generator",
        "A random factory makes its tensor on another device than that of the generator it is given.",
        (
            Cause(
                "A `torch.Generator()` is on the CPU unless it is told otherwise: "
                "`torch.Generator(device=device)`.",
                ("host-argument-on-device",),
            ),
        ),
    ),
    DeviceError(
        "lengths-on-cpu",
        r"lengths'? argument should be a 1D CPU int64 tensor",
        "`pack_padded_sequence` wants the lengths on the CPU.",
        (Cause("The lengths were moved with the rest of the batch.", ("host-argument-on-device",)),),
    ),
    DeviceError(
        "pin-memory",
        r"cannot pin .* only dense CPU tensors can be pinned",
        "Only what is on the CPU can be pinned.",
        (
            Cause(
                "The dataset or `collate_fn` of a loader with `pin_memory=True` moves its tensors to the "
                "GPU: leave them on the CPU, and move the batch in the loop.",
                ("device-in-worker",),
            ),
            Cause("`.pin_memory()` is called on a tensor that has been moved.", ("host-argument-on-device",)),
        ),
    ),
    DeviceError(
        "numpy-from-device",
        r"can'?t convert .* device type tensor to numpy|"
        r"Can'?t convert .*cuda.* tensor to numpy",
        "NumPy (matplotlib, pandas, scikit-learn ...) reads the main memory only.",
        (Cause("A tensor on an accelerator is handed over: `.cpu()` first.", ("numpy-from-device",)),),
    ),
    DeviceError(
        "deserialize-without-cuda",
        r"Attempting to deserialize object on a \w+ device but torch\.\w+\.is_available\(\) is False|"
        r"don'?t know how to restore data location",
        "A checkpoint loads its tensors to where they were saved, and this machine has no such device.",
        (
            Cause("`torch.load` is not told where to: `map_location`.", ("load-without-map-location",)),
            Cause("`map_location` names CUDA.", ("hardcoded-map-location",)),
        ),
    ),
    DeviceError(
        "deserialize-ordinal",
        r"Attempting to deserialize object on \w+ device \d+ but torch\.\w+\.device_count\(\) is",
        "A checkpoint was saved on a card with a number that this machine does not have.",
        (
            Cause("`torch.load` is not told where to: `map_location`.", ("load-without-map-location",)),
            Cause("`map_location` names a card by its number.", ("hardcoded-map-location",)),
        ),
    ),
    DeviceError(
        "re-initialize-in-fork",
        r"Cannot re-?initialize CUDA in forked subprocess|CUDA error: initialization error",
        "A process that was forked uses CUDA, which its parent had already started.",
        (
            Cause(
                "A dataset, a transform or a `collate_fn` uses the GPU, and the loader has workers: move "
                "the batch in the loop instead.",
                ("device-in-worker",),
            ),
            Cause("`torch.multiprocessing` forks after CUDA was used: `set_start_method('spawn')`."),
        ),
    ),
    DeviceError(
        "no-cuda",
        r"Torch not compiled with (CUDA|XPU|MPS) enabled|Found no NVIDIA driver|No CUDA GPUs are available|"
        r"torch\.cuda\.\w+Tensor(?: is)? not available|no CUDA-capable device is detected",
        "The program asks for CUDA where there is none.",
        (
            _NO_GPU,
            Cause("A checkpoint is loaded to CUDA.", ("load-without-map-location", "hardcoded-map-location")),
            Cause(
                "PyTorch was installed without CUDA, or the driver is missing: `python -m "
                "torch.utils.collect_env`."
            ),
        ),
    ),
    DeviceError(
        "invalid-ordinal",
        r"invalid device ordinal|Invalid device id\b|device_ids\[\d+\]|CUDA driver error: invalid device",
        "The program asks for a card with a number that the machine does not have.",
        (
            Cause("A number is written into the program.", ("hardcoded-device", "hardcoded-map-location")),
            Cause(
                "The global rank is taken for the number of a card: on the second machine it is too large. "
                "Use `LOCAL_RANK`.",
                ("rank-blind-device",),
            ),
            Cause("`CUDA_VISIBLE_DEVICES` hides the others: the numbers then begin at 0 again."),
        ),
    ),
    DeviceError(
        "invalid-string",
        r"Invalid device string|device type at start of device string|Invalid device argument",
        "A string names no device that PyTorch knows.",
        (
            Cause("It is misspelled: `gpu`, `CUDA`, `cuda0`, `cuda: 0`.", ("invalid-device",)),
            Cause("The name belongs to a plugin (`npu`: import torch_npu), or comes from a configuration."),
        ),
    ),
    DeviceError(
        "non-leaf",
        r"can'?t optimize a non-leaf Tensor",
        "An optimizer takes parameters and other leaves only; moving one makes a new tensor that is none.",
        (
            Cause(
                "`nn.Parameter(...).to(device)` is a plain tensor: `nn.Parameter(torch.zeros(..., "
                "device=device))`.",
                ("moved-parameter",),
            ),
            Cause("`torch.randn(..., requires_grad=True).to(device)` loses its gradient.", ("moved-leaf",)),
        ),
    ),
    DeviceError(
        "no-parameter",
        r"cannot assign '?(torch\.)?[\w.]*Tensor'? as parameter",
        "What is assigned to a parameter's name is a plain tensor.",
        (Cause("A parameter was moved, and the result is none any more.", ("moved-parameter",)),),
    ),
    DeviceError(
        "module-prefix",
        r"(Missing|Unexpected) key\(s\) in state_dict:.*\"module\.|"
        r"'?(DistributedDataParallel|DataParallel)'? object has no attribute",
        "A checkpoint was saved from a model that DataParallel or DistributedDataParallel had wrapped (its "
        "keys begin with `module.`), and is loaded into one that is not, or the other way round.",
        (
            Cause(
                "The wrapper's state_dict was saved: save `model.module.state_dict()`.",
                ("wrapped-state-dict",),
            ),
            Cause("The prefix is cut by hand somewhere, and not everywhere.", ("manual-prefix-strip",)),
        ),
    ),
    DeviceError(
        "missing-keys",
        r"(Missing|Unexpected) key\(s\) in state_dict",
        "The checkpoint and the model do not hold the same parameters and buffers.",
        (
            Cause("Layers in a plain list or dict are neither saved nor loaded.", ("unregistered-module",)),
            Cause(
                "Parameters in a plain list, tensors as plain attributes.",
                ("unregistered-parameter", "unregistered-tensor"),
            ),
            Cause("The checkpoint belongs to another version of the model."),
        ),
    ),
    DeviceError(
        "no-parameters",
        r"optimizer got an empty parameter list|module that doesn'?t have any parameters|"
        r"modules? that require(s)? a gradient",
        "The module has no parameters that it knows of.",
        (
            Cause("Its layers are kept in a plain list, tuple or dict.", ("unregistered-module",)),
            Cause("Its parameters are, or are none any more.", ("unregistered-parameter", "moved-parameter")),
        ),
    ),
    DeviceError(
        "ddp-devices",
        r"device_ids and output_device arguments only work with|"
        r"DistributedDataParallel's input module must be on the same type of devices",
        "The module is not on the one card that DistributedDataParallel was told.",
        (
            Cause("It is moved after it was wrapped, or never.", ("ddp-before-move",)),
            _SAME_CARD,
            _LISTED,
        ),
    ),
    DeviceError(
        "duplicate-gpu",
        r"Duplicate GPU detected|device_id with index|devices used by this process are currently unknown",
        "The processes of a distributed program must take a card each.",
        (
            _SAME_CARD,
            Cause("A card is chosen by a number that is written down.", ("hardcoded-device",)),
        ),
    ),
    DeviceError(
        "collective-on-cpu",
        r"Tensors must be CUDA and dense|No backend type associated with device type",
        "NCCL communicates between cards: the tensor is on the CPU.",
        (
            Cause("The tensor was made on the CPU, and not moved.", ("device-mismatch", "create-then-move")),
            _DROPPED,
            Cause("The backend should be `gloo`, or none be named (PyTorch 2.6 and later take both)."),
        ),
    ),
    DeviceError(
        "mps-placeholder",
        r"Placeholder storage has not been allocated on MPS device",
        "On an Apple GPU: the model was moved, and its input was not, or the other way round.",
        (_NOT_MOVED, _DROPPED, _PLAIN, _FRESH, _LISTED),
    ),
    DeviceError(
        "mps-operator",
        r"not currently (implemented|supported)[\w ]* (for|on) the MPS device|"
        r"Could not run '.*' with arguments from",
        "This operation does not exist for this device.",
        (
            Cause("The operation has to run on the CPU: move its operands there and the result back."),
            Cause("The program was written for CUDA only.", ("cuda-only-api",)),
        ),
    ),
    DeviceError(
        "half-on-cpu",
        r"not implemented for '(Half|BFloat16)'",
        "An operation with half precision that the CPU does not have: the model was meant to be on a GPU.",
        (
            _NOT_MOVED,
            _DROPPED,
            Cause("There is no GPU, and the program does not ask.", ("hardcoded-device",)),
        ),
    ),
    DeviceError(
        "meta-copy",
        r"Cannot copy out of meta tensor",
        "The model was made without memory (`meta`), and has to be filled before it can be moved.",
        (
            Cause(
                "A library placed the model itself (`device_map`): do not move it.",
                ("move-after-dispatch",),
            ),
            Cause("`model.to_empty(device=...)`, then load its state."),
        ),
    ),
    DeviceError(
        "dispatched",
        r"You can'?t move a model that has some modules offloaded|\.to. is not supported for .*bit|"
        r"Calling .to\(\).* is not supported for",
        "A library has placed the model, and takes care of it.",
        (Cause("It is moved all the same: remove the move.", ("move-after-dispatch",)),),
    ),
    DeviceError(
        "cuda-function-elsewhere",
        r"Expected a \w+ device( with .*)?, but got: ?\w+",
        "A function of one kind of device was given another.",
        (Cause("It belongs to CUDA; `torch.accelerator` has one for all.", ("cuda-only-api",)),),
    ),
    DeviceError(
        "no-accelerator-api",
        r"module 'torch' has no attribute 'accelerator'|Cannot access accelerator device",
        "`torch.accelerator` came with PyTorch 2.6, and needs an accelerator in this process.",
        (
            Cause(
                "Set `target-torch` in devlint's configuration: its fixes then write what your version has."
            ),
        ),
    ),
    DeviceError(
        "device-assert",
        r"device-side assert triggered",
        "An index was out of range on the GPU (often a label not below the number of classes). No matter of "
        "placement: run it on the CPU, or with CUDA_LAUNCH_BLOCKING=1, to see where.",
        (),
    ),
    DeviceError(
        "out-of-memory",
        r"CUDA out of memory|OutOfMemoryError",
        "The card is full. Most often the batch is too large; sometimes too much has been put on one card.",
        (
            _SAME_CARD,
            Cause(
                "Checkpoints are loaded to the card that they were saved from.",
                ("load-without-map-location",),
            ),
            Cause("The batch, or what is kept of each step (`losses.append(loss)`), is too large."),
        ),
    ),
    DeviceError(
        "same-device",
        r"Expected all tensors to be on the same device|expects? all tensors to be on the same device|"
        r"expected to be on the same device|is on CPU, but expected|are located on different GPUs|"
        r"tensors are on different (GPUs|devices)|Expected object of (device type|backend)|"
        r"expected device \S+ but got device|too many CPU scalars|Expected tensor .* device",
        "An operation gets tensors from different devices. PyTorch never copies between them by itself.",
        (_NOT_MOVED, _DROPPED, _PLAIN, _FRESH, _LISTED, _STALE, _MIXED),
    ),
)


def find(text: str) -> DeviceError | None:
    """The error that a message is; the most particular one where several would do."""
    return next((error for error in ERRORS if error.matches(text)), None)
