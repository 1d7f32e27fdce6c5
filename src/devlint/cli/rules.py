"""`devlint rules`: the catalogue."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from devlint.catalogue import entry, fix_word, table
from devlint.cli.console import Console, emit
from devlint.cli.exits import CLEAN, FAILED
from devlint.cli.options import color_option
from devlint.cli.params import GroupedCommand, option, rule_list
from devlint.report.style import Style
from devlint.rule import Rule


@click.command(cls=GroupedCommand)
@option(
    "--select",
    group="Options",
    multiple=True,
    callback=rule_list,
    metavar="RULES",
    help="Only these rules: codes, prefixes, names, or ALL; separated by commas.",
)
@option(
    "--output-format",
    "--format",
    group="Options",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="Lines for people, an array with the page of each rule, or a table for a document.",
)
@color_option
def rules(select: list[str] | None, output_format: str, color: str) -> int:
    """List the rules."""
    from devlint.rules import all_rules
    from devlint.selectors import means, unknown_selector

    known = all_rules()
    console = Console(color=color)
    problems = [problem for selector in select or () if (problem := unknown_selector(selector, known))]
    for problem in problems:
        console.error(problem)
    if problems:
        return FAILED
    shown = [rule for rule in known if select is None or means(select, rule)]
    if output_format == "json":
        emit(json.dumps([entry(rule) for rule in shown], indent=2) + "\n")
    elif output_format == "markdown":
        emit(table(shown))
    else:
        emit(_lines(shown, console.style(sys.stdout)))
    return CLEAN


def _lines(rules: Sequence[Rule], style: Style) -> str:
    """One rule a line: code, name, severity, fix, summary."""
    name = max((len(rule.name) for rule in rules), default=0)
    severity = max((len(rule.severity.value) for rule in rules), default=0)
    fix = max((len(fix_word(rule)) for rule in rules), default=0)
    lines = []
    for rule in rules:
        level = style.severity(rule.severity, f"{rule.severity.value:<{severity}}")
        optional = "" if rule.default else " (opt-in)"
        head = f"{style.bold(rule.code)}  {rule.name:<{name}}  {level}  {fix_word(rule):<{fix}}"
        lines.append(f"{head}  {rule.summary}{optional}\n")
    return "".join(lines)
