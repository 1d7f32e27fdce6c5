"""`devlint rules` and `devlint explain`."""

from __future__ import annotations

import json

import pytest

from devlint.rules import all_rules
from tests.cli.conftest import Devlint


def test_one_line_a_rule(devlint: Devlint) -> None:
    code, out, err = devlint("rules")
    assert (code, err) == (0, "")
    assert [line.split()[:2] for line in out.splitlines()] == [[rule.code, rule.name] for rule in all_rules()]


def test_some_of_them(devlint: Devlint) -> None:
    assert devlint("rules", "--select", "DEV00,unassigned-move").out.startswith(
        """\
DEV001  syntax-error        error    -             a file that does not parse
DEV002  unused-suppression  warning  safe          a suppression comment that silences nothing
DEV101  unassigned-move     error    safe, unsafe  """
    )


def test_in_colour(devlint: Devlint) -> None:
    assert "\x1b[1mDEV001\x1b[0m" in devlint("rules", "--color", "always").out


def test_unknown_rules(devlint: Devlint) -> None:
    assert devlint("rules", "--select", "DEV9,unasigned-move") == (
        2,
        "",
        "error: unknown rule `DEV9`\nerror: unknown rule `unasigned-move` (did you mean `unassigned-move`?)\n",
    )


def test_a_table(devlint: Devlint) -> None:
    assert (
        devlint("rules", "--select", "DEV00", "--output-format", "markdown").out
        == """\
| code | name | | fix | what it finds |
| --- | --- | --- | --- | --- |
| DEV001 | syntax-error | E | - | a file that does not parse |
| DEV002 | unused-suppression | W | safe | a suppression comment that silences nothing |
"""
    )


def test_json(devlint: Devlint) -> None:
    listed = json.loads(devlint("rules", "--output-format", "json").out)
    assert [rule["code"] for rule in listed] == [rule.code for rule in all_rules()]
    first = listed[0]
    assert first.pop("explanation").startswith("# syntax-error\n")
    assert first == {
        "code": "DEV001",
        "name": "syntax-error",
        "summary": "a file that does not parse",
        "severity": "error",
        "fix": [],
        "default": True,
        "url": None,
    }


@pytest.mark.parametrize("name", ["DEV001", "dev001", "syntax-error"])
def test_explain_in_a_pipe_is_markdown(devlint: Devlint, name: str) -> None:
    code, out, err = devlint("explain", name)
    assert (code, err) == (0, "")
    assert out.startswith(
        """\
# syntax-error

A file that does not parse. *DEV001: error; no fix; on by default.*

## What it does
"""
    )
    assert "# expect" not in out


def test_explain_for_a_terminal(devlint: Devlint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    code, out, _ = devlint("explain", "DEV001", "--output-format", "text")
    assert code == 0
    assert "##" not in out
    assert "```" not in out
    assert "\x1b" not in out
    assert "What it does\n" in out
    assert max(map(len, out.splitlines())) <= 60
    assert "\x1b[" in devlint("explain", "DEV001", "--output-format", "text", "--color", "always").out


def test_explain_as_an_object(devlint: Devlint) -> None:
    assert json.loads(devlint("explain", "DEV001", "--output-format", "json").out)["name"] == "syntax-error"


def test_explain_nothing_known(devlint: Devlint) -> None:
    assert devlint("explain", "DEV999x") == (
        2,
        "",
        "error: unknown rule `DEV999x`; `devlint rules` lists them\n",
    )
    assert "(did you mean `syntax-error`?)" in devlint("explain", "syntaxerror").err
