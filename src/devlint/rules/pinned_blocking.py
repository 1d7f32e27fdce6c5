"""Pinned memory, and a copy that blocks

## What it does

Reports `.to(device)` and `.cuda()` of batches that a loader pins (`pin_memory=True`), without
`non_blocking=True`.

## Why is this bad?

Pinned memory exists for copies that run beside the computation. Without `non_blocking=True` the host waits
for each copy, and only then queues the next kernels: the pinning has cost memory and a thread, and gained
only a part of what it can.

## Example

```python
# bad run=performance
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.ones(8, 3)), batch_size=4, pin_memory=True)
for (x,) in loader:
    x = x.to(device)  # expect: DEV602
    print(x.sum().item())
```

```python
# fixed run
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.ones(8, 3)), batch_size=4, pin_memory=True)
for (x,) in loader:
    x = x.to(device, non_blocking=True)
    print(x.sum().item())
```

Without pinning nothing is to be done:

```python
# good run
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.ones(8, 3)), batch_size=4)
for (x,) in loader:
    x = x.to(device)
    print(x.sum().item())
```

## Fix safety

Safe: copies to a CUDA device are queued on the stream that uses them, so whoever reads the tensor there
reads it after the copy; the source is a batch that the loader made for this turn alone. Only copies to CUDA
devices are reported.

## References

- [A guide on good usage of non_blocking and pin_memory](https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html)
- [CUDA semantics: use pinned memory buffers](https://docs.pytorch.org/docs/stable/notes/cuda.html#use-pinned-memory-buffers)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.device import CPU
from devlint.model.events import Move
from devlint.model.value import Tensor, Unknown
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import goes_to_accelerator, is_pinned, notes
from devlint.syntax import tree as t
from devlint.syntax.edit import set_argument

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Move) -> Iterator[Finding]:
    receiver, call = event.receiver, event.site.node
    if event.non_blocking is not None or event.method not in ("to", "cuda") or not isinstance(call, t.Call):
        return
    if (
        type(receiver) not in (Tensor, Unknown)
        or receiver.device is not CPU
        or is_pinned(receiver) is not True
    ):
        return
    if not goes_to_accelerator(event.target, ("cuda",)) or _says_more(event, call):
        return
    yield Finding(
        event.site,
        "the batch is in pinned memory, but the copy blocks",
        notes(receiver),
        help="pass `non_blocking=True`",
        fix=partial(_fix, event),
    )


def _says_more(event: Move, call: t.Call) -> bool:
    """Whether the call may have the argument already: in stars, or as a third positional one."""
    return len(call.args) > 2 or any(arg.star for arg in call.args)


def _fix(event: Move, ctx: Context) -> Draft | None:
    call = event.site.node
    if not isinstance(call, t.Call):
        return None
    edits = set_argument(ctx.source, call, "non_blocking", "True")
    return ctx.draft("Pass `non_blocking=True`", Safety.SAFE, edits)


RULE = Rule(
    code="DEV602",
    name="pinned-blocking",
    summary="pinned memory, and a copy that blocks",
    severity=Severity.INFO,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
