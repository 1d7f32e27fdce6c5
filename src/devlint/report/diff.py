"""What a rewriting changes, as unified diffs and as the few lines around one fix."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence

from devlint.report.context import SourceText
from devlint.report.style import Style
from devlint.syntax.notebook import SUFFIX, Notebook
from devlint.text import Edit, apply_edits, one_line

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
"""A line with its end, as Python's tokenizer sees lines (`str.splitlines` splits at form feeds as well)."""


def changed_lines(text: SourceText, edits: Iterable[Edit]) -> Iterator[str]:
    """The lines that edits take away (`- ...`) and put in (`+ ...`), without their common indentation;
    `...` where others lie between."""
    chunks = [list(_chunk(chunk, inside)) for chunk, inside in _chunks(text, edits)]
    bodies = [body for lines in chunks for _, body in lines if body.strip()]
    indent = min((len(body) - len(body.lstrip()) for body in bodies), default=0)
    for number, lines in enumerate(chunks):
        if number:
            yield "..."
        for sign, body in lines:
            yield f"{sign} {body[indent:]}".rstrip()


def unified(before: str, after: str, path: str, style: Style) -> Iterator[str]:
    """The lines of a unified diff of one file that `patch -p0` and `git apply -p0` take; of a notebook, one
    for each cell, for people to read."""
    if not path.endswith(SUFFIX):
        yield from _unified(before, after, path, style)
        return
    for old, new in zip(Notebook(before).cells, Notebook(after).cells, strict=True):
        yield from _unified(f"{old.text}\n", f"{new.text}\n", f"{path}:cell {old.number}", style)


def _unified(before: str, after: str, path: str, style: Style) -> Iterator[str]:
    old, new = _LINES.findall(before), _LINES.findall(after)
    name = one_line(path)
    for line in difflib.unified_diff(old, new, name, name):
        body = line.rstrip("\r\n")
        # A file header ends in a newline of its own; other lines keep those of the file.
        end = line[len(body) :]
        yield _paint(body, style) + (end or "\n\\ No newline at end of file\n")


def _paint(line: str, style: Style) -> str:
    if line.startswith(("--- ", "+++ ")):
        return style.bold(line)
    if line.startswith("@@"):
        return style.note(line)
    if line.startswith("+"):
        return style.good(line)
    return style.bad(line) if line.startswith("-") else line


def _chunks(text: SourceText, edits: Iterable[Edit]) -> Iterator[tuple[str, list[Edit]]]:
    """Runs of whole rows that edits touch, and the edits in each, counted from its start."""
    groups: list[tuple[int, int, list[Edit]]] = []
    for edit in sorted(set(edits)):
        first = text.lines.position(edit.start).row
        last = text.lines.position(edit.end).row
        if groups and first <= groups[-1][1]:
            low, high, inside = groups[-1]
            groups[-1] = (low, max(high, last), [*inside, edit])
        else:
            groups.append((first, last, [edit]))
    for first, last, inside in groups:
        start, end = text.lines.line(first).start, text.lines.line(last).end
        yield text.text[start:end], [Edit(e.start - start, e.end - start, e.text) for e in inside]


def _chunk(text: str, edits: Sequence[Edit]) -> Iterator[tuple[str, str]]:
    """The lines that differ, with their signs."""
    old = [line.rstrip("\r\n") for line in _LINES.findall(text)]
    new = [line.rstrip("\r\n") for line in _LINES.findall(apply_edits(text, edits))]
    for tag, low, high, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield from (("-", line) for line in old[low:high])
            yield from (("+", line) for line in new[start:end])
