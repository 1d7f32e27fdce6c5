from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from devlint.files import Changed, replace_file


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    replace_file(tmp_path / "a", b"x")
    assert (tmp_path / "a").read_bytes() == b"x"
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_the_mode_is_kept_and_nothing_is_left_beside(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")
    file.chmod(0o751)
    replace_file(file, b"new")
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o751
    assert names(tmp_path) == ["a"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/real").write_bytes(b"old")
    os.symlink("sub/real", tmp_path / "link")
    replace_file(tmp_path / "link", b"new")
    assert os.readlink(tmp_path / "link") == "sub/real"
    assert (tmp_path / "sub/real").read_bytes() == b"new"


def test_a_hard_link_is_parted(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    os.link(tmp_path / "a", tmp_path / "b")
    replace_file(tmp_path / "a", b"new")
    assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()) == (b"new", b"old")


def test_it_is_another_file_so_that_readers_of_the_old_one_are_not_disturbed(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")
    with file.open("rb") as reader:
        replace_file(file, b"new")
        assert reader.read() == b"old"


def test_what_has_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"theirs")
    with pytest.raises(Changed, match="has changed meanwhile"):
        replace_file(file, b"ours", before=b"old")
    assert file.read_bytes() == b"theirs"
    assert names(tmp_path) == ["a"]
    replace_file(file, b"ours", before=b"theirs")
    assert file.read_bytes() == b"ours"


def test_a_file_that_must_not_be_written_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write whatever the mode is
    with pytest.raises(PermissionError):
        replace_file(file, b"new")
    assert file.read_bytes() == b"old"


def test_a_failure_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        replace_file(file, b"new")
    assert file.read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_what_another_process_is_writing_is_not_removed(tmp_path: Path) -> None:
    theirs = tmp_path / f".a.{os.getpid()}.tmp"
    theirs.write_bytes(b"theirs")
    with pytest.raises(FileExistsError):
        replace_file(tmp_path / "a", b"ours")
    assert theirs.read_bytes() == b"theirs"
    assert names(tmp_path) == [theirs.name]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        replace_file(tmp_path / "none" / "a", b"x")
