"""Small programs before and after all their fixes."""

from __future__ import annotations

import textwrap

from devlint.config import Resolver
from devlint.discover import from_stdin
from devlint.rewrite import FixResult, run_fix
from devlint.rules import all_rules


def rewritten(text: str, *, unsafe: bool = True, **settings: object) -> FixResult:
    """What becomes of a program."""
    overrides = {name.replace("_", "-"): value for name, value in settings.items()}
    resolver = Resolver(all_rules(), isolated=True, overrides=overrides)
    (result,) = run_fix(from_stdin(text.encode(), None, resolver), unsafe=unsafe, jobs=1, cache=False)
    return result


def fixed(text: str, **settings: object) -> str:
    """The text of an indented program after its fixes; a second run changes nothing."""
    after = rewritten(textwrap.dedent(text), **settings).after  # type: ignore[arg-type]
    assert rewritten(after, **settings).after == after  # type: ignore[arg-type]
    return after


def changed(text: str, **settings: object) -> list[str]:
    """The rows that the fixes of an indented program bring, without their indentation."""
    before = textwrap.dedent(text).splitlines()
    return [row.strip() for row in fixed(text, **settings).splitlines() if row.strip() and row not in before]
