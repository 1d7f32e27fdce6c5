"""Module classes: what they register, and what they leave behind when they are moved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from devlint.model.events import Bind, End, Event
from devlint.model.program import File
from devlint.model.value import Obj, Site
from devlint.trace.kinds import Seen, look
from devlint.trace.shapes import Held, State

_HELD = ("tensor", "parameter", "module")


def states(file: File, events: Iterable[Event]) -> tuple[State, ...]:
    """One for each module class of a file, in the order of the source."""
    ends: dict[int, End] = {}
    rows: dict[tuple[int, str], int] = {}
    for event in events:
        if isinstance(event, Bind) and event.site.file is file and event.name.startswith("self."):
            rows.setdefault((id(event.where.self_value), event.name[5:]), _row(event.site))
        elif isinstance(event, End) and event.obj.cls is not None and event.obj.cls.file is file:
            # The instance that was built for its own sake speaks for the class.
            own = event.obj.site.node is event.obj.cls.node
            if own or id(event.obj.cls.node) not in ends:
                ends[id(event.obj.cls.node)] = event
    found = [_state(file, event, rows) for event in ends.values()]
    return tuple(sorted(found, key=lambda state: state.row))


def _state(file: File, event: End, rows: dict[tuple[int, str], int]) -> State:
    cls = event.obj.cls
    assert cls is not None
    where = {name: _row(site) for name, _, site in event.stores if site.file is file}
    registered: list[Held] = []
    left: list[Held] = []
    for name, value in event.obj.attrs.items():
        if not isinstance(name, str) or name.startswith("%") or name == "training":
            continue
        seen = _look(event.obj, value)
        if seen is None:
            continue
        row = rows.get((id(event.obj), name)) or where.get(name, 0)
        is_own = name in event.obj.registered or "*" in event.obj.registered
        (registered if is_own else left).append(Held(row, name, seen.kind, seen.detail, seen.spot))
    top = _row(Site(file, cls.node, cls.node))
    return State(top, cls.node.name, tuple(registered), tuple(left))


def _look(owner: Obj, value: Any) -> Seen | None:
    """What an attribute holds, if tensors or modules are in it; its owner itself is not held."""
    if value is owner:
        return None
    seen = look(value)
    return seen if seen is not None and any(kind in seen.kind for kind in _HELD) else None


def _row(site: Site) -> int:
    source = site.file.source
    return source.rows(site.stmt)[0] if site.node is site.stmt else _start(site)


def _start(site: Site) -> int:
    source = site.file.source
    return source.lines.position(source.span(site.node).start).row
