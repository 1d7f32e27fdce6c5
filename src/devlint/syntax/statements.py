"""The verbs of fixes for whole statements: put one in, import a name, take a guard off its body."""

from __future__ import annotations

import sys

import libcst as cst

from devlint.syntax import tree as t
from devlint.syntax.layout import ends_line, indentation, line_end, newline, starts_line
from devlint.syntax.source import Source
from devlint.text import Edit


def insert_before(source: Source, stmt: t.Node, text: str) -> Edit:
    """Puts a statement before another: on rows of its own, above the comments that belong to the other."""
    start = _first_character(source, stmt)
    if not starts_line(source, start):
        return Edit(start, start, f"{text}; ")
    blanks = indentation(source, start)
    row = own = source.lines.position(start).row
    while row > 1 and _is_comment(source, row - 1, blanks):
        row -= 1
    at = start if row == own else source.lines.line(row).start + len(blanks)
    end = newline(source) + blanks
    return Edit(at, at, text.replace("\n", end) + end)


def _is_comment(source: Source, row: int, blanks: str) -> bool:
    start, end = source.lines.line(row)
    return source.text.startswith(f"{blanks}#", start, end)


def _first_character(source: Source, stmt: t.Node) -> int:
    decorators = getattr(source.cst_of(stmt), "decorators", ())
    return source.place(decorators[0]).start if decorators else source.span(stmt).start


def insert_after(source: Source, stmt: t.Node, text: str) -> Edit:
    """Puts a statement after a simple statement."""
    start, end = source.span(stmt)
    if not (starts_line(source, start) and ends_line(source, end)):
        return Edit(end, end, f"; {text}")
    at = line_end(source, end)
    joint = newline(source) + indentation(source, start)
    return Edit(at, at, joint + text.replace("\n", joint))


def insert_first(source: Source, function: t.FunctionDef, text: str) -> Edit | None:
    """Puts a statement at the top of a function, after its docstring; None if its body is on its own row."""
    node = source.cst_of(function)
    assert isinstance(node, cst.FunctionDef)
    body = node.body
    if not isinstance(body, cst.IndentedBlock) or not body.body:
        return None
    docs = _is_docstring(body.body[0])
    if docs and len(body.body) == 1:
        return insert_after(source, _first_small(body.body[0]), text)
    return insert_before(source, _first_small(body.body[1 if docs else 0]), text)


def _first_small(line: cst.CSTNode) -> t.Node:
    node = t.Node()
    node.cst = line.body[0] if isinstance(line, cst.SimpleStatementLine) else line
    return node


def _is_docstring(line: cst.CSTNode) -> bool:
    if not isinstance(line, cst.SimpleStatementLine) or not isinstance(line.body[0], cst.Expr):
        return False
    return isinstance(line.body[0].value, (cst.SimpleString, cst.ConcatenatedString))


def add_import(source: Source, name: str) -> Edit | None:
    """Imports a module at the top of the file: before the first `from name... import`, else after the last
    of the imports that the file begins with, else before its first statement."""
    body = source.tree.body
    text = f"import {name}"
    for stmt in body:
        if isinstance(stmt, t.ImportFrom) and not stmt.level and stmt.module.split(".")[0] == name:
            start = source.span(stmt).start
            return Edit(start, start, text + newline(source)) if starts_line(source, start) else None
    leading = [stmt for stmt in body[: _leading(body)] if starts_line(source, source.span(stmt).start)]
    if leading:
        return insert_after(source, leading[-1], text)
    if not body:
        return None
    start = _first_character(source, body[0])
    return Edit(start, start, text + newline(source) * 3)


def add_standard_import(source: Source, name: str) -> Edit | None:
    """Imports a module of the standard library: among those that the file begins with, in the order of the
    alphabet, else above its first import. None if it begins with none."""
    imports = []
    for stmt in source.tree.body:
        if isinstance(stmt, (t.Import, t.ImportFrom)):
            imports += [stmt] if _imported(stmt) != "__future__" else []
        elif not isinstance(stmt, t.ExprStmt) or imports:
            break
    imports = [stmt for stmt in imports if starts_line(source, source.span(stmt).start)]
    if not imports:
        return None
    standard = [stmt for stmt in imports if _imported(stmt) in sys.stdlib_module_names]
    if not standard:
        return insert_before(source, imports[0], f"import {name}" + newline(source))
    earlier = [stmt for stmt in standard if isinstance(stmt, t.Import) and _imported(stmt) < name]
    if earlier:
        return insert_after(source, earlier[-1], f"import {name}")
    return insert_before(source, standard[0], f"import {name}")


def _imported(stmt: t.Import | t.ImportFrom) -> str:
    """The package that an import begins with; "" for a relative one."""
    if isinstance(stmt, t.Import):
        return stmt.names[0][0].split(".")[0]
    return "" if stmt.level else stmt.module.split(".")[0]


def _leading(body: list[t.Stmt]) -> int:
    count = 0
    while count < len(body) and isinstance(body[count], (t.Import, t.ImportFrom)):
        count += 1
    return count


def after_imports(source: Source) -> t.Stmt | None:
    """The last import of the file's top level before anything else is defined or run; an import inside a
    `try` or an `if` counts with that whole statement."""
    last: t.Stmt | None = None
    for stmt in source.tree.body:
        if isinstance(stmt, (t.Import, t.ImportFrom)):
            last = stmt
        elif not isinstance(stmt, (t.Try, t.If)) or not _imports(stmt):
            break
        else:
            last = stmt
    return last


def _imports(stmt: t.Stmt) -> bool:
    """Whether a compound statement does nothing but import."""
    parts = [stmt.body] if isinstance(stmt, t.If) else [stmt.body, *(h.body for h in stmt.handlers)]  # type: ignore[attr-defined]
    return any(isinstance(s, (t.Import, t.ImportFrom)) for part in parts for s in part)


def unguard(source: Source, stmt: t.If) -> list[Edit] | None:
    """Takes an `if` off its body, which moves to the left; a comment on its row stays. None where the `if`
    has an `else`, is an `elif`, or holds strings of several rows."""
    start = source.span(stmt).start
    node = source.cst_of(stmt)
    assert isinstance(node, cst.If)
    if (
        stmt.orelse
        or not stmt.body
        or not source.text.startswith("if", start)
        or not starts_line(source, start)
    ):
        return None
    block = node.body
    first, last = source.span(stmt.body[0]).start, _last_character(source, stmt)
    if not isinstance(block, cst.IndentedBlock):
        return [Edit(start, first, "")]
    if '"""' in source.text[start:last] or "'''" in source.text[start:last]:
        return None
    outer, inner = indentation(source, start), indentation(source, first)
    comment = block.header.comment
    kept = f"{comment.value}{newline(source)}{outer}" if comment is not None else ""
    row = source.lines.position(source.place(block.header).start).row + 1
    while not source.text[slice(*source.lines.line(row))].strip():
        row += 1
    if not source.text.startswith(inner, source.lines.line(row).start) or not inner.startswith(outer):
        return None
    edits = [Edit(start, source.lines.line(row).start + len(inner), kept)]
    for below in range(row + 1, source.lines.position(last).row + 1):
        at = source.lines.line(below).start
        if source.text.startswith(inner, at):
            edits.append(Edit(at + len(outer), at + len(inner), ""))
    return edits


def _last_character(source: Source, stmt: t.If) -> int:
    start, end = source.span(stmt)
    return start + len(source.text[start:end].rstrip())
