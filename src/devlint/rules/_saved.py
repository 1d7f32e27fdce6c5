"""What a saved file may hold: whether anything in it is bound to a device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from devlint.model.cond import Cond, tips
from devlint.model.device import CPU
from devlint.model.events import Saved
from devlint.model.value import REST, Const, Obj, Site, Tensor, Tuple, Unknown
from devlint.rules._evidence import in_same_function
from devlint.syntax import tree as t
from devlint.syntax.walk import function_around, own_names, walk


def is_bound_to_no_device(saved: Saved) -> bool:
    """Whether what is saved is known to be numbers, text, arrays and tensors that the function which saves
    them has put on the CPU, and nothing in it may be another tensor."""
    kinds = set(_kinds(saved.value, saved.site, 0))
    # What nothing is said of is one more number beside numbers, but maybe a tensor beside tensors.
    return kinds in ({"number"}, {"number", "bare"}, {"tensor"}, {"tensor", "number"})


def _kinds(value: Any, save: Site, depth: int) -> Iterator[str]:
    """What there is in a value: "number" (text, too, and arrays), "tensor" (on the CPU), "bare" (nothing says
    what it is, and nothing is asked of it that numbers do not have), "other"."""
    if type(value) is Const:
        yield "number"
    elif type(value) in (Tensor, Unknown) and value.device is CPU and value.cause is not None:
        # One that was kept somewhere in between may have been moved there.
        here = in_same_function(value.cause.site, save) or _is_given_by_call(value.cause.site, save)
        yield "tensor" if here else "other"
    elif type(value) is Unknown:
        seen = value.root.seen
        if value.root.kind == "host":
            yield "number"
        elif (
            value.root.kind not in ("param", "attribute")
            or seen - {"given", "number", "host"}
            or value.attrs.keys() - {"%derived"}
        ):
            yield "other"
        else:
            yield "number" if seen & {"number", "host"} else "bare"
    else:
        parts = _parts(value)
        if parts is None or (parts and depth > 3):
            yield "other"
        elif not parts:
            yield "number"
        else:
            for part in parts:
                yield from _kinds(part, save, depth + (type(value) is not Cond))


def _is_given_by_call(made: Site, save: Site) -> bool:
    """Whether a function that is called where a value is saved made it, and kept it under no name but a local
    one."""
    maker, saver = function_around(made.file.tree, made.stmt), function_around(save.file.tree, save.stmt)
    if maker is None or not (isinstance(made.stmt, t.Return) or own_names(made.stmt)):
        return False
    called = (x.func for x in walk(*(saver or save.file.tree).body) if isinstance(x, t.Call))
    return any(maker.name == getattr(func, "attr", getattr(func, "id", None)) for func in called)


def _parts(value: Any) -> list[Any] | None:
    """The cases of a value, or what a plain container holds; None of anything else: of a state_dict, too, for
    whoever is handed a module may move it."""
    if type(value) is Cond:
        return list(tips(value))
    if type(value) is Tuple:
        return [*value.items, *((value.rest,) if value.rest is not None else ())]
    if isinstance(value, Obj) and value.kind in PLAIN and "%module" not in value.attrs:
        return [x for key, x in value.attrs.items() if isinstance(key, tuple) or key == REST]
    return None


PLAIN = frozenset({"list", "dict", "set"})
"""Containers of Python."""
