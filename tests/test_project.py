from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from devlint import cache, project, workers
from devlint.baseline import Baseline, Entry, Mark
from devlint.config import Resolver, Settings
from devlint.diagnostic import FileResult
from devlint.lint import Linter, Reading
from devlint.project import Run, Target, discover, from_stdin, run_check
from devlint.reading import chunks, worth_it
from devlint.syntax.source import Source
from tests.fakes import MARK, RULES, fake_engine


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(project, "all_rules", lambda: RULES)
    return tmp_path


def write(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(MARK + text)


def check(*paths: str, **options: object) -> Run:
    overrides = options.pop("overrides", None)
    found = discover(paths or ["."], Resolver(RULES, overrides=overrides))  # type: ignore[arg-type]
    options = {"engine": fake_engine, "cache": False, "jobs": 1, **options}
    return run_check(found, **options)  # type: ignore[arg-type]


def lines(results: tuple[FileResult, ...]) -> list[str]:
    out: list[str] = []
    for result in results:
        out += [f"{result.path}:{d.start.row} {d.code}" for d in result.diagnostics]
        if result.failure:
            out.append(f"{result.path}: {result.failure.message}")
    return out


BAD = {
    "a.py": "bad101()\n",
    "b.py": "x = (\n",
    "c.py": "crash()\n",
    "d/a.py": "bad101()  # noqa\nbad104()\n",
    "d/b.py": "recurse()\n",
    "d/c.py": "x = 1  # noqa: DEV104\n",
    "e/f.py": "bad301()\n",
    "z.py": "x\n",
}
EXPECTED = [
    "a.py:2 DEV101",
    "b.py:2 DEV001",
    "c.py: internal error",
    "d/a.py:3 DEV104",
    "d/b.py: nested too deeply to be checked",
    "d/c.py:2 DEV002",
    "e/f.py:2 DEV301",
    "gone.py: no such file or folder",
]


def write_all() -> None:
    for name, text in BAD.items():
        write(name, text)


def test_one_bad_file_does_not_hide_the_others() -> None:
    write_all()
    run = check(".", "gone.py")
    assert [
        line.split(" error:")[0] + " error" * (" error:" in line) for line in lines(run.results)
    ] == EXPECTED
    assert [r.path for r in run.results] == sorted([*BAD, "gone.py"], key=lambda p: p.split("/"))


def test_the_results_do_not_depend_on_the_number_of_processes() -> None:
    write_all()
    one = check(".", "gone.py")
    for jobs in (2, 3):
        assert check(".", "gone.py", jobs=jobs) == one


def test_a_process_that_dies_costs_one_file() -> None:
    write_all()
    write("d/b.py", "die()\n")
    assert "d/b.py: the process that was checking it died (exit code 7)" in lines(check(jobs=2).results)
    expected = [line for line in EXPECTED if not line.startswith(("gone", "d/b", "c.py"))]
    assert [line for line in lines(check(jobs=2).results) if not line.startswith(("d/b", "c.py"))] == expected


def test_where_no_process_can_be_started_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    write_all()
    one = check()

    class Broken:
        def __init__(self, *_: object) -> None:
            pass

        def results(self) -> object:
            raise OSError("no more processes")

    monkeypatch.setattr(workers, "Pool", Broken)
    assert check(jobs=2) == one


def test_progress_is_told_of_every_file() -> None:
    write_all()
    for jobs in (1, 2):
        told: list[tuple[int, int]] = []
        check(jobs=jobs, progress=lambda done, of, told=told: told.append((done, of)))
        assert told == [(n, len(BAD)) for n in range(1, len(BAD) + 1)]


def test_nothing_to_check() -> None:
    assert check() == Run(())


def test_a_file_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.py", "bad101()\n")
    write("b.py", "bad101()\n")
    found = discover(["."], Resolver(RULES))
    Path("a.py").unlink()
    run = run_check(found, engine=fake_engine, cache=False, jobs=1)
    assert lines(run.results) == ["a.py: cannot be read: No such file or directory", "b.py:2 DEV101"]


def test_standard_input_is_checked_under_its_name() -> None:
    found = from_stdin(MARK.encode() + b"bad101()\n", "sub/x.py", Resolver(RULES))
    run = run_check(found, engine=fake_engine, cache=True, jobs=1)
    assert lines(run.results) == ["sub/x.py:2 DEV101"]
    assert not Path(".devlint_cache").exists()


def test_tracebacks_on_request() -> None:
    write("a.py", "crash()\n")
    (result,) = check(verbose=True).results
    assert result.failure is not None
    assert "Traceback" in result.failure.message


# Findings in other files


def test_what_is_found_in_another_file_is_reported_there_if_it_is_checked() -> None:
    write("a.py", "guest101('lib/b.py')\nguest104('lib/b.py')\nguest101('lib/b.py')\n")
    write("lib/b.py", "x\nbad104()\n")
    for jobs in (1, 2):
        run = check(jobs=jobs)
        assert lines(run.results) == ["lib/b.py:2 DEV101", "lib/b.py:2 DEV104", "lib/b.py:3 DEV104"]
        assert {d.path for r in run.results for d in r.diagnostics} == {"lib/b.py"}
    assert lines(check("a.py").results) == []


def test_comments_and_settings_of_the_other_file_count() -> None:
    write("a.py", "guest101('b.py')\nguest101('c.py')\nguest101('d/d.py')\nguest101('e.py')\n")
    write("b.py", "x  # noqa\n")
    write("c.py", "x  # devlint: ignore[DEV101]\n")
    write("d/d.py", "x\n")
    Path("d/devlint.toml").write_text('ignore = ["DEV101"]\n')
    write("e.py", "x\nbad104()  # noqa\n")
    assert lines(check().results) == ["e.py:2 DEV101"]


def test_a_finding_made_from_both_sides_counts_once() -> None:
    write("a.py", "guest101('b.py')\n")
    write("b.py", "bad101()\n")
    run = check()
    assert [r.path for r in run.results if r.diagnostics] == ["b.py"]
    # Not the same place: the statement and the call begin together and end together here.
    assert len(run.results[1].diagnostics) == 1


def test_a_guest_in_a_file_that_is_gone_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.py", "guest101('b.py')\n")
    write("b.py", "x  # noqa\n")
    monkeypatch.setattr(Source, "read", _raise)
    assert lines(check().results) == ["b.py:2 DEV101"]


def _raise(_: str) -> None:
    raise OSError("gone")


# The cache


def test_what_is_cached_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    write_all()
    first = check(cache=True)
    assert Path(".devlint_cache/CACHEDIR.TAG").exists()
    read: list[str] = []
    really = Linter.read

    def spy(linter: Linter, path: str, data: bytes, settings: Settings) -> Reading:
        read.append(path)
        return really(linter, path, data, settings)

    monkeypatch.setattr(Linter, "read", spy)
    again = check(cache=True)
    fails = {r.path for r in first.results if r.failure}
    assert fails == {"c.py", "d/b.py"}
    assert set(read) == fails
    assert [r for r in again.results if r.path not in fails] == [
        r for r in first.results if r.path not in fails
    ]


def test_a_cached_file_still_tells_of_others_and_sees_them_change() -> None:
    write("a.py", "guest101('b.py')\n")
    write("b.py", "x\n")
    first = check(cache=True)
    assert lines(first.results) == ["b.py:2 DEV101"]
    assert check(cache=True) == first
    write("b.py", "\n\ny\n")
    assert lines(check(cache=True).results) == ["b.py:4 DEV101"]


def test_the_cache_lies_where_the_configuration_says() -> None:
    write("a.py", "x\n")
    write("sub/b.py", "x\n")
    Path("sub/devlint.toml").write_text('cache-dir = "kept"\n')
    check(cache=True)
    assert Path("sub/kept/CACHEDIR.TAG").exists()
    assert Path(".devlint_cache/CACHEDIR.TAG").exists()


def test_where_no_cache_can_be_written_the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    write_all()
    Path(".devlint_cache").write_text("in the way")
    assert check(cache=True) == check()


def test_the_cache_module_knows_no_pickle() -> None:
    assert "pickle" not in Path(cache.__file__).read_text().replace("no pickle", "")


# The baseline


def test_only_new_findings_are_shown_and_stale_entries_are_reported(here: Path) -> None:
    write("a.py", "bad101()\nbad104()\n")
    write("b.py", "bad101()\n")
    first = check(baseline=Baseline(here / "old.json"))
    assert lines(first.results) == ["a.py:2 DEV101", "a.py:3 DEV104", "b.py:2 DEV101"]
    assert (first.stale, first.after) == (
        (),
        Baseline(here / "old.json", {"a.py": Counter(), "b.py": Counter()}),
    )
    assert first.grown is not None
    first.grown.write()

    write("a.py", "x\n\nbad101()\nbad301()\n")
    second = check(baseline=Baseline.read(here / "old.json"))
    assert lines(second.results) == ["a.py:5 DEV301"]
    assert second.stale == (Entry("a.py", "DEV104", "bad104()", 1),)
    assert second.after is not None
    second.after.write()
    assert Baseline.read(here / "old.json").entries() == [
        Entry("a.py", "DEV101", "bad101()", 1),
        Entry("b.py", "DEV101", "bad101()", 1),
    ]


def old(here: Path) -> Baseline:
    marks = Counter({Mark("DEV101", "bad101()"): 2, Mark("DEV104", "bad104()"): 1})
    return Baseline(here / "old.json", {"a.py": marks, "b.py": marks, "gone.py": marks})


def entries(baseline: Baseline | None) -> list[str]:
    assert baseline is not None
    return [f"{e.path} {e.code} {e.times}" for e in baseline.entries()]


def test_what_was_not_checked_is_not_stale_unless_it_is_gone(here: Path) -> None:
    write("a.py", "bad101()\n")
    write("b.py", "x\n")
    run = check("a.py", baseline=old(here))
    assert [f"{e.path} {e.code} {e.times}" for e in run.stale] == [
        "a.py DEV101 1",
        "a.py DEV104 1",
        "gone.py DEV101 2",
        "gone.py DEV104 1",
    ]
    assert entries(run.after) == ["a.py DEV101 1", "b.py DEV101 2", "b.py DEV104 1"]
    assert entries(run.grown) == entries(run.after)


def test_what_a_rule_that_is_off_has_found_before_is_not_stale(here: Path) -> None:
    write("a.py", "x\n")
    write("b.py", "x\n")
    write("gone.py", "x\n")
    run = check(baseline=old(here), overrides={"select": ["DEV104"]})
    assert [f"{e.path} {e.code}" for e in run.stale] == ["a.py DEV104", "b.py DEV104", "gone.py DEV104"]
    assert entries(run.after) == ["a.py DEV101 2", "b.py DEV101 2", "gone.py DEV101 2"]


def test_a_file_that_could_not_be_checked_has_no_stale_entries(here: Path) -> None:
    write("a.py", "crash()\n")
    write("b.py", "bad101()\nbad101()\nbad104()\n")
    run = check(baseline=old(here))
    assert [e.path for e in run.stale] == ["gone.py", "gone.py"]
    assert len(entries(run.after)) == 4


# How the work is cut


def test_few_files_are_read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert [worth_it(0, files) for files in (0, 1, 29, 30, 45, 1000)] == [1, 1, 1, 2, 3, 8]
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert worth_it(0, 1000) == 1


def test_what_is_asked_for_is_done() -> None:
    assert worth_it(4, 1000) == 4
    assert worth_it(4, 3) == 3
    assert worth_it(1, 1000) == 1


def test_chunks_keep_neighbours_together_and_lose_nothing() -> None:
    settings = Resolver(RULES).settings(Path.cwd())
    names = [f"{folder}/{n}.py" for folder in "abcdef" for n in range(20)]
    targets = [Target(name, name, settings) for name in names]
    cut = chunks(targets, 2)
    assert [target for chunk in cut for target in chunk] == targets
    assert max(map(len, cut)) <= len(targets) // 8
    assert all(len({os.path.dirname(t.path) for t in chunk}) <= 2 for chunk in cut)
    assert chunks(targets[:3], 4) == [[t] for t in targets[:3]]
    assert chunks([], 1) == []
