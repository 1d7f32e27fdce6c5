"""What torch builds on its own operations: written in Python, seen call by call, and right without being named."""

from __future__ import annotations

import pytest

from tests.sim.tables import says

# Each says where its result is: with the tensors that go in.
ROWS = [
    "from torch.utils.checkpoint import checkpoint\n"
    "x = gpu.clone().requires_grad_(); net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Dropout()).to(device)\n"
    "checkpoint(net, x, use_reentrant=False).sum().backward(); x.grad.device.type",
    "from torch.utils.checkpoint import checkpoint\n"
    "x = gpu.clone().requires_grad_(); net = nn.Linear(4, 4).to(device)\n"
    "checkpoint(net, x, use_reentrant=True).sum().backward(); x.grad.device.type",
    "from torch.distributions import Normal; Normal(gpu, gpu).rsample().device.type",
    "from torch.distributions import Normal; n = Normal(gpu, 1.0); n.log_prob(n.sample()).device.type",
    "from torch.distributions import Categorical; Categorical(logits=gpu).sample().device.type",
    "from torch.distributions import Beta; Beta(gpu, gpu).sample().device.type",
    "from torch.distributions import MultivariateNormal as M; M(gpu[0], torch.eye(4, device=device)).sample().device.type",
    "from torch.optim.swa_utils import AveragedModel\n"
    "net = nn.Linear(2, 2).to(device); ema = AveragedModel(net); ema.update_parameters(net)\n"
    "next(ema.parameters()).device.type",
    "class Own(torch.Tensor): pass\n(gpu.as_subclass(Own) + 1).device.type",
    "seen = []; net = nn.Linear(4, 4).to(device)\n"
    "net.register_full_backward_hook(lambda m, into, out: seen.append((out[0] * gpu).device.type))\n"
    "net(gpu.clone().requires_grad_()).sum().backward(); seen[0]",
    "net = nn.Linear(4, 4).to(device); opt = torch.optim.LBFGS(net.parameters())\n"
    "def closure():\n    opt.zero_grad(); loss = net(gpu).pow(2).mean(); loss.backward(); return loss\n"
    "opt.step(closure).device.type",
    "torch.stft(torch.ones(400, device=device), 64, window=torch.hann_window(64, device=device),"
    " return_complex=True).device.type",
    "from torch.func import grad, vmap; vmap(grad(lambda p: (p**2).sum()))(gpu).device.type",
    "from torch.func import functional_call; net = nn.Linear(4, 4).to(device)\n"
    "functional_call(net, dict(net.named_parameters()), (gpu,)).device.type",
    "net = nn.Transformer(8, 2, 1, 1, 16, batch_first=True).to(device); x = torch.ones(2, 3, 8, device=device)\n"
    "net(x, x, tgt_mask=nn.Transformer.generate_square_subsequent_mask(3, device=device)).device.type",
    "nn.utils.parametrizations.weight_norm(nn.Linear(4, 4).to(device))(gpu).device.type",
    "import torch.nn.utils.prune as prune; net = nn.Linear(4, 4).to(device)\n"
    "prune.l1_unstructured(net, 'weight', 0.5); net(gpu).device.type",
    "net = nn.Linear(4, 4).to(device); net(gpu).sum().backward()\n"
    "nn.utils.clip_grad_norm_(net.parameters(), 1.0).device.type",
    "F.one_hot(torch.tensor([1, 2], device=device)).device.type",
    "torch.linalg.svd(gpu).S.device.type",
    "import pickle; pickle.loads(pickle.dumps(gpu)).device.type",
    "with torch.random.fork_rng(): x = torch.rand(2, device=device)\nx.device.type",
    "with torch.inference_mode(): x = nn.Linear(4, 4).to(device)(gpu)\nx.device.type",
    "nn.AdaptiveLogSoftmaxWithLoss(4, 10, [3]).to(device)(gpu, torch.arange(4, device=device)).loss.device.type",
]


@pytest.mark.parametrize("gpus", [0, 1])
@pytest.mark.parametrize("row", ROWS)
def test_results_are_where_their_operands_are(row: str, gpus: int) -> None:
    assert says(ROWS, row, gpus) == ("cuda" if gpus else "cpu")


# A window, a mask, an index, a state: made on the CPU inside what is otherwise on the GPU.
FORGOTTEN = [
    "torch.stft(torch.ones(400, device=device), 64, window=torch.hann_window(64), return_complex=True)",
    "net = nn.Transformer(8, 2, 1, 1, 16, batch_first=True).to(device); x = torch.ones(2, 3, 8, device=device)\n"
    "net(x, x, tgt_mask=nn.Transformer.generate_square_subsequent_mask(3))",
    "from torch.distributions import Normal; Normal(gpu, gpu).log_prob(cpu)",
    "nn.AdaptiveLogSoftmaxWithLoss(4, 10, [3]).to(device)(gpu, torch.arange(4))",
    "torch.nn.functional.grid_sample(torch.ones(1, 1, 4, 4, device=device), torch.zeros(1, 2, 2, 2))",
    "nn.Bilinear(4, 4, 2).to(device)(gpu, cpu)",
    "nn.GRUCell(4, 4).to(device)(gpu, cpu)",
    "nn.CosineSimilarity()(gpu, cpu)",
    "nn.TripletMarginLoss()(gpu, gpu, cpu)",
]


@pytest.mark.parametrize("row", FORGOTTEN)
def test_what_was_forgotten_on_the_cpu_raises_with_a_gpu_only(row: str) -> None:
    assert not says(FORGOTTEN, row, 0).startswith("!")
    assert "at least two devices" in says(FORGOTTEN, row, 1)
