from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from devlint.baseline import Baseline, Entry, Mark, normalized
from devlint.config import ConfigError


def test_blanks_in_a_line_do_not_matter() -> None:
    assert normalized("\tx = a .to( d )  \n") == "x = a .to( d )"
    assert normalized("x  =  1") == normalized("    x = 1")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    marks = {"b.py": Counter({Mark("DEV101", "x.to(d)"): 2, Mark("DEV104", "é"): 1}), "a.py": Counter()}
    written = Baseline(file).with_files(marks)
    written.write()
    assert json.loads(file.read_text("utf-8")) == {
        "version": 1,
        "findings": {
            "b.py": [
                {"code": "DEV101", "line": "x.to(d)", "count": 2},
                {"code": "DEV104", "line": "é", "count": 1},
            ]
        },
    }
    assert Baseline.read(file).entries() == written.entries()
    assert written.entries() == [Entry("b.py", "DEV101", "x.to(d)", 2), Entry("b.py", "DEV104", "é", 1)]
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]


def test_paths_are_relative_to_the_file_of_the_baseline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    baseline = Baseline(tmp_path / "etc" / "old.json", {"../sub/a.py": Counter({Mark("DEV101", "x"): 1})})
    monkeypatch.chdir(tmp_path / "sub")
    assert baseline.key("a.py") == "../sub/a.py"
    assert baseline.old("a.py") == {Mark("DEV101", "x"): 1}
    assert baseline.old("b.py") == {}


def test_what_is_asked_for_can_be_changed_without_harm(tmp_path: Path) -> None:
    baseline = Baseline(tmp_path / "old.json", {"a.py": Counter({Mark("DEV101", "x"): 1})})
    baseline.old(str(tmp_path / "a.py")).clear()
    assert baseline.old(str(tmp_path / "a.py"))


def test_files_that_are_gone(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    baseline = Baseline(tmp_path / "old.json", {"a.py": Counter(), "b.py": Counter()})
    assert baseline.missing() == ["b.py"]


def test_a_name_that_is_no_text_is_written_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    Baseline(file, {"\udcff.py": Counter({Mark("DEV101", "x"): 1})}).write()
    assert "\\udcff.py" in file.read_text("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"version": 2, "findings": {}}',
        '{"version": 1}',
        '{"version": 1, "findings": []}',
        '{"version": 1, "findings": {"a.py": [1]}}',
        '{"version": 1, "findings": {"a.py": [{"code": "DEV101"}]}}',
        '{"version": 1, "findings": {"a.py": [{"code": "DEV101", "line": "x", "count": "many"}]}}',
    ],
)
def test_what_is_no_baseline_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "old.json"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"^[^\n]*old.json: not a baseline of devlint: [^\n]*$"):
        Baseline.read(file)


def test_a_baseline_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such baseline"):
        Baseline.read(tmp_path / "none.json")
    with pytest.raises(ConfigError, match="the baseline cannot be read"):
        Baseline.read(tmp_path)
    (tmp_path / "old.json").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="the baseline cannot be read"):
        Baseline.read(tmp_path / "old.json")


def test_nothing_is_left_behind_where_it_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "old.json").mkdir()
    with pytest.raises(OSError, match=r"old\.json"):
        Baseline(tmp_path / "old.json").write()
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]
