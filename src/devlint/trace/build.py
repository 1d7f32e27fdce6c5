"""From the events of a model to a trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from devlint.model.analyse import Model
from devlint.model.cond import tips
from devlint.model.device import CPU, UNKNOWN, At, Device, Like, Verdict
from devlint.model.events import Bind, Combine, Move, trail
from devlint.model.value import Obj, Site, Step
from devlint.syntax import tree as t
from devlint.trace.callers import Callers
from devlint.trace.kinds import OTHER, Seen, class_name, is_tensor, look
from devlint.trace.places import spot, spot_of, spots
from devlint.trace.shapes import Bound, Hop, Meet, Side, Spot
from devlint.trace.wholes import Wholes

_SYMBOLS = {
    "Add": "+",
    "Subtract": "-",
    "Multiply": "*",
    "Divide": "/",
    "FloorDivide": "//",
    "Modulo": "%",
    "Power": "**",
    "MatrixMultiply": "@",
    "BitAnd": "&",
    "BitOr": "|",
    "BitXor": "^",
    "GreaterThan": ">",
    "GreaterThanEqual": ">=",
    "LessThan": "<",
    "LessThanEqual": "<=",
    "Equal": "==",
    "NotEqual": "!=",
}
_CONTENTS = {"loader": "its batches are there", "optimizer": "its parameters are there"}
_UNNAMED = ("", "_", "self", "cls")
_VARIANTS = 4
"""In how many ways a value of a line may come out before the others are left away."""
_MEETS = 3
"""How many meetings of one line are told."""


class Builder:
    """Gathers what the events of a file tell, in the order of the program."""

    def __init__(self, model: Model) -> None:
        self.file = model.file
        self.source = model.file.source
        self.bound: dict[tuple[int, str], list[Bound]] = {}
        self.meets: dict[int, list[Meet]] = {}
        self._places: dict[int, Any] = {}
        self._left: dict[tuple[int, int], Any] = {}
        self._moved: dict[int, Hop] = {}
        self._before: dict[int, Spot | None] = {}
        self._calls = Callers()
        self._wholes = Wholes()
        self._ways: dict[tuple[int, str, tuple[Hop, ...]], set[str]] = {}
        for event in model.events:
            if isinstance(event, Bind):
                self._bind(event)
            elif isinstance(event, Move):
                self._move(event)
            elif isinstance(event, Combine):
                self._combine(event)

    # -- places in the source ------------------------------------------------------------------------

    def row(self, site: Site, node: t.Node | None = None) -> int:
        """The row of a site, or of another node of its file."""
        source = site.file.source
        try:
            return source.lines.position(source.span(node or site.node).start).row
        except KeyError:  # a parameter's name has no span of its own in every version of libcst
            return source.rows(site.stmt)[0]

    def hop(self, site: Site, text: str) -> Hop:
        """A step in words."""
        return Hop("" if site.file is self.file else site.file.path, self.row(site), text)

    def hops(self, cause: Step | None, here: int = 0) -> tuple[Hop, ...]:
        """A trail, oldest step first; a last step in the row itself that says no more than the row is left
        out."""
        found = [self.hop(site, text) for site, text in trail(cause)]
        return tuple(dict.fromkeys(found)) if here == 0 else _but_last(found, here)

    # -- events --------------------------------------------------------------------------------------

    def _move(self, event: Move) -> None:
        """Remembers where what is moved was before."""
        if isinstance(event.receiver, Obj):
            return
        seen = look(event.receiver)
        self._before[id(event.site.node)] = seen.spot if seen is not None else None

    def _bind(self, event: Bind) -> None:
        self._calls.note(event)
        event = replace(event, place=self._wholes.place(event))
        is_module = isinstance(event.value, Obj) and event.value.is_module
        before = self._place(event) if is_module else None
        if event.site.file is not self.file or (event.moved and _assigns(event.site)):
            return
        seen = look(event.value, event.place)
        if seen is None or event.name in _UNNAMED or event.value is event.where.self_value:
            return
        row = self.row(event.site)
        bound = self._described(event, seen, row)
        if before is not None:
            was = spot(spots(before))
            if was is not None and bound.spot is not None and was.text != bound.spot.text:
                bound = replace(bound, before=was)
        self._add(bound)

    def _place(self, event: Bind) -> Any:
        """Keeps where a module is now; where it was, if this statement moves it."""
        key = id(event.value)
        moves = self._left.get((key, id(event.site.stmt)))
        if event.moved:
            moves = self._places.get(key, CPU)
            self._left[(key, id(event.site.stmt))] = moves
            self._moved[key] = self.hop(event.site, "moved here")
        self._places[key] = event.place
        return moves

    def _described(self, event: Bind, seen: Seen, row: int) -> Bound:
        cause = seen.cause
        before = None
        note = ""
        if cause is not None and cause.site.stmt is event.site.stmt:
            if cause.kind == "move":
                before = self._before.get(id(cause.site.node))
            elif cause.kind == "dropped":
                note = "not moved: the result is dropped"
        if before is not None and seen.spot is not None and before.text == seen.spot.text:
            before = None
        if event.moved:
            note = "moved in place"
        elif seen.kind in _CONTENTS and seen.spot is not None:
            note = _CONTENTS[seen.kind]
        callers = (self._call(event.caller),) if event.caller is not None else ()
        beyond = tuple(map(self._call, self._calls.beyond(event.caller)))
        hops = _but_last(self._history(event.value, cause), row)
        return Bound(row, event.name, seen.kind, seen.detail, seen.spot, before, note, hops, callers, beyond)

    def _call(self, site: Site) -> Hop:
        path = "" if site.file is self.file else site.file.path
        return Hop(path, site.file.source.rows(site.stmt)[0], "")

    def _history(self, value: Any, cause: Step | None) -> list[Hop]:
        """How a value came to where it is."""
        if cause is not None:
            return [self.hop(site, text) for site, text in trail(cause)]
        obj = next((leaf for leaf in tips(value) if isinstance(leaf, Obj)), None)
        if obj is None or isinstance(obj.site.node, t.ClassDef):
            return []
        moved = self._moved.get(id(obj))
        return [self.hop(obj.site, "made here"), *((moved,) if moved is not None else ())]

    def _add(self, new: Bound) -> None:
        """One more way in which a line binds a name; ways that differ in nothing that matters are one."""
        known = self.bound.setdefault((new.row, new.name), [])
        self._ways.setdefault((new.row, new.name, new.callers), set()).add(_lane(new.spot))
        for i, old in enumerate(known):
            if _alike(old, new):
                callers = old.callers
                if callers:  # read for its own sake once: that is what holds in general
                    callers = tuple(dict.fromkeys((*callers, *new.callers))) if new.callers else ()
                beyond = old.beyond if old.beyond == new.beyond else ()
                known[i] = replace(old, callers=callers, beyond=beyond)
                return
        if len(known) < _VARIANTS:
            known.append(new)

    def _combine(self, event: Combine) -> None:
        if not _is_real(event):
            return
        sides = [
            Side(spot_of(device, leaf.cause), self.hops(leaf.cause))
            for leaf, device in ((event.left, event.left_device), (event.right, event.right_device))
        ]
        if "unknown" in (sides[0].spot.family, sides[1].spot.family):
            return
        what = _what(event)
        inside = None
        if event.site.file is self.file:
            row = self.row(event.site)
        else:
            call = next(
                (
                    step.site
                    for leaf in (event.left, event.right)
                    for step in _steps(leaf.cause)
                    if step.kind == "arg" and step.site.file is self.file
                ),
                None,
            )
            if call is None:
                return
            row, inside = self.row(call), self.hop(event.site, what)
        certain = event.verdict is Verdict.DIFFERENT or _chosen(event.left_device, event.right_device)
        new = Meet(row, what, sides[0], sides[1], certain, inside)
        known = self.meets.setdefault(row, [])
        if len(known) < _MEETS and not any(_same_meet(new, old) for old in known):
            known.append(new)

    def met(self, row: int) -> tuple[Meet, ...]:
        """What meets in a row; one that is certain says what the same operation may do."""
        found = self.meets.get(row, [])
        certain = {meet.what for meet in found if meet.certain}
        return tuple(meet for meet in found if meet.certain or meet.what not in certain)

    def variants(self, every_caller: bool = False) -> Iterator[Bound]:
        """All that is bound, in the order of the rows, what holds for any caller first. Unless every caller
        is asked for, a single way needs no caller, and one that its caller tells from the others no caller of
        that."""
        for (row, name), found in sorted(self.bound.items(), key=lambda entry: entry[0][0]):
            found.sort(key=lambda bound: bool(bound.callers))
            if every_caller:
                yield from found
            elif len(found) == 1:
                yield replace(found[0], callers=(), beyond=())
            else:
                far = _farthest(found)
                for bound in found:
                    one = all(len(self._ways.get((row, name, (call,)), ())) < 2 for call in bound.callers)
                    yield replace(bound, beyond=() if one else bound.beyond[:far])


def _farthest(found: Iterable[Bound]) -> int:
    """How many callers of callers tell all ways apart."""
    called = [bound for bound in found if bound.callers]
    most = max((len(bound.beyond) for bound in called), default=0)
    return next(
        (
            far
            for far in range(1, most)
            if len({(bound.callers, bound.beyond[:far]) for bound in called}) == len(called)
        ),
        most,
    )


def _steps(cause: Step | None) -> Iterator[Step]:
    while cause is not None:
        yield cause
        cause = cause.prev


def _but_last(hops: Iterable[Hop], row: int) -> tuple[Hop, ...]:
    found = list(dict.fromkeys(hops))
    if found and found[-1].path == "" and found[-1].row == row:
        found.pop()
    return tuple(found)


def _alike(a: Bound, b: Bound) -> bool:
    return (a.kind, a.detail, a.note, _lane(a.spot), _lane(a.before)) == (
        b.kind,
        b.detail,
        b.note,
        _lane(b.spot),
        _lane(b.before),
    )


def _lane(where: Spot | None) -> str:
    return "" if where is None else where.text if where.family == "several" else where.lane


def _same_meet(a: Meet, b: Meet) -> bool:
    """Whether two meetings say the same. What happens below one call is told once for each pair of places."""
    places = {a.left.spot.lane, a.right.spot.lane} == {b.left.spot.lane, b.right.spot.lane}
    return places and (a.what == b.what or (a.inside is not None and b.inside is not None))


def _is_real(event: Combine) -> bool:
    """Whether tensors meet, as far as is known."""
    for leaf, device in ((event.left, event.left_device), (event.right, event.right_device)):
        if not is_tensor(leaf):
            return False
        if isinstance(device, Like):
            seen = device.root.seen
            if not ("device" in seen if device.named else "tensor" in seen and not seen & OTHER):
                return False
    return event.left_device is not UNKNOWN and event.right_device is not UNKNOWN


def _chosen(*devices: Device) -> bool:
    """Whether each place is one that the program chooses."""
    return all(isinstance(d, At) or (isinstance(d, Like) and d.named) for d in devices)


def _what(event: Combine) -> str:
    if event.owner is not None:
        name = class_name(event.owner)
        return f"{name or 'module'}(...)"
    if event.op == "index":
        return "x[...]"
    return f"a {_SYMBOLS[event.op]} b" if event.op in _SYMBOLS else f"{event.op.rsplit('.', 1)[-1]}(...)"


def _assigns(site: Site) -> bool:
    """Whether a move is part of a statement that binds its result."""
    return isinstance(site.stmt, (t.Assign, t.AnnAssign))
