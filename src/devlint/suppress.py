"""Suppression comments: which findings they silence, and which of them silence nothing.

x.to(d)  # noqa: DEV101                     trailing, or on the line above
x.to(d)  # devlint: ignore[unassigned-move] the reason
# devlint: disable[DEV101] ... # devlint: enable[DEV101]     until the end of the block, if not enabled
# devlint: file-ignore[DEV101]              the whole file; `# devlint: ignore-file` silences all rules
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from devlint.comments import Comments, read_comments
from devlint.diagnostic import Diagnostic
from devlint.selectors import Named, narrowest, specificity, suggestion
from devlint.text import Edit, LineIndex, Position, Span


class Reach(enum.Enum):
    """How far a directive reaches."""

    LINE = "line"
    BLOCK = "block"
    END = "end"
    FILE = "file"
    NONE = "none"
    """It is written so that it cannot be read."""


_VERBS = {
    "ignore": Reach.LINE,
    "disable": Reach.BLOCK,
    "enable": Reach.END,
    "file-ignore": Reach.FILE,
    "ignore-file": Reach.FILE,
}
_OWN = re.compile(r"(?:^|(?<=\s))#\s*devlint:\s*(?P<verb>[a-z][a-z-]*)(?P<list>\s*\[[^\]]*(?P<close>\])?)?")
_NOQA = re.compile(
    r"(?:^|(?<=\s))#\s*(?i:noqa)(?![\w-])(?:\s*:\s*(?P<list>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)(?![\w-]))?"
)
_ITEM = re.compile(r"[^\s,]+")

# Cheap tests before a file is tokenized. A bare noqa matters only where there is something to silence.
_NAMES_US = re.compile(r"#\s*devlint:|#\s*noqa\s*:[^\n]*\bDEV[0-9]", re.IGNORECASE)
_BYTES = re.compile(rb"devlint:|DEV[0-9]")
_ANY = re.compile(r"#\s*(?:devlint:|noqa)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Item:
    """One selector in a directive's list."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Directive:
    """One suppression. It knows enough of the text around it to remove itself.

    `items` is None for one that means all rules; `rows` (first, last) is what it covers. `ends` are the
    directives (`enable`) that end a block, by number. `own` tells devlint's from noqa's.
    """

    reach: Reach
    own: bool
    span: Span
    start: Position
    items: tuple[Item, ...] | None
    rows: tuple[int, int]
    comment: str
    comment_start: int
    line: Span
    line_text: str
    ends: tuple[int, ...] = ()
    problem: str | None = None

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding lies where the directive reaches."""
        if self.reach is Reach.FILE:
            return True
        first, last = self.rows
        if self.reach is Reach.BLOCK:
            return first <= diagnostic.start.row <= last
        if self.reach is not Reach.LINE:
            return False
        rows = (*diagnostic.statement, diagnostic.start.row, diagnostic.end.row)
        return any(first <= row <= last for row in rows)


@dataclass(frozen=True, slots=True)
class Stale:
    """A directive of which some selectors (all, if it has none) silence nothing."""

    directive: Directive
    items: tuple[Item, ...]
    edits: tuple[Edit, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The directives of one file."""

    directives: tuple[Directive, ...] = ()

    def split(self, found: Sequence[Diagnostic]) -> tuple[list[Diagnostic], frozenset[tuple[int, int]]]:
        """The findings that stay, and what was used: pairs of directive and item (-1: the bare one)."""
        stay: list[Diagnostic] = []
        used: set[tuple[int, int]] = set()
        for diagnostic in found:
            hits = set(self._hits(diagnostic))
            used |= hits
            if not hits:
                stay.append(diagnostic)
        return stay, frozenset(used)

    def silences(self, diagnostic: Diagnostic) -> bool:
        """Whether the finding is silenced."""
        return any(True for _ in self._hits(diagnostic))

    def named(self, diagnostic: Diagnostic) -> bool:
        """Whether the finding is silenced by one that names its very rule: what it takes to silence a
        report about suppressions."""
        exact = specificity(diagnostic.code, diagnostic)
        return any(
            narrowest([self.directives[at].items[item].text], diagnostic) == exact  # type: ignore[index]
            for at, item in self._hits(diagnostic)
            if item >= 0
        )

    def _hits(self, diagnostic: Diagnostic) -> Iterator[tuple[int, int]]:
        for at, directive in enumerate(self.directives):
            if not directive.covers(diagnostic):
                continue
            if directive.items is None:
                yield at, -1
                continue
            for number, item in enumerate(directive.items):
                if specificity(item.text, diagnostic) >= 0:
                    yield at, number

    def stale(
        self, used: Collection[tuple[int, int]], rules: Sequence[Named], judged: Callable[[str], bool]
    ) -> Iterator[Stale]:
        """The directives, or parts of them, that silenced nothing. `judged` says of a selector (`ALL` for
        a bare directive) whether all the rules that it means have run."""
        for at, directive in enumerate(self.directives):
            if directive.problem is not None:
                yield Stale(directive, (), (), directive.problem)
            elif directive.reach is Reach.END:
                if not any(at in other.ends for other in self.directives):
                    yield Stale(directive, (), _without(directive), "this enables what nothing disabled")
            elif directive.items is None:
                if directive.own and (at, -1) not in used and judged("ALL"):
                    yield Stale(directive, (), self._removal(directive), "this suppression silences nothing")
            else:
                yield from self._stale_items(at, directive, directive.items, used, rules, judged)

    def _stale_items(
        self,
        at: int,
        directive: Directive,
        items: tuple[Item, ...],
        used: Collection[tuple[int, int]],
        rules: Sequence[Named],
        judged: Callable[[str], bool],
    ) -> Iterator[Stale]:
        unused: list[Item] = []
        words: list[str] = []
        for number, item in enumerate(items):
            known = any(specificity(item.text, rule) >= 0 for rule in rules)
            if not known and (directive.own or re.fullmatch(r"DEV\d+", item.text)):
                unused.append(item)
                words.append(
                    f"`{item.text}` is no rule{suggestion(item.text, [rule.name for rule in rules])}"
                )
            elif known and (at, number) not in used and judged(item.text):
                unused.append(item)
                words.append(f"`{item.text}` silences nothing")
        if unused or not items:
            message = "; ".join(words) or "this suppression names no rule"
            yield Stale(directive, tuple(unused), self._removal(directive, unused), message)

    def _removal(self, directive: Directive, items: Sequence[Item] = ()) -> tuple[Edit, ...]:
        """Edits that remove the items (all, if none is given), also from what ends the block alone."""
        edits = list(_without(directive, items))
        gone = {item.text for item in items or directive.items or ()}
        whole = len(gone) == len({item.text for item in directive.items or ()})
        for number in directive.ends:
            end = self.directives[number]
            if sum(number in other.ends for other in self.directives) > 1:
                continue
            named = [item for item in end.items or () if item.text in gone]
            if named or whole:
                edits += _without(end, named)
        return tuple(edits)


