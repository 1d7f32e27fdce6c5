"""`module.` is cut from a checkpoint's keys by hand

## What it does

Reports `key[7:]`, `key.replace("module.", "")` and the like on the keys of what `torch.load` returned.

## Why is this bad?

The keys of a checkpoint that was saved from inside `DataParallel` or `DistributedDataParallel` begin with
`module.`. PyTorch has a function that takes the prefix off where it is, and leaves the other keys alone.
`key[7:]` cuts seven letters off every key, whether it has the prefix or not; `replace` also hits layers
inside that are called `module`; both lose the `_metadata` of the state_dict, by which modules know which
version of themselves was saved.

## Example

```python
# bad
import torch
from torch import nn

model = nn.Linear(3, 2)
state = torch.load("model.pt", map_location="cpu")
state = {key.replace("module.", ""): value for key, value in state.items()}  # expect: DEV504
model.load_state_dict(state)
```

```python
# good
import torch
from torch import nn
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present

model = nn.Linear(3, 2)
state = torch.load("model.pt", map_location="cpu")
consume_prefix_in_state_dict_if_present(state, "module.")
model.load_state_dict(state)
```

## Fix safety

No fix: the function works in place, on the whole dictionary, and leaves names alone that `replace` changes;
where it goes depends on what else the loop does.

## References

- [consume_prefix_in_state_dict_if_present](https://docs.pytorch.org/docs/stable/_modules/torch/nn/modules/utils.html)
- [DistributedDataParallel](https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.model.events import StripPrefix
from devlint.rule import Finding, Rule


def _check(event: StripPrefix) -> Iterator[Finding]:
    yield Finding(
        event.site,
        "the prefix of a wrapper is cut by hand",
        help="use torch.nn.modules.utils.consume_prefix_in_state_dict_if_present",
    )


RULE = Rule(
    code="DEV504",
    name="manual-prefix-strip",
    summary="`module.` is cut from a checkpoint's keys by hand",
    severity=Severity.INFO,
    on=(StripPrefix,),
    check=_check,
)
