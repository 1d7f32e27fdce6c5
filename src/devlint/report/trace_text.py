"""A trace for a terminal: each line with what it binds, and both trails where different devices meet."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, zip_longest
from typing import TextIO

from devlint.report.people import count
from devlint.report.style import Style
from devlint.text import one_line
from devlint.trace import Bound, Line, Meet, Side, Spot, Trace, words

_COLORS = {
    "cpu": "36",
    "accelerator": "32",
    "device": "32",
    "module": "35",
    "input": "33",
    "several": "33",
    "unknown": "2",
}
_OR = "  or"
_WIDEST = 44
"""Columns are not made wider than this for a single value."""


def render(trace: Trace, stream: TextIO, *, color: bool = False, width: int = 0) -> None:
    """Write it; trails that are too long for a `width` (0: nothing is) stand in lines of their own."""
    for line in lines(trace, color=color, width=width):
        stream.write(f"{line.rstrip()}\n")


def lines(trace: Trace, *, color: bool = False, width: int = 0) -> Iterator[str]:
    """Its lines."""
    style = Style(color)
    name = one_line(trace.path) + (f": {trace.function}" if trace.function is not None else "")
    yield style.bold(name)
    if not trace.lines:
        yield ""
        yield "Nothing here has to do with devices."
        return
    heading: str | None = ""
    for group in _groups(trace):
        block = trace.block(group[0].row)
        title = block.name if block is not None else None
        if title != heading:
            yield ""
            yield style.frame(title if title is not None else "(top level)")
            heading = title
        yield from body(trace, group, style, width)
    yield from _states(trace, style, width)
    yield ""
    yield from _summary(trace, style)


def _groups(trace: Trace) -> Iterator[list[Line]]:
    """The lines, function by function."""
    group: list[Line] = []
    for line in trace.lines:
        if group and trace.block(line.row) != trace.block(group[-1].row):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def body(trace: Trace, group: Iterable[Line], style: Style, width: int = 0) -> Iterator[str]:
    """The lines of one function; the columns of their values stand below each other."""
    group = list(group)
    everything = [bound for line in group for bound in line.bound]
    gutter = max(len(trace.label(line.row)) for line in group) + 2
    indent = _indent(group)
    for line in group:
        yield f"{style.frame(f'{trace.label(line.row):>{gutter}}')}  {line.text[indent:]}"
        pad = " " * (gutter + 4)
        yield from values(trace, line.bound, everything, style, pad, width=width)
        for meet in line.meets:
            yield from meeting(trace, meet, style, pad, width)


def _indent(group: list[Line]) -> int:
    return min(len(line.text) - len(line.text.lstrip()) for line in group)


def values(
    trace: Trace,
    shown: Iterable[Bound],
    everything: Iterable[Bound],
    style: Style,
    pad: str,
    *,
    rows: bool = False,
    width: int = 0,
) -> Iterator[str]:
    """One value a line: name, kind, place, trail. The columns are as wide as `everything` asks for. `rows`:
    the names stand with the rows that bound them."""
    everything, shown = list(everything), list(shown)
    name = _width(names for names, _ in _named(trace, everything, rows))
    if any(bound.callers for bound in everything):
        name = max(name, len(_OR))
    kind = _width(words.what(bound) for bound in everything)
    place = _width(words.where(bound) for bound in everything)
    for names, ways in _named(trace, shown, rows):
        for number, bound in enumerate(ways):
            told = _OR if number else names
            here = words.where(bound)
            trail = [words.said(trace, hop) for hop in bound.hops]
            more = "; ".join(filter(None, [words.callers(trace, bound), bound.note, ", ".join(trail)]))
            start = f"{pad}{told:<{name}}  {words.what(bound):<{kind}}  "
            filled = f"{_painted(bound, style)}{' ' * (place - len(here))}"
            if not width or len(start) + max(place, len(here)) + 2 + len(more) <= width:
                yield f"{start}{filled}  {_faint(more, style)}"
                continue
            yield f"{start}{filled}"
            yield from (_faint(line, style) for line in _filled(more, f"{pad}    ", width))


def _filled(text: str, pad: str, width: int) -> list[str]:
    """A text in lines; a narrow window still gets some of each."""
    return textwrap.wrap(text, max(width, len(pad) + 30), initial_indent=pad, subsequent_indent=pad)


def _named(trace: Trace, bound: Iterable[Bound], rows: bool) -> Iterator[tuple[str, list[Bound]]]:
    """The values with all the ways in which each comes out. Names of a row of which the same holds stand
    together."""
    for row, line in groupby(bound, key=lambda value: value.row):
        same: dict[tuple[Bound, ...], tuple[list[str], list[Bound]]] = {}
        for name, values in groupby(line, key=lambda value: value.name):
            ways = list(values)
            alike = tuple(replace(way, name="") for way in ways)
            same.setdefault(alike, ([], ways))[0].append(name)
        for names, ways in same.values():
            yield ", ".join(names) + (f" ({trace.label(row)})" if rows else ""), ways


def _width(texts: Iterable[str]) -> int:
    return max((len(text) for text in texts if len(text) <= _WIDEST), default=0)


def _painted(bound: Bound, style: Style) -> str:
    if bound.spot is None:
        return ""
    after = _place(bound.spot, style)
    return f"{_place(bound.before, style)} -> {after}" if bound.before is not None else after


def _place(spot: Spot, style: Style) -> str:
    return style.paint(_COLORS[spot.family], spot.text)


def _faint(text: str, style: Style) -> str:
    return style.paint("2", text)


def meeting(trace: Trace, meet: Meet, style: Style, pad: str, width: int = 0) -> Iterator[str]:
    """A meeting, with both trails side by side, or below each other where there is no room."""
    left, right = _side(trace, meet.left), _side(trace, meet.right)
    half = max(map(len, left))
    yield f"{pad}{style.paint('1;31', f'{words.meeting(meet)}:')} {words.inside(trace, meet)}"
    if width and len(pad) + half + 7 + max(map(len, right)) > width:
        for side, trail in ((meet.left, left), (meet.right, right)):
            yield f"{pad}  {style.paint(_COLORS[side.spot.family], trail[0])}"
            for step in trail[1:]:
                yield from _filled(step, f"{pad}    ", width)
        return
    for i, (a, b) in enumerate(zip_longest(left, right, fillvalue="")):
        first = style.paint(_COLORS[meet.left.spot.family], a) if i == 0 else a
        second = style.paint(_COLORS[meet.right.spot.family], b) if i == 0 else b
        yield f"{pad}  {first}{' ' * (half - len(a))}  |  {second}"


def _side(trace: Trace, side: Side) -> list[str]:
    return [side.spot.text, *(words.said(trace, hop) for hop in side.hops)]


def _states(trace: Trace, style: Style, width: int) -> Iterator[str]:
    shown = [state for state in trace.states if state.registered or state.left_behind]
    if not shown:
        return
    yield ""
    yield style.frame("Modules: what moves with them, and what does not")
    for state in shown:
        moves, stays = words.state(trace, state)
        yield f"  {style.bold(state.name)} (line {trace.label(state.row)})"
        if moves:
            yield from _wrapped("moves: ", moves, width)
        if stays:
            first, *rest = _wrapped("stays: ", stays, width)
            yield f"    {style.paint('1;31', 'stays')}{first[9:]}"
            yield from rest


def _wrapped(title: str, text: str, width: int) -> list[str]:
    pad, most = " " * 4, min(max(width, 40), 100) if width else 100
    return textwrap.wrap(f"{title}{text}", most, initial_indent=pad, subsequent_indent=pad + " " * len(title))


def _summary(trace: Trace, style: Style) -> Iterator[str]:
    meets = trace.meets
    if not meets:
        yield "Nowhere do different devices meet, as far as is known."
        return
    rows = ", ".join(trace.label(row) for row in dict.fromkeys(meet.row for meet in meets))
    rows_word = "line" if len({meet.row for meet in meets}) == 1 else "lines"
    yield style.bold(f"Different devices meet in {count(len(meets), 'place')}: {rows_word} {rows}.")
