"""The classes of torch.nn, torch.optim and torch.utils.data, and what wraps a module."""

from __future__ import annotations

from typing import Literal, NamedTuple

from devlint.model.torch.effects import words


class ModuleInfo(NamedTuple):
    """A class of torch.nn."""

    state: Literal["always", "option", "never"] = "never"
    """Whether an instance has parameters or buffers: always, depending on its arguments, or never."""
    call: str = "same"
    """What a call returns: `same` (a tensor on the device of the module and its inputs), `tuple2`,
    `lstm` (output, (h, c)), `some` (one tensor or a structure of tensors, where the module is), `any`."""
    tensor_state_args: tuple[str, ...] = ()
    """Constructor arguments whose tensors become buffers (`weight` of a loss): they move with it."""
    loss: bool = False
    container: Literal["list", "dict", "sequential", "parameters"] | None = None
    index_input: bool = False
    """The input is indices (Embedding): integers, never something to differentiate."""
    takes_device: bool = False
    """The constructor has `device=`."""
    state_if: tuple[tuple[str, int, bool], ...] = ()
    """Of `option`: the arguments that decide, by name, position and default. Without any of them that is
    true there is no state."""
    inputs: frozenset[str] | None = None
    """Of the arguments by name, those that must be where the module is, as the first one by position must;
    None: all arguments."""


def _classes(info: ModuleInfo, names: str) -> dict[str, ModuleInfo]:
    return dict.fromkeys(("torch.nn." + name for name in names.split()), info)


_PLAIN = ModuleInfo()
_LAYER = ModuleInfo(state="always", takes_device=True)
_NORM = ModuleInfo(state="option", takes_device=True)


def _norm(*state_if: tuple[str, int, bool]) -> ModuleInfo:
    return _NORM._replace(state_if=state_if)


_LOSS = ModuleInfo(loss=True)
_WEIGHTED = ModuleInfo(state="option", tensor_state_args=("weight",), loss=True)
_RECURRENT = _LAYER._replace(call="tuple2")

MODULES: dict[str, ModuleInfo] = {
    "torch.nn.Module": ModuleInfo(state="option", call="any"),
    **_classes(
        _PLAIN,
        """
        CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish RReLU
        ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softshrink Softsign Tanh Tanhshrink
        Threshold ChannelShuffle CosineSimilarity PairwiseDistance AlphaDropout Dropout Dropout1d Dropout2d
        Dropout3d FeatureAlphaDropout Flatten Unflatten Fold Unfold Identity CrossMapLRN2d LocalResponseNorm
        CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d
        ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d
        ZeroPad3d PixelShuffle PixelUnshuffle AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d
        AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d
        FractionalMaxPool2d FractionalMaxPool3d LPPool1d LPPool2d LPPool3d MaxPool1d MaxPool2d MaxPool3d
        MaxUnpool1d MaxUnpool2d MaxUnpool3d Upsample UpsamplingBilinear2d UpsamplingNearest2d
        """,
    ),
    **_classes(
        _LAYER,
        """
        Bilinear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d LazyConv2d
        LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d LazyLinear Linear PReLU GRUCell
        RNNCell RNNCellBase Transformer TransformerDecoderLayer TransformerEncoderLayer
        """,
    ),
    **_classes(
        _norm(("affine", 3, True), ("track_running_stats", 4, True)),
        "BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm",
    ),
    **_classes(
        _norm(("affine", 2, True), ("track_running_stats", 3, True)),
        """
        LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyInstanceNorm1d LazyInstanceNorm2d
        LazyInstanceNorm3d
        """,
    ),
    **_classes(
        _norm(("affine", 3, False), ("track_running_stats", 4, False)),
        "InstanceNorm1d InstanceNorm2d InstanceNorm3d",
    ),
    **_classes(_norm(("affine", 3, True)), "GroupNorm"),
    **_classes(_norm(("elementwise_affine", 2, True)), "LayerNorm RMSNorm"),
    **_classes(ModuleInfo(state="always"), "TransformerDecoder TransformerEncoder"),
    **_classes(_LAYER._replace(index_input=True), "Embedding EmbeddingBag"),
    **_classes(_RECURRENT, "GRU RNN RNNBase LSTMCell MultiheadAttention"),
    "torch.nn.LSTM": _LAYER._replace(call="lstm"),
    # Its call returns (output, loss).
    "torch.nn.AdaptiveLogSoftmaxWithLoss": _LAYER._replace(call="tuple2", loss=True),
    **_classes(
        _LOSS,
        """
        CosineEmbeddingLoss GaussianNLLLoss HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss MSELoss
        MarginRankingLoss MultiLabelMarginLoss PoissonNLLLoss SmoothL1Loss SoftMarginLoss TripletMarginLoss
        TripletMarginWithDistanceLoss
        """,
    ),
    "torch.nn.CTCLoss": _LOSS._replace(inputs=frozenset({"log_probs"})),
    **_classes(
        _WEIGHTED, "BCELoss CrossEntropyLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss NLLLoss2d"
    ),
    "torch.nn.BCEWithLogitsLoss": _WEIGHTED._replace(tensor_state_args=("weight", "pos_weight")),
    "torch.nn.LinearCrossEntropyLoss": ModuleInfo(state="always", loss=True, takes_device=True),
    **_classes(ModuleInfo(state="option", call="any", container="list"), "ModuleList"),
    **_classes(ModuleInfo(state="option", call="any", container="dict"), "ModuleDict"),
    **_classes(ModuleInfo(state="option", container="sequential"), "Sequential"),
    **_classes(ModuleInfo(state="option", call="any", container="parameters"), "ParameterDict ParameterList"),
    "torch.nn.Container": ModuleInfo(state="option", call="any"),
    "torch.nn.DataParallel": ModuleInfo(state="option", call="any"),
    "torch.nn.parallel.DistributedDataParallel": ModuleInfo(state="option", call="any"),
}

