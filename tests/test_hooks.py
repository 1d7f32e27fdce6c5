"""The pre-commit hooks, run by the real pre-commit on a throw-away repository, from this checkout."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FAULTY = "import torch\n\nx = torch.zeros(3)\nx.to(torch.device('cpu', 0))  # noqa: DEV302\nprint(x)\n"
SHIPPED = (".pre-commit-hooks.yaml", "LICENSE", "README.md", "pyproject.toml", "src")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("pre_commit") is None and not os.environ.get("CI"),
        reason="pre-commit is not installed",
    ),
]

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def git(folder: Path, *args: str) -> str:
    """Run git, with nobody's configuration."""
    identity = ["-c", "user.name=devlint", "-c", "user.email=devlint@localhost", "-c", "commit.gpgsign=false"]
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", *identity, *args]
    return subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, check=True
    ).stdout.strip()


def committed(folder: Path) -> str:
    """Make a repository of a folder; its commit."""
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--no-verify", "-m", "all")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, Path]:
    """This checkout as a hook repository, its commit, and a home for pre-commit (one environment for all)."""
    folder = tmp_path_factory.mktemp("hooks")
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder, committed(folder), tmp_path_factory.mktemp("home")


@pytest.fixture
def project(tmp_path: Path, hooks: tuple[Path, str, Path]) -> Run:
    """A project of one faulty and one right file that uses the hooks: runs one of them on everything."""
    repository, commit, home = hooks
    (tmp_path / "train.py").write_text(FAULTY)
    (tmp_path / "right.py").write_text("import torch\n\nprint(torch.zeros(3))\n")
    (tmp_path / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {repository.as_posix()}\n  rev: {commit}\n"
        "  hooks:\n  - id: devlint\n  - id: devlint-fix\n"
    )
    committed(tmp_path)

    def run(hook: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never", hook]
        environ = {**os.environ, "PRE_COMMIT_HOME": str(home)}
        return subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)

    return run


def test_devlint_reports_and_changes_nothing(project: Run, tmp_path: Path) -> None:
    run = project("devlint")
    assert run.returncode == 1, run.stderr
    assert "error[DEV101 unassigned-move]: [*]" in run.stdout
    assert "train.py:4:1" in run.stdout
    assert "right.py" not in run.stdout
    assert (tmp_path / "train.py").read_text() == FAULTY


def test_devlint_fix_mends_once_and_then_passes(project: Run, tmp_path: Path) -> None:
    run = project("devlint-fix")
    assert run.returncode == 1, run.stderr
    assert "files were modified by this hook" in run.stdout
    assert (tmp_path / "train.py").read_text() == (
        "import torch\n\nx = torch.zeros(3)\nx = x.to(torch.device('cpu', 0))\nprint(x)\n"
    )
    for hook in ("devlint-fix", "devlint"):
        run = project(hook)
        assert run.returncode == 0, run.stdout + run.stderr


def test_excluded_files_are_left_alone_although_pre_commit_names_them(project: Run, tmp_path: Path) -> None:
    (tmp_path / "devlint.toml").write_text('extend-exclude = ["train.py"]\n')
    git(tmp_path, "add", "devlint.toml")
    run = project("devlint")
    assert run.returncode == 0, run.stdout + run.stderr
