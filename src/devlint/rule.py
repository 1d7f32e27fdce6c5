"""What a rule is: a constant value with a pure generator. It never meets the driver."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from devlint.diagnostic import Safety, Severity

if TYPE_CHECKING:
    from devlint.fix.context import Context
    from devlint.model.events import Event
    from devlint.model.value import Site
    from devlint.text import Edit


@dataclass(frozen=True, slots=True)
class Draft:
    """A fix before it is proven: edits against the unchanged file of the finding."""

    message: str
    safety: Safety
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule yields.

    `site` is where it is reported; `notes` are pairs of a site and what happened there. `fix` is called
    only when the finding is shown, so that a rule pays for positions only then; it returns None where
    no fix can be defended. `fault` is the place whose fault it is, if that shows in several places: of the
    findings with the same fault, by whatever rule, the first one counts.
    """

    site: Site
    message: str
    notes: tuple[tuple[Site, str], ...] = ()
    fix: Callable[[Context], Draft | None] | None = None
    help: str | None = None
    fault: Site | None = None


Check = Callable[[Any], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    `on` names the event types that `check` is called with, one event at a time, after the whole file
    has been read (so the evidence on every value is complete). `safeties` are the safeties that its
    fixes may have (empty: it has none). The docstring of the rule's file is its page.
    """

    code: str
    name: str
    summary: str
    severity: Severity
    on: tuple[type[Event], ...]
    check: Check
    safeties: frozenset[Safety] = field(default_factory=frozenset)
    default: bool = True
    docs: str = ""
