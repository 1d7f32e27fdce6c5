"""A program to trace, and its trace."""

from __future__ import annotations

from devlint.syntax.source import Source
from devlint.trace import Trace, trace_source

PROGRAM = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.mask = torch.ones(3)

    def forward(self, x):
        x = self.layer(x)
        return x * self.mask


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Net().to(device)
optimizer = torch.optim.Adam(net.parameters())
loader = DataLoader(TensorDataset(torch.ones(8, 3)))
for (batch,) in loader:
    batch.to(device)
    moved = batch.to(device)
    count = 3
    print(net(moved) + batch)
"""


def traced(text: str = PROGRAM, function: str | None = None, path: str = "net.py") -> Trace:
    """The trace of a program."""
    return trace_source(Source.from_text(path, text), (".",), function)


def told(text: str, function: str | None = None) -> list[str]:
    """What is bound: the row, the name, the kind, the place."""
    return [
        f"{bound.row} {bound.name}: {bound.kind}"
        + (f" {bound.before.text} ->" if bound.before else "")
        + (f" {bound.spot.text}" if bound.spot else "")
        for line in traced(text, function).lines
        for bound in line.bound
    ]
