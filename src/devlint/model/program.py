"""The project's files, found through imports and kept while they are needed."""

from __future__ import annotations

import contextlib
import os
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from devlint.syntax.source import ParseError, Source, SourceError, may_matter

if TYPE_CHECKING:
    from devlint.syntax import tree as t

KEPT_BYTES = 40_000_000
"""How much source text's trees are kept for importers: a lowered tree takes some 11 bytes for each."""

_LIBRARIES = frozenset(
    "torch numpy os sys re math json time random typing collections functools itertools pathlib logging "
    "argparse dataclasses abc copy warnings torchvision scipy pandas tqdm matplotlib contextlib".split()
)

_BINDS = re.compile(rb"(?m)^(?:(?:class|def)\s+)?(\w+)")
"""What a row of the top level may bind."""


class File:
    """A file as the model sees it: its tree, and the names that its top level binds.

    `state`: "new", "running" (its top level is being read), "done".
    """

    def __init__(self, source: Source, name: str) -> None:
        self.source = source
        self.name = name
        self.effects: dict[Any, Any] = {}
        """What its functions do to their objects, by their text (see `reach`)."""
        self.forget()

    def forget(self) -> None:
        """Nothing of its top level was read."""
        self.state = "new"
        self.globals: dict[str, Any] = {}
        self.stars: list[Any] = []
        self.later: list[t.ImportFrom] = []
        """Imports for type checkers, which are done for the names that are asked for."""
        self.asked: set[str] = set()
        """The names that are looked for in these just now: they may lead back here."""
        self.matters: dict[Any, bool] = {}
        """Whether its functions can matter, which depends on the names in it (see `reach`)."""

    @property
    def path(self) -> str:
        """The path as reports show it."""
        return self.source.path

    @property
    def tree(self) -> t.Tree:
        """The lowered tree. Raises ParseError."""
        return self.source.tree


class Program:
    """Finds the project's files by import; one for a run (or a worker)."""

    def __init__(self, roots: tuple[str, ...] = (".",)) -> None:
        self._roots = [os.path.abspath(r) for r in roots]
        self._files: OrderedDict[str, File] = OrderedDict()
        self._kept = 0
        self._listings: dict[str, frozenset[str]] = {}
        self._defined: dict[str, frozenset[bytes]] = {}
        """The words at the beginning of the rows of files, by path."""
        self._read: set[str] = set()
        self._imports: dict[str, set[str]] = {}
        """What reading the top level of a file looked into, by the file's path."""
        self.undo: Callable[[], object] | None = None
        self.main: File | None = None
        """The file that is analysed: the one whose `__name__` is `"__main__"`."""

    def start(self) -> None:
        """A new file is about to be analysed: what is read from now on is its dependencies, and what the
        last one did to objects of other files is undone."""
        self._read = set()
        if self.undo is not None:
            self.undo()
            self.undo = None

    @property
    def read(self) -> tuple[str, ...]:
        """The files and folders that were looked into since `start`, for imports of imports too; sorted."""
        found, left = set(self._read), list(self._read)
        while left:
            more = self._imports.get(left.pop(), found) - found
            found |= more
            left += more
        return tuple(sorted(found))

    @contextlib.contextmanager
    def importing(self, path: str) -> Iterator[None]:
        """The top level of a file is read: what it looks into is its own, for all that import it."""
        outer, self._read = self._read, set()
        try:
            yield
        finally:
            self._imports[path], self._read = self._read, outer

    def parsed(self, path: str, data: bytes) -> Source | None:
        """The source of a file that was read for an importer already, if it held these bytes."""
        file = self._files.get(os.path.abspath(path))
        return file.source if file is not None and file.source.data == data else None

    def _listing(self, folder: str) -> frozenset[str]:
        # A module that appears in a folder may be what an import means from then on.
        self._read.add(folder)
        found = self._listings.get(folder)
        if found is None:
            try:
                found = frozenset(os.listdir(folder))
            except OSError:
                found = frozenset()
            self._listings[folder] = found
        return found

    def adopt(self, source: Source) -> File:
        """The file of a source that was read already."""
        path = os.path.abspath(source.path)
        known = self._files.get(path)
        if known is not None and known.source.data == source.data:
            known.source.path = source.path
            self._files.move_to_end(path)
            return known
        file = File(source, os.path.splitext(os.path.basename(path))[0])
        self._keep(path, file)
        return file

    def _keep(self, path: str, file: File) -> None:
        old = self._files.pop(path, None)
        self._kept += len(file.source.data) - (len(old.source.data) if old else 0)
        self._files[path] = file
        while self._kept > KEPT_BYTES and len(self._files) > 1:
            _, gone = self._files.popitem(last=False)
            self._kept -= len(gone.source.data)

    def load(self, path: str) -> File | None:
        """The file at an absolute path; None if it cannot be read or cannot matter."""
        self._read.add(path)
        file = self._files.get(path)
        if file is not None:
            self._files.move_to_end(path)
            return file
        try:
            with open(path, "rb") as stream:
                data = stream.read()
            matters = may_matter(data) or path.endswith("__init__.py")
            if not matters or len(data) > 1_000_000:
                return None
            source = Source.from_bytes(os.path.relpath(path).replace(os.sep, "/"), data)
            _ = source.tree  # parsed now: a broken file is no file
        except (OSError, SourceError, ParseError, ValueError, RecursionError):
            return None
        file = File(source, os.path.splitext(os.path.basename(path))[0])
        self._keep(path, file)
        return file

    def defines(self, path: str, name: str) -> bool:
        """Whether the text of a file may bind a name at its top level."""
        self._read.add(path)
        found = self._defined.get(path)
        if found is None:
            try:
                found = frozenset(_BINDS.findall(Path(path).read_bytes()))
            except OSError:
                found = frozenset()
            self._defined[path] = found
        return name.encode() in found

    def find(self, importer: File, module: str, level: int) -> str | None:
        """The path of a module of the project, as an import in `importer` would find it."""
        folder = os.path.dirname(os.path.abspath(importer.path))
        parts = module.split(".") if module else []
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return self._module(folder, parts)
        if not parts or parts[0] in _LIBRARIES:
            return None
        for base in self._bases(folder):
            names = self._listing(base)
            if parts[0] in names or parts[0] + ".py" in names:
                return self._module(base, parts)
        return None

    def _bases(self, folder: str) -> list[str]:
        """Where absolute imports look: beside the file, above its package, the roots and their src."""
        out = [folder]
        top = folder
        while "__init__.py" in self._listing(top) and os.path.dirname(top) != top:
            top = os.path.dirname(top)
        out.append(top)
        for root in self._roots:
            out += [root, os.path.join(root, "src")]
        return list(dict.fromkeys(out))

    def _module(self, base: str, parts: list[str]) -> str | None:
        path = base
        for i, part in enumerate(parts):
            names = self._listing(path)
            if part + ".py" in names and i == len(parts) - 1:
                if part not in names or "__init__.py" not in self._listing(os.path.join(path, part)):
                    return os.path.join(path, part + ".py")
            if part not in names:
                return None
            path = os.path.join(path, part)
        return os.path.join(path, "__init__.py") if "__init__.py" in self._listing(path) else None
