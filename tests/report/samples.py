"""Two files with findings of every kind, as the reports get them."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TextIO

from devlint.diagnostic import Diagnostic, Failure, FileResult, Fix, Note, Safety, Severity
from devlint.report import ReportContext, SourceText, Texts
from devlint.rule import Finding, Rule
from devlint.text import Edit, Position, Span

TRAIN = """\
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def step(model, loader):
    scale = torch.ones(3)
    for batch in loader:
        scale.to(device)
        yield model(batch) * scale


weights = torch.load("w.pt")
"""
NET = "class Net:\n    mask = 1\n"
FILES = {"train.py": TRAIN, "pkg/net.py": NET}


def _check(event: object) -> Iterator[Finding]:
    yield from ()


def rule(code: str, name: str, severity: Severity, *safeties: Safety) -> Rule:
    """A rule with a page of its own."""
    docs = f"A fault\n\n## What it does\n\nFinds `{name}`.\n"
    return Rule(code, name, f"Summary of {name}", severity, (), _check, frozenset(safeties), True, docs)


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        made.code: made
        for made in (
            rule("DEV101", "unassigned-move", Severity.ERROR, Safety.SAFE),
            rule("DEV104", "create-then-move", Severity.INFO),
            rule("DEV501", "load-without-map-location", Severity.WARNING, Safety.UNSAFE),
        )
    }
)


def span(text: str, part: str, after: str = "") -> tuple[Span, Position, Position]:
    """Where a part of a text stands."""
    lines = SourceText(text).lines
    start = text.index(part, text.index(after))
    end = start + len(part)
    return Span(start, end), lines.position(start), lines.position(end)


def note(path: str, part: str, message: str) -> Note:
    """A step of a trail."""
    _, start, end = span(FILES[path], part)
    return Note(message, path, start, end)


def diagnostic(code: str, path: str, part: str, message: str, after: str = "", **more: Any) -> Diagnostic:
    """A finding at a part of one of the files."""
    where, start, end = span(FILES[path], part, after)
    found = RULES[code]
    rows = (start.row, end.row)
    return Diagnostic(code, found.name, found.severity, message, path, where, start, end, rows, **more)


def replace(text: str, part: str, new: str, after: str = "") -> Edit:
    """An edit of the first such part."""
    where, _, _ = span(text, part, after)
    return Edit(where.start, where.end, new)


MOVE = diagnostic(
    "DEV101",
    "train.py",
    "scale.to(device)",
    "the moved copy of `scale` is dropped: a tensor does not move in place",
    notes=(note("train.py", "torch.ones(3)", "created on the CPU here"),),
    fix=Fix(
        "assign the result back to `scale`",
        Safety.SAFE,
        (replace(TRAIN, "scale.to(device)", "scale = scale.to(device)"),),
    ),
)
LOAD = diagnostic(
    "DEV501",
    "train.py",
    'torch.load("w.pt")',
    "no `map_location`: fails where the card it was saved from is missing",
    fix=Fix("load to the CPU", Safety.UNSAFE, (replace(TRAIN, '"w.pt")', '"w.pt", map_location="cpu")'),)),
)
MASK = diagnostic(
    "DEV104",
    "pkg/net.py",
    "mask",
    "100% of it, moved: once",
    notes=(note("train.py", "model(batch)", "called here"),),
    help="create it where it is used",
)
FOUND = (FileResult("pkg/net.py", (MASK,)), FileResult("train.py", (MOVE, LOAD)), FileResult("clean.py"))
FAILED = FileResult("bad.py", failure=Failure("bad.py", "not valid utf-8: byte 0xff on line 1"))
CLEAN = (FileResult("clean.py"), FileResult("train.py"))


def texts(files: Mapping[str, str] = MappingProxyType(FILES)) -> Texts:
    """The texts of these files; others cannot be read."""
    return Texts(lambda path: SourceText(files[path]) if path in files else None)


def context(files: Mapping[str, str] = MappingProxyType(FILES), **more: Any) -> ReportContext:
    """A context with these rules and files."""
    return ReportContext(rules=RULES, texts=texts(files), version="9.9", **more)


def written(
    render: Callable[[Sequence[FileResult], TextIO, ReportContext], None],
    results: Sequence[FileResult],
    given: ReportContext | None = None,
) -> str:
    """What a format writes."""
    stream = io.StringIO()
    render(results, stream, given or context())
    return stream.getvalue()
