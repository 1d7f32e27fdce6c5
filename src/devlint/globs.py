"""Paths as reports name them, and path patterns as ruff reads them: by the name of a file or folder, or by
its whole path."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass


def slashed(path: str | os.PathLike[str]) -> str:
    """The absolute path with `/`, links kept."""
    return os.path.abspath(path).replace(os.sep, "/")


def shown(path: str | os.PathLike[str]) -> str:
    """The name of a file in reports: relative to the working directory where it is below it, with `/`."""
    whole = os.path.abspath(path)
    relative = os.path.relpath(whole) if _same_drive(whole) else whole
    if relative.startswith(os.pardir) and os.path.isabs(path):
        relative = whole
    return relative.replace(os.sep, "/")


def _same_drive(path: str) -> bool:
    return os.path.splitdrive(path)[0] == os.path.splitdrive(os.getcwd())[0]


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern and the folder that it is relative to (that of the file it was written in).

    As in ruff, `*` crosses `/`, `**/` may be empty, `{a,b}` chooses, and a pattern without a `/` also
    matches a name anywhere.
    """

    pattern: str
    base: str

    def matches(self, path: str) -> bool:
        """Whether the pattern means this very path (absolute, with `/`)."""
        pattern = self.pattern.rstrip("/") or "/"
        name = path.rpartition("/")[2]
        if "/" not in pattern and _regex(pattern).fullmatch(name):
            return True
        whole = pattern if os.path.isabs(pattern) else f"{_escape(self.base.rstrip('/'))}/{_plain(pattern)}"
        return _regex(whole).fullmatch(path) is not None

    def covers(self, path: str) -> bool:
        """Whether it means this path, or a folder around it that lies below the base."""
        return any(self.matches(part) for part in around(path, self.base))


def around(path: str, root: str) -> Iterator[str]:
    """The path and the folders around it, from the inside, that lie below `root`.

    A path outside of `root` stands alone: that a checkout lies in a folder called `build` says nothing.
    """
    yield path
    inside = root.rstrip("/") + "/"
    while path.startswith(inside):
        path = path.rpartition("/")[0]
        if not path.startswith(inside):
            return
        yield path


def _plain(pattern: str) -> str:
    while pattern.startswith("./"):
        pattern = pattern[2:]
    return pattern


def _escape(path: str) -> str:
    return re.sub(r"([*?\[{])", r"[\1]", path)


@functools.lru_cache(maxsize=1024)
def _regex(pattern: str) -> re.Pattern[str]:
    """The pattern as a regular expression.

    Raises:
        ValueError: a bracket or brace is not closed.
    """
    out: list[str] = []
    at = depth = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "*":
            end = at
            while end < len(pattern) and pattern[end] == "*":
                end += 1
            whole_part = (
                end - at == 2 and (at == 0 or pattern[at - 1] == "/") and pattern[end : end + 1] == "/"
            )
            out.append("(?:.*/)?" if whole_part else ".*")
            at = end + whole_part
            continue
        if char == "[":
            end = pattern.find("]", at + 3 if pattern[at + 1 : at + 2] == "!" else at + 2)
            if end < 0:
                raise ValueError(f"`[` is not closed in {pattern!r}")
            chars = pattern[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[").replace("^", "\\^")
            out.append(f"[^{chars[1:]}]" if chars.startswith("!") else f"[{chars}]")
            at = end + 1
            continue
        if char == "{":
            depth += 1
            out.append("(?:")
        elif char == "}" and depth:
            depth -= 1
            out.append(")")
        elif char == "," and depth:
            out.append("|")
        else:
            out.append("." if char == "?" else re.escape(char))
        at += 1
    if depth:
        raise ValueError(f"`{{` is not closed in {pattern!r}")
    return re.compile("".join(out), re.DOTALL)


def validate(pattern: str) -> None:
    """Raises:
    ValueError: the pattern cannot be read.
    """
    try:
        _regex(pattern)
    except re.error as error:
        raise ValueError(f"{error} in {pattern!r}") from None
