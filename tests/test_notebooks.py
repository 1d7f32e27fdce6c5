"""Notebooks, from the bytes to what is shown and written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from devlint.baseline import Baseline
from devlint.config import Resolver, Settings
from devlint.diagnostic import FileResult
from devlint.lint import lint_text, make_linter
from devlint.project import discover, run_check
from devlint.rewrite import FixResult, run_add_noqa, run_fix
from devlint.rules import all_rules
from devlint.syntax.source import Source
from tests.notebooks import code, notebook, prose

IMPORTS = "%matplotlib inline\nimport torch\nfrom torch import nn"
DEVICE = 'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")'
LOST = "x = torch.ones(3)\nx.to(device)"
USED = f"{LOST}\nprint(x)"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def result(document: str, settings: Settings | None = None) -> FileResult:
    return lint_text(document, "a.ipynb", settings or Settings())


def found(document: str) -> list[str]:
    """What is found: cell, row and column, and the code of the rule."""
    outcome = result(document)
    assert outcome.failure is None
    return [f"{d.cell}:{d.start.row}:{d.start.column} {d.code}" for d in outcome.diagnostics]


def failure(document: str, settings: Settings | None = None) -> str:
    outcome = result(document, settings)
    assert outcome.failure is not None
    return outcome.failure.message


def fix(name: str = "a.ipynb", *, write: bool = True) -> FixResult:
    targets = discover([name], Resolver(all_rules(), isolated=True))
    (done,) = run_fix(targets, unsafe=True, write=write, jobs=1, cache=False)
    return done


def test_a_finding_is_counted_in_its_cell() -> None:
    (diagnostic,) = result(notebook(prose(), IMPORTS, prose(), DEVICE, LOST)).diagnostics
    assert (diagnostic.cell, diagnostic.start, diagnostic.end) == (5, (2, 1), (2, 13))
    assert diagnostic.statement == (2, 2)
    assert [(note.cell, note.start) for note in diagnostic.notes] == [(5, (1, 5))]


def test_cells_are_one_program_in_their_order() -> None:
    assert found(
        notebook(IMPORTS, DEVICE, "x = torch.ones(3)", prose("x = x.to(device)"), "x.to(device)")
    ) == ["5:1:1 DEV101"]
    assert found(notebook(IMPORTS, DEVICE, "x = torch.ones(3)", "%time x = x.to(device)", "y = x + 1")) == []


@pytest.mark.parametrize(
    "cell",
    [
        "pip install torch",
        "%%bash\nx.to(device",
        "!x.to(device)",
        "print x",
        "x = (",
        "",
        "await x.load()\nasync with x: pass",
    ],
)
def test_a_cell_of_something_else_does_not_spoil_the_others(cell: str) -> None:
    assert found(notebook(cell, IMPORTS, cell, DEVICE, LOST, cell)) == ["5:2:1 DEV101"]


@pytest.mark.parametrize(
    ("cell", "left"),
    [
        (f"{LOST}  # noqa: DEV101", []),
        ("x = torch.ones(3)\n# devlint: ignore[unassigned-move]\nx.to(device)", []),
        (f"# devlint: file-ignore[DEV1]\n{LOST}", []),
        (f"# devlint: disable[DEV101]\n{LOST}\n# devlint: enable[DEV101]\nx.to(device)", ["3:5:1 DEV101"]),
        (f"{LOST}\nx = 1  # noqa: DEV101", ["3:2:1 DEV101", "3:3:8 DEV002"]),
    ],
)
def test_suppressions(cell: str, left: list[str]) -> None:
    assert found(notebook(IMPORTS, DEVICE, cell)) == left


def test_comments_of_prose_and_commands_are_none() -> None:
    noqa = "# noqa: DEV101"
    assert found(notebook(IMPORTS, DEVICE, prose(noqa), f"%%bash\nls {noqa}", f"!ls {noqa}", LOST)) == [
        "6:2:1 DEV101"
    ]


def test_what_cannot_matter_is_silent_and_what_can_is_told() -> None:
    assert result("{") == FileResult("a.ipynb")
    assert failure("torch {") == "not a notebook: this is no JSON (Expecting value, line 1, column 1)"
    assert failure('{"nbformat": 3, "worksheets": ["torch"]}').startswith("a notebook of format 3, and only")
    r = {"language_info": {"name": "R"}}
    assert result(notebook("library(torch)\nx$cuda()", metadata=r)) == FileResult("a.ipynb")
    assert result(notebook(prose("torch"))) == FileResult("a.ipynb")
    assert lint_text(b"torch \xff", "a.ipynb", Settings()).failure is not None


def test_outputs_are_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = {**code("x = 1"), "outputs": [{"output_type": "stream", "text": ["import torch\n", "x = ("]}]}
    monkeypatch.setattr(Source, "cst", property(lambda _: pytest.fail("parsed")))
    assert found(notebook(cell)) == []


def test_only_the_code_of_a_notebook_has_a_limit() -> None:
    outputs = [{"output_type": "stream", "text": ["torch"] * 1000}]
    document = notebook({**code(f"{IMPORTS}\n{DEVICE}\n{LOST}"), "outputs": outputs})
    size = len(Source.from_text("a.ipynb", document).text)
    assert len(result(document, Settings(max_file_size=size)).diagnostics) == 1
    assert failure(document, Settings(max_file_size=size - 1)) == (
        "too large to be checked (0.0 MB): exclude it, or raise `max-file-size`"
    )


def test_a_baseline_knows_findings_by_their_line() -> None:
    Path("a.ipynb").write_text(notebook(IMPORTS, DEVICE, LOST))
    targets = discover(["."], Resolver(all_rules(), isolated=True))
    run = run_check(targets, jobs=1, cache=False, baseline=Baseline(Path("base.json")))
    Path("a.ipynb").write_text(notebook(prose(), IMPORTS, DEVICE, f"%cd x\n{LOST}", LOST))
    (left,) = run_check(targets, jobs=1, cache=False, baseline=run.grown).results
    assert [diagnostic.cell for diagnostic in left.diagnostics] == [5]


def test_the_cache_knows_the_cells() -> None:
    Path("a.ipynb").write_text(notebook(prose(), IMPORTS, DEVICE, LOST))
    targets = discover(["."], Resolver(all_rules(), isolated=True))
    runs = [run_check(targets, jobs=1, cache=True).results for _ in range(2)]
    assert runs[0] == runs[1]
    assert runs[0][0].diagnostics[0].cell == 4


def test_a_notebook_imports_the_projects_modules() -> None:
    Path("net.py").write_text("def move(x, device):\n    x.to(device)\n")
    Path("a.ipynb").write_text(
        notebook(prose(), IMPORTS, DEVICE, "from net import move\n\nmove(torch.ones(3), device)")
    )
    targets = discover(["."], Resolver(all_rules(), isolated=True))
    _, net = run_check(targets, jobs=1, cache=False).results
    (diagnostic,) = net.diagnostics
    assert (diagnostic.cell, diagnostic.start.row) == (None, 2)
    assert [(note.path, note.cell, note.start.row) for note in diagnostic.notes] == [("a.ipynb", 4, 3)]


# -- what is written -------------------------------------------------------------------------------------


def test_a_fix_changes_the_source_of_its_cells_and_nothing_else() -> None:
    printed = {"name": "stdout", "output_type": "stream", "text": ["x.to(device) é\n"]}
    before = notebook(prose("é"), IMPORTS, DEVICE, {**code(USED), "outputs": [printed]}).replace(
        '"nbformat": 4', '"x" : [1.0,\t2e5, "\\u00e9"],\r\n"nbformat" :4'
    )
    data = b"\xef\xbb\xbf" + before.encode()
    Path("a.ipynb").write_bytes(data)
    done = fix()
    assert [diagnostic.code for diagnostic in done.fixed] == ["DEV101"]
    after = Path("a.ipynb").read_bytes()
    assert after == data.replace(b'"x.to(device)\\n"', b'"x = x.to(device)\\n"')
    assert fix().fixed == ()
    assert Path("a.ipynb").read_bytes() == after


def test_a_device_variable_goes_to_the_imports() -> None:
    Path("a.ipynb").write_text(
        notebook(
            prose(),
            IMPORTS,
            prose(),
            "%%time\nnet = nn.Linear(3, 1).cuda()",
            "y = net(torch.ones(2, 3).cuda())",
        )
    )
    done = fix()
    assert done.dropped == ()
    assert [cell["source"] for cell in json.loads(done.after)["cells"]] == [
        ["# A title"],
        ["%matplotlib inline\n", "import torch\n", "from torch import nn\n", "\n", DEVICE],
        ["# A title"],
        ["%%time\n", "net = nn.Linear(3, 1).to(device)"],
        ["y = net(torch.ones(2, 3, device=device))"],
    ]


def test_nothing_is_written_where_nothing_changes() -> None:
    document = json.dumps(
        json.loads(notebook(IMPORTS, DEVICE, "x = torch.ones(3).to(device)  # noqa: DEV104"))
    )
    Path("a.ipynb").write_text(document)
    before = Path("a.ipynb").stat().st_mtime_ns
    assert fix().fixed == ()
    assert Path("a.ipynb").stat().st_mtime_ns == before
    assert Path("a.ipynb").read_text() == document


def test_a_fix_never_touches_a_command() -> None:
    cell = "net = nn.Linear(3, 1)\nif torch.cuda.is_available():\n    !nvidia-smi\n    net.cuda()"
    Path("a.ipynb").write_text(notebook(IMPORTS, cell, "y = net(torch.ones(2, 3))"))
    after = fix().after
    assert not after or "    !nvidia-smi\\n" in after


def test_a_notebook_that_awaits_is_fixed_too() -> None:
    Path("a.ipynb").write_text(notebook(IMPORTS, DEVICE, f"await f()\n{USED}"))
    assert '"x = x.to(device)\\n"' in fix().after


def test_noqa_comments_are_added_to_cells() -> None:
    Path("a.ipynb").write_text(notebook(prose(), IMPORTS, DEVICE, LOST))
    targets = discover(["."], Resolver(all_rules(), isolated=True))
    run = run_add_noqa(targets, jobs=1, cache=False)
    assert (run.silenced, run.files) == (1, ("a.ipynb",))
    assert Path("a.ipynb").read_text() == notebook(prose(), IMPORTS, DEVICE, f"{LOST}  # noqa: DEV101")


def test_where_a_fix_is_left_out_is_said_by_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devlint.fix.apply.harm", lambda *_: "because")
    Path("a.ipynb").write_text(notebook(IMPORTS, DEVICE, USED))
    assert fix(write=False).dropped == ("a.ipynb:cell 3:2: the fix of DEV101 is left out: because",)


def test_a_linter_knows_a_notebook_by_its_name() -> None:
    reading = make_linter((".",)).read("x.txt", notebook(LOST).encode(), Settings())
    assert reading.cells == ()
