"""A tensor is created in `forward` without the input's device

## What it does

Reports a factory (`torch.zeros`, `torch.arange`, `torch.tensor` ...) without `device=` that runs inside `forward`, or
inside what `forward` calls (methods, properties, functions of the project, in other files too), when the tensor
meets the input, a parameter or a buffer in an operation that wants one device. It is reported at the factory;
where they meet is a note.

Not reported: a tensor that is moved before (`.to(x.device)`, `.type_as(x)`), that a `with torch.device(...)` covers,
that is only read by Python (`.tolist()`, `.item()`, a condition), that meets nothing, and what PyTorch lets mix:
0-dim tensors in element-wise operations, indices, values stored into a slice.

## Why is this bad?

A factory without a device creates on the CPU, whatever the device of the input. With the module on an accelerator
the operation raises `RuntimeError: Expected all tensors to be on the same device, but found at least two devices,
cuda:0 and cpu!`. On a machine without one everything is on the CPU, and nothing shows. This is the most
frequent device fault in public reports.

## Example

```python
# bad run=crash
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(16, 4)

    def forward(self, x):
        steps = torch.arange(x.size(1))  # expect: DEV304
        return x + self.table(steps)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Positions().to(device)(torch.ones(2, 3, 4, device=device)).shape)
```

```python
# fixed run
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(16, 4)

    def forward(self, x):
        steps = torch.arange(x.size(1), device=x.device)
        return x + self.table(steps)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Positions().to(device)(torch.ones(2, 3, 4, device=device)).shape)
```

A tensor whose values only Python reads may stay on the CPU:

```python
# good run
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(depth)])

    def forward(self, x):
        for rate, layer in zip(torch.linspace(0, 1, len(self.layers)).tolist(), self.layers):
            x = x + rate * layer(x) * torch.tensor(0.5)
        return x


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Stack().to(device)(torch.ones(2, 4, device=device)).shape)
```

## Fix safety

Safe: `device=` of the tensor that it meets is what the operation demands. Where the two devices differ the program
raised until now; where they do not, the same tensor is made, random numbers included. The device is taken
from what is at hand where the factory stands: a device variable, a tensor of that device, else the module's
parameters.

Unsafe in a helper that knows nothing of the sort: it gets a parameter `device=None`, which its caller in `forward`
fills in. Another function that takes the helper's place (an overriding method) would have to take it, too.

## References

- [CUDA semantics: device-agnostic code](https://docs.pytorch.org/docs/stable/notes/cuda.html#device-agnostic-code)
- [torch.Tensor.new_zeros](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.new_zeros.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.device import CPU, Device
from devlint.model.events import Combine
from devlint.model.value import Step
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import causes, is_made_in_forward, may_be_on_accelerator, sides
from devlint.syntax import tree as t
from devlint.syntax.edit import set_argument

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Combine) -> Iterator[Finding]:
    for leaf, _, other in sides(event):
        if leaf.device is not CPU or not may_be_on_accelerator(other):
            continue
        for step in causes(leaf):
            if is_made_in_forward(step, event):
                yield Finding(
                    step.site,
                    "created on the CPU, whatever the device of the input",
                    ((event.site, f"it meets a tensor on {other!r} here"),),
                    help="pass `device=`",
                    fix=partial(_fix, event, step, other),
                )


def _fix(event: Combine, step: Step, other: Device, ctx: Context) -> Draft | None:
    factory = step.site.node
    if not isinstance(factory, t.Call) or not ctx.without_device(factory):
        return None
    device = ctx.device_met(step.site, other, event.site)
    if device is None:
        passed = ctx.pass_device(step.site, event, other)
        return None if passed is None else ctx.draft("Pass the device on", Safety.UNSAFE, passed)
    edits = set_argument(ctx.source, factory, "device", device.text)
    return ctx.draft(f"Create it on `{device.text}`", Safety.SAFE, device.edits, edits)


RULE = Rule(
    code="DEV304",
    name="factory-without-device",
    summary="a tensor is created in `forward` without the input's device",
    severity=Severity.ERROR,
    on=(Combine,),
    check=_check,
    safeties=frozenset({Safety.SAFE, Safety.UNSAFE}),
)
