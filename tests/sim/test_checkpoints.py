"""What is saved knows where it was, and goes back there unless it is told otherwise."""

from __future__ import annotations

import pytest

from tests.sim import run

PROGRAM = """
import io
import torch
from torch import nn
saved = torch.ones(2, device="cuda:{card}")
f = io.BytesIO()
torch.save({{"x": saved, "net": nn.Linear(2, 2).to(saved.device).state_dict(), "plain": [1, 2]}}, f)
f.seek(0)
{before}
loaded = torch.load(f{options})
print(loaded["x"].device, loaded["net"]["weight"].device, loaded["plain"])
"""


@pytest.mark.parametrize(
    ("options", "want"),
    [
        ("", "cuda:1"),
        (", None", "cuda:1"),
        (", 'cpu'", "cpu"),
        (", map_location='cpu'", "cpu"),
        (", map_location=torch.device('cpu')", "cpu"),
        (", map_location='cuda'", "cuda:0"),
        (", map_location='cuda:0'", "cuda:0"),
        (", map_location=torch.device('cuda', 0)", "cuda:0"),
        (", map_location={'cuda:1': 'cuda:0'}", "cuda:0"),
        (", map_location={'cuda:5': 'cuda:0'}", "cuda:1"),
        (", map_location=lambda storage, location: storage", "cpu"),
        (", map_location=lambda storage, location: storage.cuda(0)", "cuda:0"),
        (", map_location=lambda storage, location: None", "cuda:1"),
        (", weights_only=False", "cuda:1"),
    ],
)
def test_where_a_checkpoint_goes(options: str, want: str) -> None:
    outcome = run(PROGRAM.format(card=1, before="", options=options), 2)
    assert outcome.error is None
    assert outcome.stdout == f"{want} {want} [1, 2]\n"


SAVE = """
import sys, torch
torch.save(torch.ones(2, device="cuda:1"), "shared.pt")
"""


@pytest.mark.parametrize(
    ("gpus", "options", "error"),
    [
        (0, "", "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False"),
        (1, "", "Attempting to deserialize object on CUDA device 1 but torch.cuda.device_count() is 1"),
        (1, ", map_location='cuda:0'", None),
        (0, ", map_location='cuda:0'", "Attempting to deserialize object on a CUDA device"),
        (0, ", map_location='cpu'", None),
    ],
)
def test_a_checkpoint_of_another_machine(gpus: int, options: str, error: str | None) -> None:
    # The file as the second card of another machine would write it.
    save = run(SAVE + "import base64; print(base64.b64encode(open('shared.pt', 'rb').read()).decode())", 2)
    load = f"import base64, io, torch\nprint(torch.load(io.BytesIO(base64.b64decode({save.stdout.strip()!r})){options}).sum().item())"
    outcome = run(load, gpus)
    assert outcome.ok == (error is None), outcome.error
    assert (error or "") in (outcome.error or "")


def test_a_parameter_and_a_copy_of_a_module_keep_their_place() -> None:
    outcome = run(
        "import io, copy, pickle, torch\nfrom torch import nn\n"
        "net = nn.Linear(2, 2).cuda()\nf = io.BytesIO(); torch.save(net, f); f.seek(0)\n"
        "print(torch.load(f, weights_only=False).weight.device, pickle.loads(pickle.dumps(net)).weight.device)",
        1,
    )
    assert outcome.stdout == "cuda:0 cuda:0\n"
