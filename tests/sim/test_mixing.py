"""Which operands may meet: without a GPU all, with one what PyTorch documents.

The rule on 0-dim CPU tensors is that of TensorIterator: one, as an input, never as what is written to.
"""

from __future__ import annotations

import pytest

from tests.sim.tables import agrees, says

TWO = "!Expected all tensors to be on the same device, but found at least two devices"
SCALARS = "!Trying to pass too many CPU scalars to non-CPU kernel"

ELEMENTWISE = {
    "(gpu + cpu0).device": "cuda:0",
    "(cpu0 + gpu).device": "cuda:0",
    "(cpu0 * gpu0).device": "cuda:0",
    "(2 - gpu).device": "cuda:0",
    "(gpu ** cpu0).device": "cuda:0",
    "(cpu0 ** gpu).device": "cuda:0",
    "(gpu == cpu0).device": "cuda:0",
    "torch.maximum(gpu, cpu0).device": "cuda:0",
    "torch.clamp(gpu, min=cpu0).device": "cuda:0",
    "torch.clamp(gpu, min=cpu0, max=cpu0 + 1)": SCALARS,
    "torch.lerp(gpu, gpu, cpu0).device": "cuda:0",
    "torch.addcmul(gpu, gpu, cpu0).device": "cuda:0",
    "torch.addcmul(gpu, cpu0, cpu0 + 1)": SCALARS,
    "torch.where(gpu > 0, gpu, cpu0).device": "cuda:0",
    "torch.where(gpu > 0, cpu0, cpu0).device": "cuda:0",
    "torch.where(cpu > 0, gpu, gpu)": TWO,
    "torch.where(gpu > 0, gpu, cpu)": TWO,
    "gpu + cpu": TWO,
    "gpu + cpu1": TWO,
    "cpu + gpu0": TWO,
    "cpu @ gpu": TWO,
    "gpu.add_(cpu0).device": "cuda:0",
    "gpu.clone().add_(cpu)": TWO,
    "cpu0.clone().add_(gpu0)": TWO,
    "x = cpu.clone(); x += gpu": TWO,
    "x = gpu.clone(); x += cpu0; x.device": "cuda:0",
    "torch.add(gpu, gpu, out=torch.empty(4, 4))": TWO,
    "torch.add(gpu, gpu, out=torch.empty(4, 4, device=device)).device": "cuda:0",
    "gpu.masked_fill(gpu > 0, cpu0).device": "cuda:0",
    "gpu.masked_fill(cpu > 0, 0.0)": TWO,
    "cpu.masked_fill(cpu > 0, gpu0)": TWO,
    "gpu.clone().fill_(cpu0).device": "cuda:0",
    "cpu.clone().fill_(gpu0).device": "cpu",
    "cpu0 in gpu": "False",
    "torch.normal(gpu, cpu0).device": "cuda:0",
    "torch.normal(cpu, gpu)": TWO,
    "torch.dist(gpu, cpu0).device": "cuda:0",
    "torch.isclose(gpu, cpu0).device": "cuda:0",
}

STRICT = {
    "torch.cat([gpu, cpu])": TWO,
    "torch.cat([gpu, gpu]).device": "cuda:0",
    "torch.stack([gpu0, cpu0])": TWO,
    "torch.stack([gpu0, gpu0]).device": "cuda:0",
    "torch.einsum('ij,jk->ik', gpu, cpu)": TWO,
    "torch.bmm(gpu[None], cpu[None])": TWO,
    "torch.equal(gpu, cpu)": TWO,
    "F.linear(cpu, gpu)": TWO,
    "F.linear(gpu, gpu, torch.ones(4))": TWO,
    "F.embedding(torch.tensor([1]), gpu)": TWO,
    "F.embedding(torch.tensor([1], device=device), gpu).device": "cuda:0",
    "F.conv1d(gpu[None], torch.ones(2, 4, 1))": TWO,
    "F.layer_norm(gpu, (4,), torch.ones(4))": TWO,
    "F.scaled_dot_product_attention(gpu[None], gpu[None], gpu[None], attn_mask=torch.ones(4, 4))": TWO,
    "gpu.index_select(0, torch.tensor([1]))": TWO,
    "gpu.gather(0, torch.zeros(1, 4, dtype=torch.long))": TWO,
    "gpu.scatter(0, torch.zeros(1, 4, dtype=torch.long, device=device), 1.0).device": "cuda:0",
    "gpu.scatter(0, torch.zeros(1, 4, dtype=torch.long), 1.0)": TWO,
    "gpu.index_add(0, torch.tensor([1]), torch.ones(1, 4, device=device))": TWO,
    "gpu.repeat_interleave(torch.tensor([1, 1, 1, 1]), 0)": TWO,
    "gpu.index_fill(0, torch.tensor([1], device=device), cpu0).device": "cuda:0",
    "gpu.tensor_split(torch.tensor([1]))[0].device": "cuda:0",
    "gpu.tensor_split(torch.tensor([1], device=device))": "!to be on cpu",
    "gpu.select_scatter(cpu[0], 0, 0).device": "cuda:0",
    "gpu.expand_as(cpu).device": "cuda:0",
    "cpu.view_as(gpu).device": "cpu",
    "[t.device.type for t in torch.broadcast_tensors(gpu, cpu)]": "['cuda', 'cpu']",
    "torch.meshgrid(gpu[0], cpu[0], indexing='ij')": TWO,
}

