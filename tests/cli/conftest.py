"""devlint, run in the test's own folder."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from devlint import links
from devlint.cli.entry import main


class Ended(NamedTuple):
    """How a run ended."""

    code: int
    out: str
    err: str


Devlint = Callable[..., Ended]


@pytest.fixture
def devlint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Devlint:
    """Run the program with these arguments, in a folder where nothing is, without a cache."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DEVLINT_NO_CACHE", "1")
    for name in ("DEVLINT_OUTPUT_FORMAT", "DEVLINT_OUTPUT_FILE", "DEVLINT_CACHE_DIR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(links, "addresses", dict)
    # A repository around the folder would be asked what it ignores, its configuration what it says.
    (tmp_path / ".git").mkdir()
    (tmp_path / "devlint.toml").touch()

    def run(*args: str, stdin: bytes = b"") -> Ended:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = main(list(args))
        return Ended(code, *capsys.readouterr())

    return run
