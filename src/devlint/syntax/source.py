"""A source file: bytes to text and back, its tree, and where its nodes stand."""

from __future__ import annotations

import bisect
import codecs
import re
import tokenize
from collections.abc import Iterable
from functools import cached_property
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from devlint.cells import CellStart
from devlint.syntax.notebook import SUFFIX, Notebook, NotebookError
from devlint.text import Edit, LineIndex, Position, Span, apply_edits

if TYPE_CHECKING:
    import libcst as cst
    from libcst import CSTNode

    from devlint.syntax.tree import Node, Tree


class SourceError(Exception):
    """The bytes are no Python source text (not UTF-8, an unknown coding cookie), or no notebook."""


class ParseError(Exception):
    """The text is no Python that libcst can parse."""

    def __init__(self, message: str, position: Position) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
# The last form feed before a statement: Python counts blanks from there, libcst drops it.
_FEED = re.compile(r"^[ \t\f]*\f(?=[ \t]*[^\s#\\])", re.MULTILINE)
# libcst's time grows with the third power of such a chain: 1,000 links are seconds. Python ends soon after.
_CHAIN = re.compile(r"(?:(?<!\s)\s*\.\s*\w+|\([^()]*\)|\[[^\[\]]*\]){1001}")
_MARKS = re.compile(rb"torch|cuda|device|lightning|\.to\(|\.cpu\(\)")


def may_matter(data: bytes) -> bool:
    """Whether a file can hold a finding of a device rule, or is no text. If not, it is neither decoded nor
    parsed."""
    return _MARKS.search(data) is not None or data.startswith(_WIDE_MARKS)


def _no_encoding(data: bytes, words: str) -> str:
    """Why the encoding of a file is not known, and what to do; `words` are Python's."""
    if data.startswith(_WIDE_MARKS):
        return "encoded as UTF-16 or UTF-32, which Python does not read: save it as UTF-8"
    if data.startswith(codecs.BOM_UTF8) and words.startswith("encoding problem"):
        return "its byte order mark says UTF-8, its coding cookie something else: take one of them out"
    return f"{words}; add a coding cookie (PEP 263) or save it as UTF-8"


def _decoded(data: bytes, encoding: str, bom: bool) -> str:
    try:
        return data[len(codecs.BOM_UTF8) if bom else 0 :].decode(encoding)
    except UnicodeDecodeError as error:
        where = data[: error.start].count(b"\n") + 1
        byte = error.object[error.start]
        raise SourceError(f"not valid {encoding}: byte {byte:#04x} on line {where}") from None


