"""The progress bar appears late, on stderr, and leaves nothing behind."""

from __future__ import annotations

import pytest

from devlint.cli.progress import progress


def run(times: list[float]) -> None:
    clock = iter([0.0, *times])
    with progress(True, clock=lambda: next(clock)) as tell:
        assert tell is not None
        for done, _ in enumerate(times, 1):
            tell(done, len(times))


def test_nobody_to_see_it() -> None:
    with progress(False) as tell:
        assert tell is None


def test_a_short_run_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    run([0.1, 0.5, 0.9])
    assert capsys.readouterr() == ("", "")


def test_a_longer_one_counts_its_files(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    run([0.5, 1.5])
    out, err = capsys.readouterr()
    assert out == ""
    assert "checking" in err
    assert "2/2" in err
