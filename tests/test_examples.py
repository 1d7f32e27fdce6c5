"""The examples: what is found in them is committed (docs/build.py), and the fixed ones run anywhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def run(folder: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Train for an epoch, on this machine."""
    command = [sys.executable, str(folder / "train.py"), "--epochs", "1", "--batch-size", "128"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)


def test_the_mistakes_of_the_examples_are_all_found() -> None:
    found = {
        line.split()[1] for line in (EXAMPLES / "report.txt").read_text().splitlines() if ": DEV" in line
    }
    assert found >= {
        *("DEV101", "DEV104", "DEV201", "DEV202", "DEV204"),
        *("DEV301", "DEV302", "DEV304", "DEV501"),
    }


@pytest.mark.slow
def test_fixed_the_script_runs_without_a_gpu_and_before_it_does_not(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    fixed = run(EXAMPLES / "fixed", tmp_path)
    assert fixed.returncode == 0, fixed.stderr
    assert fixed.stdout.startswith("epoch 0: loss ")
    before = run(EXAMPLES, tmp_path)
    assert before.returncode != 0
    assert "CUDA" in before.stderr
