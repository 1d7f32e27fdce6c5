from __future__ import annotations

import os
from pathlib import Path

import pytest

from devlint.config import Resolver
from devlint.discover import Found, discover, from_stdin
from tests.fakes import RULES


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def make(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def found(*paths: str, **overrides: object) -> Found:
    return discover(paths, Resolver(RULES, overrides={k.replace("_", "-"): v for k, v in overrides.items()}))


def names(*paths: str, **overrides: object) -> list[str]:
    result = found(*paths, **overrides)
    assert result.failures == ()
    return [target.path for target in result.targets]


def failures(*paths: str) -> dict[str, str]:
    return {r.path: r.failure.message for r in found(*paths).failures if r.failure is not None}


def test_python_files_below_a_folder_in_the_order_of_their_paths(here: Path) -> None:
    make(
        "b.py",
        "a/z.py",
        "a-b/c.py",
        "a/b/c.py",
        "a.pyi",
        "c.pyw",
        "d.txt",
        "e.ipynb",
        "f.py.orig",
        ".ipynb_checkpoints/g.ipynb",
    )
    assert names(".") == ["a/b/c.py", "a/z.py", "a-b/c.py", "b.py", "c.pyw", "e.ipynb"]
    assert names("a") == ["a/b/c.py", "a/z.py"]
    assert names(str(here / "a")) == ["a/b/c.py", "a/z.py"]


def test_a_file_comes_once(here: Path) -> None:
    make("a.py", "b/c.py")
    assert names("a.py", "./a.py", ".", "b", str(here / "a.py")) == ["a.py", "b/c.py"]


def test_a_named_file_is_checked_whatever_it_is_called(here: Path) -> None:
    make("script", "build/a.py", "stub.pyi")
    assert names("script", "build/a.py", "stub.pyi") == ["build/a.py", "script", "stub.pyi"]


def test_usual_excludes(here: Path) -> None:
    make("a.py", "build/b.py", "x/venv/c.py", ".git/d.py", "x/site-packages/e.py", "builder/f.py")
    assert names(".") == ["a.py", "builder/f.py"]
    assert names("build") == ["build/b.py"]


def test_a_project_below_a_folder_called_build_is_not_excluded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "build" / "project"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    make("a.py")
    assert names(".", force_exclude=True) == ["a.py"]
    assert names(str(folder), force_exclude=True) == ["a.py"]


def test_excludes_of_ones_own(here: Path) -> None:
    make("a.py", "gen/b.py", "x/gen/c.py", "x/d_pb2.py", "build/e.py")
    assert names(".", exclude=["x/gen"]) == ["a.py", "build/e.py", "gen/b.py", "x/d_pb2.py"]
    assert names(".", extend_exclude=["gen", "*_pb2.py"]) == ["a.py"]


def test_includes(here: Path) -> None:
    make("a.py", "b.foo", "c/d.foo")
    assert names(".", include=["*.foo"]) == ["b.foo", "c/d.foo"]


def test_force_exclude_leaves_out_what_is_named(here: Path) -> None:
    make("a.py", "build/b.py", "x/build/deep/c.py")
    assert names("a.py", "build/b.py", "x/build/deep/c.py", "x/build/deep", force_exclude=True) == ["a.py"]


def test_the_closest_configuration_holds_for_each_file(here: Path) -> None:
    make("a.py", "sub/b.py", "sub/gen/c.py", "gen/d.py", "other/e.py")
    Path("sub/devlint.toml").write_text('exclude = ["gen"]\n')
    Path("other/devlint.toml").write_text("unsafe-fixes = true\n")
    result = found(".")
    assert [t.path for t in result.targets] == ["a.py", "gen/d.py", "other/e.py", "sub/b.py"]
    assert [t.settings.unsafe_fixes for t in result.targets] == [False, False, True, False]
    assert found("other/e.py").targets[0].settings.unsafe_fixes


def test_a_broken_configuration_is_one_failure_and_all_is_checked(here: Path) -> None:
    make("a.py", "sub/b.py", "sub/deep/c.py", "z.py")
    Path("devlint.toml").write_text("unsafe-fixes = true\n")
    Path("sub/pyproject.toml").write_text("[tool.devlint\n")
    for paths in (["."], ["sub/b.py", "a.py", "z.py", "sub/deep"]):
        result = found(*paths)
        assert [t.path for t in result.targets] == ["a.py", "sub/b.py", "sub/deep/c.py", "z.py"]
        assert all(t.settings.unsafe_fixes for t in result.targets)
        (failure,) = result.failures
        assert failure.path == "sub/pyproject.toml"
        assert failure.failure is not None
        assert failure.failure.message.startswith("not valid TOML: ")


# .gitignore


def test_gitignore(here: Path) -> None:
    make("a.py", "b_gen.py", "out/c.py", "x/out/d.py", "x/e.py", "x/keep_gen.py")
    Path(".gitignore").write_text("# comment\n*_gen.py\n/out/\n!keep_gen.py\n")
    assert names(".") == ["a.py", "x/e.py", "x/keep_gen.py", "x/out/d.py"]
    assert names("x") == ["x/e.py", "x/keep_gen.py", "x/out/d.py"]
    assert names(".", respect_gitignore=False) == [
        "a.py",
        "b_gen.py",
        "out/c.py",
        "x/e.py",
        "x/keep_gen.py",
        "x/out/d.py",
    ]


def test_a_gitignore_below_another_has_the_last_word(here: Path) -> None:
    make("x/a.py", "x/b.py", "y/a.py", "x/z/a.py")
    Path(".gitignore").write_text("a.py\n")
    Path("x/.gitignore").write_text("!a.py\nb.py\n/z\n")
    assert names(".") == ["x/a.py"]


def test_what_a_repository_ignores_counts_below_it_too(here: Path) -> None:
    make(".git/HEAD", "x/y/a.py", "x/y/b.py")
    Path(".gitignore").write_text("b.py\n")
    assert names("x/y") == ["x/y/a.py"]


def test_without_a_repository_nothing_above_counts(here: Path) -> None:
    make("x/a.py", "x/b.py")
    Path(".gitignore").write_text("b.py\n")
    assert names("x") == ["x/a.py", "x/b.py"]


def test_a_folder_that_is_named_is_checked_though_it_is_ignored(here: Path) -> None:
    make(".git/HEAD", "out/a.py", "out/deep/b.py", "out/c.txt")
    Path(".gitignore").write_text("out/\n*.txt\n")
    assert names(".") == []
    assert names("out") == ["out/a.py", "out/deep/b.py"]
    assert names("out/deep", "out/a.py") == ["out/a.py", "out/deep/b.py"]


def test_a_repository_inside_another_is_its_own(here: Path) -> None:
    make(".git/HEAD", "x/.git/HEAD", "x/a.py")
    Path(".gitignore").write_text("a.py\n")
    assert names("x") == ["x/a.py"]


def test_a_gitignore_that_cannot_be_read_ignores_nothing(here: Path) -> None:
    make("a.py", "b/c.py")
    Path(".gitignore").mkdir()
    Path("b/.gitignore").write_bytes(b"\xff\nc.py\n")
    assert names(".") == ["a.py"]


# Links, loops, what is not there


def test_links_to_folders_are_not_followed(here: Path, tmp_path: Path) -> None:
    make("a/b.py")
    os.symlink(here, "a/loop")
    os.symlink("a", "link")
    os.symlink("self", "self")
    assert names(".") == ["a/b.py"]
    assert names("link") == ["link/b.py"]


def test_a_link_to_a_file_gives_way_to_the_file(here: Path, tmp_path: Path) -> None:
    make("b.py", "../outside.py")
    os.symlink("b.py", "a.py")
    os.symlink("../outside.py", "c.py")
    os.symlink("gone.py", "d.py")
    os.symlink("e.py", "e.py")
    assert names(".") == ["b.py", "c.py"]
    assert names("a.py") == ["a.py"]
    assert names("a.py", ".") == ["a.py", "b.py", "c.py"]


def test_what_cannot_be_checked_is_said_and_the_rest_goes_on(here: Path) -> None:
    make("a.py")
    os.symlink("gone.py", "link.py")
    os.mkfifo("pipe")
    paths = ["gone.py", "a.py", "link.py", "pipe", "none*.py", "no/folder"]
    assert failures(*paths) == {
        "gone.py": "no such file or folder",
        "link.py": "a link that leads nowhere",
        "no/folder": "no such file or folder",
        "none*.py": "no such file or folder",
        "pipe": "neither a file nor a folder",
    }
    assert [r.path for r in found(*paths).failures] == sorted(failures(*paths))
    assert [t.path for t in found(*paths).targets] == ["a.py"]


def test_a_folder_that_cannot_be_read(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make("a.py", "shut/b.py")
    scan = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert failures(".") == {"shut": "cannot be read: Permission denied"}
    assert [t.path for t in found(".").targets] == ["a.py"]


def test_patterns_that_the_shell_left(here: Path) -> None:
    make("a/b.py", "a/c/d.py", "a/e.txt", "x[1].py")
    assert names("a/*.py") == ["a/b.py"]
    assert names("a/**/*.py") == ["a/b.py", "a/c/d.py"]
    assert names("a/*") == ["a/b.py", "a/c/d.py", "a/e.txt"]
    assert names("x[1].py") == ["x[1].py"]


# Names


def test_names_outside_of_here(here: Path) -> None:
    make("../other/a.py")
    assert names("../other") == ["../other/a.py"]
    outside = (here.parent / "other").as_posix()
    assert names(outside) == [f"{outside}/a.py"]


# Standard input


def test_standard_input_under_a_name(here: Path) -> None:
    make("sub/x.py")
    Path("sub/devlint.toml").write_text("unsafe-fixes = true\n")
    (target,) = from_stdin(b"x", "sub/new.py", Resolver(RULES)).targets
    assert (target.path, target.data, target.settings.unsafe_fixes) == ("sub/new.py", b"x", True)
    (target,) = from_stdin(b"", None, Resolver(RULES)).targets
    assert (target.path, target.data) == ("-", b"")


def test_standard_input_under_an_excluded_name(here: Path) -> None:
    assert from_stdin(b"x", "build/a.py", Resolver(RULES)).targets
    forced = Resolver(RULES, overrides={"force-exclude": True})
    assert from_stdin(b"x", "build/a.py", forced) == Found()
    assert from_stdin(b"x", "a.py", forced).targets
