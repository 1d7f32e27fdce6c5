"""How long what a function makes lives, by the text of the function."""

from __future__ import annotations

from enum import Enum

from devlint.syntax import tree as t
from devlint.syntax.walk import own_names, targets, walk

_BORROWS = frozenset({"step", "unscale_"})
"""Methods that use an optimizer and do not keep it (torch.amp.GradScaler)."""


class Fate(Enum):
    """What becomes of something when the function that made it has ended."""

    GONE = "gone"
    RETURNED = "returned"
    KEPT = "kept"


def fate(made: t.Node, function: t.FunctionDef | t.Lambda) -> Fate:
    """What becomes of what a statement of a function makes. It may be kept in something, handed to a call
    that gives nothing back, or seen by a function inside; else its caller has it, or nobody."""
    if isinstance(made, t.Return):
        return Fate.RETURNED
    names = set(own_names(made))
    if isinstance(function, t.Lambda) or not names or any(not isinstance(x, t.Name) for x in targets(made)):
        return Fate.KEPT
    inside = list(walk(*function.body))
    if any(_keeps(part, names) for part in inside):
        return Fate.KEPT
    given = (part.value for part in inside if isinstance(part, t.Return) and part.value is not None)
    return Fate.RETURNED if any(_names_any(value, names) for value in given) else Fate.GONE


def _keeps(part: t.Node, names: set[str]) -> bool:
    if isinstance(part, (t.FunctionDef, t.Lambda)):
        return _names_any(part, names)
    if isinstance(part, t.Await):
        return part.how != "await" and part.value is not None and _names_any(part.value, names)
    if isinstance(part, (t.Assign, t.AnnAssign)):
        kept = any(not isinstance(x, t.Name) for x in targets(part))
        return kept and part.value is not None and _names_any(part.value, names)
    if isinstance(part, t.ExprStmt) and isinstance(part.value, t.Call):
        call = part.value
        borrows = isinstance(call.func, t.Attr) and call.func.attr in _BORROWS
        return not borrows and any(_names_any(arg.value, names) for arg in call.args)
    return isinstance(part, t.Scope) and not names.isdisjoint(part.names)


def _names_any(node: t.Node, names: set[str]) -> bool:
    return any(isinstance(x, t.Name) and x.id in names for x in walk(node))
