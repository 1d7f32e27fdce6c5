"""Modules whose parts were made on a device of their own: a module is where its parts are, not on the CPU."""

from __future__ import annotations

from typing import Any

from devlint.model.cond import each, tips
from devlint.model.device import CPU, UNKNOWN
from devlint.model.events import Bind
from devlint.model.modules import stateful_parts
from devlint.model.torch.modules import MODULES
from devlint.model.value import PLACE, Obj, Tensor
from devlint.trace.places import joined, spot, spots
from devlint.trace.shapes import Spot


class Wholes:
    """Follows where modules were made and which were moved, while the events go by."""

    def __init__(self) -> None:
        self._born: dict[int, Any] = {}
        self._moved: set[int] = set()

    def place(self, event: Bind) -> Any:
        """Where the module that an event binds is, as a tree of devices or spots."""
        value = event.value
        if event.moved:
            self._moved.add(id(value))
        if not (isinstance(value, Obj) and value.is_module) or value is event.where.self_value:
            return event.place  # a module that is being made is no whole yet
        is_new = id(value) not in self._born
        if event.place == CPU and id(value) not in self._moved:
            found = self._whole(value, is_new)
        else:
            found = event.place
        self._born.setdefault(id(value), found)
        return found

    def _whole(self, module: Obj, is_new: bool) -> Any:
        stays = all(leaf == CPU for leaf in tips(module.attrs.get(PLACE, CPU)))
        given = _given(module) if stays else []
        if given:
            return joined(given)
        parts = list(stateful_parts(module, set()))
        if not parts or not (stays or all(id(part) in self._born for part in parts)):
            return CPU
        born = [self._born.get(id(part), part.attrs.get(PLACE, CPU)) for part in parts]
        if all(place == CPU for place in born):
            return CPU
        now = [part.attrs.get(PLACE, CPU) for part in parts]
        if not is_new and any(a != b for a, b in zip(born, now, strict=True)):
            return UNKNOWN  # something around it was moved
        there = [found for place in born if (found := spot(spots(place))) is not None]
        return joined(there)


def _given(module: Obj) -> list[Spot]:
    """Where the tensors are that a module of a library was given to keep (the weights of a loss)."""
    info = MODULES.get(module.lib)
    names = info.tensor_state_args if info is not None else ()
    held = [module.attrs[name] for name in names if name in module.registered]
    places = [each(value, lambda leaf: leaf.device if type(leaf) is Tensor else None) for value in held]
    return [found for place in places if (found := spot(spots(place))) is not None]
