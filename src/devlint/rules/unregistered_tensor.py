"""A tensor that a module needs is kept as a plain attribute

## What it does

Reports a tensor that a module keeps as a plain attribute, in a list or in a dict, where it meets what does move: the
input, a parameter, a buffer, the output of a layer. It is reported at the assignment; the place where it meets
them is a note. Nothing is said of a tensor that is moved before it is used, that is only read by Python
(`.tolist()`), that is an index or 0-dim (PyTorch lets those mix), or that the class moves itself (`_apply`, `to`).

## Why is this bad?

`module.to(device)` moves parameters, buffers and sub-modules. A plain attribute stays where it was made, and the
first use raises `RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0
and cpu!`. Nor does it follow `module.half()`. On a machine without an accelerator nothing shows.

## Example

```python
# bad run=crash
import torch
from torch import nn


class Normalize(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.tensor([0.5, 0.4, 0.3])  # expect: DEV301

    def forward(self, x):
        return x - self.mean


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Normalize().to(device)(torch.ones(2, 3, device=device)).shape)
```

```python
# fixed run
import torch
from torch import nn


class Normalize(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "mean", torch.tensor([0.5, 0.4, 0.3]), persistent=False
        )

    def forward(self, x):
        return x - self.mean


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Normalize().to(device)(torch.ones(2, 3, device=device)).shape)
```

What is put beside the input each time needs no buffer:

```python
# good run
import torch
from torch import nn


class Normalize(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.tensor([0.5, 0.4, 0.3])

    def forward(self, x):
        return x - self.mean.to(x.device)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Normalize().to(device)(torch.ones(2, 3, device=device)).shape)
```

## Fix safety

Unsafe: the tensor becomes a buffer, which follows `.half()` and is listed in `buffers()`. It is registered with
`persistent=False`, so that the keys of `state_dict()` stay as they are and old checkpoints load. Should it be
saved, leave that out.

There is no fix where the class assigns anything but a tensor or None to the attribute elsewhere: PyTorch lets nothing
else be assigned to a buffer.

## References

- [torch.nn.Module.register_buffer](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.register_buffer)
- [torch.nn.parameter.Buffer](https://docs.pytorch.org/docs/stable/generated/torch.nn.parameter.Buffer.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.device import CPU, Like
from devlint.model.events import Combine
from devlint.model.value import Step
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import causes, may_be_on_accelerator, origin, sides

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Combine) -> Iterator[Finding]:
    for leaf, _, other in sides(event):
        if leaf.device is not CPU or not may_be_on_accelerator(other):
            continue
        if not event.where.forward and isinstance(other, Like) and other.root.kind != "module":
            continue  # whether what a caller passes has been moved is not known
        for step in causes(leaf):
            if step.kind == "store" and (step.prev is None or step.prev.kind != "placed"):
                yield Finding(
                    step.site,
                    "a plain tensor attribute: moving the module leaves it behind",
                    (*origin(step), (event.site, f"it meets a tensor on {other!r} here")),
                    help="register it with `register_buffer`",
                    fix=partial(_fix, step),
                )


def _fix(step: Step, ctx: Context) -> Draft | None:
    edits = ctx.as_buffer(step.site)
    return None if edits is None else ctx.draft("Register it as a buffer", Safety.UNSAFE, edits)


RULE = Rule(
    code="DEV301",
    name="unregistered-tensor",
    summary="a tensor that a module needs is kept as a plain attribute",
    severity=Severity.ERROR,
    on=(Combine,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
