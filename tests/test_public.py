"""The public names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import devlint


@pytest.mark.parametrize("name", devlint.__all__)
def test_every_name_is_there_and_documented(name: str) -> None:
    value = getattr(devlint, name)
    assert value.__doc__
    assert name in dir(devlint)
    assert value.__module__.startswith("devlint.")


def test_no_name_is_that_of_a_module() -> None:
    """Importing a module makes it an attribute of its package, which would hide the name."""
    folder = Path(devlint.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")} | {
        path.parent.name for path in folder.glob("*/*.py")
    }
    assert not modules & set(devlint.__all__)


def test_no_other_name_is() -> None:
    with pytest.raises(AttributeError, match="module 'devlint' has no attribute 'nonsense'"):
        _ = devlint.nonsense


def test_they_are_imported_late() -> None:
    program = "import sys, devlint; print([name for name in sys.modules if name.startswith('devlint.')])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_a_text_can_be_checked() -> None:
    text = "import torch\nx = torch.zeros(3)\nx.to(torch.device('cpu'))\nprint(x)\n"
    result = devlint.lint_text(text, "net.py", devlint.Settings())
    (found,) = result.diagnostics
    assert (found.code, found.path, found.start) == ("DEV101", "net.py", devlint.Position(3, 1))
    assert found.severity is devlint.Severity.ERROR


def test_files_can_be_checked_and_fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example of docs/api.md."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("import torch  # noqa: DEV101\n")
    resolver = devlint.Resolver(devlint.all_rules())
    found = devlint.find_files(["src"], resolver)
    assert [each.path for each in devlint.run_check(found, cache=False).results] == ["src/a.py"]
    (fixed,) = devlint.run_fix(found, write=True, cache=False)
    assert fixed.after == "import torch\n" == (tmp_path / "src" / "a.py").read_text()
