"""Arguments that must be on the CPU, and results that are."""

from __future__ import annotations

import pytest

from devlint.model.torch.effects import Out
from devlint.model.torch.functions import FUNCTIONS
from devlint.model.torch.methods import METHODS

torch = pytest.importorskip("torch", reason="the tables are judged against PyTorch")


def test_lengths_of_a_packed_sequence_are_on_the_cpu() -> None:
    """PyTorch asks for it in words; `meta` stands for a device that is not the CPU."""
    rnn = torch.nn.utils.rnn
    assert FUNCTIONS["torch.nn.utils.rnn.pack_padded_sequence"].host_args == ("lengths",)
    x = torch.rand(3, 2, 4, device="meta")
    with pytest.raises(RuntimeError, match="should be a 1D CPU"):
        rnn.pack_padded_sequence(x, torch.tensor([3, 2], device="meta"))


def test_lengths_of_a_padded_sequence_come_back_on_the_cpu() -> None:
    rnn = torch.nn.utils.rnn
    packed = rnn.PackedSequence(torch.rand(5, 4, device="meta"), torch.tensor([2, 2, 1]))
    padded, lengths = rnn.pad_packed_sequence(packed)
    assert (padded.device.type, lengths.device.type) == ("meta", "cpu")
    op = FUNCTIONS["torch.nn.utils.rnn.pad_packed_sequence"]
    assert (op.count, op.host_items) == (2, (1,))


@pytest.mark.parametrize("split", [FUNCTIONS["torch.tensor_split"], METHODS["tensor_split"]])
def test_indices_of_tensor_split_are_on_the_cpu(split: object) -> None:
    assert "indices_or_sections" in getattr(split, "host_args", ())
    with pytest.raises(RuntimeError, match="to be on cpu"):
        torch.tensor_split(torch.rand(4), torch.tensor([1, 2], device="meta"))


@pytest.mark.parametrize("name", [name for name, op in FUNCTIONS.items() if op.out is Out.CPU])
def test_what_is_on_the_cpu_stays_there_under_a_default_device(name: str) -> None:
    numpy = pytest.importorskip("numpy")
    calls = {
        "torch.Tensor": lambda: torch.Tensor([1.0]),
        "torch.from_numpy": lambda: torch.from_numpy(numpy.zeros(2)),
        "torch.frombuffer": lambda: torch.frombuffer(bytearray(8), dtype=torch.float32),
        "torch.get_rng_state": torch.get_rng_state,
    }
    if name not in calls:
        pytest.skip("needs CUDA")
    with torch.device("meta"):
        assert calls[name]().device.type == "cpu"


def test_type_as_follows_its_argument() -> None:
    op = METHODS["type_as"]
    assert (op.out, op.like) == (Out.LIKE, 1)
    assert torch.ones(2).type_as(torch.ones(1, device="meta")).device.type == "meta"


@pytest.mark.parametrize("name", [name for name in METHODS if name.startswith("new_") or name == "new"])
def test_new_tensors_follow_the_receiver(name: str) -> None:
    assert METHODS[name].out is Out.LIKE
    x = torch.ones(2, device="meta")
    arguments = {
        "new_full": ((2,), 1.0),
        "new_tensor": ([1.0],),
        "new_empty_strided": ((2,), (1,)),
        "new": (2,),
    }
    assert getattr(x, name)(*arguments.get(name, ((2,),))).device.type == "meta"