# Where torch.nn's classes are defined: torch.nn.modules.<file>.<class> is the same class.
_FILES: dict[str, str] = {
    "activation": """
        CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish
        MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin Softplus
        Softshrink Softsign Tanh Tanhshrink Threshold
        """,
    "adaptive": "AdaptiveLogSoftmaxWithLoss",
    "batchnorm": """
        BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d SyncBatchNorm
        """,
    "channelshuffle": "ChannelShuffle",
    "container": "Container ModuleDict ModuleList ParameterDict ParameterList Sequential",
    "conv": """
        Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d LazyConv2d LazyConv3d
        LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d
        """,
    "distance": "CosineSimilarity PairwiseDistance",
    "dropout": "AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout",
    "flatten": "Flatten Unflatten",
    "fold": "Fold Unfold",
    "instancenorm": """
        InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d
        """,
    "linear": "Bilinear Identity LazyLinear Linear",
    "loss": """
        BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss
        HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss LinearCrossEntropyLoss MSELoss MarginRankingLoss
        MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss NLLLoss2d PoissonNLLLoss
        SmoothL1Loss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss
        """,
    "module": "Module",
    "normalization": "CrossMapLRN2d GroupNorm LayerNorm LocalResponseNorm RMSNorm",
    "padding": """
        CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d
        ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d
        ZeroPad3d
        """,
    "pixelshuffle": "PixelShuffle PixelUnshuffle",
    "pooling": """
        AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d
        AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d
        LPPool2d LPPool3d MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d
        """,
    "rnn": "GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase",
    "sparse": "Embedding EmbeddingBag",
    "transformer": """
        Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer
        """,
    "upsampling": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
}

# Optimizers, and whether the constructor makes state on the parameters' device, which a later move of the
# module leaves behind.
OPTIMIZERS: dict[str, bool] = {
    **dict.fromkeys(
        words(
            """
            ASGD Adadelta Adafactor Adam AdamW Adamax LBFGS Muon NAdam Optimizer RAdam RMSprop Rprop SGD
            SparseAdam
            """,
            "torch.optim.",
        ),
        False,
    ),
    "torch.optim.Adagrad": True,
}

