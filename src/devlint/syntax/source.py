"""A source file: bytes to text and back, its tree, and where its nodes stand."""

from __future__ import annotations

import codecs
import re
import tokenize
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from devlint.text import LineIndex, Position, Span

if TYPE_CHECKING:
    import libcst as cst
    from libcst import CSTNode

    from devlint.syntax.tree import Node, Tree


class SourceError(Exception):
    """The bytes are no Python source text: not UTF-8, or an unknown coding cookie (PEP 263)."""


class ParseError(Exception):
    """The text is no Python that libcst can parse."""

    def __init__(self, message: str, position: Position) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


_MARKS = re.compile(rb"torch|cuda|device|lightning|\.to\(|\.cpu\(\)")


def may_matter(data: bytes) -> bool:
    """Whether a file can hold a finding of a device rule. One that cannot is neither decoded nor parsed."""
    return _MARKS.search(data) is not None


class Source:
    """One file, read once. Whatever costs time is made on first use and kept until `release`."""

    def __init__(self, path: str, data: bytes, text: str, encoding: str, bom: bool) -> None:
        self.path = path
        self.data = data
        self.text = text
        self.encoding = encoding
        self.bom = bom

    @classmethod
    def read(cls, path: str, shown: str | None = None) -> Source:
        """Reads a file. `shown` is the path that reports name.

        Raises:
            OSError: it cannot be read.
            SourceError: it is no source text.
        """
        return cls.from_bytes(shown or path, Path(path).read_bytes())

    @classmethod
    def from_bytes(cls, path: str, data: bytes) -> Source:
        """Decodes as Python does: a BOM, else the coding cookie of the first two lines, else UTF-8.

        Raises:
            SourceError: the bytes are no text of that encoding, or the encoding is unknown.
        """
        try:
            encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
        except SyntaxError as error:
            raise SourceError(f"{error.msg}; add a coding cookie (PEP 263) or save it as UTF-8") from None
        bom = data.startswith(codecs.BOM_UTF8)
        if bom:
            encoding = "utf-8"
        try:
            text = data[len(codecs.BOM_UTF8) if bom else 0 :].decode(encoding)
        except UnicodeDecodeError as error:
            where = data[: error.start].count(b"\n") + 1
            raise SourceError(
                f"not valid {encoding}: byte {error.object[error.start]:#04x} on line {where}"
            ) from None
        return cls(path, data, text, encoding, bom)

    @classmethod
    def from_text(cls, path: str, text: str) -> Source:
        """A source whose text is given, encoded as UTF-8."""
        return cls(path, text.encode("utf-8", "surrogatepass"), text, "utf-8", False)

    def encode(self, text: str) -> bytes:
        """Another text in this file's encoding, with its BOM."""
        return (codecs.BOM_UTF8 if self.bom else b"") + text.encode(self.encoding)

    @cached_property
    def lines(self) -> LineIndex:
        """Offsets to rows and columns."""
        return LineIndex(self.text)

    @cached_property
    def cst(self) -> cst.Module:
        """libcst's tree.

        Raises:
            ParseError: it does not parse.
        """
        import libcst

        try:
            return libcst.parse_module(self.text)
        except libcst.ParserSyntaxError as error:
            row, column = max(error.raw_line, 1), max(error.raw_column + 1, 1)
            message = error.message.split("\n")[0]
            raise ParseError(message, Position(min(row, self.lines.rows), column)) from None
        except (UnicodeError, SyntaxError) as error:
            raise ParseError(str(error), Position(1, 1)) from None

    @cached_property
    def tree(self) -> Tree:
        """The lowered tree. Raises ParseError as `cst` does."""
        from devlint.syntax.lower import lower

        return lower(self.cst)

    @cached_property
    def round_trips(self) -> bool:
        """Whether libcst writes the text as it was; if not (a lone carriage return), no place is certain."""
        return self.cst.code == self.text

    @cached_property
    def _spans(self) -> dict[int, Span]:
        from devlint.syntax.spans import node_spans

        return node_spans(self.cst)

    def span(self, node: Node) -> Span:
        """The characters of a node, without brackets around it and blanks beside it."""
        return self._spans[id(node.cst)]

    def place(self, node: CSTNode) -> Span:
        """The characters of a part of libcst's tree: a bracket, a dot, a comma."""
        return self._spans[id(node)]

    def segment(self, node: Node) -> str:
        """The text of a node."""
        span = self.span(node)
        return self.text[span.start : span.end]

    def header(self, statement: Node) -> Span:
        """The span of a statement; of one with a body, from its keyword to the colon before the body."""
        span = self.span(statement)
        body = getattr(statement.cst, "body", None)
        decorators = getattr(statement.cst, "decorators", ())
        start = span.start
        if decorators:
            start = self._spans[id(decorators[-1])].end
            start = re.compile(r"(?:\s|#[^\n\r]*)*").match(self.text, start).end()  # type: ignore[union-attr]
        if body is None or id(body) not in self._spans or not hasattr(statement, "body"):
            return Span(start, span.end)
        return Span(start, self._header_end(start, statement))

    def _header_end(self, start: int, statement: Node) -> int:
        """The end of the header's last row: the span of an indented body starts on the next one."""
        body = statement.cst.body  # type: ignore[attr-defined]
        return start + len(self.text[start : self._spans[id(body)].start].rstrip())

    def rows(self, statement: Node) -> tuple[int, int]:
        """The first and last row of a statement (of its header when it has a body)."""
        span = self.header(statement)
        return self.lines.position(span.start).row, self.lines.position(span.end).row
