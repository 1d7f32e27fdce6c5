"""What libraries other than torch do with devices, merged from one table a library.

The dicts and sets are for exact names. Some libraries name their classes by a pattern (the thousands of
models of Transformers): `module_base`, `makes_module` and `moves_itself` know these as well.
"""

from __future__ import annotations

import re
from functools import cache

from devlint.model.libraries import (
    accelerate,
    allennlp,
    detectron2,
    dgl,
    diffusers,
    einops,
    facenet_pytorch,
    fastai,
    flair,
    gpytorch,
    ignite,
    kornia,
    lightning,
    matplotlib,
    monai,
    numpy,
    open_clip,
    openmmlab,
    peft,
    pytorch_forecasting,
    pytorch_metric_learning,
    scipy,
    segmentation_models_pytorch,
    sentence_transformers,
    speechbrain,
    stable_baselines3,
    tensordict,
    timm,
    torch_geometric,
    torchaudio,
    torchmetrics,
    torchtext,
    torchvision,
    transformers,
    ultralytics,
    vit_pytorch,
    x_transformers,
)
from devlint.model.libraries.record import PLAIN, Base, Library
from devlint.model.torch.effects import Op
from devlint.model.torch.modules import ModuleInfo

LIBRARIES: tuple[Library, ...] = (
    accelerate.LIBRARY,
    allennlp.LIBRARY,
    detectron2.LIBRARY,
    dgl.LIBRARY,
    diffusers.LIBRARY,
    einops.LIBRARY,
    facenet_pytorch.LIBRARY,
    fastai.LIBRARY,
    flair.LIBRARY,
    gpytorch.LIBRARY,
    ignite.LIBRARY,
    kornia.LIBRARY,
    lightning.LIBRARY,
    matplotlib.LIBRARY,
    monai.LIBRARY,
    numpy.LIBRARY,
    open_clip.LIBRARY,
    openmmlab.LIBRARY,
    peft.LIBRARY,
    pytorch_forecasting.LIBRARY,
    pytorch_metric_learning.LIBRARY,
    scipy.LIBRARY,
    segmentation_models_pytorch.LIBRARY,
    sentence_transformers.LIBRARY,
    speechbrain.LIBRARY,
    stable_baselines3.LIBRARY,
    tensordict.LIBRARY,
    timm.LIBRARY,
    torch_geometric.LIBRARY,
    torchaudio.LIBRARY,
    torchmetrics.LIBRARY,
    torchtext.LIBRARY,
    torchvision.LIBRARY,
    transformers.LIBRARY,
    ultralytics.LIBRARY,
    vit_pytorch.LIBRARY,
    x_transformers.LIBRARY,
)

MODULE_BASES: dict[str, Base] = {}
"""nn.Module classes of libraries."""
NETWORKS: dict[str, ModuleInfo] = {}
"""Of those, and of the factories, the networks."""
TENSOR_FUNCTIONS: dict[str, Op] = {}
"""Functions of libraries on tensors."""
AUTO_DEVICE: dict[str, frozenset[str]] = {}
"""Classes of frameworks, and their methods that get batches which are already placed."""
for _library in LIBRARIES:
    MODULE_BASES.update(_library.bases)
    NETWORKS.update(_library.networks)
    TENSOR_FUNCTIONS.update(_library.functions)
    AUTO_DEVICE.update(_library.auto_device)

MODULE_FACTORIES: frozenset[str] = frozenset().union(*(x.factories for x in LIBRARIES))
"""Functions that return one nn.Module, on the CPU unless `device_map=` or `device=` says otherwise."""
SELF_MOVING: frozenset[str] = frozenset().union(*(x.self_moving for x in LIBRARIES))
"""Classes that are no modules, whose `.to()` moves in place."""
COPY_MOVING: frozenset[str] = frozenset({"torch.nn.utils.rnn.PackedSequence"}).union(
    *(x.copy_moving for x in LIBRARIES)
)
"""Classes that are no tensors, whose `.to()` returns the moved copy."""
HOST_SINKS: frozenset[str] = frozenset().union(*(x.host_sinks for x in LIBRARIES))
"""Functions, and whole namespaces, that read tensors on the host."""
PLACERS: frozenset[str] = frozenset().union(*(x.placers for x in LIBRARIES))
"""Calls that return what they are given, placed by a framework."""
LOADERS: frozenset[str] = frozenset().union(*(x.loaders for x in LIBRARIES))
"""Data loaders whose batches are on the CPU."""
GRAPH_LOADERS: frozenset[str] = frozenset().union(*(x.graph_loaders for x in LIBRARIES))
"""Of these, those whose batches `.to()` and `.cuda()` move in place."""

# A model of Transformers is named for what it is (BertModel, LlamaForCausalLM); the Auto classes make them.
_TRANSFORMERS = r"transformers\.(?:\w+\.)*(?!Auto)\w+(?:Model|For[A-Z]\w+|Backbone|ModelWithProjection)"
_PIPELINE = r"diffusers\.(?:\w+\.)*\w+Pipeline"
# The bases of PyTorch's own layers, which libraries derive from too: `torch.nn.modules.loss._Loss`.
_TORCH_S_OWN = r"torch\.nn\.modules\.\w+\._\w*(?:Loss|Nd|Norm|NormBase)"
_MAKERS = ("from_config", "from_pretrained", "load_from_checkpoint")
_PRETRAINED = Base(device=True)


@cache
def module_base(name: str) -> Base | None:
    """What is known of a library's class, if it is an nn.Module."""
    base = MODULE_BASES.get(name)
    if base is None and name.startswith("transformers.") and re.fullmatch(_TRANSFORMERS, name):
        return _PRETRAINED
    if base is None and name.startswith("torch.nn.modules.") and re.fullmatch(_TORCH_S_OWN, name):
        return PLAIN
    return base


@cache
def network(name: str) -> ModuleInfo | None:
    """What is known of calling what a library's class or function makes, if it is a network."""
    found = NETWORKS.get(name)
    if found is None and name.startswith("transformers."):
        owner, _, method = name.rpartition(".")
        owner = owner if method in _MAKERS else name
        if re.fullmatch(_TRANSFORMERS, owner) or owner in transformers.AUTO:
            return transformers.NETWORK
    return found


def makes_module(name: str) -> bool:
    """Whether a function, or a class method, of a library returns one nn.Module on the CPU."""
    if name in MODULE_FACTORIES:
        return True
    owner, _, method = name.rpartition(".")
    if method not in _MAKERS:
        return False
    base = module_base(owner)
    return base is not None and not base.placed


def moves_itself(name: str) -> bool:
    """Whether `.to()` on an instance of a library's class moves it in place, though it is no nn.Module."""
    return name in SELF_MOVING or (
        name.startswith("diffusers.") and re.fullmatch(_PIPELINE, name) is not None
    )
