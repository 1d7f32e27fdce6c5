"""The machine is one class in many files: its parts must not take each other's names by accident."""

from __future__ import annotations

import inspect

from devlint.model.analyse import Analysis

# Methods that a later part extends on purpose; it calls the one that it replaces.
EXTENDED = {"iterate_obj", "lib_attr", "place", "_unknown_method"}


def test_no_part_replaces_a_method_of_another() -> None:
    owners: dict[str, tuple[type, object]] = {}
    clashes = []
    for part in reversed(Analysis.__mro__[:-1]):
        for name, method in vars(part).items():
            if not inspect.isfunction(method) or name.startswith("__"):
                continue
            if name in owners and name not in EXTENDED:
                owner, before = owners[name]
                if "NotImplementedError" not in inspect.getsource(before):  # type: ignore[arg-type]
                    clashes.append(f"{name}: {owner.__name__} and {part.__name__}")
            owners[name] = (part, method)
    assert clashes == []
