"""Every name of the tables exists in the installed torch, and no public one is missing."""

from __future__ import annotations

import re

import pytest

from devlint.model.torch.devices import AVAILABILITY, CUDA_ONLY_APIS, LEGACY_TYPES
from devlint.model.torch.functions import ALIASES, FUNCTIONS
from devlint.model.torch.methods import METHODS, MODULE_ONLY, MOVES, PROPERTIES, TENSOR_ONLY
from devlint.model.torch.modules import DATA, MODULES, OPTIMIZERS, SCHEDULERS, WRAPPERS
from tests.model.torch.names import exists, public_functions, resolve

torch = pytest.importorskip("torch", reason="the tables are judged against PyTorch")

TABLES: dict[str, list[str]] = {
    "FUNCTIONS": list(FUNCTIONS),
    "ALIASES": list(ALIASES),
    "MODULES": list(MODULES),
    "OPTIMIZERS": list(OPTIMIZERS),
    "SCHEDULERS": list(SCHEDULERS),
    "DATA": list(DATA),
    "WRAPPERS": list(WRAPPERS),
    "LEGACY_TYPES": list(LEGACY_TYPES),
    "CUDA_ONLY_APIS": list(CUDA_ONLY_APIS),
}
# What plugins and other libraries bring.
FOREIGN = re.compile(r"torch\.(hpu|mlu|musa|npu)\.|(?!torch\.)")

# Functions that are left out: kernels of one backend, quantization, TorchScript's and autocast's internals, symbolic
# integers, and what was removed from torch and only raises.
LEFT_OUT = re.compile(
    r"torch\.(miopen_|cudnn_|mkldnn_|fbgemm_|quantize|fake_quantize|fused_moving|choose_qparams|batch_norm_|sym_"
    r"|autocast_|clear_autocast|get_autocast|set_autocast|is_autocast_|parse_|import_ir|init_num_threads|merge_type"
    r"|unify_type|profiler_|prepare_multi|thread_safe|get_file_path|get_device_module|get_deterministic"
    r"|get_float32|is_anomaly_check|is_deterministic|is_vulkan|is_warn|compiled_with|classproperty|compile$"
    r"|(eig|lstsq|matrix_rank|solve|symeig)$)"
    r"|torch\.nn\.functional\.(assert_int|boolean_dispatch|handle_torch|has_torch)"
    r"|torch\.nn\.utils\.convert_conv"
)


@pytest.mark.parametrize("table", TABLES)
def test_exist(table: str) -> None:
    assert [name for name in TABLES[table] if not exists(name)] == []


def test_availability_functions_exist() -> None:
    assert [name for name in AVAILABILITY if not FOREIGN.match(name) and not exists(name)] == []


@pytest.mark.parametrize(
    "module",
    [
        "torch",
        "torch.fft",
        "torch.linalg",
        "torch.nn.functional",
        "torch.nn.init",
        "torch.nn.utils",
        "torch.signal.windows",
        "torch.special",
    ],
)
def test_no_public_function_is_missing(module: str) -> None:
    own = [name for name in public_functions(module) if getattr(resolve(name), "__module__", "") != "typing"]
    assert [n for n in own if n not in FUNCTIONS and n not in ALIASES and not LEFT_OUT.match(n)] == []


def test_methods_are_those_of_tensor() -> None:
    public = {name for name in dir(torch.Tensor) if not name.startswith("_")}
    plugins = {"hpu", "npu"}
    assert public - set(METHODS) - set(PROPERTIES) == set()
    assert (set(METHODS) | set(PROPERTIES) | set(MOVES)) - public - plugins == set()


def test_properties_are_no_methods() -> None:
    x = torch.ones(2, 2)
    assert [name for name in PROPERTIES if name != "imag" and callable(getattr(x, name))] == []
    assert not set(METHODS) & set(PROPERTIES)


def test_aliases_lead_to_entries() -> None:
    known = {
        *FUNCTIONS,
        *MODULES,
        *OPTIMIZERS,
        *SCHEDULERS,
        *DATA,
        *WRAPPERS,
        "torch.utils.data.random_split",
    }
    assert [target for target in ALIASES.values() if target not in known] == []
    assert [name for name in ALIASES if name in FUNCTIONS] == []


def test_class_aliases_are_the_same_class() -> None:
    def differ(name: str, target: str) -> bool:
        found = resolve(name)
        return isinstance(found, type) and found is not resolve(target)

    assert [name for name, target in ALIASES.items() if differ(name, target)] == []


def test_tensor_only_methods_show_a_tensor() -> None:
    """Nothing that a program commonly holds has them."""
    numpy = pytest.importorskip("numpy")
    import datetime
    import pathlib

    from torch import nn, optim
    from torch.utils.data import DataLoader

    objects = [
        str,
        bytes,
        int,
        float,
        complex,
        list,
        dict,
        set,
        tuple,
        range,
        numpy.ndarray,
        numpy.float64,
        numpy.random.Generator,
    ]
    objects += [
        nn.Module,
        nn.ModuleList,
        optim.Optimizer,
        DataLoader,
        torch.device,
        torch.dtype,
        torch.Generator,
    ]
    objects += [pathlib.Path, datetime.datetime]
    # `size` is an attribute of arrays; only called it shows a tensor.
    shared = [
        (name, o.__name__) for name in TENSOR_ONLY for o in objects if hasattr(o, name) and name != "size"
    ]
    assert shared == []
    assert set(METHODS) >= TENSOR_ONLY


def test_module_only_methods_show_a_module() -> None:
    from torch import nn, optim

    assert [name for name in MODULE_ONLY if not hasattr(nn.Module, name)] == []
    for other in (torch.Tensor, optim.Optimizer, optim.lr_scheduler.LRScheduler, str, list, dict):
        assert [name for name in MODULE_ONLY if hasattr(other, name)] == []
