"""The prefix `module.` of a wrapper's keys: who cuts it off, and who reads files with it or without."""

from __future__ import annotations

from devlint.syntax import tree as t
from devlint.syntax.walk import walk


def cuts_prefix(node: t.Node) -> bool:
    """Whether a slice is `[7:]` or `[len("module."):]`."""
    if not isinstance(node, t.Slice) or node.upper is not None or node.step is not None:
        return False
    start = node.lower
    if isinstance(start, t.Call) and isinstance(start.func, t.Name) and start.func.id == "len" and start.args:
        text = start.args[0].value
        return isinstance(text, t.Const) and text.value == "module."
    return isinstance(start, t.Const) and start.value == len("module.")


def reads_both(tree: t.Tree) -> bool:
    """Whether a file has a function that loads a state_dict whose keys have the prefix as well as one whose
    keys have not, each into what has such keys: it asks a key, and cuts nothing."""
    return any(isinstance(x, t.FunctionDef) and _reads_both(x) for x in walk(tree))


def _reads_both(function: t.FunctionDef) -> bool:
    if "load_state_dict" not in function.words:
        return False
    inside = list(walk(*function.body))
    return any(
        isinstance(x, t.If) and _asks(x.test) and _loads(x.body) and _loads(x.orelse) for x in inside
    ) and not any(cuts_prefix(x) or _replaces(x) for x in inside)


def _asks(test: t.Node) -> bool:
    """Whether a key is asked: `"module." in key`, `key.startswith("module")`. (`hasattr(model, "module")`
    asks the model.)"""
    return any(
        _is_prefix(x.left)
        if isinstance(x, t.Compare)
        else isinstance(x, t.Call)
        and isinstance(x.func, t.Attr)
        and x.func.attr == "startswith"
        and any(_is_prefix(arg.value) for arg in x.args)
        for x in walk(test)
    )


def _is_prefix(node: t.Node) -> bool:
    return isinstance(node, t.Const) and node.value in ("module", "module.")


def _loads(block: list[t.Stmt]) -> bool:
    return any(isinstance(x, t.Attr) and x.attr == "load_state_dict" for x in walk(*block))


def _replaces(node: t.Node) -> bool:
    return isinstance(node, t.Attr) and node.attr in ("replace", "removeprefix")
