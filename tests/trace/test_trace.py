"""What a trace says of programs."""

from __future__ import annotations

import pytest

from devlint.trace import NoFunction, words
from tests.tracing import PROGRAM, told, traced

HEAD = "import torch\nfrom torch import nn\n"


def test_tensors_modules_devices_loaders_and_optimizers_but_no_numbers() -> None:
    assert told(PROGRAM) == [
        "9 self.layer: module cpu",
        "10 self.mask: tensor cpu",
        "12 x: tensor wherever x is",
        "12 x: tensor cuda | cpu without an accelerator",
        "13 x: tensor wherever this Net is",
        "13 x: tensor cuda | cpu without an accelerator",
        "17 device: device cuda | cpu without an accelerator",
        "18 net: module cpu -> cuda | cpu without an accelerator",
        "19 optimizer: optimizer cuda | cpu without an accelerator",
        "20 loader: loader cpu",
        "21 batch: tensor cpu",
        "22 batch: tensor cpu",
        "23 moved: tensor cpu -> cuda | cpu without an accelerator",
    ]


def test_where_devices_meet() -> None:
    found = [
        (meet.row, meet.what, meet.left.spot.text, meet.right.spot.text, meet.certain)
        for meet in traced().meets
    ]
    assert found == [
        (14, "a * b", "cuda", "cpu", True),
        (25, "a + b", "cuda", "cpu", True),
    ]


def test_a_meeting_that_depends_on_where_the_module_is() -> None:
    program = PROGRAM[: PROGRAM.index("device =")]
    (meet,) = traced(program).meets
    assert (meet.row, meet.left.spot.text, meet.right.spot.text) == (14, "wherever this Net is", "cpu")
    assert not meet.certain


def test_what_is_dropped_and_what_is_not_registered_is_noted() -> None:
    notes = {(b.row, b.name): b.note for line in traced().lines for b in line.bound if b.note}
    assert notes[22, "batch"] == "not moved: the result is dropped"
    assert notes[10, "self.mask"] == "not registered: it does not move with the module"


def test_what_a_module_registers() -> None:
    (state,) = traced().states
    assert (state.name, state.row) == ("Net", 6)
    assert [(held.name, held.detail, held.row) for held in state.registered] == [("layer", "Linear", 9)]
    assert [(held.name, held.kind, held.row) for held in state.left_behind] == [("mask", "tensor", 10)]


def test_buffers_are_registered() -> None:
    program = HEAD + (
        "class Net(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.register_buffer('mask', torch.ones(3))\n"
    )
    (state,) = traced(program).states
    assert [(held.name, held.row) for held in state.registered] == [("mask", 6)]
    assert told(program) == ["6 self.mask: tensor cpu"]


def test_a_module_that_is_moved_in_place() -> None:
    assert told(HEAD + "net = nn.Linear(2, 2)\nnet.cuda()\n") == [
        "3 net: module cpu",
        "4 net: module cpu -> cuda",
    ]


def test_the_trail_ends_before_the_line_itself() -> None:
    lines = traced(HEAD + "x = torch.ones(2)\ny = x.cuda()\nz = y + 1\n").lines
    assert [[hop.text for hop in line.bound[0].hops] for line in lines] == [
        [],
        ["created on the CPU here"],
        ["created on the CPU here", "moved here"],
    ]


def test_several_callers_are_told_apart_where_it_matters() -> None:
    program = HEAD + (
        "def f(x):\n    y = x + 1\n    return y\n\n\n"
        "f(torch.ones(2))\nf(torch.ones(3))\nf(torch.ones(2, device='cuda'))\n"
    )
    trace = traced(program, "f")
    found = [(b.spot.text, [c.row for c in b.callers]) for b in trace.lines[1].bound if b.spot]
    assert found == [("cpu", [8, 9]), ("cuda", [10])]


def test_one_way_needs_no_caller() -> None:
    trace = traced(HEAD + "def f(x):\n    y = x + 1\n    return y\n\n\nf(torch.ones(2))\n")
    assert [b.callers for line in trace.lines for b in line.bound] == [(), ()]


def test_what_is_unknown_says_why() -> None:
    program = HEAD + "from other import make\nx = make().float()\ny = torch.ones(2, device=make())\n"
    places = [b.spot.text for line in traced(program).lines for b in line.bound if b.spot]
    assert all(place.startswith("unknown: ") for place in places)


def test_a_checkpoint_is_where_it_was_saved() -> None:
    program = HEAD + "state = torch.load('a.pt')\n"
    assert told(program) == ["3 state: checkpoint unknown: loaded to where it was saved"]


