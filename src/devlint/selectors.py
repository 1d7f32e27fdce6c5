"""Which rules a list of selectors means: codes, prefixes (`DEV3`), names, and `ALL`.

An opt-in rule is turned on by its own code or name alone, as ruff asks for rules in preview.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from devlint.rule import Rule

_EXACT = 1000


class Named(Protocol):
    """What a selector can mean: a rule, or a finding of one."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...


def specificity(selector: str, rule: Named) -> int:
    """How narrowly a selector means the rule: -1 not at all, 0 as one of all, more the longer the prefix."""
    if selector == rule.name:
        return _EXACT
    folded = selector.upper()
    if folded == "ALL":
        return 0
    if folded == rule.code:
        return _EXACT
    return len(folded) if folded and rule.code.startswith(folded) else -1


def means(selectors: Iterable[str], rule: Named) -> bool:
    """Whether one of the selectors means the rule."""
    return any(specificity(selector, rule) >= 0 for selector in selectors)


def narrowest(selectors: Iterable[str], rule: Named) -> int:
    """The highest specificity among the selectors, -1 if none means the rule."""
    return max((specificity(selector, rule) for selector in selectors), default=-1)


@dataclass(frozen=True, slots=True)
class Selection:
    """One layer of choices (a configuration file, or the command line).

    As in ruff, the narrower selector wins and `ignore` wins a draw; `select`, where given, forgets all
    that layers below chose.
    """

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def decide(self, rule: Rule, before: bool) -> bool:
        """Whether the rule is on, given what the layers below said."""
        chosen = narrowest((*(self.select or ()), *self.extend_select), rule)
        if chosen < _EXACT and not rule.default:
            chosen = -1
        ignored = narrowest(self.ignore, rule)
        if chosen < 0 and ignored < 0:
            return before and self.select is None
        return chosen > ignored


def unknown_selector(selector: str, rules: Sequence[Rule]) -> str | None:
    """What is wrong with a selector, in words; None if it means a rule."""
    if any(specificity(selector, rule) >= 0 for rule in rules) or selector.upper() == "ALL":
        return None
    return f"unknown rule `{selector}`{suggestion(selector, [rule.name for rule in rules])}"


def suggestion(word: str, known: Iterable[str]) -> str:
    """` (did you mean ...?)`, or nothing."""
    folded = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word.casefold(), folded, n=1)
    return f" (did you mean `{folded[close[0]]}`?)" if close else ""
