"""Small frozen values as JSON and back, by their types.

The cache lies in the checked project, and reading it must not be able to run anything: so no pickle.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
import typing
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def encode(value: Any) -> Any:
    """Dataclasses and tuples become lists, enums their values."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [encode(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    if isinstance(value, enum.Enum):
        return value.value
    if value is None or isinstance(value, (str, int, bool)):
        return value
    raise TypeError(f"cannot be kept: {type(value).__name__}")


def decode(kind: type[T], data: Any) -> T:
    """The value of a type that `encode` was given.

    Raises:
        ValueError: the data is not of that type.
    """
    value: T = _decoder(typing.cast(Any, kind))(data)
    return value


@functools.cache
def _decoder(kind: Any) -> Callable[[Any], Any]:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        (other,) = (arg for arg in args if arg is not type(None))
        inner = _decoder(other)
        return lambda data: None if data is None else inner(data)
    if origin is tuple and args[-1] is Ellipsis:
        inner = _decoder(args[0])
        return lambda data: tuple(inner(item) for item in _list(data))
    if origin is tuple:
        return _fields(lambda *items: items, args)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return _fields(kind, tuple(hints[field.name] for field in dataclasses.fields(kind)))
    if isinstance(kind, type) and issubclass(kind, tuple):
        hints = typing.get_type_hints(kind)
        return _fields(kind, tuple(hints[name] for name in kind._fields))  # type: ignore[attr-defined]
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return kind
    return functools.partial(_plain, kind)


def _fields(make: Callable[..., Any], kinds: tuple[Any, ...]) -> Callable[[Any], Any]:
    decoders = tuple(map(_decoder, kinds))

    def decode_fields(data: Any) -> Any:
        return make(*(inner(item) for inner, item in zip(decoders, _list(data), strict=True)))

    return decode_fields


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise ValueError("expected a list")
    return data


def _plain(kind: type, data: Any) -> Any:
    if type(data) is not kind:
        raise ValueError(f"expected {kind.__name__}")
    return data