def may_name_us(data: bytes) -> bool:
    """Whether a file may hold a directive that could be unused; tested before it is decoded."""
    return _BYTES.search(data) is not None


def parse(text: str, *, everything: bool) -> Suppressions:
    """Reads a text's directives; without `everything` only if there may be one that could be unused."""
    if not (_ANY if everything else _NAMES_US).search(text):
        return Suppressions()
    lines = LineIndex(text)
    comments = read_comments(text, lines)
    directives: list[Directive] = []
    for offset, comment in comments.found:
        directives += _directives(text, lines, offset, comment)
    return Suppressions(tuple(_blocks(directives, comments, lines)))


def _directives(text: str, lines: LineIndex, offset: int, comment: str) -> Iterator[Directive]:
    for match in sorted([*_OWN.finditer(comment), *_NOQA.finditer(comment)], key=lambda m: m.start()):
        own = match.re is _OWN
        reach, problem = _meaning(match) if own else (Reach.LINE, None)
        if reach is None:
            continue
        start = lines.position(offset + match.start())
        line = lines.line(start.row)
        alone = not text[line.start : offset].strip()
        yield Directive(
            reach=reach,
            own=own,
            span=Span(offset + match.start(), offset + match.end()),
            start=start,
            items=_items(match, offset),
            rows=_below(text, lines, start.row) if alone else (start.row, start.row),
            comment=comment,
            comment_start=offset,
            line=_with_line_end(text, line),
            line_text=text[line.start : line.end],
            problem=problem,
        )


