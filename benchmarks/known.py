"""How much the model knows: where the tensors of `forward` methods and training loops are.

    python benchmarks/known.py FOLDER [PACKAGE ...]    each package of a folder, and all of them

Every expression in a method `forward`, and in a loop that calls `backward()`, is looked at as the model
reads the file. One that is a tensor is *known* if the model can say where it is, on every way that it came
there: on a device that the program names, or wherever something is that the program was handed (its
input, its module). Else it is *unknown*. What may be a tensor or anything else, because the model cannot
say what it is, counts as *unclear*; the second share takes all of these for tensors that are not known.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devlint.deep import run_deep
from devlint.model.analyse import Analysis, analyse
from devlint.model.cond import tips
from devlint.model.device import UNKNOWN, At, Like
from devlint.model.program import File, Program
from devlint.model.value import Tensor, Unknown
from devlint.syntax import tree as t
from devlint.syntax.source import ParseError, Source, SourceError, may_matter
from devlint.syntax.walk import children, walk

KNOWN, UNCLEAR, LOST = "known", "unclear", "unknown"
_NO_TENSOR = frozenset({"host", "array", "module", "device"})
_HANDED = frozenset({"param", "module", "iter"})
"""Roots that a reader of the program can point at: what a function takes, its module, a loop's items."""


@dataclass
class Share:
    """How many expressions there are of each kind."""

    known: int = 0
    unknown: int = 0
    unclear: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.known + other.known, self.unknown + other.unknown, self.unclear + other.unclear)

    @property
    def of_tensors(self) -> float:
        """The share of known ones among what is surely a tensor, in percent."""
        return 100 * self.known / max(1, self.known + self.unknown)

    @property
    def of_all(self) -> float:
        """The share of known ones among what may be a tensor, in percent."""
        return 100 * self.known / max(1, self.known + self.unknown + self.unclear)


class Watched(Analysis):
    """The machine, with a note of the values of the expressions that are asked for."""

    met: dict[int, list[Any]] | None = None

    def expr(self, node: t.Expr) -> Any:
        """The value of an expression."""
        value = super().expr(node)
        if self.met is not None:
            noted = self.met.get(id(node))
            if noted is not None:
                noted.extend(tips(value))
        return value


def asked(tree: t.Tree) -> Iterator[t.Expr]:
    """The expressions of a file that count: what is called, and what is stored to, is no value of its own."""
    for node in walk(tree):
        if isinstance(node, t.ClassDef):
            for stmt in node.body:
                if isinstance(stmt, t.FunctionDef) and stmt.name == "forward":
                    yield from _values(stmt.body)
        elif isinstance(node, (t.For, t.While)) and any(map(_goes_back, walk(*node.body))):
            yield from _values(node.body)


def _values(body: list[t.Stmt]) -> Iterator[t.Expr]:
    stack: list[t.Node] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, t.Expr):
            yield node
        inner = list(children(node))
        if isinstance(node, t.Call):
            inner = [x for x in inner if x is not node.func]
            inner += [node.func.value] if isinstance(node.func, t.Attr) else []
        elif isinstance(node, t.Assign):
            inner = [node.value]
        stack += inner


def _goes_back(node: t.Node) -> bool:
    return isinstance(node, t.Call) and isinstance(node.func, t.Attr) and node.func.attr == "backward"


def kind_of(leaf: Any) -> str | None:
    """What is known of one value; None if it is no tensor."""
    if type(leaf) is Tensor:
        lost = leaf.device is UNKNOWN or (type(leaf.device) is Like and leaf.device.root.kind == "join")
        return LOST if lost else KNOWN
    if type(leaf) is not Unknown:
        return None
    if isinstance(leaf.device, At):
        return KNOWN
    seen, kind = leaf.root.seen, leaf.root.kind
    if kind == "host" or (not seen.isdisjoint(_NO_TENSOR) and "tensor" not in seen):
        return None
    if "tensor" not in seen:
        return UNCLEAR
    return KNOWN if kind in _HANDED else LOST


def measure(source: Source, program: Program) -> Share:
    """The expressions of one file. Raises ParseError."""
    met: dict[int, list[Any]] = {}

    def watched(program: Program, file: File) -> Analysis:
        machine = Watched(program, file)
        met.update((id(node), []) for node in asked(file.tree))
        machine.met = met
        return machine

    analyse(source, program, machine=watched)
    share = Share()
    for leaves in met.values():
        kinds = {kind for kind in map(kind_of, leaves) if kind is not None}
        if LOST in kinds:
            share.unknown += 1
        elif UNCLEAR in kinds:
            share.unclear += 1
        elif kinds:
            share.known += 1
    return share


def measured(package: Path) -> Share:
    """The files of a package, together."""
    program = Program((str(package),))
    total = Share()
    for path in sorted(package.rglob("*.py")):
        data = path.read_bytes()
        if not may_matter(data):
            continue
        try:
            source = Source.from_bytes(str(path), data)
            total += run_deep(lambda source=source: measure(source, program))  # type: ignore[misc]
        except (SourceError, ParseError) as error:
            print(f"{path}: {error}", file=sys.stderr)
    return total


def table(rows: Iterable[tuple[str, Share]]) -> None:
    """Print the shares."""
    print(f"{'package':32} {'known':>8} {'unknown':>8} {'unclear':>8} {'of tensors':>11} {'of all':>8}")
    for name, share in rows:
        print(
            f"{name:32} {share.known:8} {share.unknown:8} {share.unclear:8}"
            f" {share.of_tensors:10.1f}% {share.of_all:7.1f}%",
            flush=True,
        )


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="PACKAGE")
    given = parser.parse_args()
    folders = [p for p in sorted(given.folder.iterdir()) if p.is_dir()]
    chosen = [p for p in folders if not given.names or p.name in given.names]

    def rows() -> Iterator[tuple[str, Share]]:
        total = Share()
        for package in chosen:
            share = measured(package)
            total += share
            yield package.name, share
        yield "all", total

    table(rows())
    return 0


if __name__ == "__main__":
    sys.exit(main())
