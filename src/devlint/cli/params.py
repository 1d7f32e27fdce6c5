"""The kinds of options that the commands share: groups in the help, comma lists, pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import click

Command: TypeAlias = Callable[..., Any]
Decorator: TypeAlias = Callable[[Command], Command]


class Option(click.Option):
    """An option that stands under a heading of the help."""

    def __init__(self, *args: Any, group: str = "Options", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose help lists options under their headings, in the order of declaration."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, heading by heading; those without one come last."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                group = param.group if isinstance(param, Option) else "Miscellaneous"
                groups.setdefault(group, []).append(record)
        for group, records in groups.items():
            with formatter.section(group):
                formatter.write_dl(records)


def option(*names: str, group: str, **kwargs: Any) -> Decorator:
    """`click.option` with a heading."""
    return click.option(*names, cls=Option, group=group, **kwargs)


def stack(*decorators: Decorator) -> Decorator:
    """Several decorators as one, in reading order."""

    def apply(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return apply


def comma_list(_: click.Context, __: click.Parameter, values: Sequence[str]) -> list[str] | None:
    """`--select DEV1,DEV2 --select DEV3`: one list; None where the option is not given."""
    parts = [part.strip() for value in values for part in value.split(",")]
    return [part for part in parts if part] or (None if not values else [])


def pairs(_: click.Context, param: click.Parameter, values: Sequence[str]) -> dict[str, list[str]] | None:
    """`--per-file-ignores "tests/*:DEV101,notebooks/*:DEV2"`: a pattern to its rules."""
    table: dict[str, list[str]] = {}
    for value in comma_list(_, param, values) or []:
        pattern, colon, selector = value.rpartition(":")
        if not colon or not pattern or not selector:
            raise click.BadParameter(f"{value!r} is not of the form PATTERN:RULE", param=param)
        table.setdefault(pattern, []).append(selector)
    return table or None
