"""Modules, autograd, optimizers, recurrent layers: real ones, on tensors with a claim."""

from __future__ import annotations

import pytest

from tests.sim import run
from tests.sim.tables import PRELUDE, agrees, says

TWO = "!Expected all tensors to be on the same device"

MODULES: dict[str, str | tuple[str, str]] = {
    "m = nn.Linear(4, 4); p = m.weight; m.to(device); m.weight is p, m.weight.device.type": (
        "(True, 'cuda')",
        "(True, 'cpu')",
    ),
    "nn.Linear(4, 4).to(device)(gpu).device": ("cuda:0", "cpu"),
    "nn.Linear(4, 4).to(device)(cpu).device": (TWO, "cpu"),
    "nn.Linear(4, 4)(gpu).device": (TWO, "cpu"),
    "nn.Linear(4, 4).to(0).weight.device": ("cuda:0", "!Cannot access accelerator"),
    "m = nn.BatchNorm1d(4).to(device); m(gpu); m.running_mean.device": ("cuda:0", "cpu"),
    "m = nn.Linear(4, 4); m.mask = torch.ones(4); m.to(device); m.mask.device": "cpu",
    "m = nn.Linear(4, 4); m.register_buffer('mask', torch.ones(4)); m.to(device); m.mask.device": (
        "cuda:0",
        "cpu",
    ),
    "m = nn.Module(); m.parts = [nn.Linear(4, 4)]; m.to(device); m.parts[0].weight.device": "cpu",
    "m = nn.ModuleList([nn.Linear(4, 4)]).to(device); m[0].weight.device": ("cuda:0", "cpu"),
    "m = nn.LazyLinear(4).to(device); m(gpu); m.weight.device": ("cuda:0", "cpu"),
    "nn.Linear(4, 4, device='meta').to_empty(device=device).weight.device": ("cuda:0", "cpu"),
    "m = nn.MultiheadAttention(4, 2).to(device); m(gpu, gpu, gpu)[0].device": ("cuda:0", "cpu"),
    "m = nn.MultiheadAttention(4, 2).to(device); m(gpu, gpu, gpu, attn_mask=cpu)[0].device": (TWO, "cpu"),
    "m = nn.TransformerEncoderLayer(4, 2, 8).to(device).eval(); m(gpu).device": ("cuda:0", "cpu"),
    "isinstance(nn.Parameter(cpu).to(device), nn.Parameter)": ("False", "True"),
    "m = torch.compile(nn.Linear(4, 4).to(device)); m(cpu).device": (TWO, "cpu"),
    "torch.jit.trace(nn.Linear(4, 4).to(device), gpu)(gpu).device": ("cuda:0", "cpu"),
    "torch.jit.trace(nn.Linear(4, 4).to(device), (cpu,))(gpu).device": (TWO, "cpu"),
    "torch.jit.script(nn.Linear(4, 4).to(device))(gpu).device": ("cuda:0", "cpu"),
}

AUTOGRAD: dict[str, str | tuple[str, str]] = {
    "x = torch.ones(2, requires_grad=True).to(device); x.is_leaf": ("False", "True"),
    "x = torch.ones(2, requires_grad=True).to(device); x.sum().backward(); x.grad is None": ("True", "False"),
    "x = torch.ones(2, requires_grad=True); x.to(device).sum().backward(); x.grad.device": "cpu",
    "x = torch.ones(2, device=device, requires_grad=True); x.sum().backward(); x.grad.device": (
        "cuda:0",
        "cpu",
    ),
    "x = torch.ones(2, device=device, requires_grad=True); torch.autograd.grad(x.sum(), x)[0].device": (
        "cuda:0",
        "cpu",
    ),
    "x = torch.ones(2, device=device, requires_grad=True); (x * 2).backward(torch.ones(2)); x.grad.device": (
        "!invalid gradient at index 0 - expected device cuda:0 but got cpu",
        "cpu",
    ),
    "x = torch.ones(2, device=device, requires_grad=True); x.grad = torch.ones(2); x.grad.device": (
        "!assigned grad has data located on a different device",
        "cpu",
    ),
    "torch.optim.SGD([torch.ones(2, requires_grad=True).to(device)], 0.1) is None": (
        "!can't optimize a non-leaf Tensor",
        "False",
    ),
    "seen = []; x = gpu.clone().requires_grad_(); x.register_hook(lambda g: seen.append((g + gpu).device.type)); (x * 2).sum().backward(); seen": (
        "['cuda']",
        "['cpu']",
    ),
}

FUNCTION = (
    PRELUDE
    + """
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(factor)
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        (factor,) = ctx.saved_tensors
        print(grad.device, factor.device)
        return grad * MASK * factor, None

x = gpu.clone().requires_grad_()
Scale.apply(x, gpu0).sum().backward()
print(x.grad.device)
"""
)


TABLES = {"modules": MODULES, "autograd": AUTOGRAD}


@pytest.mark.parametrize("gpus", [1, 0])
@pytest.mark.parametrize(("table", "row"), [(name, row) for name, table in TABLES.items() for row in table])
def test_modules_and_gradients_are_where_pytorch_puts_them(table: str, row: str, gpus: int) -> None:
    want = TABLES[table][row]
    if isinstance(want, tuple):
        want = want[0 if gpus else 1]
    said = says(TABLES[table], row, gpus)
    assert agrees(said, want), said


