"""Documents: what is generated is fresh, all keys are told of, and the site builds."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from devlint.options import KEYS
from devlint.rules import all_rules

ROOT = Path(__file__).resolve().parents[2]


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_what_is_generated_is_what_devlint_says_now() -> None:
    command = [sys.executable, "docs/build.py", "--check"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.stdout, run.returncode) == ("", 0), "run `python docs/build.py`\n" + run.stderr


def test_every_key_of_the_configuration_is_told_of_once() -> None:
    assert sorted(re.findall(r"^### (.+)$", read("docs/configuration.md"), re.MULTILINE)) == sorted(KEYS)


def test_every_link_between_documents_leads_somewhere() -> None:
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]
    for document in documents:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document}: {target}"


def test_every_rule_has_its_page_under_the_fixed_headings() -> None:
    for rule in all_rules():
        headings = re.findall(r"^## (.+)$", read(f"docs/rules/{rule.name}.md"), re.MULTILINE)
        assert headings[:2] == ["What it does", "Why is this bad?"], rule.name


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("mkdocs") is None, reason="mkdocs is not installed (extra: docs)"
)
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    environ = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    run = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "site" / "rules" / "unassigned-move" / "index.html").is_file()


@pytest.mark.parametrize("number", [0, 1])
def test_the_examples_of_the_library_run(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("import torch  # noqa: DEV101\n")
    example = re.findall(r"```python\n(.*?)```", read("docs/api.md"), re.DOTALL)[number]
    exec(compile(example, "docs/api.md", "exec"), {})
    assert ("DEV101", "DEV002")[number] in capsys.readouterr().out
