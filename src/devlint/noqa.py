"""`--add-noqa`: a comment on every line with a finding, so that an old code base starts clean."""

from __future__ import annotations

import re
from collections.abc import Iterable

from devlint.comments import read_comments
from devlint.diagnostic import Diagnostic
from devlint.syntax.source import Source
from devlint.text import Edit, LineIndex

_LISTED = re.compile(
    r"(?:^|(?<=\s))#\s*(?i:noqa)\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)(?![\w-])"
)


def add_noqa(source: Source, found: Iterable[Diagnostic], reason: str | None = None) -> tuple[Source, int]:
    """The file with `# noqa: CODE` on the last line of each faulty statement, and how many findings that
    silences. A list of codes that is there grows; a line that a backslash continues takes no comment."""
    text, lines = source.text, source.lines
    comments = {lines.position(offset).row: (offset, comment) for offset, comment in _comments(text, lines)}
    by_row: dict[int, list[Diagnostic]] = {}
    for diagnostic in found:
        by_row.setdefault(diagnostic.statement[1], []).append(diagnostic)
    edits: list[Edit] = []
    silenced = 0
    for row, here in by_row.items():
        end = lines.line(row).end
        if text.endswith("\\", 0, end) and row not in comments:
            continue
        codes = sorted({diagnostic.code for diagnostic in here})
        edits.append(_edit(codes, reason, comments.get(row), end))
        silenced += len(here)
    return source.edited(edits), silenced


def _comments(text: str, lines: LineIndex) -> tuple[tuple[int, str], ...]:
    return read_comments(text, lines).found


def _edit(codes: list[str], reason: str | None, comment: tuple[int, str] | None, end: int) -> Edit:
    if comment is not None:
        offset, words = comment
        listed = _LISTED.search(words)
        if listed:
            missing = [code for code in codes if code not in re.split(r"[,\s]+", listed["codes"])]
            at = offset + listed.end("codes")
            return Edit(at, at, "".join(f", {code}" for code in missing))
    because = f" {reason}" if reason else ""
    return Edit(end, end, f"  # noqa: {', '.join(codes)}{because}")
