"""A module or a loss is called with what is on another device

## What it does

Reports the call of a module or of a loss whose argument is on another device than its parameters, buffers
or class weights, or than its other arguments: a batch from a loader that nobody moved, a target that stayed
behind, a model that was never moved while its inputs were, class weights in a loss that was not moved.

## Why is this bad?

Moving a model moves its parameters, not what it is called with. PyTorch raises `RuntimeError: Expected all
tensors to be on the same device, but found at least two devices, cuda:0 and cpu!`, or of a convolution
`Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same`. It happens in
the evaluation loop, in `act()`, after a custom `collate_fn`, in the one line of `predict` that no test on a
CPU machine can see fail.

## Example

```python
# bad run=crash
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.ones(8, 3), torch.zeros(8, dtype=torch.long)), batch_size=4)
model = nn.Linear(3, 2).to(device)
criterion = nn.CrossEntropyLoss()
for inputs, targets in loader:
    outputs = model(inputs)  # expect: DEV402
    loss = criterion(outputs, targets)  # expect: DEV402
    print(loss.shape)
```

```python
# fixed run
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.ones(8, 3), torch.zeros(8, dtype=torch.long)), batch_size=4)
model = nn.Linear(3, 2).to(device)
criterion = nn.CrossEntropyLoss()
for inputs, targets in loader:
    outputs = model(inputs.to(device))
    loss = criterion(outputs, targets.to(device))
    print(loss.shape)
```

The usual form moves the batch once, at the top of the loop:

```python
# good run
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.ones(8, 3), torch.zeros(8, dtype=torch.long)), batch_size=4)
model = nn.Linear(3, 2).to(device)
criterion = nn.CrossEntropyLoss()
for inputs, targets in loader:
    inputs, targets = inputs.to(device), targets.to(device)
    loss = criterion(model(inputs), targets)
    print(loss.shape)
```

## Fix safety

Unsafe: an argument that a factory made on the CPU is created on the module's device (a random one draws
other numbers there), any other is moved in the call. The line then runs, but someone should look whether
the batch should be moved once, and whether it is the model that was to be moved. Where the module or its
weights stayed behind no fix is offered.

## References

- [CUDA semantics](https://docs.pytorch.org/docs/stable/notes/cuda.html)
- [torch.nn.Module.to](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.to)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Combine
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import differs, explained, fault_of, first_call, notes

if TYPE_CHECKING:
    from devlint.fix.context import Context
    from devlint.model.value import Site


def _check(event: Combine) -> Iterator[Finding]:
    site = _call(event)
    if site is None or event.where.caught or not differs(event) or explained(event, passed=True):
        return
    yield Finding(
        site,
        f"called with tensors on {event.left_device!r} and {event.right_device!r}",
        (*notes(event.left), *notes(event.right)),
        help="move the input to the module's device",
        fix=partial(_fix, event),
        fault=fault_of(event),
    )


def _call(event: Combine) -> Site | None:
    """The call that a person would change: the outermost one of a module that was given what is misplaced."""
    call = first_call(event.left) or first_call(event.right)
    if call is not None:
        return call.site
    return event.site if event.owner is not None else None


def _fix(event: Combine, ctx: Context) -> Draft | None:
    fault = fault_of(event)
    meetings = [event] if fault is None else [e for e in ctx.every(Combine) if _is_same(e, fault)]
    calls = [(meeting, site) for meeting in meetings if (site := _call(meeting)) is not None]
    edits = ctx.move_arguments(calls)
    return None if not edits else ctx.draft("Put it on the module's device", Safety.UNSAFE, edits)


def _is_same(event: Combine, fault: Site) -> bool:
    """Whether a call is reported with others of the same fault."""
    at = fault_of(event) if any(_check(event)) else None
    return at is not None and at.node is fault.node


RULE = Rule(
    code="DEV402",
    name="input-not-moved",
    summary="a module or a loss is called with what is on another device",
    severity=Severity.ERROR,
    on=(Combine,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
