"""Where a tensor is made, what moves it, and what follows it."""

from __future__ import annotations

import pytest

from tests.sim.tables import agrees, says

NO_CUDA = "!Torch not compiled with CUDA enabled"
NO_ACCELERATOR = "!Cannot access accelerator device when none is available"

# What it says with two GPUs; a second text is what it says without one.
CREATED: dict[str, str | tuple[str, str]] = {
    "torch.zeros(2).device": "cpu",
    "torch.zeros(2, device='cuda').device": ("cuda:0", NO_CUDA),
    "torch.zeros(2, device='cuda:1').device": ("cuda:1", NO_CUDA),
    "torch.zeros(2, device=torch.device('cuda', 1)).device": ("cuda:1", NO_CUDA),
    "torch.zeros(2, device=1).device": ("cuda:1", NO_ACCELERATOR),
    "torch.zeros(2, device='meta').device": "meta",
    "torch.zeros(2, device='mps')": "!Could not run 'aten::empty.memory_format'",
    "torch.arange(3, device=device).device.type": ("cuda", "cpu"),
    "torch.from_numpy(cpu.numpy()).device": "cpu",
    "torch.Tensor(2).device": "cpu",
    "torch.tensor([gpu0, gpu0]).device": "cpu",
    "torch.tensor(gpu).device": ("cuda:0", "cpu"),
    "torch.as_tensor(gpu) is gpu": "True",
    "torch.as_tensor(gpu, device='cpu').device": "cpu",
    "torch.asarray(gpu).device": ("cuda:0", "cpu"),
    "torch.zeros_like(gpu).device": ("cuda:0", "cpu"),
    "torch.zeros_like(gpu, device='cpu').device": "cpu",
    "torch.rand_like(cpu, device=device).device": ("cuda:0", "cpu"),
    "gpu.new_zeros(2).device": ("cuda:0", "cpu"),
    "gpu.new_tensor([1]).device": ("cuda:0", "cpu"),
    "gpu.new_ones(2, device='cpu').device": "cpu",
    "gpu.new(2).device": ("cuda:0", "cpu"),
    "torch.full((2,), gpu0).device": "cpu",
    "torch.normal(gpu, 1.0).device": ("cuda:0", "cpu"),
    "torch.normal(0.0, 1.0, (2,), device=device).device": ("cuda:0", "cpu"),
    "torch.sparse_coo_tensor(torch.tensor([[0]]), gpu[0, :1], (4,)).device": ("cuda:0", "cpu"),
    "torch.eye(3, device=device).to_sparse().device": ("cuda:0", "cpu"),
    "nn.Linear(2, 2, device='cuda:1').weight.device": ("cuda:1", NO_CUDA),
    "nn.Parameter(gpu).device": ("cuda:0", "cpu"),
}

FOLLOWED: dict[str, str | tuple[str, str]] = {
    "gpu.view(-1)[1:].t().device": ("cuda:0", "cpu"),
    "gpu.detach().device": ("cuda:0", "cpu"),
    "gpu.data.device": ("cuda:0", "cpu"),
    "gpu.sum().device": ("cuda:0", "cpu"),
    "[t.device.type for t in gpu.max(dim=1)]": ("['cuda', 'cuda']", "['cpu', 'cpu']"),
    "[t.device.type for t in gpu.unbind()][:1]": ("['cuda']", "['cpu']"),
    "import copy; copy.deepcopy(gpu).device": ("cuda:0", "cpu"),
    "import copy; copy.deepcopy(nn.Linear(2, 2).to(device)).weight.device": ("cuda:0", "cpu"),
    "torch.nonzero(gpu).device": ("cuda:0", "cpu"),
    "torch.vmap(lambda x: x + 1)(gpu).device": ("cuda:0", "cpu"),
    "x = cpu.clone(); x.data = gpu; x.device": ("cuda:0", "cpu"),
    "gpu.is_cuda, gpu.is_cpu, gpu.get_device()": ("(True, False, 0)", "(False, True, -1)"),
    "gpu0": ("tensor(2., device='cuda:0')", "tensor(2.)"),
    "f'{gpu0:.1f} {gpu0.item()} {gpu[0].tolist()}'": "2.0 2.0 [1.0, 1.0, 1.0, 1.0]",
}