@pytest.mark.parametrize(("mask", "gpus", "error"), [("gpu", 1, None), ("cpu", 1, TWO[1:]), ("cpu", 0, None)])
def test_backward_of_a_custom_function_is_checked_too(mask: str, gpus: int, error: str | None) -> None:
    outcome = run(FUNCTION.replace("MASK", mask), gpus)
    if error is None:
        here = "cuda:0" if gpus else "cpu"
        assert outcome.stdout == f"{here} {here}\n{here}\n"
    assert (error or "") in (outcome.error or "")
    assert outcome.ok == (error is None)


STEP = """
import torch
from torch import nn
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = nn.Linear(4, 4)
{first}
{second}
for _ in range(2):
    opt.zero_grad()
    net(torch.ones(1, 4, device=device)).sum().backward()
    opt.step()
print(round(net.weight.sum().item(), 4))
"""
OPTIMIZERS = ["SGD", "Adam", "AdamW", "Adagrad", "RMSprop", "Rprop", "Adadelta", "ASGD", "NAdam", "RAdam"]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_an_optimizer_steps_on_the_gpu_as_on_the_cpu(name: str) -> None:
    program = STEP.format(
        first="net.to(device)", second=f"opt = torch.optim.{name}(net.parameters(), lr=0.1)"
    )
    on_cpu, on_gpu = run(program, 0), run(program, 1)
    assert on_cpu.ok
    assert on_cpu == on_gpu


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_an_optimizer_before_the_move_fails_only_if_it_has_state_by_then(name: str) -> None:
    program = STEP.format(
        first=f"opt = torch.optim.{name}(net.parameters(), lr=0.1)", second="net.to(device)"
    )
    assert run(program, 0).ok
    assert run(program, 1).ok == (name != "Adagrad")


def test_state_of_steps_before_the_move_stays_behind() -> None:
    first = "opt = torch.optim.Adam(net.parameters())\nnet(torch.ones(1, 4)).sum().backward()\nopt.step()"
    outcome = run(STEP.format(first=first, second="net.to(device)"), 1)
    assert TWO[1:] in (outcome.error or "")


def test_loaded_state_goes_to_the_parameters() -> None:
    first = (
        "other = torch.optim.Adam(nn.Linear(4, 4).parameters())\nnet.to(device)\n"
        "opt = torch.optim.Adam(net.parameters())\nnet(torch.ones(1, 4, device=device)).sum().backward()\nopt.step()"
    )
    second = (
        "import io; f = io.BytesIO(); torch.save(opt.state_dict(), f); f.seek(0)\n"
        "opt.load_state_dict(torch.load(f, map_location='cpu'))"
    )
    outcome = run(STEP.format(first=first, second=second), 1)
    assert outcome.ok, outcome.error


AMP = """
import torch
from torch import nn
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 4).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = {scaler}
for _ in range(2):
    opt.zero_grad()
    with {autocast}:
        loss = net(torch.ones(2, 4, device=device)).float().pow(2).mean()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
print(net.weight.device.type, scaler.get_scale() > 0)
"""


@pytest.mark.parametrize("gpus", [0, 1])
@pytest.mark.parametrize(
    ("autocast", "scaler"),
    [
        ("torch.cuda.amp.autocast()", "torch.cuda.amp.GradScaler()"),
        ("torch.amp.autocast('cuda')", "torch.amp.GradScaler('cuda')"),
        ("torch.autocast(device.type)", "torch.amp.GradScaler(device.type)"),
    ],
)
def test_mixed_precision(autocast: str, scaler: str, gpus: int) -> None:
    outcome = run(AMP.format(autocast=autocast, scaler=scaler), gpus)
    assert outcome.ok, outcome.error
    assert outcome.stdout == ("cuda True\n" if gpus else "cpu True\n")


def test_autocast_wants_a_type() -> None:
    assert "device_type" in (run("import torch\ntorch.autocast(torch.device('cuda'))", 1).error or "")


SEQUENCES = """
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.{kind}(3, 5, batch_first=True).to(device)
x = torch.ones(2, 4, 3, device=device)
lengths = torch.tensor([4, 2])
{body}
"""


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("print(net(x)[0].device.type)", None),
        ("net(x.cpu())", "Input and parameter tensors are not at the same device"),
        (
            "net(pack_padded_sequence(x, lengths.to(device), batch_first=True))",
            "'lengths' argument should be a 1D CPU",
        ),
        (
            "out, n = pad_packed_sequence(net(pack_padded_sequence(x, lengths, batch_first=True))[0], batch_first=True)\n"
            "print(out.device.type, n.device.type)",
            None,
        ),
        (
            "print(net(pack_padded_sequence(x, lengths, batch_first=True).to('cpu'))[0])",
            "Input and parameter tensors",
        ),
    ],
)
def test_recurrent_layers(kind: str, body: str, error: str | None) -> None:
    program = SEQUENCES.format(kind=kind, body=body)
    assert run(program, 0).ok
    outcome = run(program, 1)
    assert outcome.ok == (error is None)
    assert (error or "") in (outcome.error or "")
    if error is None:
        assert outcome.stdout.split()[0] == "cuda"


def test_the_hidden_state_is_with_the_input() -> None:
    body = "net(x, (torch.zeros(1, 2, 5), torch.zeros(1, 2, 5)))"
    outcome = run(SEQUENCES.format(kind="LSTM", body=body), 1)
    assert "Input and hidden tensors are not at the same device" in (outcome.error or "")
