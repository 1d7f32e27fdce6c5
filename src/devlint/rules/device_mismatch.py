"""Operands on different devices

## What it does

Reports an operation whose operands are on different devices, where an accelerator is available: one was
moved, or made on the device, and the other was not. What PyTorch allows is silent: 0-dim CPU tensors in
element-wise operations, CPU indices into a tensor elsewhere, `copy_` and assignments to items.

If another rule tells of the cause (a tensor created in `forward`, a plain attribute of a module, a dropped
`.to()`), it reports that instead. What is passed to a module or a loss is reported by input-not-moved, an
index on an accelerator into a tensor on the CPU by host-argument-on-device.

## Why is this bad?

PyTorch never copies between devices in silence. It raises `RuntimeError: Expected all tensors to be on the
same device, but found at least two devices, cuda:0 and cpu!`. On a machine without an accelerator the same
line runs.

## Example

```python
# bad run=crash
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
images = torch.zeros(2, 3, 4, 4, device=device)
mean = torch.tensor([0.1, 0.2, 0.3]).view(1, 3, 1, 1)
print((images - mean).sum().item())  # expect: DEV401
```

```python
# fixed run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
images = torch.zeros(2, 3, 4, 4, device=device)
mean = torch.tensor([0.1, 0.2, 0.3], device=device).view(1, 3, 1, 1)
print((images - mean).sum().item())
```

These mix, and are silent:

```python
# good run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
images = torch.zeros(2, 3, 4, 4, device=device)
images = images * torch.tensor(2.0) + torch.ones(3).mean()
images[0] = torch.ones(3, 4, 4)
print(images[torch.tensor([1, 0])].sum().item())
```

## Fix safety

Unsafe: a tensor that a factory made on the CPU is created where the other operand is (a random one draws
other numbers there); any other is moved in the operation (an index: to the CPU), which copies whenever the
line is reached. Someone should look whether it could be moved once, and whether the result is wanted there.

## References

- [CUDA semantics](https://docs.pytorch.org/docs/stable/notes/cuda.html)
- [Tensor.to](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Combine
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import fault_of, is_mismatch, notes, of_one_fault

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Combine) -> Iterator[Finding]:
    if event.op == "index" or not is_mismatch(event):
        return
    yield Finding(
        event.site,
        f"operands on different devices: {event.left_device!r} and {event.right_device!r}",
        (*notes(event.left), *notes(event.right)),
        help="create or move both there",
        fix=partial(_fix, event),
        fault=fault_of(event),
    )


def _fix(event: Combine, ctx: Context) -> Draft | None:
    edits = ctx.bring_together(of_one_fault(event, ctx.every(Combine)))
    return None if edits is None else ctx.draft("Put it on the other's device", Safety.UNSAFE, edits)


RULE = Rule(
    code="DEV401",
    name="device-mismatch",
    summary="operands on different devices",
    severity=Severity.ERROR,
    on=(Combine,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