def _meaning(match: re.Match[str]) -> tuple[Reach | None, str | None]:
    """How far a directive reaches, and what is wrong with it; prose after `devlint:` is none."""
    verb = match["verb"]
    listed = match["list"] is not None
    if verb not in _VERBS:
        hint = suggestion(verb, _VERBS)
        if not hint and not listed:
            return None, None
        return Reach.NONE, f"`{verb}` is no suppression{hint}"
    if listed and not match["close"]:
        return Reach.NONE, "the list of rules is not closed"
    return _VERBS[verb], None


def _items(match: re.Match[str], offset: int) -> tuple[Item, ...] | None:
    if match["list"] is None:
        return None
    start = match.start("list")
    body = match["list"].replace("[", " ").replace("]", " ")
    return tuple(
        Item(item[0], Span(offset + start + item.start(), offset + start + item.end()))
        for item in _ITEM.finditer(body)
    )


def _with_line_end(text: str, line: Span) -> Span:
    end = line.end
    if text.startswith("\r\n", end):
        return Span(line.start, end + 2)
    return Span(line.start, min(end + 1, len(text)))


def _below(text: str, lines: LineIndex, row: int) -> tuple[int, int]:
    """The rows that a comment on a line of its own is about: the next that is code, with decorators."""
    first = row + 1
    while first < lines.rows and _row(text, lines, first).startswith("#"):
        first += 1
    last = first
    while last < lines.rows and _row(text, lines, last).startswith("@"):
        last += 1
    return first, last


def _row(text: str, lines: LineIndex, row: int) -> str:
    start, end = lines.line(row)
    return text[start:end].strip()


def _blocks(directives: list[Directive], comments: Comments, lines: LineIndex) -> Iterator[Directive]:
    """Gives every block its last row, and the `enable`s that end it."""
    for directive in directives:
        if directive.reach is not Reach.BLOCK:
            yield directive
            continue
        column = len(directive.line_text) - len(directive.line_text.lstrip()) + 1
        outside = (d.row - 1 for d in comments.dedents if d.row > directive.start.row and d.column < column)
        last = next(outside, lines.rows)
        ends = tuple(
            number
            for number, other in enumerate(directives)
            if other.reach is Reach.END
            and directive.start.row < other.start.row <= last
            and _same(directive, other)
        )
        if ends:
            last = directives[ends[0]].start.row
        yield replace(directive, rows=(directive.start.row, last), ends=ends[:1])


def _same(block: Directive, end: Directive) -> bool:
    """Whether an `enable` ends a block: it is bare, or names all that the block names."""
    if end.items is None:
        return True
    if block.items is None:
        return False
    return {item.text for item in block.items} <= {item.text for item in end.items}


def _without(directive: Directive, items: Sequence[Item] = ()) -> tuple[Edit, ...]:
    """Edits that take the items out of a directive, or all of it; reasons and other comments stay."""
    kept = [item for item in directive.items or () if item not in items]
    if items and kept:
        every = directive.items or ()
        between = Span(every[0].span.end, every[1].span.start)
        offset = directive.comment_start
        separator = directive.comment[between.start - offset : between.end - offset]
        return (Edit(every[0].span.start, every[-1].span.end, separator.join(item.text for item in kept)),)
    start, end = directive.span.start - directive.comment_start, directive.span.end - directive.comment_start
    before, after = directive.comment[:start].rstrip(), directive.comment[end:].strip()
    after = re.sub(r"^[:;,\u2013\u2014-]+\s*", "", after)
    if after and not after.startswith("#"):
        after = f"# {after}"
    left = " ".join(part for part in (before, after) if part)
    whole = Span(directive.comment_start, directive.comment_start + len(directive.comment))
    if left:
        return (Edit(whole.start, whole.end, left),)
    code = directive.line_text[: whole.start - directive.line.start].rstrip()
    if code:
        return (Edit(directive.line.start + len(code), whole.end, ""),)
    return (Edit(directive.line.start, directive.line.end, ""),)
