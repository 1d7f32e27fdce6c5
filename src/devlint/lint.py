"""One file: bytes to what the rules say of it (`Reading`), and from there to what is shown (`triage`)."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from devlint import suppress
from devlint.baseline import Baseline, Mark, normalized
from devlint.cells import CellStart, below, cell_at, in_cell
from devlint.config import Settings
from devlint.deep import run_deep
from devlint.diagnostic import Diagnostic, Failure, FileResult, Fix, Note, Safety
from devlint.globs import slashed
from devlint.links import please_report
from devlint.model.events import Event
from devlint.model.value import Site
from devlint.rule import Finding, Rule
from devlint.selectors import specificity
from devlint.suppress import Suppressions
from devlint.syntax.errors import parse_or_raise
from devlint.syntax.source import ParseError, Source, SourceError, may_matter
from devlint.text import Position, Span

SYNTAX_ERROR = "DEV001"
UNUSED_SUPPRESSION = "DEV002"


class Model(Protocol):
    """What an analysis says of a file."""

    @property
    def events(self) -> Iterable[Event]: ...
    @property
    def dependencies(self) -> tuple[str, ...]: ...


Analyse = Callable[[Source], Model]
MakeFix = Callable[[Finding], Fix | None]
MakeFixes = Callable[[Model, Settings], MakeFix]
"""Makes what makes the fixes of one file's findings: they share what is worked out for the first."""


class Raw(NamedTuple):
    """What a rule found, before triage, with the text of its line for the baseline."""

    diagnostic: Diagnostic
    line: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What one file gave, before it is decided what is shown.

    `elsewhere` was found while this file was read, but lies in others. `checked` is False for a file
    whose rules did not run (it does not parse, it cannot be read): no suppression of it is unused.
    `dependencies` are the files and folders besides this one that were looked into. Rows are those of the
    program; where its `cells` begin is known of a notebook.
    """

    path: str
    raw: tuple[Raw, ...] = ()
    elsewhere: tuple[Raw, ...] = ()
    suppressions: Suppressions = Suppressions()  # noqa: RUF009  (frozen)
    checked: bool = True
    failure: Failure | None = None
    dependencies: tuple[str, ...] = ()
    cells: tuple[CellStart, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A file's result, and its fingerprints: of all findings that are not suppressed, and of those among
    them that the baseline knows."""

    result: FileResult
    marks: Counter[Mark]
    old: Counter[Mark]


class Linter:
    """Reads files, one after the other. `parsed` knows sources that were parsed already."""

    def __init__(
        self,
        rules: Sequence[Rule],
        analyse: Analyse,
        make_fixes: MakeFixes,
        *,
        parsed: Callable[[str, bytes], Source | None] = lambda *_: None,
        verbose: bool = False,
    ) -> None:
        self.rules = tuple(rules)
        self._analyse = analyse
        self._make_fixes = make_fixes
        self._parsed = parsed
        self._verbose = verbose
        self._codes = {rule.code: rule for rule in rules}

    def read(self, path: str, data: bytes, settings: Settings) -> Reading:
        """Reads a file's bytes. A fault of devlint's own is a failure of this file alone."""
        try:
            return self._read(path, data, settings)
        except SourceError as error:
            return failed(path, str(error))
        except Exception as error:
            return self.crashed(path, error)

    def crashed(self, path: str, error: Exception) -> Reading:
        """The reading of a file over which devlint stumbled: one line, and a traceback if asked for."""
        if isinstance(error, RecursionError):
            message = "nested too deeply to be checked"
        elif isinstance(error, MemoryError):
            message = "not enough memory to check it"
        else:
            message = f"internal error: {type(error).__name__}: {error}; {please_report()}"
        if self._verbose:
            message += "\n" + "".join(traceback.format_exception(error, limit=-20))
        return failed(path, message)

    def _read(self, path: str, data: bytes, settings: Settings) -> Reading:
        matters = may_matter(data)
        if not matters and not suppress.may_name_us(data):
            return Reading(path)
        source = self._parsed(path, data) or Source.from_bytes(path, data)
        source.path = path
        if not matters or not source.may_matter:
            suppressions = suppress.parse(source.text, everything=False)
            return Reading(path, suppressions=suppressions, cells=source.cells)
        if source.size > settings.max_file_size:
            size = f"{source.size / 1_000_000:.1f} MB"
            raise SourceError(f"too large to be checked ({size}): exclude it, or raise `max-file-size`")
        try:
            parse_or_raise(source)
        except ParseError as error:
            raw = (self._syntax_error(source, error),)
            suppressions = suppress.parse(source.text, everything=True)
            return Reading(path, raw, suppressions=suppressions, checked=False, cells=source.cells)
        model = self._analyse(source)
        return self._judge(source, settings, model)

    def _judge(self, source: Source, settings: Settings, model: Model) -> Reading:
        here = slashed(source.path)
        own: list[tuple[Finding, Raw]] = []
        others: list[tuple[Finding, Raw]] = []
        for finding, raw in self._findings(model, settings, source.path):
            at_home = slashed(raw.diagnostic.path) == here
            (own if at_home else others).append((finding, raw))
        suppressions = suppress.parse(source.text, everything=bool(own))
        silent = suppressions if settings.respect_suppressions else Suppressions()
        make_fix = self._make_fixes(model, settings)
        return Reading(
            path=source.path,
            raw=_with_fixes(own, make_fix, silent),
            elsewhere=_with_fixes(others, make_fix, Suppressions()),
            suppressions=suppressions,
            dependencies=tuple(model.dependencies),
            cells=source.cells,
        )

    def _syntax_error(self, source: Source, error: ParseError) -> Raw:
        rule = self._codes[SYNTAX_ERROR]
        row = min(error.position.row, source.lines.rows)
        start = source.lines.offset(Position(row, error.position.column))
        end = min(start + 1, source.lines.line(row).end)
        diagnostic = Diagnostic(
            code=rule.code,
            name=rule.name,
            severity=rule.severity,
            message=f"this does not parse: {error.message}",
            path=source.path,
            span=Span(start, end),
            start=source.lines.position(start),
            end=source.lines.position(end),
            statement=(row, row),
        )
        return Raw(diagnostic, _line(source, row))

    def _findings(self, model: Model, settings: Settings, path: str) -> Iterator[tuple[Finding, Raw]]:
        by_type: dict[type[Event], list[Rule]] = {}
        for rule in self.rules:
            if rule.on and settings.selected(rule, path):
                for kind in rule.on:
                    by_type.setdefault(kind, []).append(rule)
        for event in model.events:
            for rule in by_type.get(type(event), ()):
                for finding in rule.check(event):
                    yield finding, _raw(rule, finding, event)


