"""Worker processes, threads, ranks, and the wrappers that spread a model over cards."""

from __future__ import annotations

import pytest

from tests.sim import run

FORKED = "Cannot re-initialize CUDA in forked subprocess"

LOADER = """
import torch
from torch.utils.data import DataLoader, Dataset
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")

class Squares(Dataset):
    def __len__(self):
        return 6
    def __getitem__(self, i):
        return torch.tensor([float(i)]){item}

def collate(items):
    return torch.stack(items){batch}

if __name__ == "__main__":
    loader = DataLoader(Squares(), batch_size=3, collate_fn=collate, num_workers={workers}{more})
    total = torch.zeros(1, device=DEVICE)
    for batch in loader:
        print(batch.device.type, batch.is_pinned())
        total += batch.to(DEVICE, non_blocking=True).sum(0)
    print(total.item())
"""


def loader(*, item: str = "", batch: str = "", workers: int = 2, more: str = "") -> str:
    return LOADER.format(item=item, batch=batch, workers=workers, more=more)


@pytest.mark.parametrize("workers", [0, 2])
def test_batches_come_from_the_host(workers: int) -> None:
    for gpus in (0, 1):
        assert run(loader(workers=workers), gpus).stdout == "cpu False\ncpu False\n15.0\n"


@pytest.mark.parametrize("program", [loader(item=".to(DEVICE)"), loader(batch=".to(DEVICE)")])
def test_a_worker_cannot_use_a_gpu(program: str) -> None:
    assert run(program, 0).ok
    assert FORKED in (run(program, 1).error or "")


def test_without_workers_a_dataset_may_use_the_gpu() -> None:
    assert run(loader(item=".to(DEVICE)", workers=0), 1).stdout == "cuda False\ncuda False\n15.0\n"


def test_a_spawned_worker_may_use_the_gpu_in_each_epoch() -> None:
    program = loader(batch=".to(DEVICE)", more=", multiprocessing_context='spawn'")
    outcome = run(program.replace("for batch in loader:", "for batch in [*loader, *loader]:"), 1)
    assert outcome.stdout == 4 * "cuda False\n" + "30.0\n", outcome.error


def test_a_worker_may_use_a_gpu_that_its_parent_never_asked_for() -> None:
    program = """
import torch
from torch.utils.data import DataLoader
def collate(items):
    return torch.tensor(items, device="cuda")
for batch in DataLoader([1, 2], num_workers=1, collate_fn=collate):
    print(batch.device)
"""
    assert run(program, 1).stdout == "cuda:0\ncuda:0\n"


@pytest.mark.parametrize("workers", [0, 2])
def test_pinned_memory(workers: int) -> None:
    program = loader(workers=workers, more=", pin_memory=True")
    assert run(program, 1).stdout == "cpu True\ncpu True\n15.0\n"
    assert run(program, 0).stdout == "cpu False\ncpu False\n15.0\n"


def test_what_is_on_the_gpu_cannot_be_pinned() -> None:
    outcome = run(loader(batch=".to(DEVICE)", workers=0, more=", pin_memory=True"), 1)
    assert "cannot pin 'torch.cuda.FloatTensor'" in (outcome.error or "")


def test_a_thread_sees_the_same_machine() -> None:
    program = """
import threading, torch
x = torch.ones(2, device="cuda")
def work():
    try:
        x + torch.ones(2)
    except RuntimeError as error:
        print("two devices" in str(error))
t = threading.Thread(target=work); t.start(); t.join()
"""
    assert run(program, 1).stdout == "True\n"


PARALLEL = """
import torch
from torch import nn
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)
        self.register_buffer("kept", torch.ones(2))
        self.left = torch.ones(2, device=device)
    def forward(self, x):
        return self.layer(x) * self.{scale}
torch.manual_seed(0)
net = nn.DataParallel(Net(){moved})
out = net(torch.ones(4, 4))
out.sum().backward()
print(out.device.type, tuple(out.shape), sorted(net.state_dict())[0], net.module.layer.weight.grad.device.type)
"""


