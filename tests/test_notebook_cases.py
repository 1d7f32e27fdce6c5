"""The programs of the rules' pages and case files, spread over the cells of a notebook: the same is found, and
the fixes make the same of them."""

from __future__ import annotations

import ast
import itertools
import json
from pathlib import Path

import pytest

from devlint.lint import SYNTAX_ERROR
from tests import harness
from tests.blocks import Case
from tests.harness import Bench
from tests.notebooks import notebook, prose

CASES = [
    case
    for case in (*harness.page_cases(), *harness.file_cases())
    if len(case.files) == 1 and SYNTAX_ERROR not in {code for *_, code in case.lines}
]
NAME = "program.ipynb"


def spread(text: str) -> list[tuple[int, str]]:
    """A program in parts that begin with a statement of the top level after an empty row; their first rows."""
    lines = text.splitlines(keepends=True)
    starts = {
        min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        for node in ast.parse(text).body
    }
    cuts = [1, *(row for row in sorted(starts) if row > 1 and not lines[row - 2].strip()), len(lines) + 1]
    return [(low, "".join(lines[low - 1 : high - 1]).rstrip("\n")) for low, high in itertools.pairwise(cuts)]


def as_notebook(case: Case) -> tuple[str, dict[int, int]]:
    """The notebook, and the first row of each of its cells in the program."""
    (text,) = case.files.values()
    parts = spread(text)
    cells = [cell for _, part in parts for cell in (prose(), part)]
    return notebook(*cells), {2 * number: row for number, (row, _) in enumerate(parts, 1)}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_same_is_found_and_made_of_it(case: Case, tmp_path: Path) -> None:
    bench = Bench.of(tmp_path, harness.rule_of(case))
    document, first = as_notebook(case)
    found = [(first[d.cell or 0] + d.start.row - 1, d.code) for d in bench.diagnostics({NAME: document})]
    assert sorted(found) == [(row, code) for _, row, code in case.lines]
    if not case.fixed:
        return
    (done,) = bench.fix({NAME: document})
    sources = [
        "".join(cell["source"])
        for cell in json.loads(done.after or document)["cells"]
        if cell["cell_type"] == "code"
    ]
    (want,) = case.fixed_files.values()
    assert [row for text in sources for row in text.splitlines() if row.strip()] == [
        row for row in want.splitlines() if row.strip()
    ]
