"""torch.load is told a device that other machines do not have

## What it does

Reports a literal such as `"cuda:1"` that reaches the `map_location` of `torch.load`, when nothing says what happens
on a machine without that device. It is reported at the literal: a default argument, a constant, an entry of
options. A fallback (`if torch.cuda.is_available()`), a card that is computed (`f"cuda:{rank}"`) and a choice of the
caller are right. A literal that places other things, too, is hardcoded-device.

## Why is this bad?

On a machine without it, loading raises `RuntimeError: Attempting to deserialize object on a CUDA device but
torch.cuda.is_available() is False`, or, with fewer cards, `RuntimeError: Attempting to deserialize object on CUDA
device 1 but torch.cuda.device_count() is 1`.

## Example

```python
# bad run=portability
import torch
from torch import nn

torch.save(nn.Linear(3, 1).state_dict(), "model.pt")
model = nn.Linear(3, 1)
model.load_state_dict(torch.load("model.pt", map_location="cuda:0"))  # expect: DEV502
print(model(torch.ones(2, 3)).shape)
```

```python
# fixed run
import torch
from torch import nn

torch.save(nn.Linear(3, 1).state_dict(), "model.pt")
model = nn.Linear(3, 1)
model.load_state_dict(torch.load("model.pt", map_location="cpu"))
print(model(torch.ones(2, 3)).shape)
```

```python
# good run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.save(nn.Linear(3, 1).state_dict(), "model.pt")
model = nn.Linear(3, 1)
model.load_state_dict(torch.load("model.pt", map_location="cpu"))
model.to(device)
print(model(torch.ones(2, 3, device=device)).shape)
```

## Fix safety

Unsafe: the tensors land on the program's device, if it has one in scope, else on the CPU, and no longer on the card
that was named. Where they are copied into a module nothing changes; code that goes on with them has to expect
them there.

## References

- [torch.load](https://docs.pytorch.org/docs/stable/generated/torch.load.html)
- [Saving and loading models across devices](https://docs.pytorch.org/tutorials/beginner/saving_loading_models.html#saving-loading-model-across-devices)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Take
from devlint.model.torch.devices import ACCELERATORS, is_valid_device
from devlint.rule import Draft, Finding, Rule

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Take) -> Iterator[Finding]:
    site = event.literal.site
    if site is None or event.how != "map_location":
        return
    if event.fallback or event.where.guarded or event.where.caught:
        return
    name = str(event.literal.value)
    if name.partition(":")[0] not in ACCELERATORS or not is_valid_device(name, ACCELERATORS):
        return
    yield Finding(
        site,
        f'loads onto "{name}", which other machines do not have',
        ((event.site, "loaded here"),) if event.site.stmt is not site.stmt else (),
        help='use `map_location="cpu"` or the device variable',
        fix=partial(_fix, event),
    )


def _fix(event: Take, ctx: Context) -> Draft | None:
    text = ctx.device_for(event) or ctx.string("cpu", event.literal)
    edit = ctx.replace_literal(event, text)
    return None if edit is None else ctx.draft(f"Load onto `{text}`", Safety.UNSAFE, edit)


RULE = Rule(
    code="DEV502",
    name="hardcoded-map-location",
    summary="torch.load is told a device that other machines do not have",
    severity=Severity.WARNING,
    on=(Take,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
