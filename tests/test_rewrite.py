from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from devlint import project, reading, rewrite
from devlint.baseline import Baseline, Mark
from devlint.config import Resolver
from devlint.diagnostic import Diagnostic, Fix, Safety
from devlint.fix import apply
from devlint.project import discover, from_stdin
from devlint.rewrite import FixResult, NoqaRun, run_add_noqa, run_fix
from devlint.rule import Finding
from devlint.syntax.source import Source
from tests.fakes import MARK, RULES, fake_engine


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(project, "all_rules", lambda: RULES)
    monkeypatch.setattr(rewrite, "all_rules", lambda: RULES)
    return tmp_path


def put(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((MARK + text).encode())


def text(name: str) -> str:
    return Path(name).read_bytes().decode().removeprefix(MARK)


def fix(*paths: str, **options: object) -> dict[str, FixResult]:
    found = discover(paths or ["."], Resolver(RULES))
    options = {"engine": fake_engine, "cache": False, "jobs": 1, **options}
    results = run_fix(found, **options)  # type: ignore[arg-type]
    assert [r.path for r in results] == sorted((r.path for r in results), key=lambda p: p.split("/"))
    return {result.path: result for result in results}


def test_nothing_is_written_unless_it_is_asked_for() -> None:
    put("a.py", "bad101()\nbad104()\n")
    result = fix()["a.py"]
    assert result.before == MARK + "bad101()\nbad104()\n"
    assert result.after == MARK + "good101()\ngood104()\n"
    assert [d.code for d in result.fixed] == ["DEV101", "DEV104"]
    assert (result.remaining.diagnostics, result.dropped) == ((), ())
    assert text("a.py") == "bad101()\nbad104()\n"


def test_what_is_written_is_what_was_shown_and_a_second_run_changes_nothing() -> None:
    put("a.py", "bad101()\r\nx = 'é'\r\n")
    put("sub/b.py", "bad104()  # noqa\nbad301()  # devlint: ignore[DEV101] why\n")
    put("c.py", "x = 1\n")
    shown = fix()
    written = fix(write=True)
    assert written == shown
    assert text("a.py") == "good101()\r\nx = 'é'\r\n"
    assert text("sub/b.py") == "bad104()  # noqa\ngood301()  # why\n"
    assert written["c.py"] == FixResult("c.py", "", "", (), written["c.py"].remaining, ())
    before = {path: path.stat().st_mtime_ns for path in Path().rglob("*.py")}
    assert all(result.before == result.after for result in fix(write=True).values())
    assert {path: path.stat().st_mtime_ns for path in Path().rglob("*.py")} == before


def test_a_suppression_that_a_fix_makes_needless_goes_too() -> None:
    put("a.py", "bad101(bad104())  # devlint: ignore[DEV104]\n")
    result = fix(write=True)["a.py"]
    assert text("a.py") == "good101(bad104())  # devlint: ignore[DEV104]\n"
    assert [d.code for d in result.fixed] == ["DEV101"]
    put("b.py", "bad101(), bad104()  # devlint: ignore[DEV104, DEV301]\n")
    fix(write=True)
    assert text("b.py") == "good101(), bad104()  # devlint: ignore[DEV104]\n"


def test_unsafe_fixes_are_applied_on_request_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsafe(finding: Finding) -> Fix | None:
        made = really(finding)
        return None if made is None else Fix(made.message, Safety.UNSAFE, made.edits)

    from tests import fakes

    really = fakes.make_fix
    monkeypatch.setattr(fakes, "make_fix", unsafe)
    put("a.py", "bad101()\n")
    assert fix()["a.py"].fixed == ()
    assert [d.code for d in fix()["a.py"].remaining.diagnostics] == ["DEV101"]
    assert fix(unsafe=True)["a.py"].after == MARK + "good101()\n"


def test_the_baseline_is_left_alone(here: Path) -> None:
    put("a.py", "bad101()\nbad104()\n")
    baseline = Baseline(here / "old.json", {"a.py": Counter({Mark("DEV101", "bad101()"): 1})})
    result = fix(baseline=baseline)["a.py"]
    assert result.after == MARK + "bad101()\ngood104()\n"
    assert result.remaining.diagnostics == ()


def test_what_cannot_be_checked_or_written_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.py", "crash()\nbad101()\n")
    put("b.py", "bad101()\n")
    put("c.py", "bad101()\n")
    put("d.py", "x = (\n")

    def refuse(path: str, data: bytes, *, before: bytes) -> None:
        if path.endswith("b.py"):
            raise PermissionError(13, "Permission denied")
        Path(path).write_bytes(data)

    monkeypatch.setattr(rewrite, "replace_file", refuse)
    results = fix(".", "gone.py", write=True)
    words = {path: r.remaining.failure.message for path, r in results.items() if r.remaining.failure}
    assert words["a.py"].startswith("internal error")
    assert words["b.py"] == "cannot be rewritten: Permission denied"
    assert words["gone.py"] == "no such file or folder"
    assert text("b.py") == "bad101()\n"
    assert text("c.py") == "good101()\n"
    assert [d.code for d in results["d.py"].remaining.diagnostics] == ["DEV001"]


def test_a_fault_of_our_own_costs_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.py", "bad101()\n")
    put("b.py", "bad104()\n")
    really = apply.rewrite

    def stumble(source: Source, *args: object) -> object:
        if source.path == "a.py":
            raise KeyError("x")
        return really(source, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(rewrite, "rewrite", stumble)
    results = fix(write=True)
    failure = results["a.py"].remaining.failure
    assert failure is not None
    assert failure.message.startswith("internal error: KeyError: 'x'")
    assert (text("a.py"), text("b.py")) == ("bad101()\n", "good104()\n")


def test_a_comment_in_a_file_that_is_not_parsed_is_left_alone() -> None:
    Path("a.py").write_text("x = (  # noqa: DEV101\n")
    result = fix(write=True)["a.py"]
    assert Path("a.py").read_text() == "x = (  # noqa: DEV101\n"
    assert [d.code for d in result.remaining.diagnostics] == ["DEV002"]
    assert len(result.dropped) == 1


def test_a_file_that_changes_meanwhile_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.py", "bad101()\n")
    really = apply.rewrite

    def slow(*args: object) -> object:
        done = really(*args)  # type: ignore[arg-type]
        put("a.py", "theirs()\n")
        return done

    monkeypatch.setattr(rewrite, "rewrite", slow)
    result = fix(write=True)["a.py"]
    assert result.remaining.failure is not None
    assert "changed meanwhile" in result.remaining.failure.message
    assert text("a.py") == "theirs()\n"


def test_a_file_that_is_gone_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.py", "bad101()\n")
    really = reading.read_all

    def slow(*args: object, **options: object) -> object:
        readings = really(*args, **options)  # type: ignore[arg-type]
        os.unlink("a.py")
        return readings

    monkeypatch.setattr(rewrite, "read_all", slow)
    result = fix()["a.py"]
    assert result.remaining.failure is not None
    assert result.remaining.failure.message == "cannot be rewritten: No such file or directory"


def test_fixes_that_cannot_be_defended_are_named() -> None:
    put("a.py", "bad101()\nx = 1\r")
    result = fix(write=True)["a.py"]
    assert text("a.py") == "bad101()\nx = 1\r"
    (words,) = result.dropped
    assert words.startswith(
        "a.py:2: the fix of DEV101 is left out: line 3 is not parsed as it stands (a lone carriage"
    )


def test_standard_input_is_rewritten_but_never_written() -> None:
    for body, after in (("bad101()\n", "good101()\n"), ("x = 1\n", "x = 1\n")):
        found = from_stdin((MARK + body).encode(), "a.py", Resolver(RULES))
        (result,) = run_fix(found, write=True, engine=fake_engine, jobs=1)
        assert (result.before, result.after) == (MARK + body, MARK + after)
    assert not Path("a.py").exists()


def test_a_finding_in_another_file_is_fixed_there() -> None:
    put("a.py", "guest101('b.py')\nbad104()\n")
    put("b.py", "bad301()\n")
    results = fix(write=True)
    assert text("a.py") == "guest101('b.py')\ngood104()\n"
    assert text("b.py") == "good301()\n"
    assert [d.code for d in results["b.py"].fixed] == ["DEV101", "DEV301"]
    assert results["b.py"].remaining.diagnostics == ()
    assert results["a.py"].before == MARK + "guest101('b.py')\nbad104()\n"
    assert results["a.py"].after == MARK + "guest101('b.py')\ngood104()\n"


def test_what_is_left_in_another_file_is_still_reported() -> None:
    put("a.py", "guest101('b.py')\n")
    put("b.py", "x\nbad301()\n")
    results = fix(write=True)
    assert text("b.py") == "x\ngood301()\n"
    assert [d.code for d in results["b.py"].remaining.diagnostics] == ["DEV101"]
    assert len(results["b.py"].dropped) == 1


def test_what_the_last_pass_says_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.py", "guest101('b.py')\nbad104()\n")
    put("b.py", "bad301()\n")
    really = apply.rewrite
    refused: list[tuple[Diagnostic, str]] = []

    def once(source: Source, first: apply.Look, *args: object) -> object:
        if source.path == "b.py" and not refused:
            refused.append((first.shown.diagnostics[0], "not yet"))
            return apply.Rewriting(source.document, (), first.shown, tuple(refused))
        return really(source, first, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(rewrite, "rewrite", once)
    result = fix(write=True)["b.py"]
    assert (text("b.py"), result.dropped) == ("good301()\n", ())
    assert [found.code for found in result.fixed] == ["DEV101", "DEV301"]


def test_fixing_does_not_depend_on_the_number_of_processes() -> None:
    for number in range(6):
        put(f"{number}.py", f"bad101()\nx = {number}\n")
    assert fix(jobs=2) == fix(jobs=1)


# --add-noqa


def silence(*paths: str, reason: str | None = None, **options: object) -> NoqaRun:
    found = discover(paths or ["."], Resolver(RULES))
    options = {"engine": fake_engine, "cache": False, "jobs": 1, **options}
    return run_add_noqa(found, reason, **options)  # type: ignore[arg-type]


def test_noqa_silences_all_findings(here: Path) -> None:
    put("a.py", "bad101(), bad104()\r\nbad301()\r\n")
    put("b.py", "x = 1\n")
    put("c.py", "bad101()\n")
    run = silence(reason="old")
    assert run == NoqaRun(4, ("a.py", "c.py"), ())
    assert (
        text("a.py") == "bad101(), bad104()  # noqa: DEV101, DEV104 old\r\nbad301()  # noqa: DEV301 old\r\n"
    )
    assert silence() == NoqaRun(0, (), ())


def test_noqa_leaves_alone_what_is_in_the_baseline(here: Path) -> None:
    put("a.py", "bad101()\nbad104()\n")
    baseline = Baseline(here / "old.json", {"a.py": Counter({Mark("DEV101", "bad101()"): 1})})
    assert silence(baseline=baseline).silenced == 1
    assert text("a.py") == "bad101()\nbad104()  # noqa: DEV104\n"


def test_noqa_does_not_silence_the_tools_own_findings() -> None:
    put("a.py", "x = (\n")
    put("b.py", "x  # devlint: ignore\n")
    assert silence() == NoqaRun(0, (), ())
    assert text("a.py") == "x = (\n"


def test_noqa_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.py", "bad101()\n")
    put("b.py", "crash()\n")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(rewrite, "replace_file", refuse)
    run = silence()
    assert (run.silenced, run.files) == (0, ())
    assert {r.path: r.failure.message.split(":")[0] for r in run.failures if r.failure} == {
        "a.py": "cannot be rewritten",
        "b.py": "internal error",
    }
