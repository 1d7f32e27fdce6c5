"""The benchmark of what is known counts what it says it counts."""

from __future__ import annotations

from pathlib import Path

from benchmarks.known import Share, measured

FORWARD = """
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = x.unsqueeze(0)
        return y + torch.zeros(3, device=x.device)
"""

LOOP = """
import torch
from somewhere import fetch

for _ in range(3):
    a = torch.ones(2).cuda()
    b = fetch().unsqueeze(0)
    a.sum().backward()

for _ in range(3):
    c = torch.ones(2)
"""


def share(folder: Path, text: str) -> Share:
    (folder / "program.py").write_text(text, encoding="utf-8")
    return measured(folder)


def test_the_input_of_forward_is_known_to_be_where_it_is(tmp_path: Path) -> None:
    # x, x.unsqueeze(0); y, torch.zeros(), x, the sum
    assert share(tmp_path, FORWARD) == Share(known=6)


def test_only_loops_that_train_count(tmp_path: Path) -> None:
    # torch.ones(2), .cuda(), a, a.sum(); fetch() and what is made of it
    found = share(tmp_path, LOOP)
    assert (found.known, found.unknown) == (4, 2)


def test_shares() -> None:
    total = Share(known=6, unknown=2) + Share(known=2, unclear=10)
    assert (total.of_tensors, total.of_all) == (80.0, 40.0)
    assert Share().of_all == 0.0
