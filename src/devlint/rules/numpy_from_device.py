"""A tensor on an accelerator is handed to NumPy

## What it does

Reports `.numpy()`, `np.asarray(x)` and what else reads a tensor through NumPy (functions of NumPy,
matplotlib, seaborn, scikit-learn, pandas), where the tensor, or one in a list of tensors, is on the
accelerator.

## Why is this bad?

NumPy reads memory of the host. A tensor elsewhere is not copied there in silence: PyTorch raises
`TypeError: can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host
memory first.` On a machine without an accelerator the same line runs, so the tests that run there do not
show it.

## Example

```python
# bad run=crash
import numpy as np
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(3, 1).to(device)
with torch.no_grad():
    out = model(torch.ones(4, 3, device=device))
np.save("out.npy", out.numpy())  # expect: DEV403
print(np.isfinite(out))  # expect: DEV403
```

```python
# fixed run
import numpy as np
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(3, 1).to(device)
with torch.no_grad():
    out = model(torch.ones(4, 3, device=device))
np.save("out.npy", out.cpu().numpy())
print(np.isfinite(out.cpu()))
```

A list of losses is best gathered as numbers:

```python
# good run
import numpy as np
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(3, 1).to(device)
losses = []
for _ in range(3):
    loss = model(torch.ones(4, 3, device=device)).mean()
    losses.append(loss.item())
print(np.isfinite(losses))
```

## Fix safety

Safe: `.cpu()` goes right before the conversion. Of a tensor that is on the CPU it returns the tensor
itself, so that nothing changes there, the shared memory included; elsewhere the line raised. For a list no
fix is offered: whether its tensors are to be read one by one (`.item()` where they are appended) or at once
is the author's choice.

## References

- [torch.Tensor.numpy](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.numpy.html)
- [torch.Tensor.cpu](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.cpu.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import HostRead
from devlint.model.value import Tuple
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import notes, on_accelerator
from devlint.syntax.edit import attribute

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: HostRead) -> Iterator[Finding]:
    if event.kind != "numpy" or event.where.caught:
        return
    leaf = on_accelerator(event.value)
    if leaf is None:
        return
    if type(event.value) is Tuple:
        message, remedy = (
            "needs tensors on the CPU",
            "gather them with `.cpu()`, or as numbers with `.item()`",
        )
    else:
        message, remedy = "needs a tensor on the CPU", "call `.cpu()` first"
    yield Finding(event.site, f"`{event.how}` {message}", notes(leaf), help=remedy, fix=partial(_fix, event))


def _fix(event: HostRead, ctx: Context) -> Draft | None:
    edits = []
    for read in ctx.alike(event):
        if on_accelerator(read.value) is None:
            continue
        if read.given is None or type(read.value) is Tuple:
            return None
        edits += attribute(ctx.source, read.given, "cpu()")
    return ctx.draft("Copy it to the CPU first", Safety.SAFE, edits)


RULE = Rule(
    code="DEV403",
    name="numpy-from-device",
    summary="a tensor on an accelerator is handed to NumPy",
    severity=Severity.ERROR,
    on=(HostRead,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
