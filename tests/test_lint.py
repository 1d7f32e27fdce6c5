from __future__ import annotations

import ast
from collections import Counter
from dataclasses import replace
from pathlib import Path

import libcst
import pytest

from devlint.baseline import Baseline, Mark
from devlint.config import Settings, load
from devlint.diagnostic import Diagnostic, Fix, Note, Safety, Severity
from devlint.lint import Reading, lint_text, make_linter, triage
from devlint.selectors import Selection
from devlint.text import Edit, Position, Span
from tests.fakes import MARK, RULES, fake_engine


def read(text: str | bytes, settings: Settings | None = None, *, verbose: bool = False) -> Reading:
    data = text if isinstance(text, bytes) else text.encode()
    return fake_engine(("/none",), verbose).read("a.py", data, settings or Settings())


def shown(text: str, settings: Settings | None = None) -> list[str]:
    settings = settings or Settings()
    found = triage(read(text, settings), RULES, settings).result.diagnostics
    return [f"{d.start.row} {d.code}" for d in found]


def failure(text: str | bytes, *, verbose: bool = False) -> str:
    reading = read(text, verbose=verbose)
    assert reading.failure is not None
    assert reading.failure.path == "a.py"
    assert not reading.checked
    assert triage(reading, RULES, Settings()).result.diagnostics == ()
    return reading.failure.message


def test_a_finding_has_its_places() -> None:
    text = "# torch\nx = [\n    1, bad101(2),\n]\n"
    assert [raw.diagnostic for raw in read(text).raw] == [
        Diagnostic(
            code="DEV101",
            name="unassigned-move",
            severity=Severity.ERROR,
            message="bad101 is called",
            path="a.py",
            span=Span(21, 30),
            start=Position(2, 1),
            end=Position(3, 17),
            statement=(2, 4),
            notes=(Note("here", "a.py", Position(3, 8), Position(3, 17)),),
            fix=Fix("Call the good one", Safety.SAFE, (Edit(21, 30, "good101(2)"),)),
            shows=(Span(21, 30),),
            mark=Position(3, 8),
        )
    ]
    assert read(text).raw[0].line == "1, bad101(2),"


def test_a_file_that_cannot_matter_is_not_even_decoded() -> None:
    assert read(b"x = (\xff") == Reading("a.py")
    assert read(b"def broken(:\n") == Reading("a.py")
    assert failure(b"\n\nx = \xff  # devlint: ignore").startswith("not valid utf-8")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("# torch\nx = (\n", (2, 5), "this does not parse: '(' was never closed"),
        ("# torch\r\nx = (\r\n", (2, 5), "this does not parse: '(' was never closed"),
        ("# torch\nprint 'x'\n", (2, 1), "Missing parentheses in call to 'print'"),
        ("# torch\nif x:\ny\n", (3, 1), "expected an indented block"),
        ("# torch\n" + " ".join(["("] * 300), (2, 401), "this does not parse: too many nested parentheses"),
        ("# torch\n'\\d'; x = = 1\n", (2, 11), "this does not parse: invalid syntax"),
    ],
)
def test_what_does_not_parse_is_one_finding(text: str, place: tuple[int, int], message: str) -> None:
    reading = read(text)
    assert (reading.failure, reading.checked) == (None, False)
    (raw,) = reading.raw
    assert raw.diagnostic.code == "DEV001"
    assert raw.diagnostic.severity is Severity.ERROR
    assert message in raw.diagnostic.message
    assert "\n" not in raw.diagnostic.message
    assert raw.diagnostic.start == place
    assert raw.diagnostic.fix is None


def test_brackets_in_a_string_nest_nothing() -> None:
    assert shown(f"# torch\nx = '{'(' * 300}'\nbad101()\n") == ["3 DEV101"]


def test_a_syntax_error_can_be_silenced_for_the_file_and_the_line() -> None:
    assert shown("# torch\nx = = 1\n# devlint: file-ignore[DEV001]\n") == []
    assert shown("# torch\nx = = 1  # noqa: DEV001\n") == []
    assert shown("# torch\nx = = 1\n", Settings(selections=(Selection(ignore=("syntax-error",)),))) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MARK + "recurse()\n", "nested too deeply to be checked"),
        (MARK + "starve()\n", "not enough memory to check it"),
        (b"# torch\n\n# \xff\n", "not valid utf-8: byte 0xff on line 3"),
        (b"# -*- coding: klingon -*-\n# torch\n", "unknown encoding: klingon"),
    ],
)
def test_what_goes_wrong_is_a_failure_in_one_line(text: str | bytes, message: str) -> None:
    assert failure(text).startswith(message)
    assert "\n" not in failure(text)