_OPTIMIZER_FILES = {
    "asgd": "ASGD",
    "adadelta": "Adadelta",
    "adagrad": "Adagrad",
    "adam": "Adam",
    "adamw": "AdamW",
    "adamax": "Adamax",
    "lbfgs": "LBFGS",
    "nadam": "NAdam",
    "optimizer": "Optimizer",
    "radam": "RAdam",
    "rmsprop": "RMSprop",
    "rprop": "Rprop",
    "sgd": "SGD",
    "sparse_adam": "SparseAdam",
}

SCHEDULERS: frozenset[str] = words(
    """
    ChainedScheduler ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CyclicLR ExponentialLR
    LRScheduler LambdaLR LinearLR MultiStepLR MultiplicativeLR OneCycleLR PolynomialLR ReduceLROnPlateau
    SequentialLR StepLR _LRScheduler
    """,
    "torch.optim.lr_scheduler.",
)

# Classes that scale gradients; their states are numbers (torch.amp.GradScaler.state_dict).
SCALERS: frozenset[str] = words(
    """
    amp.GradScaler amp.grad_scaler.GradScaler cuda.amp.GradScaler cuda.amp.grad_scaler.GradScaler
    distributed.fsdp.sharded_grad_scaler.ShardedGradScaler
    """,
    "torch.",
)

# torch.utils.data: what kind of thing each class is.
DATA: dict[str, Literal["loader", "dataset", "tensors", "sampler"]] = {
    "torch.utils.data.DataLoader": "loader",
    "torch.utils.data.TensorDataset": "tensors",
    "torch.utils.data.Dataset": "dataset",
    "torch.utils.data.IterableDataset": "dataset",
    "torch.utils.data.ChainDataset": "dataset",
    "torch.utils.data.ConcatDataset": "dataset",
    "torch.utils.data.StackDataset": "dataset",
    "torch.utils.data.Subset": "dataset",
    "torch.utils.data.IterDataPipe": "dataset",
    "torch.utils.data.MapDataPipe": "dataset",
    "torch.utils.data.Sampler": "sampler",
    "torch.utils.data.BatchSampler": "sampler",
    "torch.utils.data.DistributedSampler": "sampler",
    "torch.utils.data.RandomSampler": "sampler",
    "torch.utils.data.SequentialSampler": "sampler",
    "torch.utils.data.SubsetRandomSampler": "sampler",
    "torch.utils.data.WeightedRandomSampler": "sampler",
}

_DATA_FILES = {
    "dataloader": "DataLoader",
    "dataset": """
        ChainDataset ConcatDataset Dataset IterableDataset StackDataset Subset TensorDataset random_split
        """,
    "distributed": "DistributedSampler",
    "sampler": """
        BatchSampler RandomSampler Sampler SequentialSampler SubsetRandomSampler WeightedRandomSampler
        """,
}

# Calls that take a module (or function) first and return it, wrapped: `prefix` is what its state_dict gets.
WRAPPERS: dict[str, str] = {
    "torch.nn.DataParallel": "module.",
    "torch.nn.parallel.DistributedDataParallel": "module.",
    "torch.distributed.fsdp.FullyShardedDataParallel": "",
    "torch.distributed.fsdp.fully_shard": "",
    "torch.compile": "_orig_mod.",
    "torch.jit.script": "",
    "torch.jit.trace": "",
    "torch.jit.freeze": "",
    "torch.jit.optimize_for_inference": "",
    "torch.nn.SyncBatchNorm.convert_sync_batchnorm": "",
}

CLASS_ALIASES: dict[str, str] = {
    **{
        f"torch.nn.modules.{file}.{name}": f"torch.nn.{name}"
        for file, names in _FILES.items()
        for name in names.split()
    },
    **{f"torch.optim.{file}.{name}": f"torch.optim.{name}" for file, name in _OPTIMIZER_FILES.items()},
    **{
        f"torch.utils.data.{file}.{name}": f"torch.utils.data.{name}"
        for file, names in _DATA_FILES.items()
        for name in names.split()
    },
    "torch.nn.parallel.distributed.DistributedDataParallel": "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.parallel.DataParallel": "torch.nn.DataParallel",
    "torch.nn.parallel.data_parallel.DataParallel": "torch.nn.DataParallel",
}
