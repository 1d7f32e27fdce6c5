"""A layer is built inside `forward`

## What it does

Reports a module with parameters or buffers that is made while `forward` runs, in `forward` itself or in what it
calls, and that is kept nowhere. Layers without state (`nn.ReLU()(x)`, a loss without weights) may be made
anywhere, and a layer that is built on the first call and assigned to the module is registered by that.

## Why is this bad?

Every call makes a new layer with new random weights. The optimizer never sees them, so they are never trained, and
`state_dict()` never holds them; the loss goes down all the same, because the other layers adapt, and nothing is
raised. Unless the line moves it, the layer is on the CPU as well, and with a GPU the call raises `RuntimeError:
Expected all tensors to be on the same device`.

## Example

```python
# bad run=crash
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)

    def forward(self, x):
        head = nn.Linear(4, 1)  # expect: DEV305
        return head(self.body(x))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Net().to(device)(torch.ones(2, 3, device=device)).shape)
```

It is built once, in `__init__`:

```python
# good run
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.head = nn.Linear(4, 1)

    def forward(self, x):
        return self.head(nn.ReLU()(self.body(x)))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Net().to(device)(torch.ones(2, 3, device=device)).shape)
```

## Fix safety

There is no fix: where the layer belongs, and with which sizes, is the author's to say, and a model that was trained
without it has to be trained again.

## References

- [torch.nn.Module](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html)
- [torch.nn.LazyLinear](https://docs.pytorch.org/docs/stable/generated/torch.nn.LazyLinear.html), for sizes that the first input tells
"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.model.device import CPU
from devlint.model.events import Build
from devlint.model.value import PLACE
from devlint.rule import Finding, Rule
from devlint.rules._evidence import learns


def _check(event: Build) -> Iterator[Finding]:
    if not event.where.forward or "%owned" in event.obj.attrs or not learns(event.obj):
        return
    place = ", and starts on the CPU" if event.obj.attrs.get(PLACE) is CPU else ""
    yield Finding(
        event.site,
        f"a layer is built on every call: it is never trained{place}",
        help="build it in `__init__`",
    )


RULE = Rule(
    code="DEV305",
    name="module-in-forward",
    summary="a layer is built inside `forward`",
    severity=Severity.ERROR,
    on=(Build,),
    check=_check,
)