def test_a_fault_of_our_own_says_so_and_shows_its_traceback_on_request() -> None:
    words = failure(MARK + "crash()\n")
    assert words.startswith("internal error: ValueError: as told; please report it")
    assert "\n" not in words
    verbose = failure(MARK + "crash()\n", verbose=True)
    assert verbose.startswith(words)
    assert "Traceback (most recent call last)" in verbose


def test_the_traceback_of_a_deep_recursion_is_short() -> None:
    assert len(failure(MARK + "recurse()\n", verbose=True).splitlines()) < 60


# triage


def test_findings_come_sorted_and_once() -> None:
    assert shown(MARK + "bad104()\nbad101(), bad104()\nbad101()\n") == [
        "2 DEV104",
        "3 DEV101",
        "3 DEV104",
        "4 DEV101",
    ]
    reading = read(MARK + "bad104()\nbad101()\n")
    twice = replace(reading, raw=(*reversed(reading.raw), *reading.raw))
    assert triage(twice, RULES, Settings()) == triage(reading, RULES, Settings())


def test_of_the_same_finding_the_first_stays() -> None:
    reading = read(MARK + "bad101()\n")
    (raw,) = reading.raw
    other = raw._replace(diagnostic=replace(raw.diagnostic, message="by another way"))
    found = triage(replace(reading, raw=(raw, other)), RULES, Settings()).result.diagnostics
    assert [d.message for d in found] == ["bad101 is called"]


def test_rules_that_are_off_show_nothing() -> None:
    text = MARK + "bad101()\nbad104()\nbad605()\n"
    assert shown(text) == ["2 DEV101", "3 DEV104"]
    assert shown(text, Settings(selections=(Selection(select=("DEV605",)),))) == ["4 DEV605"]
    # What is kept of a run with other settings is not shown either.
    everything = read(text, Settings(selections=(Selection(select=("ALL", "DEV605")),)))
    found = triage(everything, RULES, Settings()).result.diagnostics
    assert [d.code for d in found] == ["DEV101", "DEV104"]


def test_per_file_ignores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load(tmp_path, RULES, overrides={"per-file-ignores": {"a.py": ["DEV101"], "b.py": ["DEV104"]}})
    assert shown(MARK + "bad101()\nbad104()\n", settings) == ["3 DEV104"]


def test_fixes_that_are_not_allowed_are_not_offered() -> None:
    def fixes(settings: Settings) -> list[Safety | None]:
        found = triage(read(MARK + "bad101()\nbad104()\n"), RULES, settings).result.diagnostics
        return [d.fix.safety if d.fix else None for d in found]

    assert fixes(Settings()) == [Safety.SAFE, Safety.SAFE]
    assert fixes(Settings(unfixable=("DEV104",))) == [Safety.SAFE, None]
    assert fixes(Settings(extend_unsafe_fixes=("DEV101",))) == [Safety.UNSAFE, Safety.SAFE]


def test_no_fix_is_made_for_what_is_silenced() -> None:
    raw = read(MARK + "bad101()  # noqa\nbad101()\n").raw
    assert [found.diagnostic.fix is not None for found in raw] == [False, True]
    raw = read(MARK + "bad101()  # noqa\n", Settings(respect_suppressions=False)).raw
    assert raw[0].diagnostic.fix is not None


def test_the_baseline_takes_as_many_as_it_knows() -> None:
    text = MARK + "bad101()\nif x:\n    bad101()\n    bad101()\nbad104()\n"
    baseline = Baseline(
        Path("old.json"), {"a.py": Counter({Mark("DEV101", "bad101()"): 2, Mark("DEV104", "no"): 1})}
    )
    judged = triage(read(text), RULES, Settings(), baseline)
    assert [f"{d.start.row} {d.code}" for d in judged.result.diagnostics] == ["5 DEV101", "6 DEV104"]
    assert judged.marks == {Mark("DEV101", "bad101()"): 3, Mark("DEV104", "bad104()"): 1}
    assert judged.old == {Mark("DEV101", "bad101()"): 2}


