"""`devlint clean` removes what devlint made, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Devlint


def test_caches_here_and_below(devlint: Devlint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEVLINT_NO_CACHE")
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "devlint.toml").touch()
    (tmp_path / "pkg" / "a.py").write_text("import torch\n")
    (tmp_path / "b.py").write_text("import torch\n")
    devlint("check")
    assert (tmp_path / ".devlint_cache").is_dir()
    assert (tmp_path / "pkg" / ".devlint_cache").is_dir()
    code, out, err = devlint("clean")
    assert (code, out) == (0, "")
    assert sorted(err.splitlines()) == ["Removed .devlint_cache", f"Removed {Path('pkg', '.devlint_cache')}"]
    assert not list(tmp_path.rglob(".devlint_cache"))
    assert (tmp_path / "b.py").exists()


def test_a_folder_of_that_name_that_is_none_stays(devlint: Devlint, tmp_path: Path) -> None:
    (tmp_path / ".devlint_cache").mkdir()
    assert devlint("clean", str(tmp_path)) == (0, "", "No cache here.\n")
    assert (tmp_path / ".devlint_cache").is_dir()


def test_no_such_folder(devlint: Devlint) -> None:
    assert devlint("clean", "gone").code == 2
