"""The tables about libraries: their form, and what NumPy itself shows. No other library is installed here."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from devlint.model import libraries
from devlint.model.libraries import (
    AUTO_DEVICE,
    COPY_MOVING,
    HOST_SINKS,
    LIBRARIES,
    LOADERS,
    MODULE_BASES,
    MODULE_FACTORIES,
    NETWORKS,
    PLACERS,
    SELF_MOVING,
    TENSOR_FUNCTIONS,
    makes_module,
    module_base,
    moves_itself,
    network,
)

DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
TABLES: dict[str, set[str]] = {
    "AUTO_DEVICE": set(AUTO_DEVICE),
    "COPY_MOVING": set(COPY_MOVING),
    "HOST_SINKS": set(HOST_SINKS),
    "LOADERS": set(LOADERS),
    "MODULE_BASES": set(MODULE_BASES),
    "MODULE_FACTORIES": set(MODULE_FACTORIES),
    "PLACERS": set(PLACERS),
    "SELF_MOVING": set(SELF_MOVING),
    "TENSOR_FUNCTIONS": set(TENSOR_FUNCTIONS),
}


@pytest.mark.parametrize("table", TABLES)
def test_names_are_dotted(table: str) -> None:
    """Namespaces of sinks aside, a name stands in a package."""
    assert [name for name in TABLES[table] if not DOTTED.fullmatch(name) or "." not in name] == []


def test_a_name_stands_in_one_table() -> None:
    classes = ("COPY_MOVING", "MODULE_BASES", "SELF_MOVING")
    for i, one in enumerate(classes):
        for other in classes[i + 1 :]:
            assert TABLES[one] & TABLES[other] == set()
    assert TABLES["MODULE_FACTORIES"] & TABLES["TENSOR_FUNCTIONS"] == set()


def test_networks_are_modules() -> None:
    assert NETWORKS.keys() <= MODULE_BASES.keys() | MODULE_FACTORIES


def test_no_library_overrides_another() -> None:
    assert sum(len(library.bases) for library in LIBRARIES) == len(MODULE_BASES)


@pytest.mark.parametrize(
    "name",
    [
        "lightning.LightningModule",
        "lightning.pytorch.LightningModule",
        "pytorch_lightning.LightningModule",
        "pytorch_lightning.core.LightningModule",
    ],
)
def test_lightning_under_all_its_names(name: str) -> None:
    base = module_base(name)
    assert base is not None
    assert base.device
    assert base.auto
    assert "training_step" in AUTO_DEVICE[name]


def test_models_of_transformers_by_their_names() -> None:
    for name in (
        "BertModel",
        "LlamaForCausalLM",
        "PreTrainedModel",
        "models.bert.modeling_bert.BertForMaskedLM",
    ):
        base = module_base(f"transformers.{name}")
        assert base is not None
        assert base.device
    for name in ("AutoModel", "AutoModelForCausalLM", "AutoTokenizer", "BertConfig", "Trainer", "pipeline"):
        assert module_base(f"transformers.{name}") is None


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("transformers.AutoModel.from_pretrained", True),
        ("transformers.BertModel", True),
        ("transformers.BertModel.from_pretrained", True),
        ("transformers.AutoTokenizer.from_pretrained", False),
        ("torchvision.models.resnet50", True),
        ("torchvision.transforms.Resize", False),
        ("torchmetrics.Accuracy", False),
    ],
)
def test_networks(name: str, known: bool) -> None:
    assert (network(name) is not None) is known


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("timm.create_model", True),
        ("torchvision.models.resnet50", True),
        ("torchvision.models.list_models", False),
        ("transformers.AutoModel.from_pretrained", True),
        ("transformers.BertModel.from_pretrained", True),
        ("transformers.AutoTokenizer.from_pretrained", False),
        ("transformers.BertTokenizer.from_pretrained", False),
        ("diffusers.UNet2DModel.from_pretrained", True),
        ("diffusers.StableDiffusionPipeline.from_pretrained", False),
        ("sentence_transformers.SentenceTransformer.from_pretrained", False),
    ],
)
def test_what_makes_a_module(name: str, made: bool) -> None:
    assert makes_module(name) is made


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("transformers.BatchEncoding", True),
        ("torch_geometric.data.Data", True),
        ("diffusers.StableDiffusionPipeline", True),
        ("diffusers.SomeNewPipeline", True),
        ("torch.nn.utils.rnn.PackedSequence", False),
        ("dgl.DGLGraph", False),
        ("diffusers.UNet2DModel", False),
    ],
)
def test_what_moves_itself(name: str, moves: bool) -> None:
    assert moves_itself(name) is moves


def _arguments(tensor: Any) -> Iterator[tuple[Any, ...]]:
    """Ways to call a function of NumPy with tensors."""
    x, y = tensor(3), tensor(2, 2)
    yield from [
        (y,),
        (x,),
        (tensor(),),
        (x, tensor(3)),
        (y, tensor(2, 2)),
        (x, 1),
        (1, x),
        (x, 1, 1),
        (x, 0.5),
    ]
    yield from [(x, x, x), (x, 0, tensor(1)), (x > 0, x, x), ("i->i", x), (lambda v: v, 0, x)]


@pytest.mark.filterwarnings("ignore")
def test_numpy_refuses_tensors_of_an_accelerator(tmp_path: Any, monkeypatch: Any) -> None:
    """A tensor whose `__array__` raises, as that of a CUDA tensor does: no sink computes with it."""
    numpy, torch = pytest.importorskip("numpy"), pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)  # some of the functions write files

    class Refused(Exception):
        pass

    class OnAccelerator(torch.Tensor):  # type: ignore[misc, name-defined]
        def __array__(self, *args: Any, **kwargs: Any) -> Any:
            raise Refused

        numpy = __array__

    def tensor(*shape: int) -> Any:
        return torch.rand(shape).as_subclass(OnAccelerator)

    def outcome(function: Any, args: tuple[Any, ...]) -> str:
        try:
            function(*args)
        except Refused:
            return "refused"
        except Exception:
            return "other"
        return "computed"

    names = [name for name in sorted(HOST_SINKS) if name.startswith("numpy.") and name.count(".") == 1]
    # Some came with NumPy 2, some will go.
    functions = {name: getattr(numpy, name.removeprefix("numpy."), None) for name in names}
    judged = {name: f for name, f in functions.items() if callable(f)}
    assert len(judged) > 200
    for name, function in judged.items():
        ways = [*_arguments(tensor), (str(tmp_path / "x"), tensor(3))]
        found = {outcome(function, way) for way in ways}
        assert "refused" in found, name
        assert "computed" not in found, name


def test_shapes_may_be_asked_of_any_tensor() -> None:
    assert not {"numpy.shape", "numpy.ndim", "numpy.size", "numpy.prod", "numpy.mean"} & HOST_SINKS


def test_tables_are_cheap_and_need_no_torch() -> None:
    """They are loaded at every start: no torch, no NumPy, no library that they speak of."""
    code = (
        "import sys; import devlint.model.torch.functions, devlint.model.torch.methods, devlint.model.torch.devices;"
        "import devlint.model.libraries;"
        "print(*{m.partition('.')[0] for m in sys.modules} & {'torch', 'numpy', 'libcst', 'transformers', 'timm'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_everything_public_is_documented() -> None:
    assert libraries.__doc__
    assert all(library.bases or library != type(library)() for library in LIBRARIES)
