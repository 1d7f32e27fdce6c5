"""Attributes of modules: buffers and containers."""

from __future__ import annotations

import textwrap

import pytest

from tests.fix.programs import changed, rewritten

MODULE = """
import torch
from torch import nn
class Net(nn.Module):
{extra}
    def __init__(self, n=2, names=()):
{before}
        super().__init__()
        self.first = nn.Linear(2, 2)
{init}
    def forward(self, x):
        x = self.first(x)
{forward}
        return x
"""


def module(init: str = "", forward: str = "", before: str = "", extra: str = "") -> str:
    def inside(text: str, by: int) -> str:
        return textwrap.indent(textwrap.dedent(text).strip("\n"), " " * by)

    return MODULE.format(
        init=inside(init, 8), forward=inside(forward, 8), before=inside(before, 8), extra=inside(extra, 4)
    )


@pytest.mark.parametrize(
    ("init", "expected"),
    [
        ("self.t = torch.ones(2)", ['self.register_buffer("t", torch.ones(2), persistent=False)']),
        (
            "self.t: torch.Tensor = torch.ones(2)  # c",
            ["self.t: torch.Tensor", 'self.register_buffer("t", torch.ones(2), persistent=False)  # c'],
        ),
        (
            "self.t = torch.tensor([\n    1.0,\n    2.0,\n])",
            ['self.register_buffer("t", torch.tensor([', "]), persistent=False)"],
        ),
        (
            "self.t = torch.tensor([0.485, 0.456, 0.406, 0.229, 0.224, 0.225]).view(2, 3)[0, 1:]",
            [
                "self.register_buffer(",
                '"t", torch.tensor([0.485, 0.456, 0.406, 0.229, 0.224, 0.225]).view(2, 3)[0, 1:], persistent=False',
                ")",
            ],
        ),
        # It is registered once, where it first comes.
        (
            "self.t = torch.ones(2)\nself.t = self.t / 2",
            ['self.register_buffer("t", torch.ones(2), persistent=False)'],
        ),
        (
            "if n:\n    self.t = torch.ones(2)\nelse:\n    self.t = torch.zeros(2)",
            [
                'self.register_buffer("t", torch.ones(2), persistent=False)',
                'self.register_buffer("t", torch.zeros(2), persistent=False)',
            ],
        ),
        # Forms that would need more than an edit.
        ("self.t = self.u = torch.ones(2)", []),
        ("self.t, self.u = torch.ones(2), torch.ones(2)", []),
        ("self.t = torch.ones(2) if n else 1.0", []),
    ],
)
def test_a_tensor_is_registered(init: str, expected: list[str]) -> None:
    assert changed(module(init, "x = x * self.t")) == expected


def test_a_placeholder_is_registered_in_the_place_of_what_comes_later() -> None:
    program = module("self.t = None", "if self.t is None:\n    self.t = torch.arange(2)\nx = x + self.t")
    assert changed(program) == [
        'self.register_buffer("t", None, persistent=False)',
        "self.t = torch.arange(2, device=x.device)",
    ]


def test_nothing_is_registered_before_the_module_is_initialised() -> None:
    assert changed(module("", "x = x * self.t", before="self.t = torch.ones(2)")) == []
    program = module(
        "", "for layer in self.layers:\n    x = layer(x)", before="self.layers = [nn.Linear(2, 2)]"
    )
    assert changed(program) == []


def test_a_name_that_the_class_has_cannot_be_registered() -> None:
    assert changed(module("self.t = torch.ones(2)", "x = x * self.t", extra="t = None")) == []


