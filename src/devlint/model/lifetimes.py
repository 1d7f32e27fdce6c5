"""How long what a function makes lives, by the text of the function."""

from __future__ import annotations

from devlint.syntax import tree as t
from devlint.syntax.walk import own_names, targets, walk

_BORROWS = frozenset({"step", "unscale_"})
"""Methods that use an optimizer and do not keep it (torch.amp.GradScaler)."""


def outlives(made: t.Node, function: t.FunctionDef | t.Lambda) -> bool:
    """Whether what a statement of a function makes may be there when the function has ended: it is returned,
    kept in something, handed to a call that gives nothing back, or seen by a function inside."""
    names = set(own_names(made))
    if isinstance(function, t.Lambda) or not names or any(not isinstance(x, t.Name) for x in targets(made)):
        return True
    return any(_keeps(part, names) for part in walk(*function.body))


def _keeps(part: t.Node, names: set[str]) -> bool:
    if isinstance(part, (t.FunctionDef, t.Lambda)):
        return _names_any(part, names)
    if isinstance(part, (t.Return, t.Await)):
        return part.value is not None and _names_any(part.value, names)
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
