"""The verbs of fixes that take a statement away, or do it earlier."""

from __future__ import annotations

from devlint.syntax import tree as t
from devlint.syntax.layout import ends_line, indentation, starts_line
from devlint.syntax.source import Source
from devlint.syntax.statements import insert_before
from devlint.text import Edit, Span


def take_away(source: Source, stmt: t.Stmt) -> Edit | None:
    """Takes a statement away with its rows; None if it shares them with another one, or with a comment."""
    rows = _rows(source, stmt, source.lines.position(source.span(stmt).start).row)
    if rows is None or "#" in source.text[_end(source, stmt) : rows.end]:
        return None
    return Edit(rows.start, rows.end, "")


def do_earlier(source: Source, stmt: t.Stmt, target: t.Stmt, text: str | None = None) -> list[Edit] | None:
    """Puts a statement, or `text` in its place, before an earlier one of the same block. The comments above
    it and on its row go with it. None if it shares its rows with another one."""
    start, end = source.span(stmt).start, _end(source, stmt)
    blanks = indentation(source, start)
    first = _with_comments(source, source.lines.position(start).row, blanks)
    rows = _rows(source, stmt, first)
    if rows is None or not starts_line(source, source.span(target).start):
        return None
    at = source.lines.line(first).start
    said = source.text[at + len(blanks) : start] + (source.text[start:end] if text is None else text)
    said += source.text[end : rows.end].rstrip()
    put = insert_before(source, target, "")
    newline = put.text.removesuffix(blanks)
    return [Edit(put.start, put.end, said + newline + blanks), Edit(at, rows.end, "")]


def _end(source: Source, stmt: t.Stmt) -> int:
    """Where the last character of a statement is; the comments after the last row of a block are not its."""
    body = getattr(stmt, "orelse", None) or getattr(stmt, "body", None)
    if isinstance(body, list) and body:
        return _end(source, body[-1])
    return source.span(stmt).end


def _rows(source: Source, stmt: t.Stmt, first: int) -> Span | None:
    """The rows of a statement with their line ends, and an empty row after it where one stands before the
    `first` of the rows that go; None if something else stands on them."""
    start, end = source.span(stmt).start, _end(source, stmt)
    if not starts_line(source, start) or not ends_line(source, end):
        return None
    last = source.lines.position(end).row
    if last >= source.lines.rows:
        return None  # the last row of a file without a line end
    if _is_blank(source, first - 1) and last + 1 < source.lines.rows and _is_blank(source, last + 1):
        last += 1
    return Span(source.lines.line(source.lines.position(start).row).start, source.lines.line(last + 1).start)


def _with_comments(source: Source, row: int, blanks: str) -> int:
    """The first of the rows of comments right above a row."""
    while row > 1 and source.text.startswith(f"{blanks}#", source.lines.line(row - 1).start):
        row -= 1
    return row


def _is_blank(source: Source, row: int) -> bool:
    if not 1 <= row <= source.lines.rows:
        return False
    start, end = source.lines.line(row)
    return not source.text[start:end].strip()
