"""The grammar of programs in Markdown."""

from __future__ import annotations

import pytest

from tests.blocks import BlockError, Case, Line, read_cases

CODES = {"DEV101": "DEV101", "unassigned-move": "DEV101", "DEV104": "DEV104"}


def fenced(*bodies: str) -> str:
    return "\n".join(f"```python\n{body.strip()}\n```\n" for body in bodies)


def read(text: str) -> list[Case]:
    return read_cases(text, "rule.md", CODES)


def test_a_mark_and_what_is_expected_are_taken_out() -> None:
    (case,) = read("# Title\n\nWhy.\n\n" + fenced("# bad\nx.to(d)  # expect: unassigned-move\ny = 1"))
    (block,) = case.blocks
    assert (case.mark, block.row, block.file) == ("bad", 5, "program.py")
    assert block.text == "x.to(d)\ny = 1\n"
    assert block.lines == (Line(1, "DEV101"),)
    assert str(case) == "rule.md:5:bad"


def test_a_mark_may_stand_on_the_fence() -> None:
    (case,) = read("```python bad run=crash\nx.to(d)  # expect: DEV101\n```\n")
    assert case.blocks[0].text == "x.to(d)\n"
    assert case.main is case.blocks[0]
    assert case.blocks[0].fault == "crash"


def test_a_line_may_have_several_findings_and_the_reason_stays() -> None:
    (case,) = read(fenced("# bad\nx.to(d)  # a reason  # expect: DEV104, DEV101"))
    assert case.lines == [("program.py", 1, "DEV101"), ("program.py", 1, "DEV104")]
    assert case.files == {"program.py": "x.to(d)  # a reason\n"}


def test_a_fixed_block_belongs_to_the_bad_one_before_it() -> None:
    (case,) = read(fenced("# bad\nx.to(d)  # expect: DEV101", "# fixed\nx = x.to(d)"))
    assert case.fixed_files == {"program.py": "x = x.to(d)\n"}
    assert case.lines_left == []


def test_marks_of_a_fixed_block_are_what_is_left() -> None:
    (case,) = read(
        fenced("# bad\nf()  # expect: DEV101\ng()  # expect: DEV104", "# fixed\ng()  # expect: DEV104")
    )
    assert case.lines_left == [("program.py", 1, "DEV104")]


def test_files_in_a_row_are_one_project() -> None:
    first, second = read(
        fenced("# bad file=a.py\nx.to(d)  # expect: DEV101", "# bad run=silent file=pkg/b.py\ny = 1")
        + fenced("# fixed file=a.py\nx = x.to(d)")
        + "## Another\n\n"
        + fenced("# good file=a.py\nx = 1")
    )
    assert list(first.files) == ["a.py", "pkg/b.py"]
    assert first.main == first.blocks[1]
    assert first.fixed_files == {"a.py": "x = x.to(d)\n", "pkg/b.py": "y = 1\n"}
    assert list(second.files) == ["a.py"]


def test_a_file_that_comes_again_begins_another_project() -> None:
    cases = read(fenced("# good file=a.py\nx = 1", "# good file=b.py\nx = 1", "# good file=a.py\nx = 2"))
    assert [list(case.files) for case in cases] == [["a.py", "b.py"], ["a.py"]]


def test_files_of_different_marks_are_different_projects() -> None:
    cases = read(fenced("# good file=a.py\nx = 1", "# bad file=b.py\nx.to(d)  # expect: DEV101"))
    assert [case.mark for case in cases] == ["good", "bad"]


def test_what_is_no_python_is_none_of_its_business() -> None:
    assert read("```console\n$ devlint check\n```\n\n```text\nx  # expect: DEV101\n```\n") == []


def test_a_value_of_the_model() -> None:
    (case,) = read(fenced("# model\nreveal(x)  # reveal: tensor@{a ? cuda : cpu}"))
    assert case.lines == [("program.py", 1, "tensor@{a ? cuda : cpu}")]
    assert case.files == {"program.py": "reveal(x)\n"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("```python\nx = 1\n```\n", "begins with its mark"),
        ("```python\n```\n", "begins with its mark"),
        ("```python wrong\nx = 1\n```\n", "unknown mark 'wrong': one of bad, fixed, good, model"),
        (fenced("# bad\nx.to(d)  # expect: DEV999"), "unknown rule 'DEV999'"),
        (fenced("# bad\nx.to(d)  # expect:"), "unknown rule ''"),
        (fenced("# bad\nx.to(d)"), "a bad block says on which lines"),
        (fenced("# model\nx = 1"), "a model block says on which lines"),
        (fenced("# good\nx.to(d)  # expect: DEV101"), "a good block marks no line"),
        (fenced("# bad\nreveal(x)  # reveal: tensor"), "a bad block marks no line"),
        (fenced("# bad run\nx.to(d)  # expect: DEV101"), "unknown fault ''"),
        (fenced("# bad run=loud\nx.to(d)  # expect: DEV101"), "unknown fault 'loud'"),
        (fenced("# good run=crash\nx = 1"), "'run=crash' means nothing for a good block"),
        (fenced("# good ranks=2\nx = 1"), "ranks are of a block that runs"),
        (fenced("# good run ranks=1\nx = 1"), "'ranks=1' means nothing for a good block"),
        (fenced("# good fast\nx = 1"), "'fast' means nothing for a good block"),
        (fenced("# good file=../a.py\nx = 1"), "'file=../a.py' means nothing"),
        (fenced("# good file=a.txt\nx = 1"), "'file=a.txt' means nothing"),
        (fenced("# fixed\nx = 1"), "a fixed block follows its bad block"),
        (fenced("# good\nx = 1", "# fixed\nx = 1"), "a fixed block follows its bad block"),
        (
            fenced("# bad\nx.to(d)  # expect: DEV101", "# fixed\nx = 1", "# fixed\nx = 2"),
            "a fixed block follows its bad block",
        ),
        (
            fenced("# bad file=a.py\nx.to(d)  # expect: DEV101", "# fixed file=b.py\nx = 1"),
            "fixed, but not in the bad project: b.py",
        ),
        ("```python good\nx = 1\n", "the block has no end"),
    ],
)
def test_anything_else_is_an_error(text: str, why: str) -> None:
    with pytest.raises(BlockError, match=r"^rule\.md:\d+: ") as caught:
        read(text)
    assert why in str(caught.value)
