"""A file that does not parse

## What it does

Reports a file that is not valid Python, at the place where reading it stopped. Nothing else can be said of
such a file. Files in which no device can occur (nothing in them names torch, a device or a move) are never
parsed, so an error in one of those is left to other tools.

## Why is this bad?

The file cannot be imported, and devlint cannot see what is wrong in it. Reported as a finding, not as a
failed run, so that one broken file does not hide the findings of all others.

## Example

```python
# bad
import torch

x = torch.zeros(3  # expect: DEV001
```

```python
# good
import torch

x = torch.zeros(3)
```

## Fix safety

There is no fix: what was meant is not known.

## References

- [The Python language reference: full grammar specification](https://docs.python.org/3/reference/grammar.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.rule import Finding, Rule


def _check(_: object) -> Iterator[Finding]:
    """Never called: the parser makes this finding, before there are events."""
    return iter(())


RULE = Rule(
    code="DEV001",
    name="syntax-error",
    summary="a file that does not parse",
    severity=Severity.ERROR,
    on=(),
    check=_check,
)
