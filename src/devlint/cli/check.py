"""`devlint check`."""

from __future__ import annotations

from typing import Any

import click

from devlint.cli.modes import CheckRun
from devlint.cli.options import (
    config_options,
    file_options,
    format_option,
    rule_options,
    run_options,
    severity_option,
)
from devlint.cli.params import GroupedCommand, option, stack

_FIXES = "Fixes"
_REPORT = "Report"
_EXIT = "Exit code"
_ADOPT = "Adopting devlint in old code"
_OTHER = "Instead of checking"


class CheckCommand(GroupedCommand):
    """`--add-noqa` may stand alone: its reason comes after a `=` and is never the next word."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of the command line."""
        return super().parse_args(ctx, [f"{arg}=" if arg == "--add-noqa" else arg for arg in args])


_options = stack(
    option("--fix/--no-fix", group=_FIXES, default=None, help="Apply safe fixes, and report the rest."),
    option(
        "--unsafe-fixes/--no-unsafe-fixes",
        group=_FIXES,
        default=None,
        help="Count and apply unsafe fixes, too.",
    ),
    option(
        "--fix-only",
        group=_FIXES,
        is_flag=True,
        help="Apply fixes, and neither report nor fail for what is left.",
    ),
    option(
        "--diff",
        group=_FIXES,
        is_flag=True,
        help="Change nothing, print what --fix-only would change; exit code 1 if that is anything.",
    ),
    option("--show-fixes/--no-show-fixes", group=_FIXES, default=None, help="List what has been fixed."),
    format_option,
    option(
        "-o",
        "--output-file",
        group=_REPORT,
        type=click.Path(dir_okay=False),
        metavar="FILE",
        envvar="DEVLINT_OUTPUT_FILE",
        show_envvar=True,
        help="Write the report to a file instead of stdout.",
    ),
    option("--statistics", group=_REPORT, is_flag=True, help="Print how often each rule found something."),
    severity_option,
    option("-e", "--exit-zero", group=_EXIT, is_flag=True, help="Exit with 0 even if something is found."),
    option(
        "--exit-non-zero-on-fix",
        group=_EXIT,
        is_flag=True,
        help="Exit with 1 if something was fixed, even if nothing is left.",
    ),
    rule_options,
    file_options,
    config_options,
    option(
        "--update-baseline",
        group=_ADOPT,
        is_flag=True,
        help="Drop the entries of the baseline that are no longer found; write it if there is none yet.",
    ),
    option(
        "--add-noqa",
        group=_ADOPT,
        metavar="[=REASON]",
        help="Add `# noqa: CODE` to every line with a finding, with a reason if one is given.",
    ),
    option("--watch", "-w", group=_OTHER, is_flag=True, help="Check now, and again whenever a file changes."),
    option("--show-files", group=_OTHER, is_flag=True, help="Print the files that would be checked."),
    option("--show-settings", group=_OTHER, is_flag=True, help="Print the settings of the first file."),
    run_options,
)


@click.command(cls=CheckCommand)
@click.argument("paths", nargs=-1, metavar="[FILE|FOLDER|-]...")
@_options
def check(paths: tuple[str, ...], **given: Any) -> int:
    """Report device-placement mistakes.

    Files are read whatever they are called; folders (default: the working directory) are searched for
    Python files; `-` reads standard input. The exit code is 0 if nothing is found (or all of it fixed), 1 if
    something is, and 2 if the run itself fails.
    """
    return CheckRun.of(paths, given).run()
