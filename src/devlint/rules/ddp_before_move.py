"""A module is moved after DistributedDataParallel wrapped it

## What it does

Looks for `.to(device)` or `.cuda()` on a module, or on its wrapper, after `DistributedDataParallel(module)`.

## Why is this bad?

The wrapper looks at the parameters once: it checks that they are on one device, broadcasts them from rank 0,
and makes its buckets for the gradients there. Moved afterwards, the gradients are reduced in buffers on the
CPU, or the first step raises: "Expected all tensors to be on the same device", or with NCCL, which knows no
CPU tensors, `RuntimeError: No backend type associated with device type cpu` when the module is wrapped.

`torch.nn.DataParallel` looks at the parameters at each call, and may be moved.

## Example

```python
# bad
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
model = DistributedDataParallel(nn.Linear(3, 1))
model.to(device)  # expect: DEV505
```

```python
# fixed
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
model = DistributedDataParallel(nn.Linear(3, 1).to(device))
```

```python
# good
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("nccl")
device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
model = nn.Linear(3, 1).to(device)
model = DistributedDataParallel(model, device_ids=[device.index])
```

## Fix safety

Unsafe: what stands between the two statements sees the module on the device, and the parameters are
broadcast from there.

## References

- [torch.nn.parallel.DistributedDataParallel](https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html)
- [DDP notes](https://docs.pytorch.org/docs/stable/notes/ddp.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import LateMove
from devlint.rule import Draft, Finding, Rule
from devlint.rules._late import before_wrapping

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: LateMove) -> Iterator[Finding]:
    if event.kind == "ddp":
        yield Finding(
            event.site,
            "moved after DistributedDataParallel took its parameters",
            ((event.earlier, "wrapped here"),),
            help="move the module, then wrap it",
            fix=partial(_fix, event),
        )


def _fix(event: LateMove, ctx: Context) -> Draft | None:
    edits = before_wrapping(event, ctx)
    return None if edits is None else ctx.draft("Move the module, then wrap it", Safety.UNSAFE, edits)


RULE = Rule(
    code="DEV505",
    name="ddp-before-move",
    summary="a module is moved after DistributedDataParallel wrapped it",
    severity=Severity.ERROR,
    on=(LateMove,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
