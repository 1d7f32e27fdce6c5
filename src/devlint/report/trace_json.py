"""A trace for programs. Fields are only ever added, never changed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from devlint.trace import Bound, Held, Hop, Line, Meet, Side, Spot, State, Trace


def render(trace: Trace, stream: TextIO, *, color: bool = False) -> None:
    """Write one object."""
    stream.write(json.dumps(entry(trace), indent=2) + "\n")


def entry(trace: Trace) -> dict[str, Any]:
    """A trace as an object. Rows are those of the file; of a notebook, `cell` and `row` within it."""
    return {
        "filename": trace.path,
        "function": trace.function,
        "lines": [_line(trace, line) for line in trace.lines],
        "modules": [_state(trace, state) for state in trace.states],
    }


def _at(trace: Trace, row: int) -> dict[str, Any]:
    if not trace.cells:
        return {"row": row}
    cell, _, inside = trace.label(row).partition(":")
    return {"cell": int(cell), "row": int(inside)}


def _line(trace: Trace, line: Line) -> dict[str, Any]:
    return {
        **_at(trace, line.row),
        "text": line.text,
        "binds": [bound(trace, each) for each in line.bound],
        "meets": [meet(trace, each) for each in line.meets],
    }


def bound(trace: Trace, found: Bound) -> dict[str, Any]:
    """A value that is bound."""
    return {
        "name": found.name,
        "kind": found.kind,
        "class": found.detail or None,
        "device": _spot(found.spot),
        "before": _spot(found.before),
        "note": found.note or None,
        "trail": _hops(trace, found.hops),
        "called_from": [_place(trace, caller) for caller in found.callers],
        "outer_calls": [_place(trace, caller) for caller in found.beyond],
    }


def _spot(spot: Spot | None) -> dict[str, str] | None:
    return None if spot is None else {"text": spot.text, "lane": spot.lane, "family": spot.family}


def _place(trace: Trace, hop: Hop) -> dict[str, Any]:
    return {
        "filename": hop.path or trace.path,
        **({"row": hop.row} if hop.path else _at(trace, hop.row)),
    }


def _hops(trace: Trace, hops: Iterable[Hop]) -> list[dict[str, Any]]:
    return [{**_place(trace, hop), "text": hop.text} for hop in hops]


def meet(trace: Trace, found: Meet) -> dict[str, Any]:
    """A meeting."""
    return {
        "operation": found.what,
        "certain": found.certain,
        "inside": _place(trace, found.inside) if found.inside is not None else None,
        "operands": [_side(trace, found.left), _side(trace, found.right)],
    }


def _side(trace: Trace, side: Side) -> dict[str, Any]:
    return {"device": _spot(side.spot), "trail": _hops(trace, side.hops)}


def _state(trace: Trace, state: State) -> dict[str, Any]:
    return {
        **_at(trace, state.row),
        "name": state.name,
        "registered": [_held(trace, held) for held in state.registered],
        "left_behind": [_held(trace, held) for held in state.left_behind],
    }


def _held(trace: Trace, held: Held) -> dict[str, Any]:
    return {
        **(_at(trace, held.row) if held.row else {"row": None}),
        "name": held.name,
        "kind": held.kind,
        "class": held.detail or None,
        "device": _spot(held.spot),
    }