def _with_fixes(
    found: Iterable[tuple[Finding, Raw]], make_fix: MakeFix, silent: Suppressions
) -> tuple[Raw, ...]:
    """Each finding once, with its fix where it is going to be shown, and all places where its fault shows."""
    known: dict[object, int] = {}
    out: list[Raw] = []
    shows: list[dict[Span, None]] = []
    for finding, raw in found:
        key: object = _key(raw)
        at = known.get(key)
        if at is None and finding.fault is not None:
            at = known.setdefault(id(finding.fault.node), len(out))
        if at is not None and at < len(out):
            known[key] = at
            shows[at].update(dict.fromkeys(raw.diagnostic.shows))
            continue
        known[key] = len(out)
        if finding.fix is not None and not silent.silences(raw.diagnostic):
            raw = raw._replace(diagnostic=replace(raw.diagnostic, fix=make_fix(finding)))
        out.append(raw)
        shows.append(dict.fromkeys(raw.diagnostic.shows))
    return tuple(
        raw._replace(diagnostic=replace(raw.diagnostic, shows=tuple(places)))
        for raw, places in zip(out, shows, strict=True)
    )


def triage(
    reading: Reading, rules: Sequence[Rule], settings: Settings, baseline: Baseline | None = None
) -> Judged:
    """Decides what is shown of a file, and it alone does: selection, per-file ignores, suppressions and
    those of them that are unused, the baseline, which fixes may be offered, and the order."""
    by_code = {rule.code: rule for rule in rules}
    on = {rule.code for rule in rules if settings.selected(rule, reading.path)}
    raw = [found for found in _once(reading.raw) if found.diagnostic.code in on]
    if settings.respect_suppressions:
        stay, used = reading.suppressions.split([found.diagnostic for found in raw])
        kept = {id(diagnostic) for diagnostic in stay}
        raw = [found for found in raw if id(found.diagnostic) in kept]
        if reading.checked and UNUSED_SUPPRESSION in on:
            raw += _unused(reading, rules, by_code[UNUSED_SUPPRESSION], on, used)
    marks = Counter(_mark(found) for found in raw)
    known = baseline.old(reading.path) if baseline is not None else Counter()
    old: Counter[Mark] = Counter()
    shown: list[Diagnostic] = []
    for diagnostic, line in sorted(raw, key=_order):
        mark = Mark(diagnostic.code, line)
        if known[mark] > old[mark]:
            old[mark] += 1
        else:
            allowed = _with_fix_allowed(diagnostic, by_code[diagnostic.code], settings)
            shown.append(in_cell(allowed, reading.cells))
    return Judged(FileResult(reading.path, tuple(shown), reading.failure), marks, old)


