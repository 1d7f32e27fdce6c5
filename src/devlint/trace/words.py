"""What a trace says, in sentences: all its reports use the same."""

from __future__ import annotations

import re

from devlint.trace.shapes import Bound, Held, Hop, Meet, Spot, State, Trace

_HERE = re.compile(r"\bhere\b")


def said(trace: Trace, hop: Hop) -> str:
    """A step of a trail, with its place: "created on the CPU in line 22"."""
    place = trace.place(hop)
    preposition = "in " if not hop.path else "at "
    text, count = _HERE.subn(f"{preposition}{place}", hop.text)
    return text if count else f"{hop.text} ({place})"


def what(bound: Bound) -> str:
    """The kind of a value, and of which class it is."""
    if bound.kind == "device" and bound.detail:
        return "device, as a string"
    return f"{bound.kind} {bound.detail}".rstrip()


def where(bound: Bound) -> str:
    """Where it is, and from where it was moved there."""
    if bound.spot is None:
        return ""
    return f"{bound.before.text} -> {bound.spot.text}" if bound.before is not None else bound.spot.text


def callers(trace: Trace, bound: Bound) -> str:
    """When it is so, where there are several ways."""
    if not bound.callers:
        return ""
    places = [trace.place(caller) for caller in bound.callers]
    beyond = "".join(f", and that from {trace.place(caller)}" for caller in bound.beyond)
    return f"when called from {' and '.join(places)}{beyond}"


def meeting(meet: Meet) -> str:
    """What is wrong with a meeting."""
    if meet.certain:
        return "different devices meet"
    loose = next((s.spot for s in (meet.left, meet.right) if s.spot.family in ("module", "input")), None)
    if loose is None:
        return "different devices may meet"
    return f"different devices meet once {_subject(loose)} is moved off the CPU"


def _subject(spot: Spot) -> str:
    found = re.fullmatch(r"wherever (.*) (?:is|are)", spot.text)
    return found[1] if found else spot.text


def inside(trace: Trace, meet: Meet) -> str:
    """The operation of a meeting, and where it is if not in the line itself."""
    return f"{meet.what}, at {trace.place(meet.inside)}" if meet.inside is not None else meet.what


def state(trace: Trace, state: State) -> tuple[str, str]:
    """What moves with a module, and what stays behind."""
    moves = [f"{held.name} ({held.detail or held.kind})" for held in state.registered]
    return ", ".join(moves), ", ".join(left_behind(trace, held) for held in state.left_behind)


def left_behind(trace: Trace, held: Held) -> str:
    """What a module leaves behind: of which kind, where, and where it is set."""
    place = held.spot.text if held.spot is not None else ""
    row = f"line {trace.label(held.row)}" if held.row else ""
    return f"{held.name} ({', '.join(filter(None, (held.detail or held.kind, place, row)))})"
