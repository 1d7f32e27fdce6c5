"""`devlint explain`: the page of a rule."""

from __future__ import annotations

import io
import json
import re
import sys

import click

from devlint.catalogue import entry, page
from devlint.cli.console import Console, emit
from devlint.cli.exits import CLEAN, FAILED
from devlint.cli.options import color_option
from devlint.cli.params import GroupedCommand, option
from devlint.rule import Rule


@click.command(cls=GroupedCommand)
@click.argument("rule", metavar="RULE")
@option(
    "--output-format",
    group="Options",
    type=click.Choice(["text", "markdown", "json"]),
    help="Default: text on a terminal, Markdown in a pipe.",
)
@color_option
def explain(rule: str, output_format: str | None, color: str) -> int:
    """Explain a rule, given its code or its name."""
    from devlint.rules import all_rules
    from devlint.selectors import suggestion

    known = all_rules()
    console = Console(color=color)
    for found in known:
        if rule.upper() == found.code or rule.casefold() == found.name:
            break
    else:
        names = [name for each in known for name in (each.code, each.name)]
        console.error(f"unknown rule `{rule}`{suggestion(rule, names)}; `devlint rules` lists them")
        return FAILED
    form = output_format or ("text" if sys.stdout.isatty() else "markdown")
    if form == "json":
        emit(json.dumps(entry(found), indent=2) + "\n")
    elif form == "markdown":
        emit(page(found))
    else:
        emit(_rendered(found, color=console.style(sys.stdout).color))
    return CLEAN


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