MOVED: dict[str, str | tuple[str, str]] = {
    "cpu.to('cuda').device": ("cuda:0", NO_CUDA),
    "cpu.to(1).device": ("cuda:1", NO_ACCELERATOR),
    "cpu.to(device=device, dtype=torch.half).dtype": "torch.float16",
    "cpu.to(device, torch.half, True).device": ("cuda:0", "cpu"),
    "cpu.to(gpu.half()).dtype": "torch.float16",
    "cpu.to(gpu).device": ("cuda:0", "cpu"),
    "gpu.to(torch.half).device": ("cuda:0", "cpu"),
    "gpu.half().device": ("cuda:0", "cpu"),
    "gpu.to('cuda') is gpu": ("True", NO_CUDA),
    "gpu.to('cuda:0') is gpu": ("True", NO_CUDA),
    "gpu.to(device, copy=True) is gpu": "False",
    "cpu.to('cpu') is cpu": "True",
    "cpu.cpu() is cpu": "True",
    "cpu.cuda().device": ("cuda:0", NO_CUDA),
    "cpu.cuda(1).device": ("cuda:1", NO_ACCELERATOR),
    "cpu.cuda('cuda:1', non_blocking=True).device": ("cuda:1", NO_CUDA),
    "cpu.cuda('cpu')": ("!Invalid device, must be cuda device", "!"),
    "gpu.cpu().device": "cpu",
    "cpu.type(torch.float16).dtype": "torch.float16",
    "cpu.type('torch.cuda.LongTensor').device": ("cuda:0", "!"),
    "cpu.type(torch.cuda.HalfTensor).dtype": ("torch.float16", "!"),
    "gpu.type(torch.FloatTensor).device": "cpu",
    "gpu.type()": ("torch.cuda.FloatTensor", "torch.FloatTensor"),
    "cpu.type_as(gpu).device": ("cuda:0", "cpu"),
    "gpu.type_as(cpu).device": "cpu",
    "torch.empty(2, device='meta').to(device)": "!Cannot copy out of meta tensor",
    "gpu.to('meta').device": "meta",
    "cpu.to('gpu')": "!at start of device string: gpu",
}

DEVICES: dict[str, str | tuple[str, str]] = {
    "torch.device('cuda')": "cuda",
    "torch.device('cuda', 1)": "cuda:1",
    "torch.device(1)": ("cuda:1", NO_ACCELERATOR),
    "torch.device('cuda') == 'cuda'": "False",
    "gpu.device == torch.device('cuda')": "False",
    "gpu.device == torch.device('cuda:0')": ("True", "False"),
    "gpu.device.type": ("cuda", "cpu"),
    **{
        f"torch.device({name!r})": "!"
        for name in ("gpu", "CUDA", "cuda0", "cuda:", "cuda:-1", "cuda: 0", "", "auto", "npu")
    },
    "torch.device('cuda', '0')": "!TypeError",
}

HOST: dict[str, str | tuple[str, str]] = {
    "gpu.numpy()[0, 0]": ("!can't convert cuda:0 device type tensor to numpy", "1.0"),
    "import numpy; numpy.asarray(gpu)[0, 0]": ("!can't convert cuda:0 device type tensor", "1.0"),
    "import numpy; numpy.array([gpu0, gpu0])[0]": ("!can't convert cuda:0 device type tensor", "2.0"),
    "gpu.numpy(force=True)[0, 0]": "1.0",
    "gpu.cpu().numpy()[0, 0]": "1.0",
    "gpu.apply_(lambda x: x) is gpu": ("!only implemented on CPU tensors", "True"),
    "gpu.pin_memory()": ("!cannot pin 'torch.cuda.FloatTensor'", NO_ACCELERATOR),
    "cpu.pin_memory().is_pinned()": ("True", NO_ACCELERATOR),
    "torch.zeros(2, pin_memory=True).is_pinned()": ("True", "!"),
    "cpu.is_pinned()": "False",
}

