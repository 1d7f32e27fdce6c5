"""What the tables say of torch.nn, torch.optim and torch.utils.data is what instances show."""

from __future__ import annotations

from typing import Any

import pytest

from devlint.model.torch.modules import DATA, MODULES, OPTIMIZERS, SCHEDULERS, WRAPPERS
from tests.model.torch.names import public_functions, resolve

torch = pytest.importorskip("torch", reason="the tables are judged against PyTorch")

PARALLEL = {"torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"}


def arguments() -> dict[str, tuple[Any, ...]]:
    """What the classes of torch.nn that want arguments are made with, by the end of their names."""
    nn = torch.nn
    layer = nn.TransformerEncoderLayer(4, 2)
    return {
        "AdaptiveAvgPool1d": (2,),
        "AdaptiveAvgPool2d": (2,),
        "AdaptiveAvgPool3d": (2,),
        "AdaptiveLogSoftmaxWithLoss": (4, 10, [5]),
        "AdaptiveMaxPool1d": (2,),
        "AdaptiveMaxPool2d": (2,),
        "AdaptiveMaxPool3d": (2,),
        "Bilinear": (2, 3, 4),
        "ChannelShuffle": (2,),
        "ConstantPad1d": (1, 0.0),
        "ConstantPad2d": (1, 0.0),
        "ConstantPad3d": (1, 0.0),
        "CrossMapLRN2d": (2,),
        "Embedding": (4, 3),
        "EmbeddingBag": (4, 3),
        "Fold": ((4, 5), (2, 2)),
        "FractionalMaxPool2d": (2, 1),
        "FractionalMaxPool3d": (2, 1),
        "GroupNorm": (2, 4),
        "LPPool1d": (2, 2),
        "LPPool2d": (2, 2),
        "LPPool3d": (2, 2),
        "LayerNorm": (4,),
        "Linear": (4, 3),
        "LinearCrossEntropyLoss": (4, 3),
        "LocalResponseNorm": (2,),
        "MultiheadAttention": (4, 2),
        "RMSNorm": (4,),
        "RNNBase": ("LSTM", 4, 3),
        "RNNCellBase": (4, 3, True, 4),
        "Threshold": (0.1, 0.0),
        "Transformer": (4, 2, 1, 1, 8),
        "TransformerDecoder": (nn.TransformerDecoderLayer(4, 2), 1),
        "TransformerDecoderLayer": (4, 2),
        "TransformerEncoder": (layer, 1),
        "TransformerEncoderLayer": (4, 2),
        "Unflatten": (1, (2, 2)),
        **dict.fromkeys(("GRU", "LSTM", "RNN", "GRUCell", "LSTMCell", "RNNCell"), (4, 3)),
        **{f"Conv{kind}{n}d": (2, 2, 3) for kind in ("", "Transpose") for n in (1, 2, 3)},
        **{f"LazyConv{kind}{n}d": (2, 3) for kind in ("", "Transpose") for n in (1, 2, 3)},
        **{f"{kind}Norm{n}d": (4,) for kind in ("Batch", "Instance") for n in (1, 2, 3)},
        **{f"{kind}Pool{n}d": (2,) for kind in ("Avg", "Max") for n in (1, 2, 3)},
        **{f"MaxUnpool{n}d": (2,) for n in (1, 2, 3)},
        **{
            f"{kind}Pad{n}d": (1,)
            for kind in ("Circular", "Reflection", "Replication", "Zero")
            for n in (1, 2, 3)
        },
        "LazyLinear": (3,),
        "PixelShuffle": (2,),
        "PixelUnshuffle": (2,),
        "SyncBatchNorm": (4,),
        "Unfold": ((2, 2),),
    }


def make(name: str, **kwargs: Any) -> Any:
    return resolve(name)(*arguments().get(name.removeprefix("torch.nn."), ()), **kwargs)


def own(name: str) -> list[str]:
    module = make(name)
    return [n for n, _ in [*module.named_parameters(), *module.named_buffers()]]


def names(state: str) -> list[str]:
    return sorted(name for name, info in MODULES.items() if info.state == state and name not in PARALLEL)


def test_all_public_classes_are_there() -> None:
    nn = torch.nn
    public = {
        f"torch.nn.{name}"
        for name in dir(nn)
        if isinstance(getattr(nn, name), type) and issubclass(getattr(nn, name), nn.Module)
    }
    assert set(MODULES) == public | PARALLEL


@pytest.mark.filterwarnings("ignore")
def test_state() -> None:
    assert [name for name in names("always") if not own(name)] == []
    assert [name for name in names("never") if own(name)] == []


def test_norms_have_state_by_their_arguments() -> None:
    nn = torch.nn
    assert not [*nn.LayerNorm(4, elementwise_affine=False).parameters()]
    assert not [*nn.GroupNorm(2, 4, affine=False).parameters()]
    assert not nn.BatchNorm1d(4, affine=False, track_running_stats=False).state_dict()
    assert not nn.InstanceNorm1d(4).state_dict()
    assert nn.InstanceNorm1d(4, affine=True).state_dict()


