"""An asynchronous copy to the CPU is read before it is done

## What it does

Reports `x.to("cpu", non_blocking=True)` where the result is read (`.numpy()`, `.item()`, `.tolist()`,
printed, given to NumPy) before anything has waited for the device.

## Why is this bad?

The call returns at once, and the copy is done some time later. What is read in between is whatever was in
that memory: zeros, or the values of the last turn. Nothing raises; on a fast enough machine the values are
even right most of the time. In the other direction `non_blocking=True` is always safe, because the kernels
that read the copy are queued behind it; the host does not queue.

## Example

```python
# bad
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
scores = torch.ones(1000, device=device)
copied = scores.to("cpu", non_blocking=True)  # expect: DEV603
print(copied.numpy().sum())
```

```python
# fixed run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
scores = torch.ones(1000, device=device)
copied = scores.to("cpu")
print(copied.numpy().sum())
```

Several copies at once, then one wait:

```python
# good run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
scores = torch.ones(1000, device=device)
labels = torch.zeros(1000, device=device)
copied = [x.to("cpu", non_blocking=True) for x in (scores, labels)]
if torch.cuda.is_available():
    torch.cuda.synchronize()
print([x.numpy().sum() for x in copied])
```

## Fix safety

Safe: without `non_blocking=True` the call returns when the copy is done. The values are those that were
meant, and the line that read them waited for them anyway, had it been right.

## References

- [A guide on good usage of non_blocking and pin_memory](https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html)
- [torch.cuda.synchronize](https://docs.pytorch.org/docs/stable/generated/torch.cuda.synchronize.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import AsyncRead
from devlint.rule import Draft, Finding, Rule
from devlint.syntax import tree as t
from devlint.syntax.edit import argument, remove_argument

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: AsyncRead) -> Iterator[Finding]:
    yield Finding(
        event.site,
        "the copy may not be done when it is read: the values may be wrong",
        ((event.read, "read here"),),
        help="copy without `non_blocking`, or synchronize before the read",
        fix=partial(_fix, event),
    )


def _fix(event: AsyncRead, ctx: Context) -> Draft | None:
    call = event.site.node
    given = argument(call, "non_blocking") if isinstance(call, t.Call) else None
    if given is None or not isinstance(call, t.Call):
        return None
    return ctx.draft("Wait for the copy", Safety.SAFE, remove_argument(ctx.source, call, given))


RULE = Rule(
    code="DEV603",
    name="non-blocking-to-host",
    summary="an asynchronous copy to the CPU is read before it is done",
    severity=Severity.ERROR,
    on=(AsyncRead,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
