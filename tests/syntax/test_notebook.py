from __future__ import annotations

import json
import time

import pytest

from devlint.cells import CellStart
from devlint.syntax.notebook import Notebook, NotebookError
from devlint.text import Edit, LineIndex, Position
from tests.notebooks import code, notebook, prose


def edited(document: str, old: str, new: str) -> str:
    """The document after a part of its program is another."""
    read = Notebook(document)
    start = read.program.index(old)
    return read.edited([Edit(start, start + len(old), new)])


def test_cells_make_one_program() -> None:
    read = Notebook(notebook(prose(), "import os\n%cd x", prose("more"), "", "if x:\n    y\n"))
    assert read.program == "import os\n     \n\n" + "\n\n" + "if x:\n    y\n\n\n"
    assert read.shown == "import os\n%cd x\n\n" + "\n\n" + "if x:\n    y\n\n\n"
    assert read.rows == (CellStart(2, 1), CellStart(4, 4), CellStart(5, 6))


def test_a_source_may_be_one_string_and_the_document_on_one_line() -> None:
    cell = {"source": "a = 1\nb = 'é\\n'", "cell_type": "code", "outputs": [], "metadata": {}}
    read = Notebook(json.dumps({"nbformat": 4, "metadata": {}, "cells": [cell]}))
    assert read.program == "a = 1\nb = 'é\\n'\n\n"
    assert not read.cells[0].listed


@pytest.mark.parametrize(
    "metadata",
    [
        {"language_info": {"name": "R"}},
        {"language_info": {"name": "julia"}, "kernelspec": {"language": "python"}},
        {"kernelspec": {"language": "julia", "name": "julia-1.9"}},
    ],
)
def test_a_notebook_of_another_language_has_no_python(metadata: object) -> None:
    assert Notebook(notebook("x <- 1", metadata=metadata)).program == ""


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        None,
        [],
        {"language_info": {}},
        {"language_info": {"name": 3}},
        {"language_info": {"name": "ipython"}},
        {"kernelspec": {"name": "python3"}},
        {"kernelspec": {"language": "python"}},
    ],
)
def test_one_that_does_not_say_so_is_python(metadata: object) -> None:
    assert Notebook(notebook("x", metadata=metadata)).program == "x\n\n"


def test_a_cell_of_another_language_is_blanked() -> None:
    document = notebook(
        code("select(1)", vscode={"languageId": "sql"}), code("x", vscode={"languageId": "python"})
    )
    assert Notebook(document).program == "         \n\nx\n\n"


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("", "no JSON (Expecting value, line 1, column 1)"),
        ("[]", "not a notebook: its top level is no object"),
        ("3", "not a notebook: its top level is no object"),
        ("{}", "not a notebook: it does not say its `nbformat`"),
        ("{ }", "not a notebook: it does not say its `nbformat`"),
        ('{"nbformat": "4"}', "not a notebook: it does not say its `nbformat`"),
        ('{"nbformat": 4}', "not a notebook: it has no list of `cells`"),
        ('{"nbformat": 4, "cells": {}}', "not a notebook: it has no list of `cells`"),
        ('{"nbformat": 4, "cells": [3]}', "not a notebook: cell 1 is no object"),
        (
            '{"nbformat": 3, "worksheets": [{"cells": []}]}',
            "a notebook of format 3, and only format 4 can be checked; "
            "`jupyter nbconvert --to notebook --inplace` brings it up to date",
        ),
        ('{"nbformat": 5}', "a notebook of format 5, and only format 4 can be checked"),
        (
            '{"nbformat": 4, "cells": [{"cell_type": "raw"}, {"cell_type": "code"}]}',
            "not a notebook: cell 2 has no `source`",
        ),
        (
            '{"nbformat": 4, "cells": [{"cell_type": "code", "source": 3}]}',
            "not a notebook: cell 1 has no `source`",
        ),
        (
            '{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["a", 3]}]}',
            "not a notebook: cell 1 has no `source`",
        ),
        ("{nbformat: 4}", "no JSON (Expecting property name enclosed in double quotes, line 1, column 2)"),
        ('{"nbformat" 4}', "no JSON (Expecting ':', line 1, column 13)"),
        ('{"nbformat": 4 "cells": []}', "no JSON (Expecting '}', line 1, column 16)"),
        ('{"nbformat": 4, "cells": [', "no JSON (Expecting value, line 1, column 27)"),
        (
            '{"nbformat": 4, "cells": [{} {}]}',
            "no JSON (Expecting ']', line 1, column 30)",
        ),
        ('{"nbformat": 4, "cells": []}\n}', "no JSON (Extra data, line 2, column 1)"),
        ('{"nbformat": 4,\n"x": "a\n"}', "no JSON (Invalid control character at, line 2, column 8)"),
    ],
)
def test_what_is_no_notebook(document: str, message: str) -> None:
    with pytest.raises(NotebookError) as error:
        Notebook(document)
    assert str(error.value).removeprefix("not a notebook: this is ") == message


