"""An argument that PyTorch wants on the CPU is on the accelerator

## What it does

Reports arguments that stay on the CPU whatever the other operands are on, where they were moved:

- `lengths` of `torch.nn.utils.rnn.pack_padded_sequence`,
- the split points of `torch.tensor_split`,
- a `torch.Generator` of one device handed to a factory that creates on another,
- an index on an accelerator into a tensor on the CPU.

## Why is this bad?

These are read by the host. PyTorch does not copy them: `pack_padded_sequence` raises `RuntimeError:
'lengths' argument should be a 1D CPU int64 tensor, but got 1D cuda:0 Long tensor`, a factory `RuntimeError:
Expected a 'cuda' device type for generator but found 'cpu'`, an index `RuntimeError: indices should be either
on cpu or on the same device as the indexed tensor (cpu)`. It comes from code that moves a batch as a whole:
inputs, labels and lengths alike; or that keeps a large table on the host.

## Example

```python
# bad run=crash
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
rnn = nn.GRU(3, 5, batch_first=True).to(device)
x, lengths = torch.ones(2, 4, 3), torch.tensor([4, 2])
x, lengths = x.to(device), lengths.to(device)
packed = pack_padded_sequence(x, lengths, batch_first=True)  # expect: DEV404
print(rnn(packed)[1].shape)
```

```python
# fixed run
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
rnn = nn.GRU(3, 5, batch_first=True).to(device)
x, lengths = torch.ones(2, 4, 3), torch.tensor([4, 2])
x, lengths = x.to(device), lengths.to(device)
packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True)
print(rnn(packed)[1].shape)
```

Without the detour:

```python
# good run
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
rnn = nn.GRU(3, 5, batch_first=True).to(device)
x, lengths = torch.ones(2, 4, 3), torch.tensor([4, 2])
packed = pack_padded_sequence(x.to(device), lengths, batch_first=True)
print(rnn(packed)[1].shape)
```

## Fix safety

Safe: `.cpu()` at the argument. Of a tensor on the CPU it returns the tensor itself, so nothing changes
where the line ran; elsewhere it raised. At an index it is unsafe: the table may be what should be moved. For
a generator no fix is offered: whether the numbers should be
the same on every machine (create on the CPU, then move) or be drawn on the device is the author's choice.

## References

- [pack_padded_sequence](https://docs.pytorch.org/docs/stable/generated/torch.nn.utils.rnn.pack_padded_sequence.html)
- [torch.tensor_split](https://docs.pytorch.org/docs/stable/generated/torch.tensor_split.html)
- [torch.Generator](https://docs.pytorch.org/docs/stable/generated/torch.Generator.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Combine, HostRead
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import fault_of, is_mismatch, notes, of_one_fault, on_accelerator
from devlint.syntax.edit import attribute

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: HostRead | Combine) -> Iterator[Finding]:
    yield from _indexed(event) if isinstance(event, Combine) else _read(event)


def _indexed(event: Combine) -> Iterator[Finding]:
    if event.op != "index" or not is_mismatch(event):
        return
    yield Finding(
        event.site,
        f"a tensor on {event.left_device!r} is indexed by one on {event.right_device!r}",
        (*notes(event.left), *notes(event.right)),
        help="keep the index on the CPU",
        fix=partial(_fix_index, event),
        fault=fault_of(event),
    )


def _fix_index(event: Combine, ctx: Context) -> Draft | None:
    edits = ctx.bring_together(of_one_fault(event, ctx.every(Combine)))
    return None if edits is None else ctx.draft("Put it on the other's device", Safety.UNSAFE, edits)


def _read(event: HostRead) -> Iterator[Finding]:
    if event.kind == "numpy" or event.where.caught:
        return
    leaf = on_accelerator(event.value)
    if event.kind == "generator":
        yield Finding(
            event.site,
            "the generator is on another device than the tensor that it is to fill",
            notes(leaf),
            help="make the generator on that device, or create on the CPU and move",
        )
    elif leaf is not None:
        yield Finding(
            event.site,
            f"`{event.how}` wants this argument on the CPU",
            notes(leaf),
            help="leave it there",
            fix=partial(_fix, event),
        )


def _fix(event: HostRead, ctx: Context) -> Draft | None:
    if event.given is None:
        return None
    return ctx.draft("Copy it to the CPU", Safety.SAFE, attribute(ctx.source, event.given, "cpu()"))


RULE = Rule(
    code="DEV404",
    name="host-argument-on-device",
    summary="an argument that PyTorch wants on the CPU is on the accelerator",
    severity=Severity.ERROR,
    on=(HostRead, Combine),
    check=_check,
    safeties=frozenset({Safety.SAFE, Safety.UNSAFE}),
)
