"""Imports: files of the project, read when they are asked for."""

from __future__ import annotations

from typing import Any

from devlint.model.evaluate import Evaluate
from devlint.model.machine import MISSING, NORMAL
from devlint.model.program import File
from devlint.model.value import (
    FileValue,
    Lib,
)
from devlint.syntax import tree as t
from devlint.syntax.source import ParseError


class Imports(Evaluate):
    """The part of the machine that imports."""

    def _do_import(self, stmt: t.Import) -> str:
        for name, bound in stmt.names:
            path = self.program.find(self.frame.file, name if bound else name.split(".")[0], 0)
            file = self.import_file(path) if path is not None else None
            value: Any = FileValue(file) if file is not None else Lib(name if bound else name.split(".")[0])
            self.write(self.frame.vars, bound or name.split(".")[0], value)
        return NORMAL

    later = False
    """Whether what is read now is read by type checkers alone."""

    def _is_for_checkers(self, test: t.Expr) -> bool:
        """Whether a test is one for `TYPE_CHECKING`, at the top level: what it imports is not there when the
        program runs, or only once somebody asks for it (PEP 562, lazy modules)."""
        if isinstance(test, t.BoolOp) and test.op == "Or":
            return self._is_for_checkers(test.left)
        asked = isinstance(test, (t.Name, t.Attr)) and self.expr(test) == Lib("typing.TYPE_CHECKING")
        return asked and self.frame.vars is self.frame.file.globals

    def imported_later(self, file: File, name: str) -> Any:
        if name in file.asked:
            return None
        file.asked.add(name)
        try:
            return self._import_later(file, name)
        finally:
            file.asked.discard(name)

    def _import_later(self, file: File, name: str) -> Any:
        for stmt in file.later:
            path = self.program.find(file, stmt.module, stmt.level)
            if stmt.names is not None:
                for own, bound in stmt.names:
                    if bound == name:
                        found = self.import_file(path) if path is not None else None
                        value = self._imported(file, stmt, found, path, own)
                        self.write(file.globals, name, value)
                        return value
            elif path is not None and (path.endswith("__init__.py") or self.program.defines(path, name)):
                other = self.import_file(path)
                if other is not None:
                    value = other.globals.get(name) or self.from_stars(other, name)
                    value = value or self.imported_later(other, name)
                    if value is not None:
                        return value
        return None

    def _do_import_from(self, stmt: t.ImportFrom) -> str:
        path = self.program.find(self.frame.file, stmt.module, stmt.level)
        if self.later and path is not None:
            self.frame.file.later.append(stmt)
            return NORMAL
        file = self.import_file(path) if path is not None else None
        if stmt.names is None:
            self._star(stmt, file, path)
            return NORMAL
        for name, bound in stmt.names:
            self.write(self.frame.vars, bound, self._imported(self.frame.file, stmt, file, path, name))
        return NORMAL

    def _star(self, stmt: t.ImportFrom, file: File | None, path: str | None) -> None:
        stars = self.frame.file.stars
        if file is not None:
            stars.append(FileValue(file))
        elif path is None and not stmt.level:
            stars.append(Lib(stmt.module))

    def _imported(
        self, importer: File, stmt: t.ImportFrom, file: File | None, path: str | None, name: str
    ) -> Any:
        if file is not None:
            found = file.globals.get(name, MISSING)
            if found is MISSING:
                found = self.from_stars(file, name) or MISSING
            if found is not MISSING:
                return found
        below = self.program.find(importer, f"{stmt.module}.{name}" if stmt.module else name, stmt.level)
        if below is not None:
            inner = self.import_file(below)
            if inner is not None:
                return FileValue(inner)
        if path is None and not stmt.level:
            return Lib(f"{stmt.module}.{name}")
        found = self.imported_later(file, name) if file is not None else None
        return found or self.unknown(name, "global")

    def import_file(self, path: str) -> File | None:
        """A file of the project with its top level read, by a machine of its own."""
        if path == self.path:
            return self.file
        file = self.program.load(path)
        if file is None:
            return None
        if file.state == "new":
            file.state = "running"
            try:
                inner = type(self)(self.program, file, 20_000)
                inner.path = path
                inner.depth = self.depth + 1
                if inner.depth < 40:
                    with self.program.importing(path):
                        inner.block(file.tree.body)
            except ParseError:
                return None
            finally:
                file.state = "done"
        return file
