from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

import devlint
from devlint import cache as cache_module
from devlint.cache import Cache
from devlint.config import Settings
from devlint.diagnostic import Failure
from devlint.lint import Reading
from devlint.selectors import Selection
from devlint.suppress import parse
from tests.fakes import MARK, RULES, fake_engine

DATA = MARK.encode() + b"bad101()\n"


@pytest.fixture
def reading() -> Reading:
    return fake_engine(("/none",)).read("a.py", DATA, Settings())


def entries(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.json"))


def test_what_was_put_is_found_by_another(tmp_path: Path, reading: Reading) -> None:
    assert reading.raw
    Cache(tmp_path / "c", RULES).put("a.py", DATA, Settings(), reading)
    assert Cache(tmp_path / "c", RULES).get("a.py", DATA, Settings()) == reading


def test_the_folder_is_marked(tmp_path: Path, reading: Reading) -> None:
    Cache(tmp_path / "x" / "c", RULES).put("a.py", DATA, Settings(), reading)
    assert (
        (tmp_path / "x/c/CACHEDIR.TAG")
        .read_text()
        .startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    )
    assert (tmp_path / "x/c/.gitignore").read_text().splitlines()[-1] == "*"


def test_a_tag_that_is_there_is_left_alone(tmp_path: Path, reading: Reading) -> None:
    (tmp_path / ".gitignore").write_text("mine")
    Cache(tmp_path, RULES).put("a.py", DATA, Settings(), reading)
    assert (tmp_path / ".gitignore").read_text() == "mine"


@pytest.mark.parametrize(
    ("path", "data", "settings"),
    [
        ("b.py", DATA, Settings()),
        ("a.py", DATA + b"\n", Settings()),
        ("a.py", DATA, Settings(selections=(Selection(ignore=("DEV104",)),))),
        ("a.py", DATA, Settings(device_idiom="accelerator")),
        ("a.py", DATA, Settings(target_torch=(2, 9))),
        ("a.py", DATA, Settings(device_types=("npu",))),
        ("a.py", DATA, Settings(respect_suppressions=False)),
    ],
)
def test_another_file_text_or_setting_is_another_reading(
    tmp_path: Path, reading: Reading, path: str, data: bytes, settings: Settings
) -> None:
    cache = Cache(tmp_path, RULES)
    cache.put("a.py", DATA, Settings(), reading)
    assert cache.get(path, data, settings) is None
    assert cache.get("a.py", DATA, Settings()) is not None


def test_settings_that_do_not_change_what_is_found_do_not_matter(tmp_path: Path, reading: Reading) -> None:
    cache = Cache(tmp_path, RULES)
    cache.put("a.py", DATA, Settings(), reading)
    assert cache.get("a.py", DATA, Settings(unsafe_fixes=True, output_format="json", fix=True)) is not None


def test_another_version_or_another_state_of_the_sources_forgets(
    tmp_path: Path, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    Cache(tmp_path, RULES).put("a.py", DATA, Settings(), reading)
    with monkeypatch.context() as patch:
        patch.setattr(devlint, "__version__", "99")
        assert Cache(tmp_path, RULES).get("a.py", DATA, Settings()) is None
    with monkeypatch.context() as patch:
        patch.setattr(cache_module, "_own_print", lambda: "other")
        assert Cache(tmp_path, RULES).get("a.py", DATA, Settings()) is None
    assert Cache(tmp_path, RULES).get("a.py", DATA, Settings()) is not None


def test_what_runs_leave_in_a_folder_is_no_change(tmp_path: Path, reading: Reading) -> None:
    folder = tmp_path / "pkg"
    folder.mkdir()
    reading = replace(reading, dependencies=(str(folder),))
    Cache(tmp_path / "c", RULES).put("a.py", DATA, Settings(), reading)
    for name in ("__pycache__", ".pytest_cache", "notes.txt"):
        (folder / name).mkdir()
    assert Cache(tmp_path / "c", RULES).get("a.py", DATA, Settings()) is not None


@pytest.mark.parametrize("change", ["edit", "remove", "add a neighbour"])
def test_a_reading_is_as_old_as_what_it_depends_on(tmp_path: Path, reading: Reading, change: str) -> None:
    folder = tmp_path / "pkg"
    folder.mkdir()
    other = folder / "other.py"
    other.write_text("x = 1\n")
    reading = replace(reading, dependencies=(str(other), str(folder)))
    Cache(tmp_path / "c", RULES).put("a.py", DATA, Settings(), reading)
    assert Cache(tmp_path / "c", RULES).get("a.py", DATA, Settings()) == reading
    if change == "edit":
        other.write_text("x = 2\n")
    elif change == "remove":
        other.unlink()
    else:
        (folder / "third.py").touch()
    assert Cache(tmp_path / "c", RULES).get("a.py", DATA, Settings()) is None


def test_a_dependency_that_appears_is_a_change(tmp_path: Path, reading: Reading) -> None:
    other = tmp_path / "other.py"
    reading = replace(reading, dependencies=(str(other),))
    Cache(tmp_path / "c", RULES).put("a.py", DATA, Settings(), reading)
    assert Cache(tmp_path / "c", RULES).get("a.py", DATA, Settings()) is not None
    other.touch()
    assert Cache(tmp_path / "c", RULES).get("a.py", DATA, Settings()) is None


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c", RULES)
    cache.put("a.py", DATA, Settings(), Reading("a.py", checked=False, failure=Failure("a.py", "no")))
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[1, 2]", b"[1, 2, 3]", b"\xff", b'["key", [], []]', b"[" * 100_000]
)
def test_a_spoilt_entry_is_not_there(tmp_path: Path, reading: Reading, content: bytes) -> None:
    cache = Cache(tmp_path, RULES)
    cache.put("a.py", DATA, Settings(), reading)
    (entry,) = entries(tmp_path)
    entry.write_bytes(content)
    assert cache.get("a.py", DATA, Settings()) is None
    cache.put("a.py", DATA, Settings(), reading)
    assert cache.get("a.py", DATA, Settings()) == reading


def test_an_entry_with_the_right_key_and_wrong_content_is_not_there(tmp_path: Path, reading: Reading) -> None:
    cache = Cache(tmp_path, RULES)
    cache.put("a.py", DATA, Settings(), reading)
    (entry,) = entries(tmp_path)
    entry.write_text(entry.read_text().replace('"DEV101"', "101"))
    assert cache.get("a.py", DATA, Settings()) is None


def test_a_new_reading_takes_the_place_of_the_old(tmp_path: Path, reading: Reading) -> None:
    cache = Cache(tmp_path, RULES)
    cache.put("a.py", DATA, Settings(), reading)
    cache.put("a.py", DATA + b"\n", Settings(), reading)
    assert len(entries(tmp_path)) == 1
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        ".gitignore",
        "CACHEDIR.TAG",
    ]


def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_fails(
    tmp_path: Path, reading: Reading
) -> None:
    (tmp_path / "file").touch()
    cache = Cache(tmp_path / "file" / "c", RULES)
    cache.put("a.py", DATA, Settings(), reading)
    assert cache.get("a.py", DATA, Settings()) is None


def test_half_an_entry_is_never_seen(
    tmp_path: Path, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path, RULES)

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    cache.put("a.py", DATA, Settings(), reading)
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.parent != tmp_path] == []


def test_directives_are_kept_too(tmp_path: Path, reading: Reading) -> None:
    suppressions = parse("x  # devlint: ignore[DEV101] why\n", everything=True)
    reading = replace(reading, suppressions=suppressions)
    cache = Cache(tmp_path, RULES)
    cache.put("a.py", DATA, Settings(), reading)
    found = cache.get("a.py", DATA, Settings())
    assert found is not None
    assert found.suppressions == suppressions
