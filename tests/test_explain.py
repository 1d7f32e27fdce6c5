"""From a traceback to what is known of its cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from devlint.explain import Story, story
from tests.tracing import PROGRAM

TRACEBACK = """\
Traceback (most recent call last):
  File "/elsewhere/project/net.py", line 25, in <module>
    print(net(moved) + batch)
  File "/elsewhere/project/net.py", line 14, in forward
    return x * self.mask
RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
"""


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Story:
    """The story of the traceback, in the project."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "devlint.toml").touch()
    (tmp_path / "net.py").write_text(PROGRAM)
    found = story(TRACEBACK)
    assert found is not None
    return found


def test_the_error_and_the_frames(told: Story) -> None:
    assert told.error.name == "same-device"
    assert [(place.path, place.row, place.function) for place in told.places] == [
        ("net.py", 25, "<module>"),
        ("net.py", 14, "forward"),
    ]


def test_the_values_on_the_lines(told: Story) -> None:
    names = [[bound.name for bound in place.glance.used] for place in told.places if place.glance]
    assert names == [["net", "moved", "batch"], ["x", "self.mask"]]
    meets = [[meet.what for meet in place.glance.meets] for place in told.places if place.glance]
    assert meets == [["a + b"], ["a * b"]]


def test_what_the_rules_find_there_the_likeliest_first(told: Story) -> None:
    assert [(found.name, found.start.row) for found in told.findings] == [
        ("unregistered-tensor", 10),
        ("unassigned-move", 22),
    ]


def test_causes_found_on_the_way_come_first_from_the_failure_outwards(told: Story) -> None:
    assert [([found.name for found in each.found], each.cause.rules[0]) for each in told.causes[:3]] == [
        (["unregistered-tensor"], "unregistered-tensor"),
        (["unassigned-move"], "unassigned-move"),
        ([], "input-not-moved"),
    ]


def test_what_is_found_elsewhere_in_the_file_changes_no_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "devlint.toml").touch()
    (tmp_path / "net.py").write_text(PROGRAM)
    found = story(TRACEBACK.replace("line 25", "line 18").replace("line 14", "line 9"))
    assert found is not None
    assert [each.name for each in found.findings] == ["unassigned-move", "unregistered-tensor"]
    assert tuple(each.cause for each in found.causes) == found.error.causes
    assert not any(each.found for each in found.causes)


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text("import torch\ndef (:\n")
    found = story(TRACEBACK)
    assert found is not None
    assert [place.glance for place in found.places] == [None, None]
    assert found.findings == ()


def test_a_message_alone_has_no_places() -> None:
    found = story("AssertionError: Torch not compiled with CUDA enabled")
    assert found is not None
    assert (found.error.name, found.places, found.findings) == ("no-cuda", (), ())


def test_no_error_of_devices() -> None:
    assert story("ValueError: too many values to unpack") is None


TRAIN = """\
import torch
from net import Net

def step(net, x):
    return net(x)

net = Net().cuda()
step(net, torch.ones(3).cuda())
step(net, torch.ones(3))
"""
NET = """\
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        return self.layer(x)
"""
MESSAGE = "RuntimeError: Expected all tensors to be on the same device, but found at least two devices"


def innermost(found: Story | None) -> list[tuple[str, str]]:
    """The values of the innermost frame and where they are."""
    assert found is not None
    seen = found.places[-1].glance
    assert seen is not None
    return [(bound.name, bound.spot.text) for bound in seen.used if bound.spot is not None]


def calls(*frames: tuple[str, int]) -> str:
    """A traceback."""
    lines = [f'  File "/elsewhere/{name}", line {row}, in f\n    ...\n' for name, row in frames]
    return "".join(["Traceback (most recent call last):\n", *lines, MESSAGE])


@pytest.mark.parametrize(("row", "place"), [(8, "cuda"), (9, "cpu")])
def test_inner_frames_know_what_the_outer_ones_gave_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: int, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "devlint.toml").touch()
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "net.py").write_text(NET)
    found = story(calls(("train.py", row), ("train.py", 5), ("net.py", 9)))
    assert innermost(found) == [("self.layer", "cuda"), ("x", place)]


def test_a_call_that_nobody_sees_says_nothing_of_its_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "devlint.toml").touch()
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "net.py").write_text(NET)
    found = story(calls(("train.py", 2), ("net.py", 9)))
    assert innermost(found) == [("self.layer", "wherever this Net is"), ("x", "wherever x is")]
