"""Tracebacks as they stand in logs: their frames, and the message at the end."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
# Python's own; IPython's (`File ~/train.py:33, in main()`); pytest's (`train.py:33: in main`).
_FRAME = re.compile(
    r'^.*?\bFile "(?P<file>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<function>[^\n]+))?'
    r"|^.*?\bFile (?P<file2>[^\s:]+\.py):(?P<line2>\d+)(?:, in (?P<function2>[\w.<>]+))?"
    r"|^(?P<file3>\S+\.py):(?P<line3>\d+): ?(?:in (?P<function3>\S+)|\w+(?:Error|Exception)?)?\s*$",
    re.MULTILINE,
)
_ERROR = re.compile(
    r"^(?:E\s+|.*?\b)?(?P<message>(?:[\w.]+\.)?\w*(?:Error|Exception|Warning)\b: .*)", re.MULTILINE
)
_FOREIGN = ("site-packages", "dist-packages")


class Frame(NamedTuple):
    """A frame: the file as it is named there, the row, the function."""

    file: str
    row: int
    function: str


@dataclass(frozen=True, slots=True)
class Traceback:
    """The frames of the last traceback in a text, outermost first, and the message after them."""

    frames: tuple[Frame, ...]
    message: str


def parse(text: str) -> Traceback:
    """Finds the last traceback; a text without one is a message alone."""
    text = _ANSI.sub("", text).replace("\r\n", "\n")
    begin = text.rfind("Traceback (most recent call last)")
    last = text[begin:] if begin >= 0 else text
    matches = list(_FRAME.finditer(last))
    frames = tuple(_frame(match) for match in matches)
    if not frames:
        return Traceback((), text.strip())
    after = last[matches[-1].end() :]
    errors = list(_ERROR.finditer(after)) or list(_ERROR.finditer(last))
    message = (after[errors[0].start("message") :] if errors and errors[0].string == after else "").strip()
    if not message:
        message = errors[-1]["message"] if errors else after.strip()
    return Traceback(frames, message)


def _frame(match: re.Match[str]) -> Frame:
    file = match["file"] or match["file2"] or match["file3"]
    row = int(match["line"] or match["line2"] or match["line3"])
    function = match["function"] or match["function2"] or match["function3"] or ""
    return Frame(file, row, function.strip())


def own(frames: tuple[Frame, ...], root: str) -> tuple[tuple[Frame, str], ...]:
    """The frames whose files lie in a folder, with their paths here. A traceback from another machine names
    other folders: the longest end of a path that exists counts."""
    found: list[tuple[Frame, str]] = []
    for frame in frames:
        path = _here(frame.file, root)
        if path is not None:
            found.append((frame, path))
    return tuple(found)


def _here(file: str, root: str) -> str | None:
    parts = PurePath(os.path.expanduser(file).replace("\\", "/")).parts
    if any(name in parts for name in _FOREIGN) or file.startswith("<"):
        return None
    whole = os.path.join(root, *parts) if not os.path.isabs(os.path.join(*parts)) else os.path.join(*parts)
    if os.path.isfile(whole):
        return whole if _below(whole, root) else None
    for start in range(1, len(parts)):
        shorter = os.path.join(root, *parts[start:])
        if os.path.isfile(shorter):
            return shorter
    return None


def _below(path: str, root: str) -> bool:
    try:
        relative = os.path.relpath(os.path.abspath(path), os.path.abspath(root))
    except ValueError:  # another drive
        return False
    return not relative.startswith(os.pardir) and ".venv" not in relative.split(os.sep)
