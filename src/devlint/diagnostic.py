"""What devlint says: small frozen values that cross files and processes."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from devlint.text import Edit, Position, Span


class Severity(enum.Enum):
    """How bad a finding is (`--fail-on` says from which level a run fails)."""

    ERROR = "error"
    """Raises, or silently does the wrong thing, on a machine with an accelerator."""
    WARNING = "warning"
    """Works on one kind of machine only."""
    INFO = "info"
    """Right, but wastes transfers."""


class Safety(enum.Enum):
    """The promise that a fix makes (ruff's applicability)."""

    SAFE = "safe"
    """Values are kept, the placement becomes the evident intent, no comment is lost."""
    UNSAFE = "unsafe"
    """Right in the usual reading, but someone should look."""


@dataclass(frozen=True, slots=True)
class Note:
    """A step of the trail that led to a finding, at a place of its own."""

    message: str
    path: str
    start: Position
    end: Position
    cell: int | None = None
    """The notebook cell that the rows are counted in."""


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits against the unchanged file that remove a finding."""

    message: str
    safety: Safety
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    `span` are character offsets into the decoded text; `start` and `end` the same as rows and columns
    (end exclusive). `statement` is the span of rows (first, last) of the smallest statement around it:
    a suppression comment on its first or last row counts. `cell` is the number of the notebook cell
    (from 1, over all cells), None in a plain file. `shows` are the operations of the file at which the fault
    shows: one at least, and it may be another place. `mark` is where `span` starts, if that is in a row below
    `start`: a finding is reported at the first row of its statement.
    """

    code: str
    name: str
    severity: Severity
    message: str
    path: str
    span: Span
    start: Position
    end: Position
    statement: tuple[int, int]
    notes: tuple[Note, ...] = ()
    fix: Fix | None = None
    help: str | None = None
    cell: int | None = None
    shows: tuple[Span, ...] = ()
    mark: Position | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a file could not be checked at all (unreadable, not UTF-8, an internal error).

    A syntax error is no failure: it is the finding DEV001.
    """

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class FileResult:
    """What is to be said of one file, after triage: `diagnostics` are sorted by position."""

    path: str
    diagnostics: tuple[Diagnostic, ...] = ()
    failure: Failure | None = None
