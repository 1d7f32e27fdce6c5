"""`devlint fix`."""

from __future__ import annotations

from typing import Any

import click

from devlint.cli.options import config_options, file_options, rule_options, run_options
from devlint.cli.params import GroupedCommand, option, stack
from devlint.cli.rewrite import Rewriting
from devlint.cli.session import Session

_FIXES = "Fixes"


@click.command(cls=GroupedCommand)
@click.argument("paths", nargs=-1, metavar="[FILE|FOLDER|-]...")
@stack(
    option(
        "--write", group=_FIXES, is_flag=True, help="Write the files (without it, only the diff is shown)."
    ),
    option(
        "--unsafe-fixes/--no-unsafe-fixes",
        group=_FIXES,
        default=None,
        help="Unsafe fixes, too: right in the usual reading, but someone should look.",
    ),
    option("--show-fixes/--no-show-fixes", group=_FIXES, default=None, help="List what is fixed."),
    rule_options,
    file_options,
    config_options,
    run_options,
)
def fix(paths: tuple[str, ...], write: bool, **given: Any) -> int:
    """Show how findings would be fixed, or fix them.

    Without --write a diff is shown and nothing is changed; the exit code is 1 if there is anything to fix (as
    with `ruff check --diff`). With --write it is 0, whatever is left: `devlint check` reports that. Text from
    standard input (`-`) is then written to stdout.
    """
    session = Session.of(paths, given)
    made = Rewriting.of(session, write=write)
    if not write:
        code = made.show()
        made.summary("Would fix", " Nothing has been written (--write does it).")
        return code
    if session.from_stdin:
        made.pass_on()
    made.summary("Fixed")
    return made.written()
