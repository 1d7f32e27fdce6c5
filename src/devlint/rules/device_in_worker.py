"""An accelerator is used inside a loader's worker

## What it does

Reports moves to an accelerator, and tensors created there, in what the worker processes of a `DataLoader`
run: `__getitem__` and `__iter__` of its data set, its `collate_fn`. Only for loaders that have workers
(`num_workers` is neither left out nor 0).

## Why is this bad?

Workers are forked from a process that has used CUDA already, and CUDA does not survive a fork:
`RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must
use the 'spawn' start method`. With `spawn` each worker opens a CUDA context of its own, some hundred
megabytes of the card's memory, and must keep its tensors alive until the main process is done with them:
PyTorch's documentation advises against it.

## Example

```python
# bad
import torch
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Squares(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return torch.tensor([float(i * i)], device=device)  # expect: DEV606


for x in DataLoader(Squares(), batch_size=2, num_workers=2):
    print(x.sum().item())
```

The main process moves:

```python
# good
import torch
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Squares(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return torch.tensor([float(i * i)])


for x in DataLoader(Squares(), batch_size=2, num_workers=2, pin_memory=torch.cuda.is_available()):
    x = x.to(device, non_blocking=True)
    print(x.sum().item())
```

## Fix safety

No fix: the move belongs into every loop over the loader, which may be anywhere.

## References

- [torch.utils.data: multi-process data loading](https://docs.pytorch.org/docs/stable/data.html#multi-process-data-loading)
- [CUDA in multiprocessing](https://docs.pytorch.org/docs/stable/notes/multiprocessing.html#cuda-in-multiprocessing)
"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.model.events import Create, Move
from devlint.rule import Finding, Rule
from devlint.rules._evidence import goes_to_accelerator


def _check(event: Move | Create) -> Iterator[Finding]:
    if not event.where.worker or event.where.caught:
        return
    target = event.target if isinstance(event, Move) else event.device
    if target is None or not goes_to_accelerator(target):
        return
    yield Finding(
        event.site,
        "this runs in the loader's worker processes, which cannot use CUDA",
        help="return CPU tensors, and move the batch in the training loop",
    )


RULE = Rule(
    code="DEV606",
    name="device-in-worker",
    summary="an accelerator is used inside a loader's worker",
    severity=Severity.ERROR,
    on=(
        Move,
        Create,
    ),
    check=_check,
)
