"""Programs in Markdown: the grammar of rule pages, `tests/rules/*.md` and `tests/model/*.md`.

A program is a fenced `python` block. The first line in it is its mark, a comment, because readers of the
pages want to see it too (after `python` in the fence line it is a mark as well):

    # bad                   faulty: each faulty line ends in `# expect: CODE` (or a name; several with commas)
    # good                  right: nothing is found
    # fixed                 what the fixes make of the `bad` block before it; marks here are what is left
    # model                 calls of `reveal(x)` end in `# reveal: TEXT`: what the model knows of x

More words of a mark:

    run                     a good program that runs, with and without a GPU, and prints the same
    run=crash               a faulty one that raises with a GPU
    run=portability         a faulty one that raises without a GPU, or with fewer of them
    run=silent              a faulty one that runs, and does the wrong thing
    run=performance         a faulty one that runs, and is slow
    ranks=2                 it runs as torchrun starts it, as each of two ranks on a machine with two GPUs;
                            with ranks=4 there are two such machines
    file=pkg/a.py           one file of a project: blocks in a row, with the same mark, are one project

The mark and the marks of lines are taken out before devlint sees a program; rows are those without the
mark. Anything else is an error: a mark that nobody reads would prove nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

MARKS = ("bad", "good", "fixed", "model")
FAULTS = ("crash", "portability", "silent", "performance")
ONE_FILE = "program.py"
"""What a block without a `file=` is called."""

_FENCE = re.compile(r"^(?P<indent> *)```+ *(?P<info>.*)$")
_MARK = re.compile(rf"^# *(?P<words>({'|'.join(MARKS)})\b.*)$")
_EXPECT = re.compile(r"[ \t]*# *expect:(?P<names>.*)$")
_REVEAL = re.compile(r"[ \t]*# *reveal:(?P<text>.*)$")
_HEADING = re.compile(r"^#{1,6} ")


class BlockError(ValueError):
    """A block that cannot be read: where, and why."""

    def __init__(self, origin: str, row: int, why: str) -> None:
        super().__init__(f"{origin}:{row}: {why}")


class Line(NamedTuple):
    """What is said of one row of a program: a rule's code, or a value's text."""

    row: int
    text: str


@dataclass(frozen=True)
class Block:
    """One program, or one file of one. `row` is that of its fence."""

    origin: str
    row: int
    mark: str
    file: str
    text: str
    lines: tuple[Line, ...] = ()
    fault: str | None = None
    runs: bool = False
    ranks: int = 0
    section: int = 0


@dataclass(frozen=True)
class Case:
    """A program (its files), and what the fixes make of it: the files that they change."""

    blocks: tuple[Block, ...]
    fixed: tuple[Block, ...] = ()

    def __str__(self) -> str:
        first = self.blocks[0]
        return f"{first.origin}:{first.row}:{first.mark}"

    @property
    def mark(self) -> str:
        """The mark that all its blocks have."""
        return self.blocks[0].mark

    @property
    def files(self) -> dict[str, str]:
        """The texts by file name."""
        return {block.file: block.text for block in self.blocks}

    @property
    def fixed_files(self) -> dict[str, str]:
        """The texts after the fixes."""
        return self.files | {block.file: block.text for block in self.fixed}

    @property
    def main(self) -> Block | None:
        """The block that is to be run; the fixed one where the bad one is not."""
        return next((block for block in (*self.blocks, *self.fixed) if block.runs), None)

    @property
    def lines(self) -> list[tuple[str, int, str]]:
        """What is said of its rows: file, row, text."""
        return sorted((block.file, *line) for block in self.blocks for line in block.lines)

    @property
    def lines_left(self) -> list[tuple[str, int, str]]:
        """What is still to be found after the fixes."""
        changed = {block.file for block in self.fixed}
        kept = [block for block in self.blocks if block.file not in changed]
        return sorted((block.file, *line) for block in (*kept, *self.fixed) for line in block.lines)


def read_cases(text: str, origin: str, codes: Mapping[str, str]) -> list[Case]:
    """The programs of a document. `codes` maps the codes and names of rules to codes.

    Raises:
        BlockError: a block or a mark is not of the grammar.
    """
    cases: list[Case] = []
    for group in _groups(_blocks(text, origin, codes)):
        if group[0].mark != "fixed":
            cases.append(Case(tuple(group)))
            continue
        bad = cases[-1] if cases else None
        if bad is None or bad.mark != "bad" or bad.fixed:
            raise BlockError(origin, group[0].row, "a fixed block follows its bad block")
        strangers = {block.file for block in group} - bad.files.keys()
        if strangers:
            raise BlockError(origin, group[0].row, f"fixed, but not in the bad project: {min(strangers)}")
        cases[-1] = Case(bad.blocks, tuple(group))
    return cases


def _groups(blocks: Iterator[Block]) -> Iterator[list[Block]]:
    """Blocks that are one project: neighbours with the same mark, each with a file of its own."""
    group: list[Block] = []
    for block in blocks:
        joins = (
            group
            and block.file != ONE_FILE
            and (block.mark, block.section) == (group[0].mark, group[0].section)
            and block.file not in {other.file for other in group}
            and group[0].file != ONE_FILE
        )
        if group and not joins:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _blocks(text: str, origin: str, codes: Mapping[str, str]) -> Iterator[Block]:
    section = 0
    opened: tuple[int, str, str] | None = None
    inside: list[str] = []
    for row, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line)
        if opened is None:
            section += bool(_HEADING.match(line))
            if fence:
                opened = (row, fence["info"], fence["indent"])
                inside = []
        elif fence and not fence["info"]:
            start, info, indent = opened
            language, *words = info.split() or [""]
            if language == "python":
                body = [each.removeprefix(indent) for each in inside]
                yield _block(_Reader(origin, start, codes), words, body, section)
            opened = None
        else:
            inside.append(line)
    if opened is not None:
        raise BlockError(origin, opened[0], "the block has no end")


class _Reader(NamedTuple):
    """Where a block is, and which rules there are."""

    origin: str
    row: int
    codes: Mapping[str, str]

    def error(self, why: str) -> BlockError:
        return BlockError(self.origin, self.row, why)

    def one_of(self, what: str, word: str, known: Collection[str]) -> str:
        if word not in known:
            raise self.error(f"unknown {what} {word!r}: one of {', '.join(sorted(known))}")
        return word


def _block(at: _Reader, words: Sequence[str], body: Sequence[str], section: int) -> Block:
    """Reads the mark and the marks of the lines."""
    if not words:
        first = _MARK.match(body[0]) if body else None
        if first is None:
            raise at.error(f"a python block begins with its mark: one of {', '.join(MARKS)}")
        words, body = first["words"].split(), body[1:]
    mark, *options = words
    at.one_of("mark", mark, MARKS)
    file, fault, runs, ranks = ONE_FILE, None, False, 0
    for option in options:
        name, _, value = option.partition("=")
        if name == "file" and PurePosixPath(value).suffix == ".py" and ".." not in value:
            file = value
        elif name == "run" and mark == "bad":
            fault, runs = at.one_of("fault", value, FAULTS), True
        elif option == "run" and mark in ("good", "fixed"):
            runs = True
        elif name == "ranks" and value in ("2", "4"):
            ranks = int(value)
        else:
            raise at.error(f"{option!r} means nothing for a {mark} block")
    if ranks and not runs:
        raise at.error("ranks are of a block that runs")
    lines = tuple(_lines(at, mark, body))
    if mark in ("bad", "model") and file == ONE_FILE and not lines:
        raise at.error(f"a {mark} block says on which lines")
    pattern = _REVEAL if mark == "model" else _EXPECT
    text = "".join(pattern.sub("", line) + "\n" for line in body)
    return Block(at.origin, at.row, mark, file, text, lines, fault, runs, ranks, section)


def _lines(at: _Reader, mark: str, body: Sequence[str]) -> Iterator[Line]:
    for row, line in enumerate(body, 1):
        expect, reveal = _EXPECT.search(line), _REVEAL.search(line)
        if expect and mark in ("bad", "fixed"):
            for name in expect["names"].split(","):
                yield Line(row, at.codes[at.one_of("rule", name.strip(), at.codes.keys())])
        elif reveal and mark == "model":
            yield Line(row, reveal["text"].strip())
        elif expect or reveal:
            raise at.error(f"a {mark} block marks no line: {line.strip()}")
