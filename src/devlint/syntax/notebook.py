"""Jupyter notebooks (nbformat 4): the code cells as one program, and back into the JSON document.

A cell's text stands in the program as it is, with what is no Python blanked, and two line ends after it: the
second makes an empty row that belongs to no cell, so that a statement put after a cell's last row is not
before the next cell's first one.
"""

from __future__ import annotations

import bisect
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from devlint.cells import CellStart
from devlint.syntax.magics import blanks, python_of
from devlint.text import Edit, LineIndex, Position, Span, apply_edits

SUFFIX = ".ipynb"

_TAIL = "\n\n"
_BLANK = re.compile(r"[ \t\r\n]*")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_PYTHONS = ("python", "ipython")


class NotebookError(ValueError):
    """A text is no notebook that devlint reads, or an edit is none of a single cell's text."""


class Part(NamedTuple):
    """One string of a cell's source, and where it stands in the document."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell. `number` counts all cells from 1; `value` is where its source stands in the document: a
    list of strings, or (not `listed`) a single one."""

    number: int
    value: Span
    parts: tuple[Part, ...]
    listed: bool
    python: bool

    @property
    def text(self) -> str:
        """What the cell says."""
        return "".join(part.text for part in self.parts)


class Notebook:
    """One notebook. `document` is the JSON text; `shown` is as long as `program`, with nothing blanked."""

    def __init__(self, document: str) -> None:
        """Reads a document.

        Raises:
            NotebookError: it is no notebook, or one of another format.
        """
        self.document = document
        self.cells = _read(document)
        texts = [cell.text for cell in self.cells]
        self.shown = "".join(text + _TAIL for text in texts)
        self.program = "".join(
            (python_of if cell.python else blanks)(text) + _TAIL
            for cell, text in zip(self.cells, texts, strict=True)
        )
        self._starts: list[int] = []
        at = 0
        for text in texts:
            self._starts.append(at)
            at += len(text) + len(_TAIL)

    @cached_property
    def rows(self) -> tuple[CellStart, ...]:
        """The first row of each cell in the program."""
        lines = LineIndex(self.program)
        return tuple(
            CellStart(cell.number, lines.position(start).row)
            for cell, start in zip(self.cells, self._starts, strict=True)
        )

    def edited(self, edits: Iterable[Edit]) -> str:
        """The document after edits of the program. In the cells that they touch, the source is written anew;
        everything else is as it was, character by character.

        Raises:
            NotebookError: an edit is not inside of one cell, or changes what is no Python, or what is.
        """
        inside: dict[int, list[Edit]] = {}
        for edit in set(edits):
            number = max(bisect.bisect_right(self._starts, edit.start), 1) - 1
            start = self._starts[number]
            if edit.end > start + len(self.cells[number].text) + len(_TAIL):
                raise NotebookError("it would reach beyond the end of a cell")
            if self.program[edit.start : edit.end] != self.shown[edit.start : edit.end]:
                raise NotebookError("it would change a command of IPython")
            inside.setdefault(number, []).append(Edit(edit.start - start, edit.end - start, edit.text))
        changes = []
        for number, here in inside.items():
            cell = self.cells[number]
            text = _without_tail(apply_edits(cell.text + _TAIL, here))
            start = self._starts[number]
            python = self.program[start : start + len(cell.text)] + _TAIL
            if python_of(text) != _without_tail(apply_edits(python, here)):
                raise NotebookError("it would change what of a cell is Python")
            if text != cell.text:
                changes.append(Edit(*cell.value, self._written(cell, text)))
        return apply_edits(self.document, changes)

    def place(self, number: int, position: Position) -> Span:
        """Where a row of a cell stands in the document: the string that holds it. The start, if there is no
        such cell (any more)."""
        cell = next((cell for cell in self.cells if cell.number == number), None)
        if cell is None:
            return Span(0, 0)
        row = 1
        for part in cell.parts:
            row += part.text.count("\n")
            if row > position.row or part is cell.parts[-1]:
                return part.span
        return cell.value

    def _written(self, cell: Cell, text: str) -> str:
        """A cell's new source, laid out as the old one was; lines that were there keep their spelling."""
        if not cell.listed:
            return self._string(text)
        known = {part.text: self.document[slice(*part.span)] for part in cell.parts}
        lines = [known.get(line) or self._string(line) for line in _LINES.findall(text)]
        if not lines or not cell.parts:
            return f"[{', '.join(lines)}]"
        start, end = cell.parts[0].span.start, cell.parts[-1].span.end
        before = self.document[cell.value.start : start]
        between = "," + before[1:]
        if len(cell.parts) > 1:
            between = self.document[cell.parts[0].span.end : cell.parts[1].span.start]
        return before + between.join(lines) + self.document[end : cell.value.end]

    def _string(self, text: str) -> str:
        return json.dumps(text, ensure_ascii=self._escapes)

    @cached_property
    def _escapes(self) -> bool:
        """Whether the document spells characters beyond ASCII as escapes."""
        return self.document.isascii() and re.search(r"\\u(?!00[01])", self.document) is not None


def _without_tail(text: str) -> str:
    return text.removesuffix("\n").removesuffix("\n")


