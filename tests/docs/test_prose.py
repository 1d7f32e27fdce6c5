"""What users copy from the documents works: commands, YAML, configuration."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from devlint.cli.app import COMMANDS
from devlint.config import load
from devlint.rules import all_rules

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
PROSE = [
    ROOT / "README.md",
    *sorted(path for path in (ROOT / "docs").glob("*.md") if path.name != "commands.md"),
]
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in PROSE)


def commands() -> list[str]:
    """All lines that call devlint: in blocks, after `run:` and `-`, and in text."""
    lines = re.findall(r"^ +(?:- )?(?:run: |script: )?(devlint [a-z].*)$", TEXT, re.MULTILINE)
    spans = re.findall(r"`(devlint [a-z][^`]*)`", TEXT)
    return sorted({re.sub(r" +#.*| \|.*", "", line) for line in [*lines, *spans]})


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_there_is_something_to_test() -> None:
    assert len(commands()) > 20
    assert len(blocks("yaml")) > 6
    assert len(blocks("toml")) > 1


@pytest.mark.parametrize("line", commands())
def test_every_command_is_one(line: str) -> None:
    name, *args = shlex.split(line)[1:]
    command = COMMANDS[name]()
    assert isinstance(command.make_context(name, args), click.Context)


@pytest.mark.parametrize("block", blocks("yaml"))
def test_every_hook_and_action_is_one(block: str) -> None:
    found: Any = yaml.safe_load(block)
    hooks = {
        hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    }
    inputs = set(yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"])
    if isinstance(found, dict) and "repos" in found:
        ours = [repo for repo in found["repos"] if repo["repo"].endswith("/devlint")]
        assert {hook["id"] for repo in ours for hook in repo["hooks"]} <= hooks
    for step in _steps(found):
        if str(step.get("uses", "")).startswith("OWNER/devlint@"):
            assert set(step.get("with", {})) <= inputs


def _steps(found: Any) -> list[dict[str, Any]]:
    if isinstance(found, dict):
        inside = [step for value in found.values() for step in _steps(value)]
        return [found, *inside] if "uses" in found else inside
    return [step for value in found for step in _steps(value)] if isinstance(found, list) else []


@pytest.mark.parametrize("block", blocks("toml"))
def test_every_configuration_is_one(block: str, tmp_path: Path) -> None:
    assert "devlint" in tomllib.loads(block)["tool"]
    (tmp_path / "pyproject.toml").write_text(block)
    assert load(tmp_path / "a.py", all_rules()).source == tmp_path / "pyproject.toml"
