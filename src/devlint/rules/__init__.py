"""The rules: every module of this package that has a `RULE`."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from dataclasses import replace

from devlint.rule import Rule


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """All rules, sorted by code, each with its page: the docstring of its module.

    Raises:
        ValueError: two rules share a code or a name.
    """
    rules: list[Rule] = []
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        rule = vars(module).get("RULE")
        if isinstance(rule, Rule):
            rules.append(replace(rule, docs=rule.docs or module.__doc__ or ""))
    rules.sort(key=lambda rule: rule.code)
    refuse_twins(rules)
    return tuple(rules)


def refuse_twins(rules: list[Rule]) -> None:
    """Raises:
    ValueError: two rules share a code or a name.
    """
    seen: dict[str, Rule] = {}
    for rule in rules:
        for name in (rule.code, rule.name):
            if name in seen:
                raise ValueError(f"{name} is both {seen[name].name} and {rule.name}")
            seen[name] = rule
