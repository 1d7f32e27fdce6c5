"""`--show-settings`: what holds for a file, and where it comes from."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from devlint.config import Settings
from devlint.globs import Glob
from devlint.rule import Rule

_NOT_KEYS = frozenset({"root", "source", "selections", "cache_dir"})


def lines(path: str, settings: Settings, rules: Sequence[Rule]) -> Iterator[str]:
    """The settings of a file as TOML, every key with its value; the rules that are on stand as `select`."""
    source = settings.source.as_posix() if settings.source is not None else "no configuration file"
    yield f"# {path}: {source}"
    yield f"select = {_value([rule.code for rule in rules if settings.selected(rule, path)])}"
    for field in fields(settings):
        if field.name not in _NOT_KEYS:
            value = getattr(settings, field.name)
            if value is not None:
                yield f"{field.name.replace('_', '-')} = {_value(value)}"
    yield f"cache-dir = {_value(settings.cache_folder)}"


def _value(value: object) -> str:
    """A value in TOML."""
    if isinstance(value, enum.Enum):
        return _value(value.value)
    if isinstance(value, Path):
        return _value(value.as_posix())
    if isinstance(value, Glob):
        return _value(value.pattern)
    if isinstance(value, tuple) and value and all(isinstance(part, int) for part in value):
        return _value(".".join(map(str, value)))
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return "{ " + ", ".join(f"{_value(key)} = {_value(list(item))}" for key, item in value) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
