"""The kinds of options that the commands share: groups in the help, comma lists, pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import click

Command: TypeAlias = Callable[..., Any]
Decorator: TypeAlias = Callable[[Command], Command]


MISCELLANEOUS: Final = "Miscellaneous"


class Option(click.Option):
    """An option that stands under a heading of the help."""

    def __init__(self, *args: Any, group: str = "Options", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose help lists options under their headings, in the order of declaration."""

    def groups(self, ctx: click.Context) -> dict[str, list[click.Option]]:
        """The options that the help shows, heading by heading; those without one come last."""
        groups: dict[str, list[click.Option]] = {}
        last: list[click.Option] = []
        for param in self.get_params(ctx):
            if isinstance(param, Option) and not param.hidden:
                groups.setdefault(param.group, []).append(param)
            elif isinstance(param, click.Option):
                last.append(param)
        groups.setdefault(MISCELLANEOUS, []).extend(last)
        return groups

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write them."""
        for group, options in self.groups(ctx).items():
            records = [record for option in options if (record := option.get_help_record(ctx))]
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


def rule_list(_: click.Context, __: click.Parameter, values: Sequence[str]) -> list[str] | None:
    """The same for selectors, an empty one among them: it means no rule, which is an error."""
    return [part.strip() for value in values for part in value.split(",")] or None


def pairs(_: click.Context, param: click.Parameter, values: Sequence[str]) -> dict[str, list[str]] | None:
    """`--per-file-ignores "tests/*:DEV101,notebooks/*:DEV2"`: a pattern to its rules."""
    table: dict[str, list[str]] = {}
    for value in comma_list(_, param, values) or []:
        pattern, colon, selector = value.rpartition(":")
        if not colon or not pattern or not selector:
            raise click.BadParameter(f"{value!r} is not of the form PATTERN:RULE", param=param)
        table.setdefault(pattern, []).append(selector)
    return table or None
