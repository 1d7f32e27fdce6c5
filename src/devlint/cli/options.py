"""The options that `check` and `fix` share: ruff's, under ruff's names."""

from __future__ import annotations

from typing import Any, Final

import click

from devlint.cli.params import MISCELLANEOUS, Command, Decorator, comma_list, option, pairs, rule_list, stack
from devlint.diagnostic import Severity
from devlint.report import FORMATS

_RULES: Final = "Rule selection (codes, prefixes, names, or ALL; separated by commas)"
_FILES: Final = "File selection"
_CONFIG: Final = "Configuration"

_SETTINGS: Final = (
    "select",
    "ignore",
    "extend_select",
    "fixable",
    "unfixable",
    "per_file_ignores",
    "extend_per_file_ignores",
    "exclude",
    "extend_exclude",
    "respect_gitignore",
    "force_exclude",
    "cache_dir",
    "fix",
    "unsafe_fixes",
    "show_fixes",
    "fail_on",
    "output_format",
    "baseline",
    "respect_suppressions",
)
"""The options that are configuration keys too."""


def overrides(given: dict[str, Any]) -> dict[str, object]:
    """The options that override configuration keys, under those keys; takes them out of `given`."""
    taken = {name: given.pop(name) for name in _SETTINGS if name in given}
    return {name.replace("_", "-"): value for name, value in taken.items() if value is not None}


def _list_option(name: str, help_: str) -> Decorator:
    return option(name, group=_RULES, multiple=True, callback=rule_list, metavar="RULES", help=help_)


def rule_options(command: Command) -> Command:
    """Which rules are on, and which may be fixed."""
    return stack(
        _list_option("--select", "Turn on these rules and no others."),
        _list_option("--ignore", "Turn off these rules."),
        _list_option("--extend-select", "Turn on these rules as well."),
        _list_option("--fixable", "Fix only these rules."),
        _list_option("--unfixable", "Never fix these rules."),
        option(
            "--per-file-ignores",
            group=_RULES,
            multiple=True,
            callback=pairs,
            metavar="PATTERN:RULE",
            help="Turn off a rule in files that match a pattern.",
        ),
        option(
            "--extend-per-file-ignores",
            group=_RULES,
            multiple=True,
            callback=pairs,
            metavar="PATTERN:RULE",
            help="The same, on top of those of the configuration.",
        ),
        option(
            "--ignore-noqa",
            "respect_suppressions",
            group=_RULES,
            flag_value=False,
            default=None,
            help="Report what suppression comments silence, too.",
        ),
    )(command)


def file_options(command: Command) -> Command:
    """Which files are read."""
    return stack(
        option(
            "--exclude",
            group=_FILES,
            multiple=True,
            callback=comma_list,
            metavar="PATTERNS",
            help="Leave out files and folders that match (instead of the defaults).",
        ),
        option(
            "--extend-exclude",
            group=_FILES,
            multiple=True,
            callback=comma_list,
            metavar="PATTERNS",
            help="Leave out files and folders that match, too.",
        ),
        option(
            "--respect-gitignore/--no-respect-gitignore",
            group=_FILES,
            default=None,
            help="Leave out what .gitignore names (default: yes).",
        ),
        option(
            "--force-exclude/--no-force-exclude",
            group=_FILES,
            default=None,
            help="Leave out excluded files even when they are named one by one.",
        ),
        option(
            "--stdin-filename",
            group=_FILES,
            metavar="PATH",
            help="The name of what `-` reads from standard input.",
        ),
    )(command)


def config_options(command: Command) -> Command:
    """Where the configuration comes from."""
    return stack(
        option(
            "--config",
            group=_CONFIG,
            multiple=True,
            metavar="FILE | KEY=VALUE",
            help="A configuration file that holds for everything, or one key in TOML. Can be repeated.",
        ),
        option("--isolated", group=_CONFIG, is_flag=True, help="Read no configuration file."),
        option(
            "--baseline",
            group=_CONFIG,
            metavar="FILE",
            help="Report only findings that are not in this file.",
        ),
    )(command)


def color_option(command: Command) -> Command:
    """Whether there are colours."""
    return option(
        "--color",
        group=MISCELLANEOUS,
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        help="When to use colours (auto: on terminals; NO_COLOR and FORCE_COLOR are respected).",
    )(command)


def run_options(command: Command) -> Command:
    """How the run is done, and what it tells on the way."""
    return stack(
        option(
            "-j",
            "--jobs",
            group=MISCELLANEOUS,
            type=click.IntRange(min=0),
            default=0,
            metavar="NUMBER",
            help="Worker processes (0, the default: as many as there are cores).",
        ),
        option(
            "-n",
            "--no-cache",
            group=MISCELLANEOUS,
            is_flag=True,
            envvar="DEVLINT_NO_CACHE",
            show_envvar=True,
            help="Neither read nor write cached results.",
        ),
        option(
            "--cache-dir",
            group=MISCELLANEOUS,
            envvar="DEVLINT_CACHE_DIR",
            show_envvar=True,
            metavar="FOLDER",
            help="Where results are cached.",
        ),
        color_option,
        option("-q", "--quiet", group=MISCELLANEOUS, is_flag=True, help="Print findings, and nothing else."),
        option(
            "-s",
            "--silent",
            group=MISCELLANEOUS,
            is_flag=True,
            help="Print nothing but errors; the exit code tells.",
        ),
        option("-v", "--verbose", group=MISCELLANEOUS, is_flag=True, help="Tell what is done."),
    )(command)


def severity_option(command: Command) -> Command:
    """From which severity on a run fails."""
    return option(
        "--fail-on",
        group="Exit code",
        type=click.Choice([severity.value for severity in Severity]),
        help="The least severity with which findings make the run fail (default: info, that is, all).",
    )(command)


def format_option(command: Command) -> Command:
    """The format of the report."""
    return option(
        "--output-format",
        group="Report",
        type=click.Choice(list(FORMATS)),
        envvar="DEVLINT_OUTPUT_FORMAT",
        show_envvar=True,
        metavar="FORMAT",
        help=f"The format of the report: {', '.join(FORMATS)} (default: text, which ruff calls full).",
    )(command)
