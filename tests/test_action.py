"""The GitHub Action: its steps, run as a runner would run them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
INSTALL, RUN = ACTION["runs"]["steps"][1:]


def step(script: str, environ: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a step's script as `shell: bash` does."""
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    environ = {**os.environ, **environ}
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)


def test_scripts_take_what_users_say_from_the_environment_only() -> None:
    for found in (INSTALL, RUN):
        assert "${{" not in found["run"]
    assert INSTALL["env"]["VERSION"] == "${{ inputs.version }}"
    assert RUN["env"]["ARGS"] == "${{ inputs.args }}"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the action runs in bash with the paths of Unix")
def test_installs_itself_and_annotates(tmp_path: Path) -> None:
    temp, project = tmp_path / "temp", tmp_path / "project"
    temp.mkdir()
    project.mkdir()
    (project / "a b.py").write_text("import torch\ntorch.zeros(3).to('cpu'\n")
    installed = step(
        INSTALL["run"],
        {"PYTHON": sys.executable, "VERSION": "", "SOURCE": str(ROOT), "RUNNER_TEMP": str(temp)},
        project,
    )
    assert installed.returncode == 0, installed.stderr
    environ = {**RUN["env"], "RUNNER_TEMP": str(temp)}

    found = step(RUN["run"], {**environ, "ARGS": "check 'a b.py'"}, project)
    assert found.returncode == 1, found.stderr
    assert found.stdout.startswith("::error title=devlint (DEV001 syntax-error),file=a b.py,line=")

    told = step(
        RUN["run"], {**environ, "ARGS": "check --exit-zero --output-format concise $(touch no)"}, project
    )
    assert told.returncode == 2
    assert not (project / "no").exists()