@pytest.mark.parametrize("gpus", [0, 1, 2])
def test_data_parallel_runs_a_registered_model_on_all_cards(gpus: int) -> None:
    outcome = run(PARALLEL.format(scale="kept", moved=".to(device)"), gpus)
    here = "cuda" if gpus else "cpu"
    assert outcome.stdout == f"{here} (4, 2) module.kept {here}\n", outcome.error


def test_data_parallel_leaves_what_is_not_registered_on_the_first_card() -> None:
    program = PARALLEL.format(scale="left", moved=".to(device)")
    assert run(program, 1).ok
    assert "at least two devices, cuda:1 and cuda:0" in (run(program, 2).error or "")


def test_data_parallel_wants_the_model_on_its_first_card() -> None:
    assert "module must have its parameters and buffers on device cuda:0" in (
        run(PARALLEL.format(scale="kept", moved=""), 2).error or ""
    )


DDP = """
import os
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
dist.init_process_group("{backend}")
{body}
print(dist.get_rank(), dist.get_world_size(), dist.get_backend())
"""


def ddp(body: str, backend: str = "nccl") -> str:
    return DDP.format(backend=backend, body=body)


RIGHT = """
card = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(card)
net = DDP(nn.Linear(2, 2).cuda(), device_ids=[card])
loss = net(torch.ones(1, 2)).sum()
loss.backward()
dist.all_reduce(loss.detach())
print(loss.device, list(net.state_dict())[0])
"""


@pytest.mark.parametrize("rank", [0, 1])
def test_each_rank_has_its_card(rank: int) -> None:
    outcome = run(ddp(RIGHT), 2, rank=rank, world=2)
    assert outcome.stdout == f"cuda:{rank} module.weight\n{rank} 2 nccl\n", outcome.error


@pytest.mark.parametrize(
    ("body", "backend", "error"),
    [
        ("net = DDP(nn.Linear(2, 2))", "gloo", None),
        ("net = DDP(nn.Linear(2, 2))", "nccl", "No backend type associated with device type cpu"),
        ("net = DDP(nn.Linear(2, 2).cuda())", "gloo", None),
        ("net = DDP(nn.Linear(2, 2).cuda())", "nccl", "Duplicate GPU detected"),
        (
            "net = DDP(nn.Linear(2, 2), device_ids=[1])",
            "gloo",
            "only work with single-device/multiple-device GPU modules",
        ),
        ("net = DDP(nn.ReLU())", "gloo", "doesn't have any parameters that require a gradient"),
        (
            "net = DDP(nn.Linear(2, 2)); net.cuda(); net(torch.ones(1, 2).cuda()).sum().backward()",
            "gloo",
            "bucket",
        ),
        ("net = DDP(nn.Linear(2, 2).cuda(1)); net(torch.ones(1, 2))", "gloo", "at least two devices"),
        ("dist.all_reduce(torch.ones(2))", "nccl", "No backend type associated with device type cpu"),
        ("x = torch.ones(2); dist.all_reduce(x); print(x[0].item())", "gloo", None),
        (
            "parts = [torch.zeros(1) for _ in range(2)]; dist.all_gather(parts, torch.ones(1)); print(sum(parts).item())",
            "gloo",
            None,
        ),
    ],
)
def test_what_the_second_rank_may_do(body: str, backend: str, error: str | None) -> None:
    outcome = run(ddp(body, backend), 2, rank=1, world=2)
    assert outcome.ok == (error is None), outcome.error
    assert (error or "") in (outcome.error or "")
    if "print" in body:
        assert outcome.stdout.splitlines()[0] == "2.0"


def test_a_group_has_to_be_begun() -> None:
    program = "import torch.distributed as dist\nprint(dist.is_initialized())\ndist.get_rank()"
    outcome = run(program, 0)
    assert outcome.stdout == "False\n"
    assert "Default process group has not been initialized" in (outcome.error or "")


def test_spawned_ranks_run_one_after_the_other() -> None:
    program = """
import torch
import torch.multiprocessing as mp
def work(rank, word):
    print(rank, word, torch.zeros(1, device="cuda").device)
    torch.cuda.set_device(rank)
if __name__ == "__main__":
    mp.spawn(work, args=("go",), nprocs=2)
"""
    assert run(program, 2).stdout == "0 go cuda:0\n1 go cuda:0\n"
