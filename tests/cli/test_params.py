"""Comma lists, pairs, and the headings of the help."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from devlint.cli.params import GroupedCommand, comma_list, option, pairs, rule_list


@click.command(cls=GroupedCommand)
@option("--select", group="First", multiple=True, callback=comma_list, metavar="RULES", help="Rules.")
@option("--rules", group="First", hidden=True, multiple=True, callback=rule_list)
@option("--per-file", group="Second", multiple=True, callback=pairs, metavar="PAIR", help="Pairs.")
@option("--secret", group="Second", hidden=True)
def command(**given: object) -> None:
    """Does nothing."""
    click.echo(repr((given["select"] or given["rules"], given["per_file"])))


def output(*args: str) -> str:
    return CliRunner().invoke(command, args).output.strip()


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ([], "(None, None)"),
        (["--select", "A, B,,C", "--select=D"], "(['A', 'B', 'C', 'D'], None)"),
        (["--select", ""], "(None, None)"),
        (["--rules", "A, B", "--rules", "C"], "(['A', 'B', 'C'], None)"),
        (["--rules", "A,"], "(['A', ''], None)"),
        (["--rules", ""], "([''], None)"),
        (["--per-file", "a/*:X,b.py:Y", "--per-file", "a/*:Z"], "(None, {'a/*': ['X', 'Z'], 'b.py': ['Y']})"),
        (["--per-file", "C:/a.py:X"], "(None, {'C:/a.py': ['X']})"),
    ],
)
def test_values(args: list[str], expected: str) -> None:
    assert output(*args) == expected


@pytest.mark.parametrize("value", ["tests", ":X", "tests:"])
def test_half_a_pair_is_an_error(value: str) -> None:
    assert f"Invalid value for '--per-file': '{value}' is not of the form PATTERN:RULE" in output(
        "--per-file", value
    )


def test_the_help_has_headings() -> None:
    assert (
        output("--help")
        == """\
Usage: command [OPTIONS]

  Does nothing.

First:
  --select RULES  Rules.

Second:
  --per-file PAIR  Pairs.

Miscellaneous:
  --help  Show this message and exit."""
    )
