"""The story of an error: for people, as a document, for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from devlint.diagnostic import Diagnostic
from devlint.explain import Place, Story
from devlint.report import trace_json, trace_text
from devlint.report.style import Style
from devlint.rule import Rule
from devlint.text import one_line

_WIDTH = 100


def text(story: Story, rules: Mapping[str, Rule], *, color: bool = False, width: int = 0) -> str:
    """For a terminal of that width (0: any). `rules` are all of them by name."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(story, rules, Style(color), width))


def _lines(story: Story, rules: Mapping[str, Rule], style: Style, width: int) -> Iterator[str]:
    error = story.error
    most = min(max(width, 40), _WIDTH) if width else _WIDTH
    yield from (style.bold(line) for line in textwrap.wrap(error.meaning, most))
    yield from _places(story, style, width)
    yield from _findings(story, style)
    if error.causes:
        yield ""
        yield style.frame("What may have caused it, the likeliest first")
    for number, (cause, found) in enumerate(story.causes, 1):
        yield from textwrap.wrap(
            f"{number}. {cause.text}", most, initial_indent="  ", subsequent_indent="     "
        )
        if found:
            yield f"     {style.bold('found here')}: {_spots(found)}"
        elif cause.rules:
            yield f"     {style.note('found by')} {_named(cause.rules, rules)}"
    if error.rules and not story.places:
        yield ""
        yield "To look for them:"
        yield f"  devlint check --select {','.join(error.rules)}"


def _named(names: tuple[str, ...], rules: Mapping[str, Rule]) -> str:
    return ", ".join(f"{name} ({rules[name].code})" for name in names)


def _spots(found: tuple[Diagnostic, ...]) -> str:
    return ", ".join(f"{one_line(each.path)}:{each.start.row} ({each.code} {each.name})" for each in found)


def _places(story: Story, style: Style, width: int = 0) -> Iterator[str]:
    if not story.places:
        return
    yield ""
    yield style.frame("How it came there, and where the values were (with the lines that set them)")
    for place in story.places:
        yield from _place(place, style, width)


def _place(place: Place, style: Style, width: int) -> Iterator[str]:
    where = f"{one_line(place.path)}:{place.row}"
    yield f"  {style.bold(where)}{f', in {place.function}' if place.function else ''}"
    found, trace = place.glance, place.trace
    if found is None or trace is None:
        return
    shown = textwrap.dedent("\n".join(trace.source[found.first - 1 : found.last]))
    yield from (f"    {line}" for line in shown.splitlines())
    pad = " " * 6
    yield from trace_text.values(trace, found.used, found.used, style, pad, rows=True, width=width)
    for meet in found.meets:
        yield from trace_text.meeting(trace, meet, style, pad, width)


def _findings(story: Story, style: Style) -> Iterator[str]:
    if not story.places:
        return
    yield ""
    one = len({place.path for place in story.places}) == 1
    files = "this file" if one else "these files"
    if not story.findings:
        yield f"devlint finds none of the causes that it knows in {files}."
        return
    yield style.frame(f"What devlint finds in {files}")
    for found in story.findings:
        tag = style.severity(found.severity, f"{found.code} {found.name}")
        yield f"  {one_line(found.path)}:{found.start.row}:{found.start.column}: {tag}: {found.message}"
    mended = [found for found in story.findings if found.fix is not None]
    if mended:
        names = ",".join(dict.fromkeys(found.name for found in mended))
        paths = " ".join(dict.fromkeys(found.path for found in mended))
        yield "  To see what can be mended:"
        yield f"  devlint fix --unsafe-fixes --select {names} {paths}"


def markdown(story: Story, rules: Mapping[str, Rule]) -> str:
    """As a document."""
    error = story.error
    lines = [f"# {error.name}", "", error.meaning, ""]
    if story.places:
        body = [*_places(story, Style(False)), *_findings(story, Style(False))]
        lines += ["```text", *(line.rstrip() for line in body[1:]), "```", ""]
    if error.causes:
        lines += ["## What may have caused it, the likeliest first", ""]
    for number, (cause, found) in enumerate(story.causes, 1):
        named = ", ".join(f"`{name}` ({rules[name].code})" for name in cause.rules)
        by = f" **Found here**: {_spots(found)}." if found else f" Found by {named}." if named else ""
        lines.append(f"{number}. {cause.text}{by}")
    return "\n".join(lines).rstrip() + "\n"


def entry(story: Story) -> dict[str, Any]:
    """As an object."""
    return {
        "error": story.error.name,
        "message": story.message,
        "meaning": story.error.meaning,
        "causes": [
            {
                "text": cause.text,
                "rules": list(cause.rules),
                "found": [{"filename": each.path, "row": each.start.row} for each in found],
            }
            for cause, found in story.causes
        ],
        "frames": [_frame(place) for place in story.places],
        "findings": [
            {
                "code": found.code,
                "name": found.name,
                "message": found.message,
                "filename": found.path,
                "location": {"row": found.start.row, "column": found.start.column},
            }
            for found in story.findings
        ],
    }


def _frame(place: Place) -> dict[str, Any]:
    found, trace = place.glance, place.trace
    values: list[Any] = []
    meets: list[Any] = []
    if found is not None and trace is not None:
        values = [trace_json.bound(trace, bound) for bound in found.used]
        meets = [trace_json.meet(trace, meet) for meet in found.meets]
    return {
        "filename": place.path,
        "row": place.row,
        "function": place.function or None,
        "values": values,
        "meets": meets,
    }