def test_only_the_source_of_the_changed_cell_is_another() -> None:
    before = notebook(
        "x = 1\ny = '\u00e9'",
        prose("x = 1"),
        {**code("x.cuda()\nz = 2\n"), "outputs": [{"text": ["x.cuda()"]}]},
    )
    after = edited(before, "x.cuda()", "x = x.to(d)")
    assert after == before.replace('"x.cuda()\\n"', '"x = x.to(d)\\n"')


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        # A single string stays one.
        ('"a = 1\\nb"', "b", "c", '"a = 1\\nc"'),
        # The layout of a list, whatever it is.
        ('["a\\n", "b"]', "b", "c\nd", '["a\\n", "c\\n", "d"]'),
        ('["a\\n","b"]', "a", "c\nd", '["c\\n","d\\n","b"]'),
        ('[\n\t"a"\n]', "a", "b\nc", '[\n\t"b\\n",\n\t"c"\n]'),
        ('[\r\n  "a\\n",\r\n  "b"\r\n  ]', "b", "c", '[\r\n  "a\\n",\r\n  "c"\r\n  ]'),
        # How it was split, line by line.
        ('["a\\nb\\n", "c"]', "c", "d", '["a\\n", "b\\n", "d"]'),
        # The spelling of lines that stay.
        ('["x = \'\\u00E9 \\/\'\\n", "b"]', "b", "c", '["x = \'\\u00E9 \\/\'\\n", "c"]'),
        # Characters beyond ASCII as the document writes them.
        ("[\"x = '\\u00e9'\\n\"]", "x", "y", "[\"y = '\\u00e9'\\n\"]"),
        ("[\"x = 'é'\\n\"]", "x", "y", "[\"y = 'é'\\n\"]"),
        # All of a cell.
        ('["a\\n", "b"]', "a\nb", "", "[]"),
        ('["a"]', "a\n", "", "[]"),
        ('["a\\n", "b"]', "b\n", "", '["a"]'),
        ('["a\\n", "b\\n"]', "a\n", "", '["b\\n"]'),
    ],
)
def test_a_source_keeps_its_form(before: str, old: str, new: str, after: str) -> None:
    frame = '{{"nbformat": 4, "cells":\t[{{"cell_type": "code", "source": {}, "id":"x"}} ], "a": 1.50}}'
    assert edited(frame.format(before), old, new) == frame.format(after)


def test_what_stands_at_the_end_of_a_cell_stays_in_it() -> None:
    before = notebook("import torch", "x = 1")
    read = Notebook(before)
    end = read.program.index("\n")
    for edit in (Edit(end, end, "\ny = 2"), Edit(end + 1, end + 1, "y = 2\n")):
        assert read.edited([edit]) == notebook("import torch\ny = 2", "x = 1")
    start = read.program.index("x")
    assert read.edited([Edit(start, start, "y = 2\n")]) == notebook("import torch", "y = 2\nx = 1")


@pytest.mark.parametrize(
    ("start", "end", "why"),
    [
        ("x = 1", "y = 2", "reach beyond the end of a cell"),
        ("\n\n", "y = 2", "reach beyond the end of a cell"),
        ("x = 1", "x = 1", "change what of a cell is Python"),
        ("z", "w", "change a command of IPython"),
    ],
)
def test_an_edit_is_of_one_cell_and_of_python(start: str, end: str, why: str) -> None:
    read = Notebook(notebook("x = 1", "y = 2\nif z:\n    !ls\n    w"))
    with pytest.raises(NotebookError, match=why):
        read.edited([Edit(read.program.index(start), read.program.index(end) + 1, "%%time\n(")])


def test_the_empty_row_after_a_cell_belongs_to_it() -> None:
    read = Notebook(notebook("x", "y"))
    assert read.edited([Edit(2, 2, "a")]) == notebook("x\na", "y")
    assert read.edited([Edit(1, 3, "")]) == notebook("x", "y")
    assert read.edited([Edit(0, 3, "")]) == notebook("", "y")
    assert read.edited([Edit(3, 3, "a")]) == notebook("x", "ay")


def test_an_edit_that_changes_nothing_leaves_the_document_alone() -> None:
    document = '{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["a", "\\u0062"]}]}'
    assert edited(document, "ab", "ab") == document


def test_the_row_of_a_cell_in_the_document() -> None:
    document = notebook(prose(), "a\nb\n")
    read = Notebook(document)
    rows = [LineIndex(document).position(read.place(2, Position(row, 1)).start).row for row in (1, 2, 3)]
    assert [document.splitlines()[row - 1].strip() for row in rows] == ['"a\\n",', '"b\\n"', '"b\\n"']
    empty = Notebook(notebook(""))
    assert empty.place(1, Position(1, 1)) == empty.cells[0].value


def test_outputs_of_any_size_cost_little() -> None:
    picture = {"output_type": "display_data", "data": {"image/png": "aGVsbG8" * 3_000_000}}
    document = notebook({**code("x = 1"), "outputs": [picture]})
    start = time.perf_counter()
    assert Notebook(document).program == "x = 1\n\n"
    assert time.perf_counter() - start < 2
