"""A trace as a page, in one file: the source on the left, a lane for each device on the right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape
from importlib.resources import files
from typing import TextIO

from devlint.report.people import count
from devlint.trace import Bound, Hop, Line, Meet, Side, Spot, State, Trace, words

_CLASSES = {"module": "module-lane"}
_TITLES = {
    "cpu": "the main memory",
    "accelerator": "an accelerator, by name",
    "device": "where this variable says",
    "module": "wherever its module was moved",
    "input": "wherever the caller has put it",
    "several": "as the case may be",
    "unknown": "devlint cannot tell",
}
_HOW = (
    "Each column on the right is a place where values can live. A value stands in the column of the place "
    "where it lives once its line has run; thin lines follow it from line to line.",
    "An arrow is a move from one place to another. A double frame is a module; what a dashed one says holds "
    "for some callers only.",
    "A red mark is an operation that gets values from two places: PyTorch raises an error there.",
    "Point at a value (or go to it with the Tab key) to read how it came to where it is.",
)
_SEVERAL = 2
"""How many lanes there may be for values that may be in several places."""
_WAYS = """\
<svg id="ways" aria-hidden="true"><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"
markerHeight="7" orient="auto-start-reverse"><path class="mark" d="M0 0 L8 4 L0 8 z"
style="fill: context-stroke; stroke: none; opacity: 1"/></marker></defs></svg>"""


def render(trace: Trace, stream: TextIO, *, color: bool = False) -> None:
    """Write the page."""
    for part in _page(trace):
        stream.write(part)


def _page(trace: Trace) -> Iterator[str]:
    trace = _gathered(trace)
    name = trace.path if trace.function is None else f"{trace.path}: {trace.function}"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f"<title>{escape(name)}</title>\n"
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<style>\n{_asset('trace.css')}</style>\n</head>\n<body>\n<header>\n"
    yield f"<h1>Where the values of <code>{escape(name)}</code> live</h1>\n"
    yield '<ul class="how">\n'
    yield from (f"<li>{escape(sentence)}</li>\n" for sentence in _HOW)
    yield "</ul>\n"
    yield from _verdict(trace)
    yield f'</header>\n<main>\n<div id="sheet" style="--lanes: {max(len(trace.lanes), 1)}">\n'
    yield from _table(trace)
    yield f"{_WAYS}\n</div>\n"
    yield from _modules(trace)
    yield "</main>\n<footer>Made by <code>devlint trace</code>, which reads code and never runs it."
    yield "</footer>\n"
    yield f"<script>\n{_asset('trace.js')}</script>\n</body>\n</html>\n"


def _gathered(trace: Trace) -> Trace:
    """The same with one lane for all that may be in several places, if there would be many."""
    if sum(lane.family == "several" for lane in trace.lanes) <= _SEVERAL:
        return trace

    def there(spot: Spot | None) -> Spot | None:
        return spot._replace(lane="several") if spot is not None and spot.family == "several" else spot

    def side(side: Side) -> Side:
        return side._replace(spot=there(side.spot) or side.spot)

    lines = [
        replace(
            line,
            bound=tuple(replace(b, spot=there(b.spot), before=there(b.before)) for b in line.bound),
            meets=tuple(replace(m, left=side(m.left), right=side(m.right)) for m in line.meets),
        )
        for line in trace.lines
    ]
    return replace(trace, lines=tuple(lines))


def _asset(name: str) -> str:
    return files("devlint.report").joinpath("assets").joinpath(name).read_text(encoding="utf-8")


def _class(spot: Spot | None) -> str:
    family = spot.family if spot is not None else "unknown"
    return _CLASSES.get(family, family)


# -- what is wrong -------------------------------------------------------------------------------------


def _verdict(trace: Trace) -> Iterator[str]:
    if not trace.lines:
        yield '<p class="verdict">Nothing here has to do with devices.</p>\n'
    elif not trace.meets:
        yield '<p class="verdict good">Nowhere do different devices meet, as far as is known.</p>\n'
    else:
        places = count(len(trace.meets), "place")
        yield f'<p class="verdict bad">Values from different devices meet in {places}:</p>\n'
        for meet in trace.meets:
            yield f'<details class="clash"><summary>{_where_it_meets(trace, meet)}</summary>\n'
            yield f"{_sides(trace, meet)}</details>\n"


def _where_it_meets(trace: Trace, meet: Meet) -> str:
    row = trace.label(meet.row)
    operation = escape(words.inside(trace, meet))
    return (
        f'<a href="#L{meet.row}">Line {row}</a>: <code>{operation}</code> takes {_named(meet.left)} and '
        f"{_named(meet.right)} ({escape(words.meeting(meet))})"
    )


def _named(side: Side) -> str:
    return f'<strong class="{_class(side.spot)}" style="color: var(--c)">{escape(side.spot.text)}</strong>'


def _sides(trace: Trace, meet: Meet) -> str:
    sides = "".join(
        f'<div class="side {_class(side.spot)}"><strong>{escape(side.spot.text)}</strong>'
        f"{_trail(trace, side.hops)}</div>"
        for side in (meet.left, meet.right)
    )
    return f'<div class="sides">{sides}</div>'


def _trail(trace: Trace, hops: Iterable[Hop]) -> str:
    steps = "".join(f"<li>{escape(words.said(trace, hop))}</li>" for hop in hops)
    return f'<ol class="trail">{steps}</ol>' if steps else ""


# -- the lines -----------------------------------------------------------------------------------------


def _table(trace: Trace) -> Iterator[str]:
    lanes = trace.lanes
    columns = '<col class="lane">' * len(lanes)
    yield f'<table>\n<colgroup><col class="number"><col>{columns}</colgroup>\n'
    yield "<thead><tr><th></th><th>Source</th>"
    for lane in lanes:
        yield f'<th class="lane {_class(lane)}" scope="col">{escape(lane.lane)}'
        yield f"<small>{escape(_TITLES[lane.family])}</small></th>"
    yield "</tr></thead>\n<tbody>\n"
    said = {line.row: line for line in trace.lines}
    heads = {block.first for block in trace.blocks}
    rows = [
        row
        for row in range(1, len(trace.source) + 1)
        if any(first <= row <= last for first, last in trace.ranges)
    ]
    for i, row in enumerate(rows):
        line = said.get(row, Line(row, trace.source[row - 1], (), ()))
        marks = ["says" if line.bound or line.meets else "quiet"]
        marks += ["head"] * (row in heads) + ["low"] * (i > 12 and i > len(rows) - 12)
        yield f'<tr id="L{row}" class="{" ".join(marks)}"><td class="number">{trace.label(row)}</td>'
        yield f'<td class="source">{escape(line.text)}</td>'
        yield from _cells(trace, line, lanes)
        yield "</tr>\n"
    yield "</tbody>\n</table>\n"


def _cells(trace: Trace, line: Line, lanes: tuple[Spot, ...]) -> Iterator[str]:
    for number, lane in enumerate(lanes):
        late = " late" if number >= max(len(lanes) - 3, 1) else ""
        yield f'<td class="lane {_class(lane)}{late}">'
        for i, bound in enumerate(line.bound):
            mark = f"F{line.row}-{i}"
            moved = (
                bound.before is not None and bound.spot is not None and bound.before.lane != bound.spot.lane
            )
            if moved and bound.before is not None and bound.before.lane == lane.lane:
                yield f'<span class="from" id="{mark}"></span>'
            if bound.spot is not None and bound.spot.lane == lane.lane:
                again = i > 0 and line.bound[i - 1].name == bound.name
                yield _chip(trace, bound, mark if moved else "", again)
        if number == 0:
            yield from (_chip(trace, bound, "", False) for bound in line.bound if bound.spot is None)
        for i, meet in enumerate(line.meets):
            for side, here, other in ((meet.left, "a", "b"), (meet.right, "b", "a")):
                if side.spot.lane == lane.lane:
                    yield _clash(trace, meet, side, f"M{line.row}-{i}-{here}", f"M{line.row}-{i}-{other}")
        yield "</td>"


def _chip(trace: Trace, bound: Bound, start: str, again: bool) -> str:
    block = trace.block(bound.row)
    rows = " ".join(str(hop.row) for hop in bound.hops if not hop.path)
    attributes = {
        "data-name": bound.name,
        "data-block": block.name if block is not None else "",
        "data-rows": rows,
        "data-from": start,
        "data-again": "1" if again else "",
    }
    written = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items() if value)
    kind = " module" if bound.kind == "module" else ""
    maybe = " maybe" if bound.callers else ""
    return (
        f'<span class="v {_class(bound.spot)}{kind}{maybe}" tabindex="0"{written}>{escape(bound.name)}'
        f'<span class="tip" role="tooltip">{_told(trace, bound)}</span></span>'
    )


def _told(trace: Trace, bound: Bound) -> str:
    parts = [f"<code>{escape(bound.name)}</code> ({escape(words.what(bound))}){_lives(bound)}"]
    if bound.callers:
        parts.append(escape(words.callers(trace, bound)))
    text = ", ".join(parts) + "."
    if bound.note:
        text += f'<br><span class="note">{escape(bound.note)}</span>'
    return text + _trail(trace, bound.hops)


def _lives(bound: Bound) -> str:
    """Where it is, as the end of a sentence."""
    if bound.spot is None:
        return ""
    place = escape(words.where(bound)).replace("-&gt;", "→")
    marked = f'<b class="place">{place}</b>'
    if bound.before is not None:
        return f" moves {marked}"
    if bound.spot.family == "unknown":
        return f': its place is <b class="place">{place}</b>'
    if bound.spot.family == "several":
        return f" is in one of several places: {marked}"
    if bound.kind == "device":
        return f" is {marked}"
    return f" is {marked}" if bound.spot.text.startswith(("wherever", "in ")) else f" is on {marked}"


def _clash(trace: Trace, meet: Meet, side: Side, mark: str, other: str) -> str:
    rows = " ".join(str(hop.row) for hop in side.hops if not hop.path)
    wrong = words.meeting(meet)
    return (
        f'<span class="v clash" id="{mark}" tabindex="0" data-other="{other}" data-rows="{rows}">✕ '
        f'{escape(meet.what)}<span class="tip wide" role="tooltip">{escape(wrong[0].upper() + wrong[1:])}: '
        f"<code>{escape(words.inside(trace, meet))}</code>{_sides(trace, meet)}</span></span>"
    )


# -- modules -------------------------------------------------------------------------------------------


def _modules(trace: Trace) -> Iterator[str]:
    shown = [state for state in trace.states if state.registered or state.left_behind]
    if not shown:
        return
    yield "<h2>Modules: what moves with them, and what does not</h2>\n"
    yield "<p>Moving a module moves its registered parameters, buffers and sub-modules. "
    yield "Plain attributes stay.</p>\n"
    yield '<div class="modules">\n'
    yield from (_card(trace, state) for state in shown)
    yield "</div>\n"


def _card(trace: Trace, state: State) -> str:
    row = trace.label(state.row)
    parts = [
        f'<div class="card"><h3><code>{escape(state.name)}</code>, '
        f'<a href="#L{state.row}">line {row}</a></h3>'
    ]
    if state.registered:
        held = "".join(
            f"<li><code>{escape(x.name)}</code> ({escape(x.detail or x.kind)})</li>" for x in state.registered
        )
        parts.append(f"Moves with it:<ul>{held}</ul>")
    if state.left_behind:
        held = "".join(f"<li>{escape(words.left_behind(trace, x))}</li>" for x in state.left_behind)
        parts.append(f'<span class="stays">Stays behind:</span><ul>{held}</ul>')
    return "".join(parts) + "</div>\n"