LOSSES = {
    "F.cross_entropy(gpu, torch.zeros(4, dtype=torch.long))": TWO,
    "F.cross_entropy(gpu, torch.zeros(4, dtype=torch.long, device=device)).device": "cuda:0",
    "F.cross_entropy(gpu, gpu.softmax(1), weight=torch.ones(4))": TWO,
    "F.mse_loss(gpu, cpu)": TWO,
    "F.mse_loss(gpu, cpu0)": TWO,
    "F.mse_loss(gpu0, cpu0).device": "cuda:0",
    "F.l1_loss(gpu, cpu)": TWO,
    "F.binary_cross_entropy_with_logits(gpu, cpu)": TWO,
    "F.binary_cross_entropy_with_logits(gpu, gpu, pos_weight=cpu0).device": "cuda:0",
    "F.binary_cross_entropy_with_logits(gpu, gpu, pos_weight=cpu1)": TWO,
    "nn.CrossEntropyLoss(torch.ones(4))(gpu, torch.zeros(4, dtype=torch.long, device=device))": TWO,
    "nn.CrossEntropyLoss(torch.ones(4)).to(device)(gpu, torch.zeros(4, dtype=torch.long, device=device)).device": "cuda:0",
    "F.ctc_loss(torch.randn(5, 1, 4, device=device).log_softmax(2), torch.tensor([[1, 2]], device=device), torch.tensor([5]), torch.tensor([2])).device": "cuda:0",
    "F.ctc_loss(torch.randn(5, 1, 4, device=device).log_softmax(2), torch.tensor([[1, 2]]), torch.tensor([5]), torch.tensor([2]))": TWO,
}

INDEXING = {
    "gpu[torch.tensor([0, 1])].device": "cuda:0",
    "gpu[cpu > 0].device": "cuda:0",
    "cpu[torch.tensor([0, 1], device=device)]": "!indices should be either on cpu or on the same device as the indexed tensor (cpu)",
    "cpu[gpu > 0]": "!indices should be either on cpu",
    "cpu[torch.tensor(1, device=device)].device": "cpu",
    "gpu[0, torch.tensor([1])].device": "cuda:0",
    "x = gpu.clone(); x[0] = cpu[0]; x.device": "cuda:0",
    "x = gpu.clone(); x[:2] = cpu[:2]; x.device": "cuda:0",
    "x = cpu.clone(); x[0] = gpu[0]; x.device": "cpu",
    "x = gpu.clone(); x[torch.tensor([0])] = cpu[:1]": TWO,
    "x = gpu.clone(); x[[0, 1]] = cpu[:2]": TWO,
    "x = gpu.clone(); x[torch.tensor([0])] = cpu0; x.device": "cuda:0",
    "x = gpu.clone(); x[x > 0] = cpu1; x.device": "cuda:0",
    "x = gpu.clone(); x[x > 0] = torch.ones(16)": TWO,
    "x = cpu.clone(); x[torch.tensor([0], device=device)] = 1.0; x.device": "cpu",
    "gpu.clone().index_put_((torch.tensor([0]),), cpu0).device": "cuda:0",
    "gpu.clone().index_put_((torch.tensor([0]),), cpu[:1])": TWO,
    "gpu.clone().copy_(cpu).device": "cuda:0",
    "cpu.clone().copy_(gpu).device": "cpu",
}

TABLES = {"elementwise": ELEMENTWISE, "strict": STRICT, "losses": LOSSES, "indexing": INDEXING}
ROWS = [(name, row) for name, table in TABLES.items() for row in table]


@pytest.mark.parametrize("gpus", [1, 2])
@pytest.mark.parametrize(("table", "row"), ROWS)
def test_with_a_gpu_operands_meet_where_pytorch_says_so(table: str, row: str, gpus: int) -> None:
    said = says(TABLES[table], row, gpus)
    assert agrees(said, TABLES[table][row]), said


@pytest.mark.parametrize(("table", "row"), ROWS)
def test_without_a_gpu_all_operands_meet(table: str, row: str) -> None:
    said = says(TABLES[table], row, 0)
    assert not said.startswith("!"), said
    assert "cuda" not in said


CARDS = {
    "torch.ones(2, device='cuda:0') + torch.ones(2, device='cuda:1')": "!cuda:0 and cuda:1",
    "torch.tensor(1.0, device='cuda:0') + torch.ones(2, device='cuda:1')": "!cuda:0 and cuda:1",
    "torch.ones(2, device='cuda:1').to('cuda').device": "cuda:0",
    "torch.ones(2, device='cuda:1').cuda().device": "cuda:0",
    "torch.ones(2, device='cuda:1')[torch.tensor([0])].device": "cuda:1",
    "torch.ones(2, device='cuda:1')[torch.tensor([0], device='cuda:0')]": "!same device as the indexed tensor (cuda:1)",
    "torch.ones(2, device='cuda:1').copy_(torch.ones(2, device='cuda:0')).device": "cuda:1",
}


@pytest.mark.parametrize("row", CARDS)
def test_two_cards_are_two_devices(row: str) -> None:
    said = says(CARDS, row, 2)
    assert agrees(said, CARDS[row]), said


@pytest.mark.parametrize("row", CARDS)
def test_the_second_card_must_be_there(row: str) -> None:
    assert "!AcceleratorError: CUDA error: invalid device ordinal" in says(CARDS, row, 1)
