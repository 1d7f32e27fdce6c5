"""What must hold before a rewriting counts. That all outside of the edits is as it was needs no proof: a
text is only ever made by applying edits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from devlint.diagnostic import Diagnostic, FileResult

# A fix may take away what a suppression was there for; the next round removes that.
_MAY_COME = frozenset({"DEV002"})


def objection(before: Iterable[Diagnostic], fixed: Iterable[Diagnostic], after: FileResult) -> str | None:
    """What speaks against a rewriting that was to remove the `fixed` findings; None if nothing does.

    `after` is what the rewritten text gives.
    """
    if after.failure is not None:
        return f"the new text cannot be checked: {after.failure.message}"
    were = Counter(diagnostic.code for diagnostic in before)
    gone = Counter(diagnostic.code for diagnostic in fixed)
    are = Counter(diagnostic.code for diagnostic in after.diagnostics)
    for code in sorted(are):
        if code in _MAY_COME:
            continue
        if are[code] > were[code] - gone[code]:
            if code == "DEV001":
                return "the new text does not parse"
            return f"{code} is still found afterwards" if gone[code] else f"{code} is found afterwards"
    return None