def _unused(
    reading: Reading,
    rules: Sequence[Rule],
    rule: Rule,
    on: set[str],
    used: frozenset[tuple[int, int]],
) -> Iterator[Raw]:
    """Suppressions that silence nothing, though every rule that they mean has run."""

    def judged(selector: str) -> bool:
        meant = [other for other in rules if specificity(selector, other) >= 0]
        if any(other.code == UNUSED_SUPPRESSION for other in meant) and selector.upper() != "ALL":
            return False
        return any(other.code in on for other in meant) and all(
            other.code in on for other in meant if other.default
        )

    for stale in reading.suppressions.stale(used, rules, judged):
        directive = stale.directive
        length = directive.span.end - directive.span.start
        diagnostic = Diagnostic(
            code=rule.code,
            name=rule.name,
            severity=rule.severity,
            message=stale.message,
            path=reading.path,
            span=directive.span,
            start=directive.start,
            end=Position(directive.start.row, directive.start.column + length),
            statement=(directive.start.row, directive.start.row),
            fix=Fix("Remove what is unused", Safety.SAFE, stale.edits) if stale.edits else None,
        )
        if not reading.suppressions.named(diagnostic):
            yield Raw(diagnostic, normalized(directive.line_text))


def _with_fix_allowed(diagnostic: Diagnostic, rule: Rule, settings: Settings) -> Diagnostic:
    if diagnostic.fix is None:
        return diagnostic
    if not settings.fix_allowed(rule):
        return replace(diagnostic, fix=None)
    safety = settings.safety(rule, diagnostic.fix.safety)
    return replace(diagnostic, fix=replace(diagnostic.fix, safety=safety))


def _raw(rule: Rule, finding: Finding, event: Event) -> Raw:
    """A finding with its places in rows and columns."""
    source = finding.site.file.source
    span = source.span(finding.site.node)
    statement = source.rows(finding.site.stmt)
    start, mark = source.lines.position(span.start), None
    if start.row != statement[0]:
        start, mark = source.lines.position(source.header(finding.site.stmt).start), start
    diagnostic = Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        message=finding.message,
        path=source.path,
        span=span,
        start=start,
        end=source.lines.position(span.end),
        statement=statement,
        notes=tuple(_note(site, message) for site, message in finding.notes),
        help=finding.help,
        shows=(source.span(event.site.node),) if event.site.file is finding.site.file else (),
        mark=mark,
    )
    return Raw(diagnostic, _line(source, source.lines.position(span.start).row))


def _note(site: Site, message: str) -> Note:
    source = site.file.source
    span = source.span(site.node)
    start, end = source.lines.position(span.start), source.lines.position(span.end)
    if not source.cells:
        return Note(message, source.path, start, end)
    cell = cell_at(source.cells, start.row)
    return Note(message, source.path, below(start, 1 - cell.row), below(end, 1 - cell.row), cell.number)


def _key(found: Raw) -> tuple[str, Span, str]:
    return found.diagnostic.path, found.diagnostic.span, found.diagnostic.code


def _once(found: Iterable[Raw]) -> tuple[Raw, ...]:
    """The same finding, made on several ways through the program, counts once; the first stays."""
    first: dict[tuple[str, Span, str], Raw] = {}
    for raw in found:
        first.setdefault(_key(raw), raw)
    return tuple(first.values())


def _order(found: Raw) -> tuple[int, int, str]:
    return (*found.diagnostic.span, found.diagnostic.code)


def _mark(found: Raw) -> Mark:
    return Mark(found.diagnostic.code, found.line)


def failed(path: str, message: str) -> Reading:
    """The reading of a file that cannot be checked."""
    return Reading(path, checked=False, failure=Failure(path, message))


def _line(source: Source, row: int) -> str:
    start, end = source.lines.line(row)
    return normalized(source.text[start:end])


def fixer(model: Model, settings: Settings) -> MakeFix:
    """Makes the fixes of a file's findings."""
    from devlint.fix.context import Context, Workshop
    from devlint.model.program import File

    workshops: dict[File, Workshop] = {}

    def make(finding: Finding) -> Fix | None:
        file = finding.site.file
        if finding.fix is None or file.source.doubtful_row is not None:
            return None
        if file not in workshops:
            workshops[file] = Workshop(file, tuple(model.events), settings)
        made = finding.fix(Context(finding.site, workshops[file]))
        return None if made is None else Fix(made.message, made.safety, made.edits)

    return make


def make_linter(roots: tuple[str, ...], verbose: bool = False) -> Linter:
    """A linter with all rules, for a project with these folders on its import path."""
    from devlint.model.analyse import analyse
    from devlint.model.program import Program
    from devlint.rules import all_rules

    program = Program(roots)
    return Linter(
        all_rules(), lambda source: analyse(source, program), fixer, parsed=program.parsed, verbose=verbose
    )


def lint_text(text: str | bytes, filename: str, settings: Settings) -> FileResult:
    """What is to be said of a text, as if it were the content of that file."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text

    def work() -> FileResult:
        linter = make_linter((str(settings.root),))
        return triage(linter.read(filename, data, settings), linter.rules, settings).result

    return run_deep(work)