def test_containers_say_what_they_hold() -> None:
    program = HEAD + "both = [torch.ones(2), torch.ones(2, device='cuda')]\nlayers = [nn.Linear(2, 2)]\n"
    assert told(program) == ["3 both: list of tensors cpu and cuda", "4 layers: list of modules cpu"]


@pytest.mark.parametrize("name", ["Net.forward", "forward"])
def test_a_function_alone(name: str) -> None:
    trace = traced(function=name)
    assert [line.row for line in trace.lines] == [12, 13, 14]
    assert trace.states == ()


def test_a_class_alone() -> None:
    trace = traced(function="Net")
    assert [line.row for line in trace.lines] == [9, 10, 12, 13, 14]
    assert [state.name for state in trace.states] == ["Net"]


def test_no_such_function() -> None:
    with pytest.raises(NoFunction) as caught:
        traced(function="fit")
    assert caught.value.known == ("Net", "Net.__init__", "Net.forward")


def test_the_lanes_begin_with_the_cpu_and_end_with_what_is_unknown() -> None:
    program = PROGRAM + "from other import make\nz = make().float()\nz = z.cpu() * z.backward()\n"
    lanes = [lane.lane for lane in traced(program).lanes]
    assert lanes[:2] == ["cpu", "cuda"]
    assert lanes[2:4] == ["with its module", "with the input"]


def test_a_file_that_has_nothing_to_do_with_devices() -> None:
    trace = traced("x = 1\n")
    assert (trace.lines, trace.states, trace.meets, trace.lanes) == ((), (), (), ())


def test_the_value_of_another_file_names_it(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.py").write_text("import torch\n\n\ndef make():\n    return torch.ones(3)\n")
    trace = traced(HEAD + "from data import make\nx = make()\n", path="main.py")
    (hop,) = trace.lines[0].bound[0].hops
    assert (hop.path, hop.row, hop.text) == ("data.py", 5, "created on the CPU here")


def test_what_meets_below_a_call_is_told_at_the_call(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text(
        HEAD + "class Net(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.layer = nn.Linear(3, 3)\n\n"
        "    def forward(self, x):\n"
        "        return self.layer(x)\n"
    )
    trace = traced(
        HEAD + "from net import Net\nnet = Net().cuda()\nprint(net(torch.ones(3)))\n", path="main.py"
    )
    (meet,) = trace.meets
    assert (meet.row, meet.what) == (5, "Linear(...)")
    assert meet.inside is not None
    assert (meet.inside.path, meet.inside.row) == ("net.py", 9)


def test_two_ways_through_one_call_are_told_apart_by_the_call_before_it() -> None:
    text = """\
import torch

def inner(x):
    y = x + 1
    return y

def outer(x):
    return inner(x)

outer(torch.ones(2))
outer(torch.ones(2, device="cuda"))
"""
    trace = traced(text, "inner")
    y = [bound for line in trace.lines for bound in line.bound if bound.name == "y"]
    assert [words.callers(trace, bound) for bound in y] == [
        "when called from line 8, and that from line 10",
        "when called from line 8, and that from line 11",
    ]


def test_the_call_before_is_told_where_another_way_holds_in_general() -> None:
    text = """\
import torch
from torch import nn

class Inner(nn.Module):
    def forward(self, x):
        return x + 1

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2)
        self.inner = Inner()

    def forward(self, x):
        return self.inner(self.first(x))

net = Outer()
net(torch.ones(2))
"""
    trace = traced(text, "Inner.forward")
    found = [(bound.spot.text, words.callers(trace, bound)) for bound in trace.lines[0].bound if bound.spot]
    assert ("cpu", "when called from line 15, and that from line 18") in found


def test_a_way_of_which_nothing_is_known_is_not_left_out() -> None:
    text = """\
import torch
def f(flag, thing, n):
    y = torch.ones(3) if flag else thing.make()
    z = y
    if n is None:
        z = 3
"""
    assert told(text)[1:] == ["4 z: tensor cpu if flag | unknown if not"]
    assert told("import torch\ndef f(flag):\n    x = 3 if flag else torch.ones(3)\n    return x\n") == [
        "3 x: tensor cpu"
    ]


def test_many_ways_say_each_place_once() -> None:
    text = """\
import torch
def f(a, b, c, thing):
    x = (torch.ones(3) if a else thing.p()) if b else (torch.ones(3, device="cuda") if c else thing.q())
"""
    assert told(text) == ["3 x: tensor cpu | unknown | cuda"]