class Source:
    """One file, read once. Whatever costs time is made on first use and kept.

    Of a notebook, `text` is the program that its cells make.
    """

    def __init__(
        self, path: str, data: bytes, text: str, encoding: str, bom: bool, notebook: Notebook | None = None
    ) -> None:
        self.path = path
        self.data = data
        self.text = text
        self.encoding = encoding
        self.bom = bom
        self.notebook = notebook

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
        """Decodes as Python does: a BOM, else the coding cookie of the first two lines, else UTF-8. What is
        called `.ipynb` is read as a notebook, in UTF-8.

        Raises:
            SourceError: the bytes are no text of that encoding, it is unknown, or this is no notebook.
        """
        if path.endswith(SUFFIX):
            return cls._from_notebook(path, data)
        try:
            encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
        except SyntaxError as error:
            raise SourceError(_no_encoding(data, error.msg)) from None
        bom = data.startswith(codecs.BOM_UTF8)
        if bom:
            encoding = "utf-8"
        return cls(path, data, _decoded(data, encoding, bom), encoding, bom)

    @classmethod
    def _from_notebook(cls, path: str, data: bytes) -> Source:
        bom = data.startswith(codecs.BOM_UTF8)
        try:
            notebook = Notebook(_decoded(data, "utf-8", bom))
        except NotebookError as error:
            raise SourceError(str(error)) from None
        return cls(path, data, notebook.program, "utf-8", bom, notebook)

    @classmethod
    def from_text(cls, path: str, text: str) -> Source:
        """The source of a file that holds a text, encoded as UTF-8.

        Raises:
            SourceError: it is called a notebook, and is none.
        """
        data = text.encode("utf-8", "surrogatepass")
        if path.endswith(SUFFIX):
            return cls._from_notebook(path, data)
        return cls(path, data, text, "utf-8", False)

    @property
    def document(self) -> str:
        """What the file holds, decoded: its text, or the notebook around it."""
        return self.text if self.notebook is None else self.notebook.document

    @property
    def may_matter(self) -> bool:
        """Whether the text itself can hold a finding: of a notebook, the outputs do not count."""
        return self.notebook is None or may_matter(self.text.encode("utf-8", "surrogatepass"))

    @property
    def size(self) -> int:
        """How many bytes of Python it holds."""
        return len(self.data) if self.notebook is None else len(self.text.encode("utf-8", "surrogatepass"))

    @property
    def cells(self) -> tuple[CellStart, ...]:
        """Where the cells of a notebook begin; a plain file has none."""
        return () if self.notebook is None else self.notebook.rows

    def encode(self, document: str) -> bytes:
        """Another document in this file's encoding, with its BOM."""
        return (codecs.BOM_UTF8 if self.bom else b"") + document.encode(self.encoding)

    def edited(self, edits: Iterable[Edit]) -> Source:
        """The file after edits of its text.

        Raises:
            OverlappingEdits: two of them touch the same characters.
            UnicodeEncodeError: the file's encoding cannot hold the new text.
            SourceError: the new text is none, or the edits are none of a notebook's cells.
        """
        if self.notebook is None:
            return Source.from_bytes(self.path, self.encode(apply_edits(self.text, edits)))
        try:
            return Source.from_bytes(self.path, self.encode(self.notebook.edited(edits)))
        except NotebookError as error:
            raise SourceError(str(error)) from None

    @cached_property
    def lines(self) -> LineIndex:
        """Offsets to rows and columns."""
        return LineIndex(self.text)

    @cached_property
    def cst(self) -> cst.Module:
        """libcst's tree.

        Raises:
            ParseError: it does not parse.
            SourceError: to parse it would take minutes.
        """
        import libcst

        if (chain := _CHAIN.search(self.text)) is not None:
            row = self.lines.position(chain.start()).row
            raise SourceError(
                f"a chain of more than 1,000 calls, items and attributes on line {row}: too long"
            )
        try:
            return libcst.parse_module(self._parsed)
        except libcst.ParserSyntaxError as error:
            row, column = max(error.raw_line, 1), max(error.raw_column + 1, 1)
            message = error.message.split("\n")[0]
            raise ParseError(message, Position(min(row, self.lines.rows), column)) from None
        except (UnicodeError, SyntaxError) as error:
            raise ParseError(str(error), Position(1, 1)) from None

    @cached_property
    def quick_tree(self) -> Tree | None:
        """The lowered tree by way of Python's own parser, if that can parse it."""
        from devlint.syntax.quick import quick

        return quick(self.text)

    @cached_property
    def tree(self) -> Tree:
        """The lowered tree. Raises what `cst` does."""
        return self._placed if self.quick_tree is None else self.quick_tree

    @cached_property
    def _placed(self) -> Tree:
        """The lowered tree, each node with its libcst node."""
        from devlint.syntax.lower import lower

        return lower(self.cst)

    def cst_of(self, node: Node) -> CSTNode:
        """The libcst node of a node of the tree.

        Raises:
            SourceError: libcst cannot parse what Python can.
        """
        from devlint.syntax.tree import Unspelled
        from devlint.syntax.walk import give_places

        while isinstance(node, Unspelled):
            node = node.at
        if node.cst is None:
            tree = self.tree
            try:
                give_places(tree, self._placed)
            except ParseError as error:
                row = error.position.row
                raise SourceError(
                    f"libcst does not parse {self.path}, near line {row}, so nothing can be reported in it"
                ) from None
            assert node.cst is not None
        return node.cst

    @cached_property
    def _feeds(self) -> tuple[Span, ...]:
        """What libcst is not shown: the form feeds before statements."""
        return tuple(Span(*found.span()) for found in _FEED.finditer(self.text)) if "\f" in self.text else ()

    @property
    def _parsed(self) -> str:
        return apply_edits(self.text, (Edit(*feed, "") for feed in self._feeds))

    @cached_property
    def doubtful_row(self) -> int | None:
        """The first row that libcst does not write as it was (a lone carriage return); None if there is none.
        If there is one, no place is certain."""
        written, parsed = self.cst.code, self._parsed
        if written == parsed:
            return None
        pairs = enumerate(zip(written, parsed, strict=False))
        first = next((at for at, (a, b) in pairs if a != b), min(len(written), len(parsed)))
        return LineIndex(parsed).position(first).row

    @cached_property
    def _spans(self) -> dict[int, Span]:
        from devlint.syntax.spans import node_spans

        spans = node_spans(self.cst)
        if not self._feeds:
            return spans
        shifts = [0, *accumulate(feed.end - feed.start for feed in self._feeds)]
        starts = [feed.start - shift for feed, shift in zip(self._feeds, shifts, strict=False)]

        def place(offset: int) -> int:
            return offset + shifts[bisect.bisect_right(starts, offset)]

        return {node: Span(place(start), place(end)) for node, (start, end) in spans.items()}

    def span(self, node: Node) -> Span:
        """The characters of a node, without brackets around it and blanks beside it."""
        placed = self.cst_of(node)
        return self._spans[id(placed)]

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
        placed = self.cst_of(statement)
        body, decorators = getattr(placed, "body", None), getattr(placed, "decorators", ())
        start = span.start
        if decorators:
            start = self._spans[id(decorators[-1])].end
            start = re.compile(r"(?:\s|#[^\n\r]*)*").match(self.text, start).end()  # type: ignore[union-attr]
        if body is None or id(body) not in self._spans or not hasattr(statement, "body"):
            return Span(start, span.end)
        return Span(start, self._header_end(start, statement))

    def _header_end(self, start: int, statement: Node) -> int:
        """The end of the header's last row: the span of an indented body starts on the next one."""
        body = self.cst_of(statement).body  # type: ignore[attr-defined]
        return start + len(self.text[start : self._spans[id(body)].start].rstrip())

    def rows(self, statement: Node) -> tuple[int, int]:
        """The first and last row of a statement (of its header when it has a body)."""
        span = self.header(statement)
        return self.lines.position(span.start).row, self.lines.position(span.end).row
