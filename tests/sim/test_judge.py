"""The judge as a tool: what it says of a program's end, and that programs do not meet."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.sim import Outcome, run

ROOT = Path(__file__).parents[2]
MIXED = "import torch\nprint('begun')\ntorch.ones(2).cuda() + torch.ones(2)\n"


def test_an_outcome_says_what_was_printed_and_why_it_ended() -> None:
    outcome = run(MIXED, 1)
    assert not outcome.ok
    assert outcome.stdout == "begun\n"
    assert outcome.error == (
        "RuntimeError: Expected all tensors to be on the same device, "
        "but found at least two devices, cuda:0 and cpu! (when checking arguments of add)"
    )


@pytest.mark.parametrize(
    ("program", "error"),
    [
        ("raise SystemExit", None),
        ("raise SystemExit(0)", None),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("assert False, 'a\\nb'", "AssertionError: a b"),
        ("import os; os._exit(0)", "ProcessError: the program ended its process"),
        ("x = (", "SyntaxError: "),
    ],
)
def test_how_programs_end(program: str, error: str | None) -> None:
    outcome = run(program, 1)
    assert outcome.ok == (error is None)
    assert (outcome.error or "").startswith(error or "")


def test_a_program_without_end_is_ended() -> None:
    assert run("while True: pass", 0, timeout=0.5).error == "TimeoutError: no end after 0.5 s"


def test_programs_do_not_meet() -> None:
    assert run(
        "import torch, os\ntorch.marker = 1\nos.environ['MARKER'] = '1'\ntorch.cuda.set_device(1)", 2
    ).ok
    after = run(
        "import torch, os\nprint(hasattr(torch, 'marker'), 'MARKER' in os.environ, torch.cuda.current_device())",
        2,
    )
    assert after.stdout == "False False 0\n"


def test_programs_are_seeded_alike() -> None:
    program = "import random, numpy, torch\nprint(random.random(), numpy.random.rand(), torch.rand(1).item())"
    assert run(program, 0).stdout == run(program, 1).stdout == run(program, 0).stdout


def test_a_program_of_several_files_runs_in_its_folder() -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/part.py": "X = 3",
        "run.py": "from pkg.part import X\nprint(X, __name__)",
    }
    assert run(files, 0, main="run.py") == Outcome(True, None, "3 __main__\n")


def test_arguments_and_the_environment_of_a_rank() -> None:
    program = "import os, sys\nprint(sys.argv[1:], os.environ['RANK'], os.environ['LOCAL_RANK'], os.environ['WORLD_SIZE'])"
    assert run(program, 2, rank=1, world=2, argv=["--epochs", "1"]).stdout == "['--epochs', '1'] 1 1 2\n"
    assert run(program, 2, rank=3, world=4).stdout == "[] 3 1 4\n"
    assert run(program, 0, rank=3, world=4).stdout == "[] 3 3 4\n"


@pytest.mark.parametrize(("gpus", "code"), [(0, 1), (1, 1)])
def test_the_command_ends_with_the_error(tmp_path: Path, gpus: int, code: int) -> None:
    program = tmp_path / "mixed.py"
    program.write_text(MIXED)
    command = [sys.executable, "-m", "tests.sim", "--gpus", str(gpus), str(program)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert ended.returncode == code
    assert ended.stdout == "begun\n"
    last = "at least two devices" if gpus else "Torch not compiled with CUDA enabled"
    assert last in ended.stderr.splitlines()[-1]


def test_the_command_ends_well(tmp_path: Path) -> None:
    program = tmp_path / "right.py"
    program.write_text(
        "import sys, torch\nnet = torch.nn.Linear(2, 2).cuda()\n"
        "torch.optim.Adam(net.parameters()).step()\nprint(sys.argv[1:])"
    )
    command = [sys.executable, "-m", "tests.sim", str(program), "--flag"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (ended.returncode, ended.stdout) == (0, "['--flag']\n"), ended.stderr