def test_what_a_comment_silences_is_not_in_the_baseline() -> None:
    judged = triage(read(MARK + "bad101()  # noqa\n"), RULES, Settings(), Baseline(Path("old.json")))
    assert judged.marks == {}


def test_a_text_is_checked_with_the_real_rules(tmp_path: Path) -> None:
    text = "import torch\nx = torch.zeros(3)\nx.to('cuda' if torch.cuda.is_available() else 'cpu')\n"
    for content in (text, text.encode()):
        found = lint_text(content, "a.py", Settings(root=tmp_path)).diagnostics
        assert [(d.start.row, d.code) for d in found] == [(3, "DEV101")]


def test_a_reading_names_what_it_depends_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lib").mkdir()
    Path("lib/__init__.py").touch()
    Path("lib/layers.py").write_text("import torch\ndevice = torch.device('cuda')\n")
    text = b"import torch\nfrom lib.layers import device\nimport lib.gone\n"
    reading = make_linter((str(tmp_path),)).read("a.py", text, Settings())
    assert {str(tmp_path), str(tmp_path / "lib"), str(tmp_path / "lib/layers.py")} <= set(
        reading.dependencies
    )


def test_a_file_that_was_read_for_an_importer_is_not_parsed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lib.py").write_text("import torch\nx = torch.zeros(3)\nx.cpu()\n")
    parsed: list[int] = []
    really = ast.parse

    def spy(text: str) -> ast.Module:
        parsed.append(text.count("\n"))
        return really(text)

    monkeypatch.setattr(ast, "parse", spy)
    linter = make_linter((str(tmp_path),))
    assert linter.read("a.py", b"import torch\nfrom lib import x\n", Settings()).failure is None
    reading = linter.read("lib.py", Path("lib.py").read_bytes(), Settings())
    assert parsed == [2, 3]
    assert [raw.diagnostic.start.row for raw in reading.raw] == [3]
    linter.read("lib.py", Path("lib.py").read_bytes() + b"# changed\n", Settings())
    assert parsed == [2, 3, 4]


def test_libcst_parses_only_files_with_something_to_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    really = libcst.parse_module

    def spy(text: str) -> libcst.Module:
        parsed.append(text)
        return really(text)

    monkeypatch.setattr(libcst, "parse_module", spy)
    silent, faulty = "import torch\nx = torch.zeros(3)\n", "import torch\nx = torch.zeros(3)\nx.cpu()\n"
    assert lint_text(silent, "a.py", Settings(root=tmp_path)).diagnostics == ()
    assert parsed == []
    assert len(lint_text(faulty, "a.py", Settings(root=tmp_path)).diagnostics) == 1
    assert parsed == [faulty]


def test_what_python_parses_and_libcst_does_not_is_checked_and_said_where_a_finding_cannot_be_placed(
    tmp_path: Path,
) -> None:
    silent = "import torch\n(x): bool = True\n"  # libcst takes no annotation of a name in brackets
    assert lint_text(silent, "a.py", Settings(root=tmp_path)).failure is None
    result = lint_text(silent + "y = torch.zeros(3)\ny.cpu()\n", "a.py", Settings(root=tmp_path))
    assert result.failure is not None
    assert (
        result.failure.message == "libcst does not parse a.py, near line 3, so nothing can be reported in it"
    )


def test_a_text_nested_beyond_pythons_default_limit_is_checked(tmp_path: Path) -> None:
    text = "import torch\nx = " + " + ".join(["1"] * 1500) + "\ntorch.zeros(3).to('gpu')\n"
    result = lint_text(text, "a.py", Settings(root=tmp_path))
    assert result.failure is None
    assert "DEV203" in {d.code for d in result.diagnostics}


def test_what_an_import_imports_is_a_dependency_of_each_importer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("deep.py").write_text("import torch\nDEVICE = torch.device('cpu')\n")
    Path("middle.py").write_text("import torch\nfrom deep import DEVICE\n")
    text = b"import torch\nfrom middle import DEVICE\nx = torch.zeros(3, device=DEVICE)\n"
    linter = make_linter((str(tmp_path),))
    for name in ("first.py", "second.py"):  # for the second, middle.py was read already
        found = {Path(path).name for path in linter.read(name, text, Settings()).dependencies}
        assert {"middle.py", "deep.py"} <= found
