"""`copy_` crosses devices itself

## What it does

Looks for `target.copy_(source.to(target.device))`.

## Why is this bad?

`copy_` takes a source on any device and copies it right into the target's memory. The move before it makes a
whole second tensor on the target's device, which is copied again and thrown away: twice the time, and a peak
of memory, on every update of an average of weights or of a static buffer.

## Example

```python
# bad run=performance
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 1).to(device)
weight = torch.full((1, 3), 0.5)
with torch.no_grad():
    model.weight.copy_(weight.to(model.weight.device))  # expect: DEV106
print(model.weight.sum().item())
```

```python
# fixed run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 1).to(device)
weight = torch.full((1, 3), 0.5)
with torch.no_grad():
    model.weight.copy_(weight)
print(model.weight.sum().item())
```

In a computation the move is needed; only `copy_` itself crosses devices.

```python
# good run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
average = torch.zeros(3, device=device)
weight = torch.ones(3)
average.copy_(average * 0.9 + weight.to(average.device) * 0.1)
print(average.tolist())
```

## Fix safety

Safe: `copy_` writes the same values to the same place. An argument `non_blocking` of the move becomes one of
`copy_`, where it means the same.

## References

- [torch.Tensor.copy_](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.copy_.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import CopyMove
from devlint.rule import Draft, Finding, Rule
from devlint.syntax import tree as t
from devlint.syntax.edit import argument, set_argument, unwrap_method

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: CopyMove) -> Iterator[Finding]:
    yield Finding(
        event.move,
        "`copy_` crosses devices itself: the move makes a copy for nothing",
        fix=partial(_fix, event),
    )


def _fix(event: CopyMove, ctx: Context) -> Draft | None:
    copy, move = event.site.node, event.move.node
    if not isinstance(copy, t.Call) or not isinstance(move, t.Call):
        return None
    if any(arg.star or arg.name in ("memory_format", "copy") for arg in move.args):
        return None
    edits = [unwrap_method(ctx.source, move)]
    blocking = argument(move, "non_blocking")
    if blocking is not None and argument(copy, "non_blocking", 1) is None:
        edits += set_argument(ctx.source, copy, "non_blocking", ctx.text(blocking.value))
    return ctx.draft("Leave the move to `copy_`", Safety.SAFE, edits)


RULE = Rule(
    code="DEV106",
    name="redundant-copy-move",
    summary="`copy_` crosses devices itself",
    severity=Severity.INFO,
    on=(CopyMove,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
