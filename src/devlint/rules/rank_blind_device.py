"""Every rank of a distributed program takes the same card

## What it does

Looks at programs that call `torch.distributed.init_process_group`. Two faults are found: nobody asks for the
local rank, and `"cuda"` is taken for the device; or the global rank is taken for the index of a card.

## Why is this bad?

`"cuda"` is the current card, and that is card 0 in each process until somebody sets another one. All ranks
of a machine share one card, the others idle; NCCL refuses ("Duplicate GPU detected: rank 0 and rank 1 both
on CUDA device") or waits for ever.

The global rank counts over all machines. On the second one of 8 cards it begins at 8, where there is no such
card: "CUDA error: invalid device ordinal". On one machine nobody sees it.

torchrun tells each process its place on its machine in `LOCAL_RANK`.

## Example

```python
# bad
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # expect: DEV205
model = DistributedDataParallel(nn.Linear(3, 1).to(device))
```

```python
# fixed
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = DistributedDataParallel(nn.Linear(3, 1).to(device))
```

```python
# bad
import torch
import torch.distributed as dist

dist.init_process_group("nccl")
rank = dist.get_rank()
torch.cuda.set_device(rank)  # expect: DEV205
```

```python
# fixed
import torch
import torch.distributed as dist

dist.init_process_group("nccl")
rank = dist.get_rank()
torch.cuda.set_device(rank % torch.cuda.device_count())
```

```python
# good
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")
model = nn.Linear(3, 1).to(torch.device("cuda", local_rank))
model = DistributedDataParallel(model, device_ids=[local_rank])
```

## Fix safety

Unsafe: what each process does changes, as it should; and how the processes are started is not in the program.
`LOCAL_RANK` is there under torchrun, so nothing is offered where the program starts its processes itself.

## References

- [torchrun: environment variables](https://docs.pytorch.org/docs/stable/elastic/run.html#environment-variables)
- [torch.cuda.set_device](https://docs.pytorch.org/docs/stable/generated/torch.cuda.set_device.html)
- [DistributedDataParallel](https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from devlint.diagnostic import Safety, Severity
from devlint.model.events import RankBlind, Where
from devlint.model.value import Site, Unknown
from devlint.rule import Draft, Finding, Rule
from devlint.syntax import tree as t
from devlint.syntax.edit import after
from devlint.syntax.layout import quote, step
from devlint.syntax.statements import add_standard_import, insert_after
from devlint.syntax.walk import walk
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context

_GET_RANK = "torch.distributed.get_rank"


def _check(event: RankBlind) -> Iterator[Finding]:
    if event.how == "global":
        yield Finding(
            event.site,
            "the global rank is no card's index: on a second machine there is no such card",
            tuple((site, "it is one here too") for site, _ in event.also if site.stmt is not event.site.stmt),
            help="use the local rank: `int(os.environ['LOCAL_RANK'])`",
            fix=partial(_fix_global, event),
        )
        return
    yield Finding(
        event.site,
        'every rank of this distributed program takes the same card: "cuda" is card 0 in each',
        tuple((site, "the ranks come together here") for site, _ in event.also),
        help="choose one by the local rank: `torch.cuda.set_device(int(os.environ['LOCAL_RANK']))`",
        fix=partial(_fix_same, event),
    )


def _fix_same(event: RankBlind, ctx: Context) -> Draft | None:
    """Sets the card right after the ranks have come together."""
    site, where = event.also[0]
    torch = ctx.spelled("torch", where)
    starts_them = b"spawn" in ctx.source.data or b"Process" in ctx.source.data
    if site.file is not event.site.file or torch is None or starts_them:
        return None
    if not isinstance(site.stmt, t.ExprStmt) or site.stmt.value is not site.node:
        return None
    os = ctx.spelled("os", where)
    imports = [] if os is not None else [add_standard_import(ctx.source, "os")]
    q = quote(ctx.source)
    text = f"{torch}.cuda.set_device(int({os or 'os'}.environ[{q}LOCAL_RANK{q}]))"
    if event.fallback:
        text = f"if {torch}.cuda.is_available():\n{step(ctx.source)}{text}"
    edits = [edit for edit in (*imports, insert_after(ctx.source, site.stmt, text)) if edit is not None]
    if len(edits) <= len(imports):
        return None
    return ctx.draft("Set the card by the local rank", Safety.UNSAFE, edits)


def _fix_global(event: RankBlind, ctx: Context) -> Draft | None:
    """Takes the rank modulo the number of cards, wherever it is an index."""
    edits: list[Edit] = []
    for site, where in ((event.site, event.where), *event.also):
        torch = ctx.spelled("torch", where)
        found = [node for node in _ranks(site, where, ctx) if torch is not None]
        if not found or site.file is not event.site.file:
            return None
        edits += [after(ctx.source, node, f" % {torch}.cuda.device_count()") for node in found]
    return ctx.draft("Take the rank on its machine", Safety.UNSAFE, edits)


def _ranks(site: Site, where: Where, ctx: Context) -> Iterator[t.Expr]:
    """The expressions in the arguments of a call that are the global rank."""
    stack: list[t.Node] = [*site.node.args] if isinstance(site.node, t.Call) else []
    while stack:
        node = stack.pop()
        called = isinstance(node, t.Call) and ctx.calls(node, _GET_RANK, where)
        if isinstance(node, t.Expr) and (called or _is_rank(node, where)):
            yield node
        elif isinstance(node, (t.Arg, t.Display, t.Format)):
            stack += [child for child in walk(node) if child is not node and _is_inside(node, child)]


def _is_inside(outer: t.Node, node: t.Node) -> bool:
    if isinstance(outer, t.Arg):
        return outer.value is node
    parts: list[Any] = outer.items if isinstance(outer, t.Display) else getattr(outer, "parts", [])
    return any(part is node for part in parts)


def _is_rank(node: t.Expr, where: Where) -> bool:
    name = node.id if isinstance(node, t.Name) else ""
    value = next((scope[name] for scope in where.names if name in scope), None)
    return type(value) is Unknown and value.root.kind == "rank" and "%text" not in value.attrs


RULE = Rule(
    code="DEV205",
    name="rank-blind-device",
    summary="every rank of a distributed program takes the same card",
    severity=Severity.ERROR,
    on=(RankBlind,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