@pytest.mark.filterwarnings("ignore")
def test_takes_device() -> None:
    def takes(name: str) -> bool:
        try:
            module = make(name, device="meta")
        except TypeError:
            return False
        return {p.device.type for p in module.parameters()} | {b.device.type for b in module.buffers()} <= {
            "meta"
        }

    # Identity takes any argument, and does nothing with it.
    single = set(MODULES) - PARALLEL - {"torch.nn.Module", "torch.nn.Identity"}
    assert [name for name in single if takes(name) != MODULES[name].takes_device] == []


def test_tensor_state_of_losses() -> None:
    """The tensors named become buffers, so that they move; the classes without such arguments have none."""
    weight = torch.ones(3)
    for name, info in MODULES.items():
        for argument in info.tensor_state_args:
            assert dict(make(name, **{argument: weight}).named_buffers())[argument] is weight
    losses = {name for name, info in MODULES.items() if info.loss}
    from_torch = {name for name in MODULES if "Loss" in name}
    assert losses == from_torch


def test_calls() -> None:
    """`tuple2` and `lstm` are what calls return."""
    nn, x = torch.nn, torch.rand(5, 2, 4)
    output, state = nn.GRU(4, 3)(x)
    assert MODULES["torch.nn.GRU"].call == MODULES["torch.nn.RNN"].call == "tuple2"
    assert isinstance(output, torch.Tensor)
    assert isinstance(state, torch.Tensor)
    output, (hidden, cell) = nn.LSTM(4, 3)(x)
    assert MODULES["torch.nn.LSTM"].call == "lstm"
    assert hidden.shape == cell.shape
    assert len(nn.LSTMCell(4, 3)(x[0])) == len(nn.MultiheadAttention(4, 2)(x, x, x)) == 2
    assert MODULES["torch.nn.LSTMCell"].call == MODULES["torch.nn.MultiheadAttention"].call == "tuple2"
    assert isinstance(nn.GRUCell(4, 3)(x[0]), torch.Tensor)
    assert MODULES["torch.nn.GRUCell"].call == "same"
    result = nn.AdaptiveLogSoftmaxWithLoss(4, 10, [5])(x[0], torch.tensor([1, 2]))
    assert (len(result), MODULES["torch.nn.AdaptiveLogSoftmaxWithLoss"].call) == (2, "tuple2")


def test_containers() -> None:
    kinds = {
        name.removeprefix("torch.nn."): info.container for name, info in MODULES.items() if info.container
    }
    assert kinds == {
        "ModuleDict": "dict",
        "ModuleList": "list",
        "ParameterDict": "parameters",
        "ParameterList": "parameters",
        "Sequential": "sequential",
    }


def test_optimizers() -> None:
    """Whether the constructor makes state: on the parameters' device, which a later move leaves behind."""
    optim = torch.optim
    public = {n for n in dir(optim) if isinstance(getattr(optim, n), type)}
    assert {name.removeprefix("torch.optim.") for name in OPTIMIZERS} == public
    for name, at_construction in OPTIMIZERS.items():
        if name == "torch.optim.Optimizer":
            continue
        matrix = torch.nn.Parameter(torch.ones(2, 2))
        assert bool(resolve(name)([matrix]).state) is at_construction, name


def test_schedulers() -> None:
    module = torch.optim.lr_scheduler
    public = {n for n in module.__all__ if isinstance(getattr(module, n), type)}
    assert {name.rpartition(".")[2] for name in SCHEDULERS} == public | {"_LRScheduler"}


def test_data() -> None:
    data = torch.utils.data
    kinds = {
        "loader": data.DataLoader,
        "dataset": data.Dataset,
        "tensors": data.TensorDataset,
        "sampler": data.Sampler,
    }
    for name, kind in DATA.items():
        assert issubclass(resolve(name), kinds[kind]), name
    public = {n for n in data.__all__ if isinstance(getattr(data, n), type)}
    classes = {n for n in public if issubclass(getattr(data, n), tuple(kinds.values()))}
    assert classes - {n.rpartition(".")[2] for n in DATA} == {"DFIterDataPipe"}


def test_wrappers_prefix_the_state() -> None:
    model = torch.nn.Linear(2, 2)
    assert (
        next(iter(torch.nn.DataParallel(model).state_dict())) == WRAPPERS["torch.nn.DataParallel"] + "weight"
    )
    assert next(iter(torch.compile(model).state_dict())) == WRAPPERS["torch.compile"] + "weight"
    assert next(iter(torch.jit.script(model).state_dict())) == WRAPPERS["torch.jit.script"] + "weight"


def test_utilities_return_the_module_that_they_change() -> None:
    from devlint.model.torch.effects import Out
    from devlint.model.torch.functions import FUNCTIONS

    for name in (
        "parametrizations.orthogonal",
        "parametrizations.spectral_norm",
        "parametrizations.weight_norm",
    ):
        model = torch.nn.Linear(3, 3)
        assert resolve(f"torch.nn.utils.{name}")(model) is model
    model = torch.nn.Linear(3, 3)
    assert resolve("torch.nn.utils.prune.l1_unstructured")(model, "weight", 0.5) is model
    assert resolve("torch.nn.utils.prune.remove")(model, "weight") is model
    changed = [n for n in FUNCTIONS if n.startswith("torch.nn.utils.") and FUNCTIONS[n].out is Out.RECEIVER]
    assert len(changed) >= 14
    assert set(changed) <= set(public_functions("torch.nn.utils")) | {
        n
        for m in ("parametrizations", "parametrize", "prune")
        for n in public_functions(f"torch.nn.utils.{m}")
    }
