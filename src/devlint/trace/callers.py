"""Who called whom: a model tells of each binding only the statement that called its function."""

from __future__ import annotations

from collections.abc import Iterator

from devlint.model.events import Bind
from devlint.model.value import Site
from devlint.syntax import tree as t
from devlint.syntax.walk import blocks

_FARTHEST = 3
"""How many callers of callers are told."""


class Callers:
    """Follows the calls while the events go by, in the order in which the program makes them."""

    def __init__(self) -> None:
        self._around: dict[int, t.Node] = {}
        self._entered: dict[int, Site | None] = {}

    def note(self, event: Bind) -> None:
        """A function that binds something (its parameters first) is being run."""
        function = event.where.function
        if function is None:
            return
        node = function.node
        if id(node) not in self._entered and isinstance(node, t.FunctionDef):
            self._around.update((id(stmt), node) for stmt in _statements(node))
        self._entered[id(node)] = event.caller

    def beyond(self, caller: Site | None) -> tuple[Site, ...]:
        """From where the function in which a call stands was called, and so on outwards."""
        found: list[Site] = []
        while caller is not None and len(found) < _FARTHEST:
            around = self._around.get(id(caller.stmt))
            caller = self._entered.get(id(around)) if around is not None else None
            if caller is None or caller in found:
                break
            found.append(caller)
        return tuple(found)


def _statements(node: t.Node) -> Iterator[t.Node]:
    for body in blocks(node):
        for stmt in body:
            yield stmt
            if not isinstance(stmt, (t.FunctionDef, t.ClassDef)):
                yield from _statements(stmt)
