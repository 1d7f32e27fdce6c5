"""`--watch` runs once for each change."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from devlint.cli import modes
from devlint.cli.watch import PAUSE, Stamps, stamps, watch
from tests.cli.conftest import Devlint
from tests.cli.test_check import FAULTY, RIGHT


def test_runs_at_first_and_after_each_change(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("1")
    steps: Iterator[Callable[[], object]] = iter(
        [
            lambda: None,
            lambda: file.write_text("22"),
            lambda: None,
            lambda: os.utime(file, ns=(1, 1)),
            lambda: file.unlink(),
            lambda: None,
        ]
    )
    runs: list[str] = []

    def sleep(seconds: float) -> None:
        assert seconds == PAUSE
        step = next(steps, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    with pytest.raises(KeyboardInterrupt):
        watch(
            lambda: runs.append(file.read_text() if file.exists() else "gone"),
            lambda: stamps([str(file)]),
            sleep,
        )
    assert runs == ["1", "22", "22", "gone"]


def test_a_change_during_a_run_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("1")
    runs: list[str] = []

    def run() -> None:
        runs.append(file.read_text())
        if len(runs) == 1:
            file.write_text("22")

    def sleep(_: float) -> None:
        if len(runs) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watch(run, lambda: stamps([str(file)]), sleep)
    assert runs == ["1", "22"]


def test_a_new_file_is_a_change(tmp_path: Path) -> None:
    def look() -> Stamps:
        return stamps(str(path) for path in tmp_path.iterdir())

    before = look()
    (tmp_path / "new.py").touch()
    assert look() != before


def test_the_command(devlint: Devlint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault is mended; a configuration breaks, which ends nothing, and is mended."""
    file, config = tmp_path / "a.py", tmp_path / "devlint.toml"
    file.write_text(FAULTY)
    steps: Iterator[Callable[[], object]] = iter(
        [
            lambda: None,
            lambda: file.write_text(RIGHT),
            lambda: config.write_text("select = ["),
            lambda: config.write_text(""),
        ]
    )

    def sleep(_: float) -> None:
        step = next(steps, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    monkeypatch.setattr(modes, "watch", partial(watch, sleep=sleep))
    code, out, err = devlint("check", "--watch", "--output-format", "concise")
    assert code == 130
    words = [line.split()[0] for line in out.splitlines()]
    assert [word for word in words if word in ("a.py:5:1:", "All")] == ["a.py:5:1:", "All", "All"]
    lines = err.splitlines()
    assert lines.count("Watching for changes; Ctrl-C ends this.") == 4
    assert sum(line.startswith("error: devlint.toml: not valid TOML") for line in lines) == 1


def test_a_terminal_is_cleared_before_each_report(
    devlint: Devlint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text(RIGHT)

    def sleep(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(modes, "watch", partial(watch, sleep=sleep))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    _, out, _ = devlint("check", "--watch", "--color", "never")
    assert out == "\x1b[2J\x1b[HAll checks passed! 1 file checked.\n"
