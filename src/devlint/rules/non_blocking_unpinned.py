"""An asynchronous copy from memory that is not pinned

## What it does

Reports `x.to(device, non_blocking=True)` where `x` is known to be in ordinary, pageable memory: a batch of
a loader without `pin_memory=True`, an array from NumPy. And `x.pin_memory().to(device, non_blocking=True)`
in one line, where pinning costs more than it gains.

## Why is this bad?

From pageable memory CUDA copies through a pinned buffer of its own, piece by piece, and the host takes part
in it: the copy does not overlap with computation. It is not wrong, and not useless either (PyTorch does not
synchronise after each copy), but it is not what the line looks like. Pinning right before the copy blocks
the host for as long as a copy takes, and then copies: up to twice as slow as a plain `.to(device)`.

## Example

```python
# bad run=performance
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.ones(8, 3)), batch_size=4)
for (x,) in loader:
    x = x.to(device, non_blocking=True)  # expect: DEV601
    print(x.sum().item())
```

Pinned where the batch is made, by a thread of the loader:

```python
# good run
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.ones(8, 3)), batch_size=4, pin_memory=torch.cuda.is_available())
for (x,) in loader:
    x = x.to(device, non_blocking=True)
    print(x.sum().item())
```

## Fix safety

No fix: the batch is to be pinned where it is made, which costs memory that cannot be swapped. That is a
decision about the loader, not about this line.

## References

- [A guide on good usage of non_blocking and pin_memory](https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html)
- [Memory pinning in torch.utils.data](https://docs.pytorch.org/docs/stable/data.html#memory-pinning)
"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.model.device import CPU
from devlint.model.events import Move
from devlint.model.moves import receiver_of
from devlint.model.value import FACTORY_STEPS, Const, Tensor, Unknown
from devlint.rule import Finding, Rule
from devlint.rules._evidence import goes_to_accelerator, is_pinned, made_in, notes
from devlint.syntax import tree as t


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if event.non_blocking != Const(True) or type(receiver) not in (Tensor, Unknown):
        return
    if not goes_to_accelerator(event.target):
        return
    if _pins(event.site.node):
        yield Finding(
            event.site,
            "pinning right before the copy is slower than a plain copy",
            help="copy without pinning, or pin where the tensor is made",
        )
        return
    cause = receiver.cause
    if receiver.device is not CPU or cause is None or is_pinned(receiver) is not False:
        return
    if cause.kind in FACTORY_STEPS and made_in(event.site.node, cause):
        return  # it is to be made there, and not to be pinned
    if cause.kind != "loader" and _is_given(event):
        return  # what one caller makes says nothing of the others' tensors; batches are what they all give
    yield Finding(
        event.site,
        "the memory is not pinned: the copy does not overlap with computation",
        notes(receiver),
        help="pin it where it is made (`pin_memory=True` in the loader)",
    )


def _is_given(event: Move) -> bool:
    """Whether what is copied is a parameter of the function that copies it."""
    name, function = receiver_of(event.site.node), event.where.function
    return (
        isinstance(name, t.Name)
        and function is not None
        and any(p.name == name.id for p in function.node.params)
        and event.site.file is function.file
    )


def _pins(call: t.Node) -> bool:
    """Whether what is copied is pinned in the same expression."""
    inner = call.func.value if isinstance(call, t.Call) and isinstance(call.func, t.Attr) else None
    return isinstance(inner, t.Call) and isinstance(inner.func, t.Attr) and inner.func.attr == "pin_memory"


RULE = Rule(
    code="DEV601",
    name="non-blocking-unpinned",
    summary="an asynchronous copy from memory that is not pinned",
    severity=Severity.INFO,
    on=(Move,),
    check=_check,
)
