from __future__ import annotations

from pathlib import Path

import pytest

from devlint.globs import Glob, around, shown, slashed, validate


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("build", "/p/build"),
        ("build", "/p/a/b/build"),
        ("build/", "/p/a/build"),
        ("*.py", "/p/a/b.py"),
        ("test_*.py", "/p/a/test_b.py"),
        ("a/b.py", "/p/a/b.py"),
        ("./a/b.py", "/p/a/b.py"),
        ("a/*", "/p/a/b.py"),
        ("a/*", "/p/a/b/c.py"),
        ("a/**", "/p/a/b/c.py"),
        ("**/c.py", "/p/c.py"),
        ("**/c.py", "/p/a/b/c.py"),
        ("a/**/c.py", "/p/a/c.py"),
        ("a/**/c.py", "/p/a/b/d/c.py"),
        ("a/?.py", "/p/a/b.py"),
        ("[ab].py", "/p/b.py"),
        ("[!ab].py", "/p/c.py"),
        ("[]]", "/p/]"),
        ("[^a]", "/p/^"),
        ("*.{py,pyi}", "/p/a.pyi"),
        ("{a,b{1,2}}.py", "/p/b2.py"),
        ("a,b", "/p/a,b"),
        ("/q/r.py", "/q/r.py"),
        ("a+b(c).py", "/p/a+b(c).py"),
    ],
)
def test_matches(pattern: str, path: str) -> None:
    assert Glob(pattern, "/p").matches(path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("build", "/p/build/a.py"),
        ("build", "/p/rebuild"),
        ("a/b.py", "/p/x/a/b.py"),
        ("a/b.py", "/q/a/b.py"),
        ("*.py", "/p/a.pyi"),
        ("a/**/c.py", "/p/a/xc.py"),
        ("[!ab].py", "/p/a.py"),
        ("a/?.py", "/p/a/bb.py"),
        ("a.py", "/p/aXpy"),
    ],
)
def test_does_not_match(pattern: str, path: str) -> None:
    assert not Glob(pattern, "/p").matches(path)


def test_a_base_with_magic_in_its_name_is_taken_literally() -> None:
    assert Glob("a/b.py", "/p[1]*{x}").matches("/p[1]*{x}/a/b.py")
    assert not Glob("a/b.py", "/p*").matches("/pq/a/b.py")


def test_covers_what_lies_below_a_folder_but_not_the_folders_around_the_base() -> None:
    assert Glob("tests", "/p").covers("/p/tests/a/b.py")
    assert Glob("src/gen", "/p").covers("/p/src/gen/b.py")
    assert not Glob("build", "/build/p").covers("/build/p/a.py")


def test_around_goes_from_the_inside_to_below_the_root() -> None:
    assert list(around("/p/a/b.py", "/p")) == ["/p/a/b.py", "/p/a"]
    assert list(around("/q/a/b.py", "/p")) == ["/q/a/b.py"]
    assert list(around("/a/b.py", "/")) == ["/a/b.py", "/a"]


@pytest.mark.parametrize("pattern", ["a[", "[!]", "{a,b", "[z-a]"])
def test_a_broken_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"in '"):
        validate(pattern)


def test_slashed_is_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert slashed("a/../b") == f"{tmp_path.as_posix()}/b"


def test_a_path_is_shown_from_here_where_it_is_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    assert shown("b/../c.py") == shown(tmp_path / "a" / "c.py") == "c.py"
    assert shown("../c.py") == "../c.py"
    assert shown(tmp_path / "c.py") == (tmp_path / "c.py").as_posix()
