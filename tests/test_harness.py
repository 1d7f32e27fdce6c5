"""The harness by itself: with an engine of three lines, whose mistakes it must see."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from devlint.config import Settings
from devlint.diagnostic import Diagnostic, FileResult, Severity
from devlint.rewrite import FixResult
from devlint.text import Position, Span
from tests import harness
from tests.blocks import Case, read_cases
from tests.harness import Bench, Ran

CODES = {"DEV101": "DEV101", "DEV104": "DEV104"}
BAD = """\
```python
# bad run=crash
good()
bad()  # expect: DEV101
```
"""
FIXED = """
```python
# fixed
good()
good()
```
"""

Files = Mapping[str, str | bytes]


def diagnostic(path: str, row: int, code: str) -> Diagnostic:
    at = Position(row, 1)
    return Diagnostic(code, "a-name", Severity.ERROR, "", path, Span(0, 1), at, at, (row, row))


@dataclass(frozen=True)
class Fake(Bench):
    """`bad()` is a finding of DEV101 unless a comment says otherwise; its fix makes it `good()`.

    `becomes` are changes of that fix, `sees` the pattern of what is found.
    """

    folder: Path = Path()
    settings: Settings = field(default_factory=Settings)
    sees: str = r"bad\(\)(?!.*#.*DEV101)"
    code: str = "DEV101"
    becomes: tuple[tuple[str, str], ...] = (("bad()", "good()"),)
    dropped: tuple[str, ...] = ()

    def diagnostics(self, files: Files) -> list[Diagnostic]:
        return [
            diagnostic(name, row, self.code)
            for name, text in files.items()
            for row, line in enumerate(str(text).splitlines(), 1)
            if re.search(self.sees, line)
        ]

    def fix(self, files: Files) -> list[FixResult]:
        found = tuple(self.diagnostics(files))
        results = []
        for name, text in files.items():
            after = str(text)
            for old, new in self.becomes if found else ():
                after = after.replace(old, new)
            results.append(FixResult(name, str(text), after, found, FileResult(name), self.dropped))
        return results


def case(text: str = BAD + FIXED) -> Case:
    (found,) = read_cases(text, "rule.md", CODES)
    return found


def all_proofs(bench: Bench, of: Case) -> None:
    harness.prove_found(bench, of)
    for variant in harness.VARIANTS:
        harness.prove_variant(bench, of, variant)
    harness.prove_fixed(bench, of)
    for comment in harness.COMMENTS:
        harness.prove_suppressed(bench, of, comment)


def test_an_engine_without_fault_passes() -> None:
    all_proofs(Fake(), case())
    all_proofs(Fake(), case(BAD))


@pytest.mark.parametrize(
    ("fault", "prove"),
    [
        ({"sees": "good"}, harness.prove_found),
        ({"sees": "bad|good"}, harness.prove_found),
        ({"code": "DEV104"}, harness.prove_found),
        ({"sees": r"bad\(\)$"}, lambda b, c: harness.prove_variant(Strict(**vars(b)), c, "crlf")),
        ({"sees": r"bad\(\)(?!.*ignore)"}, lambda b, c: harness.prove_suppressed(b, c, "noqa")),
        ({"sees": r"bad\(\)(?!.*noqa)"}, lambda b, c: harness.prove_suppressed(b, c, "ignore")),
        ({"sees": r"bad\(\)(?!.*#)|devlint"}, lambda b, c: harness.prove_suppressed(b, c, "ignore")),
        ({"becomes": (("bad()", "best()"),)}, harness.prove_fixed),
        ({"becomes": ()}, harness.prove_fixed),
        ({"dropped": ("program.py:2: no",)}, harness.prove_fixed),
    ],
)
def test_a_fault_of_the_engine_is_seen(
    fault: dict[str, object], prove: Callable[[Bench, Case], None]
) -> None:
    with pytest.raises(AssertionError):
        prove(replace(Fake(), **fault), case())  # type: ignore[arg-type]


class Strict(Fake):
    """An engine that splits lines at `\\n` only."""

    def diagnostics(self, files: Files) -> list[Diagnostic]:
        return [
            diagnostic(name, row, self.code)
            for name, text in files.items()
            for row, line in enumerate(str(text).split("\n"), 1)
            if re.search(self.sees, line)
        ]


@pytest.mark.parametrize(
    ("becomes", "error"),
    [
        ("bad(), bad()", AssertionError),  # it does not remove what it fixes
        ("good(); bad()\nbad()", AssertionError),  # it adds findings
        ("good(", SyntaxError),  # it does not parse
    ],
)
def test_a_fix_without_a_fixed_block_is_proven_too(becomes: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        harness.prove_fixed(Fake(becomes=(("bad()", becomes),)), case(BAD))


def test_a_fix_that_goes_on_is_seen() -> None:
    endless = Fake(sees="bad", becomes=(("bad()", "bad(0)"), ("bad(0)", "bad(0, 0)")))
    with pytest.raises(AssertionError):
        harness.prove_fixed(endless, case(BAD))


def test_variants_say_where_rows_go() -> None:
    text = "import a\n@deco\ndef f():\n    bad()\nbad()\n"
    for make in (harness.shifted, harness.commented, harness.crlf):
        changed, row = make(text)
        lines = changed.splitlines()
        assert [lines[row(n) - 1].strip() for n in (4, 5)] == ["bad()", "bad()"]
    assert harness.commented(text)[0].count("# a comment") == 3
    assert harness.commented("bad(\n")[0] == harness.shifted("bad(\n")[0]


def test_a_comment_does_not_go_into_a_string() -> None:
    assert harness._with_comment('x = """\nbad()\n"""\n', 2, "# noqa: DEV101") is None
    assert harness._with_comment("x = bad(\n)\n", 1, "# noqa: DEV101") == "x = bad(  # noqa: DEV101\n)\n"


# What the simulated machines say, told instead of run.

Told = Callable[..., Ran]


def told(bad: tuple[str, ...], good: tuple[str, ...] = ("1", "1", "1")) -> Told:
    """What bad and good programs do with 0, 1 and 2 GPUs: `!` is an error, all else is printed."""

    def run(files: Mapping[str, str], main: str, gpus: int) -> Ran:
        said = (bad if "bad" in files[main] else good)[gpus]
        return Ran(said != "!", said, "RuntimeError: no" if said == "!" else None)

    return run


@pytest.mark.parametrize(
    ("fault", "machines"),
    [
        ("crash", told(("1", "!", "!"))),
        ("crash", told(("!", "!", "!"))),
        ("portability", told(("!", "1", "1"))),
        ("portability", told(("!", "!", "1"))),
        ("silent", told(("1", "2", "2"))),
        ("performance", told(("1", "1", "1"))),
    ],
)
def test_machines_confirm_a_mark(fault: str, machines: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "ran", machines)
    harness.prove_judged(case((BAD + FIXED).replace("crash", fault)))


@pytest.mark.parametrize(
    ("fault", "machines"),
    [
        ("crash", told(("1", "1", "1"))),
        ("crash", told(("1", "!", "!"), ("1", "!", "1"))),
        ("crash", told(("1", "!", "!"), ("!", "1", "1"))),
        ("crash", told(("1", "!", "!"), ("1", "2", "1"))),
        ("crash", told(("2", "!", "!"), ("1", "1", "1"))),
        ("portability", told(("1", "1", "1"))),
        ("portability", told(("!", "!", "!"))),
        ("silent", told(("1", "!", "!"))),
        ("performance", told(("!", "!", "!"))),
        ("performance", told(("1", "2", "1"))),
    ],
)
def test_machines_contradict_a_mark(fault: str, machines: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "ran", machines)
    with pytest.raises(AssertionError):
        harness.prove_judged(case((BAD + FIXED).replace("crash", fault)))


@pytest.mark.parametrize(
    ("fault", "failing", "fixed_fails", "proven"),
    [
        ("crash", {1}, set(), True),
        ("crash", set(), set(), False),
        ("crash", {1}, {0}, False),
        ("silent", set(), set(), True),
        ("silent", {0}, set(), False),
    ],
)
def test_ranks(
    fault: str, failing: set[int], fixed_fails: set[int], proven: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(files: Mapping[str, str], main: str, gpus: int, rank: int, world: int) -> Ran:
        assert gpus == world == 2
        fails = rank in (failing if "bad" in files[main] else fixed_fails)
        return Ran(not fails, "", "RuntimeError: no" if fails else None)

    monkeypatch.setattr(harness, "ran", run)
    told = case((BAD + FIXED).replace("run=crash", f"run={fault} ranks=2"))
    with contextlib.nullcontext() if proven else pytest.raises(AssertionError):
        harness.prove_judged(told)


def test_a_fixed_program_may_run_where_the_bad_one_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    half = case(BAD.replace(" run=crash", "") + FIXED.replace("# fixed", "# fixed run"))
    monkeypatch.setattr(harness, "ran", told(("!", "!", "!")))
    harness.prove_judged(half)
    monkeypatch.setattr(harness, "ran", told(("1", "1", "1"), ("1", "!", "1")))
    with pytest.raises(AssertionError):
        harness.prove_judged(half)


def test_a_good_program_runs_everywhere_and_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    good = case("```python\n# good run\nx = 1\n```\n")
    monkeypatch.setattr(harness, "ran", told((), ("1", "1", "1")))
    harness.prove_judged(good)
    for said in (("1", "!", "1"), ("!", "1", "1"), ("1", "2", "1")):
        monkeypatch.setattr(harness, "ran", told((), said))
        with pytest.raises(AssertionError):
            harness.prove_judged(good)
