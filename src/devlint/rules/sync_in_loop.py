"""The host waits for the device on every step of a training loop

## What it does

Reports what reads a tensor's values on the host (`.item()`, `float(loss)`, `.cpu()`, `.numpy()`,
`print(loss)`) on every step of a loop that calls `backward()`. This rule is off by default: select it with
`--extend-select DEV605`.

## Why is this bad?

Kernels are queued: the host runs ahead of the device, and prepares the next batch while the last one is
computed. Reading a value empties the queue. On small models that is most of the time of a step; on large
ones it is nothing, and once in a hundred steps it is nothing either, so this is a hint and no fault.

In an evaluation loop, results are often brought back batch by batch to keep memory small: loops without
`backward()` are silent.

## Example

```python
# bad run=performance
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(3, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for step in range(4):
    loss = model(torch.ones(8, 3, device=device)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss.item()  # expect: DEV605
print(total >= 0)
```

```python
# good run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(3, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = torch.zeros((), device=device)
for step in range(4):
    loss = model(torch.ones(8, 3, device=device)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss.detach()
    if step % 100 == 0:
        print(loss.item() >= 0)
print(total.item() >= 0)
```

## Fix safety

No fix: what to gather, and how often to read it, is for the author to say.

## References

- [Avoid unnecessary CPU-GPU synchronization](https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html)
- [CUDA semantics: asynchronous execution](https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution)
"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.model.device import CPU
from devlint.model.events import Sync
from devlint.rule import Finding, Rule
from devlint.rules._evidence import is_tensor, on_accelerator


def _check(event: Sync) -> Iterator[Finding]:
    value = event.value
    if not is_tensor(value) or value.device is CPU:
        return
    if event.how not in _CALLS and on_accelerator(value) is None:
        return
    how = _CALLS.get(event.how, f".{event.how}()")
    yield Finding(
        event.site,
        f"`{how}` makes the host wait for the device on every step",
        help="gather values on the device, and read them now and then",
    )


_CALLS = {"print": "print", "int": "int()", "float": "float()"}


RULE = Rule(
    code="DEV605",
    name="sync-in-loop",
    summary="the host waits for the device on every step of a training loop",
    severity=Severity.INFO,
    on=(Sync,),
    check=_check,
    default=False,
)
