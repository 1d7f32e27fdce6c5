"""The rules as documents: an entry, a table, a page. Terminals, the site and SARIF show the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from devlint.diagnostic import Safety
from devlint.links import rule_url
from devlint.rule import Rule

_FIXES = {
    frozenset[Safety](): "-",
    frozenset({Safety.SAFE}): "safe",
    frozenset({Safety.UNSAFE}): "unsafe",
    frozenset({Safety.SAFE, Safety.UNSAFE}): "safe, unsafe",
}


def fix_word(rule: Rule) -> str:
    """How safe the fixes of a rule are; `-` if it has none."""
    return _FIXES[rule.safeties]


def entry(rule: Rule) -> dict[str, Any]:
    """A rule as an object: the JSON of `devlint rules`."""
    return {
        "code": rule.code,
        "name": rule.name,
        "summary": rule.summary,
        "severity": rule.severity.value,
        "fix": sorted(safety.value for safety in rule.safeties),
        "default": rule.default,
        "url": rule_url(rule.name),
        "explanation": page(rule),
    }


def table(
    rules: Iterable[Rule], link: Callable[[Rule], str | None] = lambda rule: rule_url(rule.name)
) -> str:
    """The rules as a table in Markdown."""
    rows = ["| code | name | | fix | what it finds |", "| --- | --- | --- | --- | --- |"]
    for rule in rules:
        name = rule.name if rule.default else f"{rule.name} (opt-in)"
        address = link(rule)
        code = rule.code if address is None else f"[{rule.code}]({address})"
        cells = (code, name, rule.severity.value[0].upper(), fix_word(rule))
        rows.append(f"| {' | '.join(cells)} | {rule.summary.replace('|', chr(92) + '|')} |")
    return "\n".join(rows) + "\n"


# The marks of the examples are for the tests; readers see them in words.
_MARK = re.compile(
    r"^(?P<fence> *```+ *python\n) *# (?P<kind>bad|good|fixed)\b(?P<words>[^\n]*)$", re.MULTILINE
)
_EXPECT = re.compile(r"# *expect: *(?=[A-Z])")
_WORDS = {
    "run": "",
    "run=crash": "raises on a GPU",
    "run=portability": "raises on a machine without this GPU",
    "run=silent": "runs, and does the wrong thing",
    "run=performance": "runs, but slower than it could",
}


def page(rule: Rule) -> str:
    """The page of a rule in Markdown: its promises, then its docstring."""
    fix = {"-": "no fix", "safe": "a safe fix", "unsafe": "an unsafe fix"}.get(
        fix_word(rule), "a safe or an unsafe fix, as the case may be"
    )
    state = "on by default" if rule.default else "off by default"
    promises = f"*{rule.code}: {rule.severity.value}; {fix}; {state}.*"
    readable = _MARK.sub(_label, _EXPECT.sub("# ", rule.docs))
    title, _, body = readable.strip().partition("\n")
    return f"# {rule.name}\n\n{title.rstrip('.')}. {promises}\n\n{body.strip()}\n"


def _label(match: re.Match[str]) -> str:
    """`# bad run=crash` as `# bad: raises on a GPU`."""
    said = [_WORDS.get(word, word.removeprefix("file=")) for word in match["words"].split()]
    words = ", ".join(filter(None, said))
    return f"{match['fence']}# {match['kind']}" + (f": {words}" if words else "")
