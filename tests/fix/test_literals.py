"""What stands in the place of a device string."""

from __future__ import annotations

import pytest

from tests.fix.programs import changed

CUDA = '"cuda" if torch.cuda.is_available() else "cpu"'


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        # Where the string is defined, it gets a fallback.
        ('import torch\nd = torch.device("cuda")\n', [f"d = torch.device({CUDA})"]),
        (
            "import torch\nd = torch.device('cuda:1')\n",
            ["d = torch.device('cuda:1' if torch.cuda.is_available() else 'cpu')"],
        ),
        ('import torch\nd = "cuda"\nx = torch.zeros(1, device=d)\n', [f"d = {CUDA}"]),
        (
            'import torch\ndef f(d=None):\n    d = d or "cuda"\n    return torch.zeros(1, device=d)\n',
            [f"d = d or ({CUDA})"],
        ),
        (
            'import torch\nd = torch.device("mps")\n',
            ['d = torch.device("mps" if torch.backends.mps.is_available() else "cpu")'],
        ),
        # xpu.is_available is newer than the oldest torch that a project may have.
        ('import torch\nd = torch.device("xpu")\n', []),
        # Which of several cards it is was chosen elsewhere, or is chosen here.
        ('import torch\nd = torch.device("cuda", 1)\n', []),
        # Where it is used up, the variable that is there, or a new one.
        (
            f'import torch\nd = torch.device({CUDA})\nx = torch.zeros(1, device="cuda")\n',
            ["x = torch.zeros(1, device=d)"],
        ),
        (
            'import torch\nx = torch.zeros(1, device="cuda")\ny = torch.ones(1).to("cuda")\n',
            [
                f"device = torch.device({CUDA})",
                "x = torch.zeros(1, device=device)",
                "y = torch.ones(1, device=device)",
            ],
        ),
        (
            'import torch\nx = torch.zeros(1).to(torch.device("cuda"))\nprint(x.to(torch.device("cuda:0")))\n',
            [
                f"device = torch.device({CUDA})",
                "x = torch.zeros(1, device=device)",
                "print(x.to(device))",
            ],
        ),
        (
            "import torch, helpers\n"
            'a = helpers.put(torch.device("cuda"))\n'
            "def f(d=torch.device('cuda')):\n    return torch.zeros(1, device=d)\n",
            [
                f"device = torch.device({CUDA})",
                "a = helpers.put(device)",
                "def f(d=None):",
                "if d is None:",
                "d = torch.device('cuda' if torch.cuda.is_available() else 'cpu')",
            ],
        ),
        # Command lines and records.
        (
            'import argparse, torch\np = argparse.ArgumentParser()\np.add_argument("--device", default="cuda")\n'
            "a = p.parse_args()\nx = torch.zeros(1, device=a.device)\n",
            [f'p.add_argument("--device", default={CUDA})'],
        ),
        (
            "import torch\nfrom dataclasses import dataclass\n@dataclass\nclass C:\n"
            '    device: str = "cuda"\nx = torch.zeros(1, device=C().device)\n',
            [f"device: str = {CUDA}"],
        ),
    ],
)
def test_a_string_gets_a_fallback_or_gives_way_to_a_variable(program: str, expected: list[str]) -> None:
    assert changed(program) == expected


def test_a_default_argument_is_filled_in() -> None:
    program = '''
        import torch
        def f(n, device=torch.device("cuda")):
            """Docs."""
            return torch.zeros(n, device=device)
        '''
    assert changed(program) == [
        "def f(n, device=None):",
        "if device is None:",
        f"device = torch.device({CUDA})",
    ]


@pytest.mark.parametrize(
    ("imports", "annotation", "parameter"),
    [
        ("import os", ": str | None", ": str | None = None"),
        ("from typing import Optional", ": Optional[str]", ": Optional[str] = None"),
        ("from typing import Optional", ": str", ": Optional[str] = None"),
        ("import typing", ": str", ": typing.Optional[str] = None"),
        ("from __future__ import annotations", ": str", ": str | None = None"),
        ("import os", ": str", f": str = {CUDA}"),
    ],
)
def test_an_annotation_says_that_there_may_be_none(imports: str, annotation: str, parameter: str) -> None:
    program = f"""
        {imports}
        import torch
        def f(n, device{annotation} = "cuda"):
            return torch.zeros(n, device=device)
        """
    assert changed(program)[0] == f"def f(n, device{parameter}):"


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("CUDA", "cuda"),
        ("gpu", "cuda"),
        ("GPU:1", "cuda:1"),
        ("cuda0", "cuda:0"),
        ("cuda: 0", "cuda:0"),
        ("cuda:01", "cuda:1"),
    ],
)
def test_what_a_rejected_string_means(wrong: str, right: str) -> None:
    program = f"""
        import torch
        if torch.cuda.is_available():
            d = torch.device("{wrong}")
        """
    assert changed(program, unsafe=False) == [f'd = torch.device("{right}")']


def test_a_rejected_string_gets_its_fallback_at_once() -> None:
    assert changed('import torch\nd = torch.device("GPU")\n', unsafe=False) == [f"d = torch.device({CUDA})"]
    assert changed('import torch\nd = torch.device("CPU")\n', unsafe=False) == ['d = torch.device("cpu")']


@pytest.mark.parametrize("text", ["auto", "tpu", "", "cuda:-1", "cuda,cpu"])
def test_what_is_meant_by_others_is_not_guessed(text: str) -> None:
    assert changed(f'import torch\nd = torch.device("{text}")\n') == []


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("torch.load(p)", 'torch.load(p, map_location="cpu")'),
        ("torch.load(p, None)", 'torch.load(p, "cpu")'),
        ('torch.load(p, "cuda:1")', 'torch.load(p, "cpu")'),
        ("torch.load(p, map_location='cuda')", "torch.load(p, map_location='cpu')"),
        ("torch.load(p, weights_only=True)", 'torch.load(p, weights_only=True, map_location="cpu")'),
        ("load(p)", 'load(p, map_location="cpu")'),
    ],
)
def test_a_load_goes_to_the_cpu(call: str, expected: str) -> None:
    program = f"""
        import functools
        import torch
        load = functools.partial(torch.load, weights_only=True)
        def read(p):
            return {call}
        """
    assert changed(program) == [f"return {expected}"]


def test_a_load_goes_to_the_device_in_scope() -> None:
    program = """
        import torch
        def read(p, device):
            model = torch.nn.Linear(2, 2).to(device)
            model.load_state_dict(torch.load(p))
            return model
        """
    assert changed(program) == ["model.load_state_dict(torch.load(p, map_location=device))"]


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ('x.device == "cuda"', 'x.device.type == "cuda"'),
        ('"cuda" != x.device', '"cuda" != x.device.type'),
        ('x.device in ("cuda", "mps")', 'x.device.type in ("cuda", "mps")'),
        ('x.device == "cuda:0"', 'x.device == torch.device("cuda:0")'),
        ('x.device in ["cuda:0"]', 'x.device in [torch.device("cuda:0")]'),
        ('x.device in ("cuda", "cuda:0")', None),
        ('x.device == "pinned"', None),
    ],
)
def test_a_comparison_with_a_string(test: str, expected: str | None) -> None:
    program = f"""
        import torch
        def f(x: torch.Tensor):
            return {test}
        """
    assert changed(program, unsafe=False) == ([] if expected is None else [f"return {expected}"])
