"""Finding what a dotted name of the tables stands for, in the installed torch."""

from __future__ import annotations

import importlib
from typing import Any


def resolve(name: str) -> Any:
    """The object that a dotted name stands for.

    Raises:
        AttributeError: there is none.
    """
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return found
    raise AttributeError(name)


def exists(name: str) -> bool:
    """Whether a dotted name stands for something."""
    try:
        resolve(name)
    except AttributeError:
        return False
    return True


def public_functions(module: str) -> list[str]:
    """The dotted names of the public functions of a module."""
    namespace = resolve(module)
    return [
        f"{module}.{name}"
        for name in dir(namespace)
        if not name.startswith("_")
        and callable(getattr(namespace, name))
        and not isinstance(getattr(namespace, name), type)
    ]