@pytest.mark.parametrize(
    ("init", "use", "expected"),
    [
        (
            "self.m = [nn.Linear(2, 2), nn.Linear(2, 2)]",
            "self.m[0](x)",
            ["self.m = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])"],
        ),
        (
            "self.m = [nn.Linear(2, 2) for _ in range(n)]",
            "self.m[0](x)",
            ["self.m = nn.ModuleList([nn.Linear(2, 2) for _ in range(n)])"],
        ),
        (
            "self.m = nn.Linear(2, 2), nn.Linear(2, 2)",
            "self.m[0](x)",
            ["self.m = nn.ModuleList((nn.Linear(2, 2), nn.Linear(2, 2)))"],
        ),
        (
            "self.m = []\nfor _ in range(n):\n    self.m.append(nn.Linear(2, 2))",
            "self.m[0](x)",
            ["self.m = nn.ModuleList()"],
        ),
        ("self.m = []\nself.m += [nn.Linear(2, 2)]", "self.m[0](x)", ["self.m = nn.ModuleList()"]),
        (
            "layers = [nn.Linear(2, 2)]\nlayers.append(nn.Linear(2, 2))\nself.m = layers",
            "self.m[0](x)",
            ["self.m = nn.ModuleList(layers)"],
        ),
        (
            "self.m = {'a': nn.Linear(2, 2)}",
            "self.m['a'](x)",
            ["self.m = nn.ModuleDict({'a': nn.Linear(2, 2)})"],
        ),
        (
            "self.m = {k: [nn.Linear(2, 2)] for k in names}",
            "self.m['a'][0](x)",
            ["self.m = nn.ModuleDict({k: nn.ModuleList([nn.Linear(2, 2)]) for k in names})"],
        ),
        (
            "self.m: list[nn.Module] = [nn.Linear(2, 2)]",
            "self.m[0](x)",
            ["self.m: nn.ModuleList = nn.ModuleList([nn.Linear(2, 2)])"],
        ),
        (
            "self.m = list(nn.Linear(2, 2) for _ in range(n))",
            "self.m[0](x)",
            ["self.m = nn.ModuleList(nn.Linear(2, 2) for _ in range(n))"],
        ),
        # What the registering containers cannot do, or hold.
        ("self.m = [nn.Linear(2, 2), 'x']", "self.m[0](x)", []),
        ("self.m = [(nn.Linear(2, 2), 1)]", "self.m[0][0](x)", []),
        ("self.m = {0: nn.Linear(2, 2)}", "self.m[0](x)", []),
        ("self.m = {'a.b': nn.Linear(2, 2)}", "self.m['a.b'](x)", []),
        ("self.m = {i: nn.Linear(2, 2) for i in range(n)}", "self.m[0](x)", []),
        ("self.m = {'a': nn.Linear(2, 2)}", "self.m.get('a')(x)", []),
        ("self.m = [nn.Linear(2, 2)]\nself.m.reverse()", "self.m[0](x)", []),
        ("m = [nn.Linear(2, 2)]\nself.m = m\nm.append(nn.Linear(2, 2))", "self.m[0](x)", []),
    ],
)
def test_modules_are_registered(init: str, use: str, expected: list[str]) -> None:
    assert changed(module(init, f"x = {use}")) == expected


def test_the_container_is_written_as_the_file_writes_torch() -> None:
    program = """
        import torch
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.m = [torch.nn.Linear(2, 2)]
            def forward(self, x):
                return self.m[0](x)
        """
    assert changed(program) == ["self.m = torch.nn.ModuleList([torch.nn.Linear(2, 2)])"]


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ("torch.zeros(2)", True),
        ("torch.zeros(2, requires_grad=True)", True),
        ("[1.0, 2.0]", False),
        ("0.5", False),
        ("np.zeros(2)", False),
        ("torch.zeros(2).numpy()", False),
        ("torch.zeros(2).tolist()", False),
        ("torch.zeros(2) if given is None else 1.0", False),
        ("list(given)", False),
    ],
)
def test_nothing_is_registered_if_another_method_stores_what_is_no_tensor(value: str, fits: bool) -> None:
    program = module(
        "self.t = torch.ones(2)",
        "x = x * self.t",
        extra=f"def load(self, given=None):\n    import numpy as np\n    self.t = {value}",
    )
    assert bool(changed(program)) is fits


def test_a_module_that_was_not_moved_is_reported_once_its_tensor_is_registered() -> None:
    program = module("self.t = torch.ones(2)", "x = x * self.t").replace("self.first(x)", "x")
    program += (
        'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n'
        "net = Net()\n"
        "net(torch.ones(2, device=device))\n"
    )
    done = rewritten(program)
    assert [found.code for found in done.fixed] == ["DEV301"]
    assert [found.code for found in done.remaining.diagnostics] == ["DEV402"]
    assert done.dropped == ()


@pytest.mark.parametrize(("extra", "buffers"), [("", 2), ("def reset(self):\n    self.center = 0.5", 0)])
def test_two_that_stay_behind_become_buffers_together_or_not_at_all(extra: str, buffers: int) -> None:
    # Where `center` is no parameter, both are on the CPU and agree: one buffer would part them.
    init = """
        self.center = torch.linspace(0, 1, n)
        if names:
            self.center = nn.Parameter(self.center)
        self.freqs = torch.linspace(0, 1, n)
    """
    text = module(init, "x = x * (self.freqs - self.center).to(x.device)", extra=extra)
    assert "".join(changed(text)).count("self.register_buffer(") == buffers
