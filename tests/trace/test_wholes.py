"""Modules are where their parts were made."""

from __future__ import annotations

from tests.tracing import told

HEAD = """\
import torch
from torch import nn
class Inner(nn.Module):
    def __init__(self, device=None):
        super().__init__()
        self.layer = nn.Linear(2, 2, device=device)
        self.act = nn.ReLU()
class Outer(nn.Module):
    def __init__(self, device=None):
        super().__init__()
        self.inner = Inner(device)
        self.head = nn.Linear(2, 2)
"""


def after(text: str) -> list[str]:
    """What is told of lines below these classes."""
    return [line.partition(" ")[2] for line in told(HEAD + text) if int(line.partition(" ")[0]) > 12]


def test_a_module_is_where_its_parts_are() -> None:
    assert after('a = Inner("cuda")\n') == ["a: module cuda"]
    assert after("a = Inner()\n") == ["a: module cpu"]
    assert after('a = Outer("cuda")\n') == ["a: module cuda and cpu"]
    assert after('a = nn.Sequential(nn.Linear(2, 2, device="cuda"), nn.ReLU())\n') == ["a: module cuda"]
    assert "11 self.inner: module device" in told(HEAD)


def test_moves_start_there() -> None:
    assert after('a = Inner("cuda")\na.cpu()\n') == ["a: module cuda", "a: module cuda -> cpu"]
    assert after('a = Inner()\na.to("cuda")\n') == ["a: module cpu", "a: module cpu -> cuda"]
    moved = after('a = nn.Sequential(nn.Linear(2, 2))\na.to("cuda")\n')
    assert moved == ["a: module cpu", "a: module cpu -> cuda"]


def test_a_part_of_what_was_moved_is_not_where_it_was_made() -> None:
    found = after('a = Outer("cuda")\na.cpu()\nb = a.inner\n')
    assert found[-1] == "b: module unknown: nothing says where"


def test_a_loss_is_where_its_weights_are() -> None:
    assert after('a = nn.CrossEntropyLoss(weight=torch.ones(2).to("cuda"))\n') == ["a: module cuda"]
    assert after("a = nn.CrossEntropyLoss(weight=torch.ones(2))\n") == ["a: module cpu"]
    moved = after('a = nn.CrossEntropyLoss(weight=torch.ones(2))\na.to("cuda")\n')
    assert moved == ["a: module cpu", "a: module cpu -> cuda"]
