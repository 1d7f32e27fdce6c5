"""A small engine in place of the model: `bad101()` is a finding of DEV101, and so on.

`crash()`, `recurse()`, `starve()` and `die()` do to the engine what they say; `guest("other.py")` reports
the first statement of another file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from devlint.diagnostic import Fix, Safety, Severity
from devlint.lint import Linter
from devlint.model.events import Event
from devlint.model.program import File, Program
from devlint.model.value import Site
from devlint.rule import Finding, Rule
from devlint.rules import syntax_error, unused_suppression
from devlint.syntax import tree as t
from devlint.syntax.source import Source
from devlint.text import Edit

MARK = "# torch\n"
"""Makes a file matter to the prefilter."""


@dataclass(frozen=True, slots=True)
class Called(Event):
    """A call of a bare name."""

    name: str


def _check(code: str) -> Any:
    def check(event: Called) -> Iterator[Finding]:
        if event.name in (f"bad{code[3:]}", f"guest{code[3:]}"):
            yield Finding(
                event.site, f"{event.name} is called", notes=((event.site, "here"),), fix=lambda _: None
            )

    return check


def fake_rule(code: str, name: str, severity: Severity, default: bool = True) -> Rule:
    """A rule that finds calls of `bad` with the digits of its code."""
    return Rule(
        code=code,
        name=name,
        summary=name,
        severity=severity,
        on=(Called,),
        check=_check(code),
        safeties=frozenset({Safety.SAFE}),
        default=default,
    )


RULES = (
    syntax_error.RULE,
    unused_suppression.RULE,
    fake_rule("DEV101", "unassigned-move", Severity.ERROR),
    fake_rule("DEV104", "create-then-move", Severity.INFO),
    fake_rule("DEV301", "unregistered-tensor", Severity.ERROR),
    fake_rule("DEV605", "sync-in-loop", Severity.INFO, default=False),
)


def _walk(node: Any, statement: t.Node | None) -> Iterator[tuple[t.Node, t.Node | None]]:
    if isinstance(node, (list, tuple)):
        for item in node:
            yield from _walk(item, statement)
    elif isinstance(node, t.Node):
        if isinstance(node, t.Stmt):
            statement = node
        yield node, statement
        for kind in type(node).__mro__:
            for slot in getattr(kind, "__slots__", ()):
                if slot != "cst":
                    yield from _walk(getattr(node, slot, None), statement)


def _act(name: str) -> None:
    if name == "crash":
        raise ValueError("as told")
    if name == "recurse":
        raise RecursionError
    if name == "starve":
        raise MemoryError
    if name == "die":
        os._exit(7)


def _analyse(source: Source, program: Program) -> SimpleNamespace:
    program.start()
    file = program.adopt(source)
    events: list[Event] = []
    for node, statement in _walk(file.tree.body, None):
        if not isinstance(node, t.Call) or not isinstance(node.func, t.Name):
            continue
        _act(node.func.id)
        assert statement is not None
        site = Site(file, node, statement)
        if node.func.id.startswith("guest"):
            site = _first_statement(program, node)
            if site.file.source.segment(site.node).startswith("good"):
                continue
        events.append(Called(site, None, node.func.id))  # type: ignore[arg-type]
    return SimpleNamespace(events=events, dependencies=program.read)


def _first_statement(program: Program, call: t.Call) -> Site:
    path = call.args[0].value
    assert isinstance(path, t.Const)
    other = program.load(os.path.abspath(str(path.value)))
    assert isinstance(other, File)
    first = other.tree.body[0]
    return Site(other, first, first)


def make_fix(finding: Finding) -> Fix | None:
    """A fix that renames the call."""
    source = finding.site.file.source
    span = source.span(finding.site.node)
    text = re.sub("^bad", "good", source.text[span.start : span.end])
    return Fix("Call the good one", Safety.SAFE, (Edit(span.start, span.end, text),))


def fake_engine(roots: tuple[str, ...], verbose: bool = False) -> Linter:
    """The engine."""
    program = Program(roots)
    return Linter(
        RULES,
        lambda source: _analyse(source, program),
        lambda *_: lambda finding: make_fix(finding),
        verbose=verbose,
    )