LEGACY: dict[str, str | tuple[str, str]] = {
    "torch.cuda.FloatTensor(2, 3).device": ("cuda:0", "!not available"),
    "torch.cuda.LongTensor([1, 2]).dtype": ("torch.int64", "!not available"),
    "torch.FloatTensor([1.0]).device": "cpu",
    "isinstance(gpu, torch.FloatTensor)": ("False", "True"),
    "isinstance(gpu, torch.cuda.FloatTensor)": ("True", "False"),
    "str(torch.cuda.FloatTensor)": "<class 'torch.cuda.FloatTensor'>",
    "def f(x: 'torch.FloatTensor | None') -> torch.cuda.FloatTensor | None: return x\nf(1)": "1",
    "torch.FloatTensor(gpu).shape": (
        "!expected torch.FloatTensor (got torch.cuda.FloatTensor)",
        "torch.Size([4, 4])",
    ),
    "(torch.cuda if gpu.is_cuda else torch).FloatTensor(2).fill_(1).device": ("cuda:0", "cpu"),
    "torch.set_default_tensor_type(torch.cuda.FloatTensor); torch.zeros(2).device": ("cuda:0", "!"),
    "torch.set_default_tensor_type('torch.cuda.FloatTensor'); torch.rand(2).device": ("cuda:0", "!"),
}
DEFAULTS: dict[str, str | tuple[str, str]] = {
    "torch.set_default_device('cuda'); torch.zeros(2).device": ("cuda:0", NO_CUDA),
    "torch.set_default_device('cuda'); torch.zeros(2, device='cpu').device": "cpu",
    "torch.set_default_device('cuda'); torch.from_numpy(cpu.numpy()).device": "cpu",
    "torch.set_default_device('cuda:1'); nn.Linear(2, 2).weight.device": ("cuda:1", NO_CUDA),
    "torch.set_default_device('cuda'); torch.cuda.set_device(1); d = torch.zeros(2).device; torch.cuda.set_device(0); d": (
        "cuda:1",
        "!",
    ),
    "torch.set_default_device('cuda'); torch.get_default_device()": ("cuda:0", NO_CUDA),
    "torch.get_default_device()": "cpu",
    "with torch.device('cuda:1'): x = torch.ones(2)\nx.device": ("cuda:1", NO_CUDA),
    "with torch.device(device): x = nn.Linear(2, 2)\nx.weight.device": ("cuda:0", "cpu"),
    "with torch.device(device): x = torch.ones(2, device='cpu')\nx.device": "cpu",
    "with torch.device(device): pass\ntorch.ones(2).device": "cpu",
    "torch.set_default_device(device); y = F.dropout(torch.ones(2)); y.device": ("cuda:0", "cpu"),
}

GENERATORS: dict[str, str | tuple[str, str]] = {
    "torch.rand(2, generator=torch.Generator()).device": "cpu",
    "torch.rand(2, generator=torch.Generator(), device=device).device": (
        "!Expected a 'cuda' device type for generator but found 'cpu'",
        "cpu",
    ),
    "torch.rand(2, generator=torch.Generator(device), device=device).device": ("cuda:0", "cpu"),
    "torch.rand(2, generator=torch.Generator(device)).device": (
        "!Expected a 'cpu' device type for generator",
        "cpu",
    ),
    "torch.randperm(3, generator=torch.Generator().manual_seed(1)).device": "cpu",
    "gpu.clone().normal_(generator=torch.Generator()).shape": (
        "!Expected a 'cuda' device type",
        "torch.Size([4, 4])",
    ),
    "torch.Generator(device).device": ("cuda:0", "cpu"),
    "torch.Generator('cuda:7')": ("!invalid device ordinal", "!"),
}

TABLES = {
    "created": CREATED,
    "followed": FOLLOWED,
    "moved": MOVED,
    "devices": DEVICES,
    "host": HOST,
    "legacy": LEGACY,
    "defaults": DEFAULTS,
    "generators": GENERATORS,
}
ROWS = [(name, row) for name, table in TABLES.items() for row in table]


@pytest.mark.parametrize("gpus", [2, 0])
@pytest.mark.parametrize(("table", "row"), ROWS)
def test_tensors_are_where_pytorch_puts_them(table: str, row: str, gpus: int) -> None:
    want = TABLES[table][row]
    if isinstance(want, tuple):
        want = want[0 if gpus else 1]
    said = says(TABLES[table], row, gpus)
    assert agrees(said, want), said
