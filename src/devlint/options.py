"""The keys of a configuration: their names, types and errors. One table read is one `Layer`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from devlint.diagnostic import Severity
from devlint.globs import Glob, slashed, validate
from devlint.rule import Rule
from devlint.selectors import Selection, suggestion, unknown_selector

OUTPUT_FORMATS = (
    *("text", "full", "concise", "grouped", "json", "json-lines", "github", "gitlab", "junit", "sarif"),
    *("pylint", "rdjson", "azure"),
)
DEVICE_IDIOMS = ("cuda", "accelerator")


class ConfigError(Exception):
    """One line that names the file (`where`), the key and what is wrong: the run cannot start."""

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where
        self.message = message


@dataclass(frozen=True, slots=True)
class Layer:
    """What one table says: `values` replace those of layers below, `additions` are added to them."""

    values: Mapping[str, object] = field(default_factory=dict)
    additions: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    selection: Selection = field(default_factory=Selection)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Where a table stands, and what its values may mean."""

    base: Path
    rules: Sequence[Rule]


_Read = Callable[[Any, _Reading], object]


def _flag(value: object, _: _Reading) -> bool:
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


def _strings(value: object, _: _Reading) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise ValueError("expected a list of strings")
    return tuple(value)


def _selectors(value: object, reading: _Reading) -> tuple[str, ...]:
    selectors = _strings(value, reading)
    for selector in selectors:
        problem = unknown_selector(selector, reading.rules)
        if problem:
            raise ValueError(problem)
    return selectors


def _globs(value: object, reading: _Reading) -> tuple[Glob, ...]:
    patterns = _strings(value, reading)
    for pattern in patterns:
        validate(pattern)
    return tuple(Glob(os.path.expanduser(pattern), slashed(reading.base)) for pattern in patterns)


def _per_file(value: object, reading: _Reading) -> tuple[tuple[Glob, tuple[str, ...]], ...]:
    if not isinstance(value, Mapping):
        raise ValueError("expected a table from patterns to lists of rules")
    pairs: list[tuple[Glob, tuple[str, ...]]] = []
    for pattern, selectors in value.items():
        (glob,) = _globs([pattern], reading)
        pairs.append((glob, _selectors(selectors, reading)))
    return tuple(pairs)


def _path(value: object, reading: _Reading) -> Path:
    if not isinstance(value, (str, Path)) or not str(value):
        raise ValueError("expected a path")
    return Path(os.path.abspath(reading.base / os.path.expandvars(os.path.expanduser(value))))


def _version(value: object, _: _Reading) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)\.(\d+)(\.\d+)?", value) if isinstance(value, str) else None
    if match is None:
        raise ValueError('expected a version as a string, like "2.1"')
    return int(match[1]), int(match[2])


def _one_of(choices: Iterable[str]) -> _Read:
    known = tuple(choices)

    def read(value: object, _: _Reading) -> str:
        if not isinstance(value, str) or value not in known:
            raise ValueError(f"expected one of {', '.join(known)}")
        return value

    return read


def _size(value: object, _: _Reading) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError("expected a number of bytes")
    return value


def _severity(value: object, reading: _Reading) -> Severity:
    return Severity(_one_of(severity.value for severity in Severity)(value, reading))


_VALUES: dict[str, _Read] = {
    "per-file-ignores": _per_file,
    "fixable": _selectors,
    "unfixable": _selectors,
    "include": _globs,
    "exclude": _globs,
    "respect-gitignore": _flag,
    "force-exclude": _flag,
    "fix": _flag,
    "unsafe-fixes": _flag,
    "show-fixes": _flag,
    "fail-on": _severity,
    "max-file-size": _size,
    "output-format": _one_of(OUTPUT_FORMATS),
    "baseline": _path,
    "cache-dir": _path,
    "device-idiom": _one_of(DEVICE_IDIOMS),
    "target-torch": _version,
    "device-types": _strings,
    "respect-suppressions": _flag,
}
# Added to what layers below say: the key, the setting, and how it is read.
_ADDITIONS: dict[str, tuple[str, _Read]] = {
    "extend-per-file-ignores": ("per_file_ignores", _per_file),
    "extend-include": ("include", _globs),
    "extend-exclude": ("exclude", _globs),
    "extend-safe-fixes": ("extend_safe_fixes", _selectors),
    "extend-unsafe-fixes": ("extend_unsafe_fixes", _selectors),
}
_SELECTION: tuple[str, ...] = ("select", "extend-select", "ignore")

KEYS: tuple[str, ...] = tuple(sorted(("extend", *_SELECTION, *_VALUES, *_ADDITIONS)))


def read_layer(table: Mapping[str, object], where: str, base: Path, rules: Sequence[Rule]) -> Layer:
    """Reads a table; `where` names it in errors, relative paths and patterns are relative to `base`.

    Raises:
        ConfigError: a key is not known, or its value is not what it must be.
    """
    reading = _Reading(base, rules)
    values: dict[str, object] = {}
    additions: dict[str, tuple[object, ...]] = {}
    chosen: dict[str, tuple[str, ...]] = {}
    for key, value in table.items():
        try:
            if key in _SELECTION:
                chosen[key.replace("-", "_")] = _selectors(value, reading)
            elif key in _VALUES:
                values[key.replace("-", "_")] = _VALUES[key](value, reading)
            elif key in _ADDITIONS:
                name, read = _ADDITIONS[key]
                more = read(value, reading)
                assert isinstance(more, tuple)
                additions[name] = more
            else:
                raise ConfigError(f"unknown key `{key}`{suggestion(key, KEYS)}", where)
        except ValueError as error:
            raise ConfigError(f"`{key}`: {error}", where) from None
    return Layer(values, additions, Selection(**chosen))
