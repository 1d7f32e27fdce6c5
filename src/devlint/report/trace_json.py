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
        "binds": [_bound(trace, bound) for bound in line.bound],
        "meets": [_meet(trace, meet) for meet in line.meets],
    }


def _bound(trace: Trace, bound: Bound) -> dict[str, Any]:
    return {
        "name": bound.name,
        "kind": bound.kind,
        "class": bound.detail or None,
        "device": _spot(bound.spot),
        "before": _spot(bound.before),
        "note": bound.note or None,
        "trail": _hops(trace, bound.hops),
        "called_from": [_place(trace, caller) for caller in bound.callers],
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


def _meet(trace: Trace, meet: Meet) -> dict[str, Any]:
    return {
        "operation": meet.what,
        "certain": meet.certain,
        "inside": _place(trace, meet.inside) if meet.inside is not None else None,
        "operands": [_side(trace, meet.left), _side(trace, meet.right)],
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
