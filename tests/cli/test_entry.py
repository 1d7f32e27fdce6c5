"""`devlint --version` must cost next to nothing, and `python -m devlint` must work."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

import devlint
from devlint.cli.entry import main


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_version(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([flag]) == 0
    assert capsys.readouterr().out == f"devlint {devlint.__version__}\n"


def test_version_imports_nothing_beyond_the_entry_point() -> None:
    program = "import sys; from devlint.cli.entry import main; main(['--version']); print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    ours = {module for module in modules.split() if module.split(".")[0] == "devlint"}
    assert ours == {"devlint", "devlint.cli", "devlint.cli.entry"}
    assert not {"click", "rich", "libcst", "pathspec"} & set(modules.split())


def test_version_takes_at_most_four_times_as_long_as_nothing() -> None:
    def fastest(*args: str) -> float:
        times = []
        for _ in range(8):
            start = time.perf_counter()
            subprocess.run([sys.executable, *args], capture_output=True, check=True)
            times.append(time.perf_counter() - start)
        return min(times)

    assert fastest("-m", "devlint", "--version") <= 4 * fastest("-c", "pass")


def test_python_m() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "devlint", "nonsense"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert "No such command 'nonsense'" in run.stderr
