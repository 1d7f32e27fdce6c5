"""`devlint trace`: where every value lives."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from devlint.cli.console import Console, columns, emit
from devlint.cli.exits import CLEAN, FAILED
from devlint.cli.options import color_option
from devlint.cli.params import GroupedCommand, option

if TYPE_CHECKING:
    from devlint.syntax.source import Source
    from devlint.trace import Trace

_FUNCTION = re.compile(r"(?P<file>.+):(?P<function>[^\W\d]\w*(?:\.[^\W\d]\w*)*)", re.DOTALL)
_FORMATS = ("text", "json", "html")


@click.command(cls=GroupedCommand)
@click.argument("target", metavar="FILE[:FUNCTION]|-")
@option(
    "--output-format",
    "--format",
    "output_format",
    group="Report",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="Lines for a terminal, one object, or a page to be looked at in a browser (a single file).",
)
@option(
    "-o",
    "--output-file",
    group="Report",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write it to a file instead of stdout.",
)
@option(
    "--stdin-filename",
    group="Report",
    metavar="PATH",
    help="The name of what `-` reads from standard input.",
)
@color_option
def trace(
    target: str, output_format: str, output_file: str | None, stdin_filename: str | None, color: str
) -> int:
    """Show where the values of a file live, line by line.

    For each line the tensors, modules, devices, loaders and optimizers that it binds: on which device they
    are, how they came there, and where values from different devices meet. With a function or class after a
    colon (`train.py:Trainer.fit`), only that. Nothing is run. The exit code is 0 unless the file cannot be
    read.
    """
    console = Console(color=color)
    path, function = _parts(target)
    found = _traced(path, function, stdin_filename, console)
    if found is None:
        return FAILED
    colorful = color == "always" if output_file else console.style(sys.stdout).color
    text = _rendered(found, output_format, colorful, 0 if output_file else columns(sys.stdout))
    if output_file is None:
        emit(text)
        return CLEAN
    try:
        Path(output_file).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise click.FileError(output_file, error.strerror or str(error)) from None
    return CLEAN


def _parts(target: str) -> tuple[str, str | None]:
    """The file and the function."""
    match = None if os.path.exists(target) else _FUNCTION.fullmatch(target)
    return (match["file"], match["function"]) if match is not None else (target, None)


def _traced(path: str, function: str | None, stdin_filename: str | None, console: Console) -> Trace | None:
    """The trace, or None where there can be none, which is then said."""
    from devlint.deep import run_deep
    from devlint.selectors import suggestion
    from devlint.syntax.source import ParseError, SourceError
    from devlint.trace import NoFunction, trace_source

    try:
        source = _source(path, stdin_filename)
        return run_deep(lambda: trace_source(source, _roots(source.path), function))
    except OSError as error:
        console.error(f"{path}: cannot be read: {error.strerror or error}")
    except SourceError as error:
        console.error(f"{path}: {error}")
    except ParseError as error:
        console.error(f"{path}:{error.position.row}: this does not parse: {error.message}")
    except RecursionError:
        console.error(f"{path}: nested too deeply to be read")
    except NoFunction as error:
        more = suggestion(str(error), error.known) or _some(error.known)
        console.error(f"{path}: no function or class `{error}`{more}")
    return None


def _some(known: tuple[str, ...]) -> str:
    return f" (it has {', '.join(known[:8])}{', ...' if len(known) > 8 else ''})" if known else ""


def _source(path: str, stdin_filename: str | None) -> Source:
    from devlint.globs import shown
    from devlint.syntax.source import Source

    if path == "-":
        return Source.from_bytes(shown(stdin_filename) if stdin_filename else "-", sys.stdin.buffer.read())
    return Source.read(path, shown(path))


def _roots(path: str) -> tuple[str, ...]:
    """The folders in which the project's imports are looked for."""
    from devlint.config import Resolver
    from devlint.rules import all_rules

    root = Resolver(all_rules()).settings(Path(path).parent).root
    return tuple(sorted({os.getcwd(), str(root)}))


def _rendered(trace: Trace, name: str, color: bool, width: int) -> str:
    from devlint.report import trace_html, trace_json, trace_text

    stream = io.StringIO()
    if name == "text":
        trace_text.render(trace, stream, color=color, width=width)
    else:
        (trace_json if name == "json" else trace_html).render(trace, stream)
    return stream.getvalue()
