"""A device is named that other machines do not have

## What it does

Reports a string such as `"cuda"`, `"cuda:0"` or `"mps"` that reaches a place where a device is taken (`.to`,
`device=`, `torch.device`, `torch.set_default_device` ...), when nothing in the program says what happens on a
machine without that device. It is reported once, at the literal: a default argument, the default of an option or
of a dataclass's field, a constant. Where it is used is a note.

Not reported: strings that go elsewhere (a message, a key, a comparison, `torch.autocast("cuda")`); a literal that a
later line repairs (`if not torch.cuda.is_available(): device = "cpu"`); what is only reached where there is a
GPU or where somebody asked for one; a card that is computed (`f"cuda:{rank}"`).

## Why is this bad?

On a machine without it the first use raises, `AssertionError: Torch not compiled with CUDA enabled` or `RuntimeError:
Found no NVIDIA driver on your system`. A number makes it worse: `"cuda:1"` raises `RuntimeError: CUDA error:
invalid device ordinal` wherever there is a single card.

## Example

```python
# bad run=portability
import torch
from torch import nn

device = torch.device("cuda")  # expect: DEV202
model = nn.Linear(3, 1).to(device)
print(model(torch.ones(4, 3, device=device)).shape)
```

```python
# fixed run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 1).to(device)
print(model(torch.ones(4, 3, device=device)).shape)
```

A default of the command line may name it, if the program looks whether it is there:

```python
# good run
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
args = parser.parse_args()
if args.device == "cuda" and not torch.cuda.is_available():
    args.device = "cpu"
print(torch.ones(3, device=args.device).sum().item())
```

## Fix safety

Unsafe: on a machine without that device the program raised, and now runs, on the CPU; where it ran before nothing
changes. What is written is `"cuda" if torch.cuda.is_available() else "cpu"` in the literal's place, or the program's
own device variable.

## References

- [CUDA semantics: device-agnostic code](https://docs.pytorch.org/docs/stable/notes/cuda.html#device-agnostic-code)
- [torch.device](https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device)
- [torch.accelerator](https://docs.pytorch.org/docs/stable/accelerator.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Take
from devlint.model.torch.devices import ACCELERATORS, is_valid_device
from devlint.model.value import Unknown
from devlint.rule import Draft, Finding, Rule

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Take) -> Iterator[Finding]:
    site = event.literal.site
    if site is None or event.how in ("map_location", "compared"):
        return
    if event.fallback or event.where.guarded or event.where.caught:
        return
    if type(event.index) is Unknown:
        return  # `torch.device("cuda", rank)`: which card it is was chosen elsewhere
    name = str(event.literal.value)
    if name.partition(":")[0] not in ACCELERATORS or not is_valid_device(name, ACCELERATORS):
        return
    yield Finding(
        site,
        f'"{name}" is named with no fallback: on a machine without it this raises',
        ((event.site, f"taken as a device here ({event.how})"),) if event.site.node is not site.node else (),
        help='use `"cuda" if torch.cuda.is_available() else "cpu"`',
        fix=partial(_fix, event),
    )


def _fix(event: Take, ctx: Context) -> Draft | None:
    written = ctx.instead_of(event)
    if written is None:
        return None
    return ctx.draft(f"Use `{written.text}`", Safety.UNSAFE, written.edits)


RULE = Rule(
    code="DEV202",
    name="hardcoded-device",
    summary="a device is named that other machines do not have",
    severity=Severity.WARNING,
    on=(Take,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
