"""`next(model.parameters()).device`: written where it is needed once, else in a variable of the function."""

from __future__ import annotations

from collections.abc import Sequence

from devlint.fix.devices import Scene
from devlint.fix.idiom import Written
from devlint.syntax import tree as t
from devlint.syntax.source import Source
from devlint.syntax.statements import insert_before
from devlint.syntax.walk import Level, bound_names


def asked(source: Source, scene: Scene, ways: Sequence[tuple[Level, ...]], text: str) -> Written:
    """The device of a module at a place; `ways` lead to all places in the function that ask for it. In a
    variable it stands before the first of them."""
    function = scene.functions[0] if scene.functions else None
    if function is None or len(scene.functions) > 1 or not (len(ways) > 1 or _in_loop(scene)):
        return Written(text)
    names = bound_names(scene.tree) | bound_names(function)
    name, attr = ("device", "") if "device" not in names else ("parameter", ".device")
    if name in names:
        return Written(text)
    first = min(level.at for way in (*ways, scene.way) for level in way if level.owner is function)
    line = insert_before(source, function.body[first], f"{name} = {text.removesuffix(attr)}")
    return Written(name + attr, (line,))


def _in_loop(scene: Scene) -> bool:
    """Whether the place is run again and again within its function."""
    for level in reversed(scene.way):
        if isinstance(level.owner, (t.For, t.While)):
            return True
        if isinstance(level.owner, t.FunctionDef):
            return False
    return False