def _read(document: str) -> tuple[Cell, ...]:
    try:
        return _Reader(document).notebook()
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise NotebookError(f"not a notebook: this is no JSON ({error.msg}, {where})") from None


class _Reader:
    """Goes through a document, and says where a value stands. What is not looked into (outputs, which can
    be of any size) is passed over at the speed of the json module."""

    def __init__(self, document: str) -> None:
        self.document = document
        self.at = 0
        self._decoder = json.JSONDecoder()
        self._skip()

    def notebook(self) -> tuple[Cell, ...]:
        """The code cells."""
        self._needs_object("its top level")
        cells: list[Cell] | None = None
        known: dict[str, Any] = {}
        for key in self._members():
            if key == "cells" and self._is("["):
                found = [self._cell(number) for number, _ in enumerate(self._items(), 1)]
                cells = [cell for cell in found if cell is not None]
            elif key in ("metadata", "nbformat"):
                known[key] = self._value()
            else:
                self._value()
        if self.at < len(self.document):
            raise json.JSONDecodeError("Extra data", self.document, self.at)
        return self._judged(cells, known)

    def _judged(self, cells: list[Cell] | None, known: dict[str, Any]) -> tuple[Cell, ...]:
        version = known.get("nbformat")
        if not isinstance(version, int):
            raise NotebookError("not a notebook: it does not say its `nbformat`")
        if version != 4:
            hint = "; `jupyter nbconvert --to notebook --inplace` brings it up to date" if version < 4 else ""
            raise NotebookError(f"a notebook of format {version}, and only format 4 can be checked{hint}")
        if cells is None:
            raise NotebookError("not a notebook: it has no list of `cells`")
        return tuple(cells) if _is_python(known.get("metadata")) else ()

    def _cell(self, number: int) -> Cell | None:
        self._needs_object(f"cell {number}")
        source: tuple[Span, tuple[Part, ...] | None, bool] | None = None
        known: dict[str, Any] = {}
        for key in self._members():
            if key == "source":
                source = self._source()
            elif key in ("cell_type", "metadata"):
                known[key] = self._value()
            else:
                self._value()
        if known.get("cell_type") != "code":
            return None
        value, parts, listed = source or (Span(0, 0), None, False)
        if parts is None:
            raise NotebookError(f"not a notebook: cell {number} has no `source`")
        return Cell(number, value, parts, listed, _is_python_cell(known.get("metadata")))

    def _source(self) -> tuple[Span, tuple[Part, ...] | None, bool]:
        start = self.at
        if not self._is("["):
            text = self._value()
            value = Span(start, self._end)
            return value, (Part(text, value),) if isinstance(text, str) else None, False
        parts: list[Part] | None = []
        for at in self._items():
            text = self._value()
            if not isinstance(text, str):
                parts = None
            elif parts is not None:
                parts.append(Part(text, Span(at, self._end)))
        return Span(start, self._end), tuple(parts) if parts is not None else None, True

    def _needs_object(self, what: str) -> None:
        if not self._is("{"):
            self._value()  # which has the first word if this is no JSON at all
            raise NotebookError(f"not a notebook: {what} is no object")

    # -- JSON ----------------------------------------------------------------------------------------

    def _members(self) -> Iterator[str]:
        """The keys of an object; after each, its value is to be read."""
        self._take("{")
        if self._is("}"):
            self._take("}")
            return
        while True:
            if not self._is('"'):
                raise json.JSONDecodeError(
                    "Expecting property name enclosed in double quotes", self.document, self.at
                )
            key = self._value()
            self._take(":")
            yield key
            if not self._is(","):
                break
            self._take(",")
        self._take("}")

    def _items(self) -> Iterator[int]:
        """Where the items of an array start; after each, it is to be read."""
        self._take("[")
        if self._is("]"):
            self._take("]")
            return
        while True:
            yield self.at
            if not self._is(","):
                break
            self._take(",")
        self._take("]")

    def _value(self) -> Any:
        value, self.at = self._decoder.raw_decode(self.document, self.at)
        self._skip()
        return value

    def _is(self, sign: str) -> bool:
        return self.document.startswith(sign, self.at)

    def _take(self, sign: str) -> None:
        if not self._is(sign):
            raise json.JSONDecodeError(f"Expecting '{sign}'", self.document, self.at)
        self.at += 1
        self._skip()

    def _skip(self) -> None:
        self._end = self.at
        self.at = _BLANK.match(self.document, self.at).end()  # type: ignore[union-attr]


def _is_python(metadata: Any) -> bool:
    """Whether the notebook's kernel runs Python; one that does not say so does."""
    language = _look(metadata, "language_info", "name") or _look(metadata, "kernelspec", "language")
    return not isinstance(language, str) or language.lower().startswith(_PYTHONS)


def _is_python_cell(metadata: Any) -> bool:
    """Whether a cell is of the notebook's language, as VS Code notes it."""
    language = _look(metadata, "vscode", "languageId")
    return not isinstance(language, str) or language.lower().startswith(_PYTHONS)


def _look(table: Any, *keys: str) -> Any:
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


__all__ = ["SUFFIX", "Cell", "Notebook", "NotebookError"]
