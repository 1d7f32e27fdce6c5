"""The optimizer is built before the model is moved

## What it does

Looks for a model that is moved to a device after an optimizer was built with its parameters.

## Why is this bad?

`Module.to()` moves the data of each parameter and keeps the parameter itself, on CPU and CUDA with today's
defaults: most optimizers go on to train it. That is not so everywhere:

- `torch.optim.Adagrad` makes its state when it is built, and the state stays on the CPU: "Expected all
  tensors to be on the same device" at the first step;
- on XLA devices (TPU) and from the `meta` device the move makes new parameters: the optimizer has the old
  ones, and nothing is trained;
- state that was loaded into the optimizer lies where the parameters were then;
- what wraps the model between the two may keep other parameters.

The documentation of `Module.cuda()` asks for the other order: "it should be called before constructing the
optimizer".

## Example

```python
# bad run=crash
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 1)
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
model.to(device)  # expect: DEV306
loss = model(torch.ones(2, 3, device=device)).square().mean()
loss.backward()
optimizer.step()
```

```python
# fixed run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 1)
model.to(device)
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
loss = model(torch.ones(2, 3, device=device)).square().mean()
loss.backward()
optimizer.step()
```

```python
# good run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.ones(2, 3, device=device)).sum().backward()
optimizer.step()
```

## Fix safety

Unsafe: what stands between the two statements sees the model on the device. The move goes before the
optimizer with the comments that belong to it; no fix is offered where it reads something that is bound only
later.

## References

- [torch.nn.Module.cuda](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.cuda)
- [torch.optim](https://docs.pytorch.org/docs/stable/optim.html)
- [pytorch/pytorch#7844](https://github.com/pytorch/pytorch/issues/7844)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import LateMove
from devlint.rule import Draft, Finding, Rule
from devlint.rules._late import before_earlier

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: LateMove) -> Iterator[Finding]:
    if event.kind != "optimizer":
        return
    if event.fragile:
        message = "moved after the optimizer took the parameters: the state that it made then stays behind"
    else:
        message = "moved after the optimizer took the parameters: they may not be those that it trains"
    yield Finding(
        event.site,
        message,
        ((event.earlier, "the optimizer is built here"),),
        help="move the model first",
        fix=partial(_fix, event),
    )


def _fix(event: LateMove, ctx: Context) -> Draft | None:
    edits = before_earlier(event, ctx)
    return None if edits is None else ctx.draft("Move the model first", Safety.UNSAFE, edits)


RULE = Rule(
    code="DEV306",
    name="optimizer-before-move",
    summary="the optimizer is built before the model is moved",
    severity=Severity.WARNING,
    on=(LateMove,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
