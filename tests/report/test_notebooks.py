"""A finding in a notebook, in every format."""

from __future__ import annotations

import json
from typing import Any

import pytest

from devlint.diagnostic import Diagnostic, FileResult, Fix, Note, Safety, Severity
from devlint.report import FORMATS, ReportContext, SourceText, Texts
from devlint.report.diff import unified
from devlint.report.style import Style
from devlint.syntax.source import Source
from devlint.text import Edit, Position, Span
from tests.notebooks import code, notebook, prose
from tests.report.samples import RULES, written

DOCUMENT = notebook(prose(), "%pip install x\nimport torch", "x = torch.ones(3)\n!ls", "y = 1\nx.to(device)")
SOURCE = Source.from_text("a.ipynb", DOCUMENT)
AT = SOURCE.text.index("x.to")
FOUND = Diagnostic(
    code="DEV101",
    name="unassigned-move",
    severity=Severity.ERROR,
    message="dropped",
    path="a.ipynb",
    span=Span(AT, AT + 12),
    start=Position(2, 1),
    end=Position(2, 13),
    statement=(2, 2),
    notes=(Note("made here", "a.ipynb", Position(1, 5), Position(1, 18), 3),),
    fix=Fix("assign it", Safety.SAFE, (Edit(AT, AT, "x = "),)),
    cell=4,
)
# The row of `"x.to(device)"` in the document, and that of what was made.
ROW = DOCUMENT.splitlines().index('    "x.to(device)"') + 1
MADE = DOCUMENT.splitlines().index('    "x = torch.ones(3)\\n",') + 1


def report(name: str, source: Source | None = SOURCE) -> str:
    text = SourceText.of(source) if source is not None else None
    context = ReportContext(rules=RULES, texts=Texts(lambda _: text), version="9.9", summary=False)
    return written(FORMATS[name], [FileResult("a.ipynb", (FOUND,))], context)


def test_people_see_the_cells() -> None:
    assert (
        report("text")
        == """\
error[DEV101 unassigned-move]: [*] dropped
 --> a.ipynb:cell 4:2:1
  |
1 | y = 1
2 | x.to(device)
  | ^^^^^^^^^^^^
  |
 ::: a.ipynb:cell 3:1:5
  |
1 | x = torch.ones(3)
  |     ------------- made here
2 | !ls
  |
fix: assign it
  - x.to(device)
  + x = x.to(device)

"""
    )
    assert report("concise") == "a.ipynb:cell 4:2:1: DEV101 [*] dropped\n"
    assert report("grouped") == "a.ipynb:\n  cell 4:2:1 DEV101 [*] dropped\n\n"


def test_json_counts_in_cells() -> None:
    (entry,) = json.loads(report("json"))
    assert (entry["cell"], entry["location"], entry["noqa_row"]) == (4, {"column": 1, "row": 2}, 2)
    assert entry["notes"][0]["cell"] == 3
    assert entry["fix"]["edits"] == [
        {
            "cell": 4,
            "content": "x = ",
            "end_location": {"column": 1, "row": 2},
            "location": {"column": 1, "row": 2},
        }
    ]


def test_formats_that_know_no_cells_show_the_row_of_the_file() -> None:
    assert report("pylint") == f"a.ipynb:{ROW}: [DEV101] cell 4:2:1: dropped\n"
    assert report("azure") == (
        "##vso[task.logissue type=error;sourcepath=a.ipynb;"
        f"linenumber={ROW};columnnumber=5;code=DEV101;]cell 4:2:1: dropped\n"
    )
    assert report("github") == (
        "::error title=devlint (DEV101 unassigned-move),file=a.ipynb,"
        f"line={ROW},col=5,endLine={ROW},endColumn=19::a.ipynb:cell 4:2:1: DEV101 dropped%0A"
        "  a.ipynb:cell 3:1: made here%0A  fix (safe): assign it\n"
    )
    assert f'line="{ROW}" column="5"' in report("junit")
    assert 'message="cell 4:2:1: dropped"' in report("junit")


def test_tables_for_machines_show_the_row_of_the_file() -> None:
    (issue,) = json.loads(report("gitlab"))
    assert issue["location"]["positions"]["begin"] == {"line": ROW, "column": 5}
    (entry,) = json.loads(report("rdjson"))["diagnostics"]
    assert entry["location"]["range"] == {"start": {"line": ROW, "column": 1}}
    assert (entry["message"], entry["suggestions"]) == ("cell 4:2:1: dropped", [])
    (result,) = json.loads(report("sarif"))["runs"][0]["results"]
    assert _rows(result["locations"][0]) == (ROW, ROW)
    assert _rows(result["relatedLocations"][0]) == (MADE, MADE)
    assert result["message"]["text"] == "cell 4:2:1: dropped"
    assert "fixes" not in result


def _rows(location: Any) -> tuple[int, int]:
    region = location["physicalLocation"]["region"]
    return region["startLine"], region["endLine"]


@pytest.mark.parametrize("name", FORMATS)
def test_a_notebook_that_is_gone_or_another_by_now(name: str) -> None:
    assert "dropped" in report(name, None)
    assert "dropped" in report(name, Source.from_text("a.ipynb", notebook(prose())))


def test_the_diff_of_a_notebook_is_one_of_cells() -> None:
    after = notebook(prose(), "%pip install x\nimport torch", code("x = 2\n!ls"), "y = 1\nx.to(device)")
    assert "".join(unified(DOCUMENT, after, "a.ipynb", Style(False))) == (
        "--- a.ipynb:cell 3\n+++ a.ipynb:cell 3\n@@ -1,2 +1,2 @@\n-x = torch.ones(3)\n+x = 2\n !ls\n"
    )
