"""Replacing members of torch for the rest of the process."""

from __future__ import annotations

from typing import Any


def replace(owner: object, **members: Any) -> None:
    """Give an owner (a module, a class) other members."""
    for name, value in members.items():
        setattr(owner, name, value)


def words(text: str) -> frozenset[str]:
    """The words of a text: a table of names without the quotes."""
    return frozenset(text.split())
