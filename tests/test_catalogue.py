"""Rules as documents."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from devlint.catalogue import fix_word, page, table
from devlint.diagnostic import Safety, Severity
from devlint.rule import Rule
from tests.report.samples import rule

DOCS = """\
Something is wrong.

## What it does

Finds `x`.

```python
# bad
x.to(d)  # expect: DEV101
```
"""


def made(*safeties: Safety, **more: Any) -> Rule:
    return dataclasses.replace(
        rule("DEV101", "unassigned-move", Severity.ERROR, *safeties), docs=DOCS, **more
    )


def test_a_page_is_the_docstring_with_its_promises_and_without_the_marks_for_tests() -> None:
    assert (
        page(made())
        == """\
# unassigned-move

Something is wrong. *DEV101: error; no fix; on by default.*

## What it does

Finds `x`.

```python
# bad
x.to(d)  # DEV101
```
"""
    )


@pytest.mark.parametrize(
    ("safeties", "word", "promise"),
    [
        ((), "-", "no fix"),
        ((Safety.SAFE,), "safe", "a safe fix"),
        ((Safety.UNSAFE,), "unsafe", "an unsafe fix"),
        ((Safety.UNSAFE, Safety.SAFE), "safe, unsafe", "a safe or an unsafe fix, as the case may be"),
    ],
)
def test_what_is_said_of_fixes(safeties: tuple[Safety, ...], word: str, promise: str) -> None:
    assert fix_word(made(*safeties)) == word
    assert f"error; {promise}; on" in page(made(*safeties))


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ("# bad", "# bad"),
        ("# good run", "# good"),
        ("# bad run=crash", "# bad: raises on a GPU"),
        ("# fixed file=pkg/net.py run", "# fixed: pkg/net.py"),
        ("# bad file=a.py run=silent", "# bad: a.py, runs, and does the wrong thing"),
        ("# badly said", "# badly said"),
    ],
)
def test_the_marks_of_examples_are_put_in_words(mark: str, expected: str) -> None:
    docs = f"T\n\n```python\n{mark}\nx = 1\n# bad run\n```\n"
    shown = page(dataclasses.replace(made(), docs=docs))
    assert f"```python\n{expected}\nx = 1\n# bad run\n```" in shown


def test_opt_in() -> None:
    assert "; off by default.*" in page(made(default=False))
    assert "| unassigned-move (opt-in) |" in table([made(default=False)])


def test_a_table_escapes_what_would_end_a_cell() -> None:
    assert (
        table([made(Safety.SAFE, summary="a | b")], link=lambda found: f"{found.name}.md")
        == """\
| code | name | | fix | what it finds |
| --- | --- | --- | --- | --- |
| [DEV101](unassigned-move.md) | unassigned-move | E | safe | a \\| b |
"""
    )
