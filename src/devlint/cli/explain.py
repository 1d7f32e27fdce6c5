"""`devlint explain`: the page of a rule, or the causes of an error."""

from __future__ import annotations

import io
import json
import os
import re
import sys

import click

from devlint.catalogue import entry, page
from devlint.cli.console import Console, columns, emit
from devlint.cli.exits import CLEAN, FAILED
from devlint.cli.options import color_option
from devlint.cli.params import GroupedCommand, option
from devlint.rule import Rule


@click.command(cls=GroupedCommand)
@click.argument("subject", nargs=-1, required=True, metavar="RULE|MESSAGE|FILE|-")
@option(
    "--output-format",
    "--format",
    group="Options",
    type=click.Choice(["text", "markdown", "json"]),
    help="Default: text on a terminal, and of an error; Markdown of a rule in a pipe.",
)
@color_option
def explain(subject: tuple[str, ...], output_format: str | None, color: str) -> int:
    """Explain a rule, or an error that PyTorch has raised.

    Given the code or the name of a rule, its page. Given the message of an error over devices: what it
    means, what causes it, and the rules that find the cause. Given a traceback, in a file or on standard
    input (`-`): also where the values were on the lines of this project that it goes through, and what
    devlint finds there.
    """
    from devlint.rules import all_rules

    console = Console(color=color)
    word = " ".join(subject)
    for found in all_rules():
        if word.upper() == found.code or word.casefold() == found.name:
            return _explain_rule(found, output_format, console)
    if word == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "replace")
    elif os.path.isfile(word):
        with open(word, encoding="utf-8", errors="replace") as stream:
            text = stream.read()
    else:
        text = word
    return _explain_error(text, output_format, console)


def _explain_rule(rule: Rule, output_format: str | None, console: Console) -> int:
    form = output_format or ("text" if sys.stdout.isatty() else "markdown")
    if form == "json":
        emit(json.dumps(entry(rule), indent=2) + "\n")
    elif form == "markdown":
        emit(page(rule))
    else:
        emit(_rendered(rule, color=console.style(sys.stdout).color))
    return CLEAN


def _explain_error(text: str, output_format: str | None, console: Console) -> int:
    from devlint.explain import story
    from devlint.report import story as report
    from devlint.rules import all_rules

    found = story(text)
    if found is None:
        console.error(_nothing_known(text))
        return FAILED
    rules = {rule.name: rule for rule in all_rules()}
    if output_format == "json":
        emit(json.dumps(report.entry(found), indent=2) + "\n")
    elif output_format == "markdown":
        emit(report.markdown(found, rules))
    else:
        width = columns(sys.stdout)
        emit(report.text(found, rules, color=console.style(sys.stdout).color, width=width))
    return CLEAN


def _nothing_known(text: str) -> str:
    from devlint.rules import all_rules
    from devlint.selectors import suggestion

    if re.search(r"\s", text) or not text:
        return "this is no error over devices that devlint knows"
    names = [name for each in all_rules() for name in (each.code, each.name)]
    return f"unknown rule `{text}`{suggestion(text, names)}; `devlint rules` lists them"


def _rendered(rule: Rule, *, color: bool) -> str:
    """The page as a terminal shows it."""
    from rich.console import Console as Terminal
    from rich.markdown import Markdown

    width = min(Terminal(file=sys.stdout).width, 100)
    stream = io.StringIO()
    terminal = Terminal(
        file=stream, width=width, force_terminal=color, no_color=not color, legacy_windows=False
    )
    terminal.print(Markdown(page(rule), code_theme="ansi_dark"))
    lines = "\n".join(line.rstrip() for line in stream.getvalue().splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines).strip("\n") + "\n"
