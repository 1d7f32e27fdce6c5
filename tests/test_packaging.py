"""What is installed, and what the project says of itself."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import devlint

ROOT = Path(__file__).resolve().parent.parent


def test_the_version_stands_in_one_place() -> None:
    assert metadata.version("devlint") == devlint.__version__


def test_the_program_is_installed() -> None:
    (script,) = metadata.entry_points(group="console_scripts", name="devlint")
    assert script.value == "devlint.cli.entry:main"


def test_only_what_is_needed_is_required() -> None:
    required = metadata.requires("devlint") or []
    names = {re.split(r"[^\w-]", line)[0] for line in required if "extra ==" not in line}
    assert names == {"click", "libcst", "pathspec", "rich", "tomli"}


def test_nothing_that_is_installed_imports_torch() -> None:
    program = (
        "import pkgutil, sys, devlint\n"
        "for module in pkgutil.walk_packages(devlint.__path__, 'devlint.'):\n"
        "    if module.name != 'devlint.__main__':\n"
        "        __import__(module.name)\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules} & {'torch', 'numpy'}))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (run.stdout, run.returncode) == ("\n", 0), run.stderr


def test_the_readme_starts_with_two_commands() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    commands = [line.strip() for line in lines[:12] if line.startswith("    ")]
    assert len(commands) == 2
    assert "devlint check examples/" in commands[0]
    assert "pytest" in commands[1]


def test_the_documentation_names_no_version_before_there_is_one() -> None:
    for name in ("README.md", "docs/ci.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert set(re.findall(r"devlint\n    rev: (\S+)", text)) == {"COMMIT"}
        assert set(re.findall(r"/devlint@(\S+)", text)) == {"COMMIT"}


def test_the_change_log_has_this_version() -> None:
    assert f"\n## {devlint.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
