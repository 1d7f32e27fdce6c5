"""A module places tensors by the device it was built with

## What it does

Looks for modules that keep a device in `__init__` (`self.device = device`) and use it in `forward` to create
or to move tensors.

## Why is this bad?

`.to()`, `.cuda()` and `.cpu()` move the parameters and buffers of a module. They know nothing of an attribute
that holds a device: after `model.to("cuda:1")` the weights are on one card, and `forward` still makes its
tensors on another: "Expected all tensors to be on the same device, but found at least two devices". The same
happens in `DataParallel`, which copies the attribute to every card, in a checkpoint that is loaded on another
machine, and wherever a library places the model.

The input and the parameters always know where they are. A LightningModule and a model of transformers have a
`device` of their own that asks them: it is right. A program that moves the module to the very device that it
was built with is right, too, and not reported.

## Example

```python
# bad run=crash
import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self, n, device=torch.device("cpu")):
        super().__init__()
        self.device = device  # expect: DEV307
        self.layer = nn.Linear(n, n)

    def forward(self, x):
        noise = torch.zeros(x.size(0), x.size(1), device=self.device)
        return self.layer(x + noise)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Noisy(3)
model.to(device)
print(model(torch.ones(2, 3, device=device)).shape)
```

```python
# fixed run
import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self, n, device=torch.device("cpu")):
        super().__init__()
        self.device = device
        self.layer = nn.Linear(n, n)

    def forward(self, x):
        noise = torch.zeros(x.size(0), x.size(1), device=x.device)
        return self.layer(x + noise)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Noisy(3)
model.to(device)
print(model(torch.ones(2, 3, device=device)).shape)
```

A property asks the parameters at each use.

```python
# good run
import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layer = nn.Linear(n, n)

    @property
    def device(self):
        return next(self.parameters()).device

    def forward(self, x):
        return self.layer(x.to(self.device))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Noisy(3).to(device)
print(model(torch.ones(2, 3)).shape)
```

## Fix safety

Unsafe: where the input is not on the module's device, something else happens than before. The attribute
stays, because others may read it.

## References

- [torch.nn.Module.to](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.to)
- [CUDA semantics: device-agnostic code](https://docs.pytorch.org/docs/stable/notes/cuda.html#device-agnostic-code)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from devlint.diagnostic import Safety, Severity
from devlint.model.cond import tips
from devlint.model.events import StaleDevice
from devlint.model.torch.devices import ACCELERATORS, is_valid_device
from devlint.model.value import Const, DeviceValue, Site, Unknown
from devlint.rule import Draft, Finding, Rule
from devlint.syntax import tree as t
from devlint.syntax.edit import replace
from devlint.syntax.walk import scopes_on, walk, way_to
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: StaleDevice) -> Iterator[Finding]:
    cls = event.obj.cls
    if cls is None or "?" in cls.libs or not all(_in_init(site) for site in event.stores):
        return
    if not _is_device(event.obj.attrs.get(event.attr)):
        return
    yield Finding(
        event.stored,
        f"`{event.attr}` stays what it was when the module is moved",
        ((event.site, "a tensor is placed by it here"),),
        help="ask the input or a parameter for its device",
        fix=partial(_fix, event),
    )


def _in_init(site: Site) -> bool:
    scopes = scopes_on(way_to(site.file.tree, site.stmt))
    return bool(scopes) and isinstance(scopes[-1], t.FunctionDef) and scopes[-1].name == "__init__"


def _is_device(value: Any) -> bool:
    """Whether a value is known to be a device: a dtype, or a tensor, can be moved to as well."""
    found = False
    for leaf in tips(value):
        if type(leaf) is Unknown:
            if "device" not in leaf.root.seen or leaf.root.seen & {"tensor", "module", "array"}:
                return False
        elif type(leaf) is Const:
            if leaf.value is None:
                continue
            if not isinstance(leaf.value, str) or not is_valid_device(leaf.value, ACCELERATORS):
                return False
        elif type(leaf) is not DeviceValue:
            return False
        found = True
    return found


def _fix(event: StaleDevice, ctx: Context) -> Draft | None:
    edits: list[Edit] = []
    for use in ctx.workshop.events:
        if not isinstance(use, StaleDevice) or use.stored.node is not event.stored.node:
            continue
        edit = _ask(use, ctx)
        if edit is None:
            return None
        edits.append(edit)
    return ctx.draft("Ask for the device where it is used", Safety.UNSAFE, edits)


def _ask(use: StaleDevice, ctx: Context) -> Edit | None:
    """The attribute replaced by the device of the input, or of the parameters where the input is moved."""
    call = use.site.node
    found = [
        n for n in walk(call) if isinstance(n, t.Attr) and n.attr == use.attr and isinstance(n.value, t.Name)
    ]
    if len(found) != 1 or not isinstance(call, t.Call):
        return None
    moves = isinstance(call.func, t.Attr) and call.func.attr == "to"
    text = ctx.module_device(use.site, use.where) if moves else None
    if not moves:
        text = ctx.input_device(use.site, use.where) or ctx.module_device(use.site, use.where)
    return None if text is None else replace(ctx.source, found[0], text)


RULE = Rule(
    code="DEV307",
    name="stale-device-attribute",
    summary="a module places tensors by the device it was built with",
    severity=Severity.ERROR,
    on=(StaleDevice,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
