"""Where every value of a file lives, line by line: the model, to be looked at.

`trace(model)` takes the model of `analyse(source, program, tracing=True)`; the values in it are read at once,
so that the program may go on to another file afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from devlint.model.analyse import Model, analyse
from devlint.model.program import Program
from devlint.syntax import tree as t
from devlint.syntax.errors import parse_or_raise
from devlint.syntax.source import Source
from devlint.syntax.walk import blocks as inner_blocks
from devlint.trace.build import Builder
from devlint.trace.glance import Glance, glance
from devlint.trace.shapes import Block, Bound, Held, Hop, Line, Meet, Side, Spot, State, Trace
from devlint.trace.states import states

__all__ = [
    "Block",
    "Bound",
    "Glance",
    "Held",
    "Hop",
    "Line",
    "Meet",
    "NoFunction",
    "Side",
    "Spot",
    "State",
    "Trace",
    "glance",
    "trace",
    "trace_program",
    "trace_source",
]


LEFT_BEHIND = "not registered: it does not move with the module"


class NoFunction(Exception):
    """The file has no function or class of that name; `known` are those that it has."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name)
        self.known = known


def trace_source(source: Source, roots: tuple[str, ...], function: str | None = None) -> Trace:
    """The trace of a source in a project with these folders on its import path. (Deep code needs the stack of
    `run_deep`.)

    Raises:
        ParseError: it does not parse.
        NoFunction: it has no such function.
    """
    parse_or_raise(source)
    return trace(analyse(source, Program(roots), tracing=True), function)


def trace_program(source: Source, roots: tuple[str, ...]) -> dict[str, Trace]:
    """The traces of a file and of those that it reaches, by their absolute paths: what is so in this program,
    with every caller. (Deep code needs the stack of `run_deep`.)

    Raises:
        ParseError: it does not parse.
    """
    parse_or_raise(source)
    model = analyse(source, Program(roots), tracing=True)
    files = {id(event.site.file): event.site.file for event in model.events}
    return {
        os.path.abspath(file.path): trace(replace(model, file=file), every_caller=True)
        for file in (*files.values(), model.file)
    }


def trace(model: Model, function: str | None = None, *, every_caller: bool = False) -> Trace:
    """The trace of a file, or of the functions and classes of that name in it. `every_caller`: also where
    there are no two ways to be told apart.

    Raises:
        NoFunction: there is none.
    """
    source = model.file.source
    found = tuple(_blocks(source, model.file.tree, ""))
    wanted = _wanted(found, function)
    builder = Builder(model)
    classes = states(model.file, model.events)
    plain = {(held.row, f"self.{held.name}") for state in classes for held in state.left_behind}
    bound: dict[int, list[Bound]] = {}
    for value in builder.variants(every_caller):
        if (value.row, value.name) in plain and not value.note:
            value = replace(value, note=LEFT_BEHIND)
        bound.setdefault(value.row, []).append(value)
    text = tuple(source.text.splitlines())
    lines = [
        Line(row, text[row - 1], tuple(bound.get(row, ())), builder.met(row))
        for row in sorted({*bound, *builder.meets})
        if any(first <= row <= last for first, last in wanted)
    ]
    return Trace(
        path=source.path,
        source=text,
        lines=tuple(lines),
        states=tuple(state for state in classes if any(first <= state.row <= last for first, last in wanted)),
        blocks=found,
        cells=source.cells,
        function=function,
        ranges=wanted,
    )


def _wanted(blocks: tuple[Block, ...], function: str | None) -> tuple[tuple[int, int], ...]:
    """The rows to tell of."""
    if function is None:
        return ((1, 1 << 60),)
    exact = [block for block in blocks if block.name == function]
    named = exact or [block for block in blocks if block.name.endswith(f".{function}")]
    if not named:
        raise NoFunction(function, tuple(block.name for block in blocks))
    return tuple((block.first, block.last) for block in named)


def _blocks(source: Source, node: t.Node, above: str) -> Iterator[Block]:
    """The functions and classes inside a node, with their dotted names."""
    for body in inner_blocks(node):
        for stmt in body:
            if isinstance(stmt, (t.FunctionDef, t.ClassDef)):
                name = f"{above}{stmt.name}"
                span = source.span(stmt)
                first = source.rows(stmt)[0]
                last = source.lines.position(max(span.end - 1, span.start)).row
                yield Block(name, first, last, isinstance(stmt, t.ClassDef))
                yield from _blocks(source, stmt, f"{name}.")
            else:
                yield from _blocks(source, stmt, above)
