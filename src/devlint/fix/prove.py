"""What must hold before a rewriting counts. That all outside of the edits is as it was needs no proof: a
text is only ever made by applying edits."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Iterable

from devlint.comments import read_comments
from devlint.diagnostic import Diagnostic, FileResult
from devlint.syntax.source import Source

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


def appeared(before: Iterable[Diagnostic], fixed: Iterable[Diagnostic], after: FileResult) -> frozenset[str]:
    """The codes of what a rewriting brought, if that is all that speaks against it: what it was to remove is
    gone, and the new text can be read."""
    were = Counter(diagnostic.code for diagnostic in before)
    gone = Counter(diagnostic.code for diagnostic in fixed)
    are = Counter(diagnostic.code for diagnostic in after.diagnostics)
    if after.failure is not None or any(are[code] > were[code] - gone[code] for code in gone):
        return frozenset()
    return frozenset(code for code in are if code not in _MAY_COME and are[code] > were[code])


def harm(before: Source, after: Source) -> str | None:
    """What a rewriting does to a text beside its purpose: a comment lost, Python that does not compile
    (a keyword twice is found by the compiler only)."""
    lost = _comments(before) - _comments(after)
    if lost:
        return f"a comment would be lost: {min(lost)}"
    error = _compile_error(after)
    if error is not None and _compile_error(before) is None:
        return f"the new text does not compile: {error}"
    return None


def _comments(source: Source) -> Counter[str]:
    return Counter(text.rstrip() for _, text in read_comments(source.text, source.lines).found)


def _compile_error(source: Source) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # A cell may await, where a module may not.
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if source.cells else 0
            compile(source.text, source.path, "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        return error.msg
    except (ValueError, RecursionError, MemoryError):
        return None
    return None
