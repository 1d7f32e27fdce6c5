"""A suppression comment that silences nothing

## What it does

Reports suppression comments, and single rules in them, that silence no finding; that name a rule which does
not exist; that cannot be read (a list without its `]`, `# devlint: ignored[...]`); and an `enable` that ends
no `disable`.

A bare `# noqa`, and codes of other tools in a `# noqa:`, are never reported: they may be there for others. A
suppression is judged only in a run in which all the rules that it means are on, and which are on by default.

## Why is this bad?

It silences the next fault on its line, which nobody has looked at. And it tells the reader of something
that is not there.

## Example

```python
# bad
import torch

x = torch.zeros(3)  # devlint: ignore[unassigned-move] it was here once  # expect: DEV002
```

```python
# fixed
import torch

x = torch.zeros(3)  # it was here once
```

```python
# good
import torch

x = torch.zeros(3)  # noqa: E501
```

## Fix safety

Safe: only a comment changes, and only that part of it which silences nothing. The reason beside it, the other
rules in it, and the comments of other tools stay.

## References

- [Ruff: unused-noqa (RUF100)](https://docs.astral.sh/ruff/rules/unused-noqa/)
"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.rule import Finding, Rule


def _check(_: object) -> Iterator[Finding]:
    """Never called: what was used is known only when all rules have run."""
    return iter(())


# A warning: the comment harms nothing today, but it would hide an error tomorrow.
RULE = Rule(
    code="DEV002",
    name="unused-suppression",
    summary="a suppression comment that silences nothing",
    severity=Severity.WARNING,
    on=(),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
