"""The group of commands. A command is imported when it is called, or when the help lists it."""

from __future__ import annotations

import io
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import click

from devlint import __version__
from devlint.cli.console import Console, drop_stdout
from devlint.cli.exits import CLEAN, FAILED, INTERRUPTED
from devlint.deep import end_if_busy
from devlint.links import please_report
from devlint.options import ConfigError


def _check() -> click.Command:
    from devlint.cli.check import check

    return check


def _fix() -> click.Command:
    from devlint.cli.fix import fix

    return fix


def _rules() -> click.Command:
    from devlint.cli.rules import rules

    return rules


def _explain() -> click.Command:
    from devlint.cli.explain import explain

    return explain


def _trace() -> click.Command:
    from devlint.cli.trace import trace

    return trace


def _clean() -> click.Command:
    from devlint.cli.clean import clean

    return clean


def _help() -> click.Command:
    return help_


COMMANDS: Final[Mapping[str, Callable[[], click.Command]]] = MappingProxyType(
    {
        "check": _check,
        "fix": _fix,
        "rules": _rules,
        "explain": _explain,
        "trace": _trace,
        "clean": _clean,
        "help": _help,
    }
)


class Commands(click.Group):
    """A group that imports its commands late."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        make = COMMANDS.get(cmd_name)
        return make() if make is not None else None


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(__version__, "-V", "--version", prog_name="devlint", message="%(prog)s %(version)s")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Find device-placement mistakes in PyTorch code by reading it, and fix them.

    Exit codes: 0 nothing found (or all fixed), 1 findings, 2 the run itself failed.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(FAILED)


@click.command("help")
@click.argument("command", required=False, metavar="[COMMAND]")
@click.pass_context
def help_(ctx: click.Context, command: str | None) -> None:
    """Show help, of a command if one is named."""
    above = ctx.find_root()
    if command is None:
        click.echo(above.get_help())
        return
    make = COMMANDS.get(command)
    if make is None:
        raise click.UsageError(f"No such command {command!r}.", above)
    found = make()
    with click.Context(found, info_name=command, parent=above) as inner:
        click.echo(found.get_help(inner))


def run(args: Sequence[str]) -> int:
    """Run the command line; the exit code. Every way in which a run can fail ends here."""
    # A file name or a message may hold what the encoding of a stream cannot.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = app.main(args=list(args), prog_name="devlint", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return FAILED
    except (KeyboardInterrupt, click.Abort):
        end_if_busy(INTERRUPTED)
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):
        # Nobody reads stdout any more; click ends the process when it is the first to see that.
        drop_stdout()
        return FAILED
    except (ConfigError, OSError) as error:
        Console().error(str(error))
        return FAILED
    except Exception:
        traceback.print_exc()
        Console().error(f"this is a fault in devlint {__version__}; {please_report()}")
        return FAILED
    return code if isinstance(code, int) else CLEAN
