"""Parameters are kept in a plain list, tuple or dict

## What it does

Looks for attributes of a module that are a list, a tuple or a dictionary with `nn.Parameter`s in it.

## Why is this bad?

`nn.Module.__setattr__` registers a parameter that is assigned to an attribute. It does not look into
containers: such parameters are not in `parameters()`, so `.to(device)` leaves them on the CPU ("Expected all
tensors to be on the same device") and no optimizer trains them; nor are they in `state_dict()`, so they are
not saved. Without a GPU nothing fails, and the model just learns less than it should.

`nn.ParameterList` and `nn.ParameterDict` register what is in them.

## Example

```python
# bad run=crash
import torch
from torch import nn


class Gains(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.gains = [nn.Parameter(torch.ones(3)) for _ in range(n)]  # expect: DEV303

    def forward(self, x):
        for gain in self.gains:
            x = x * gain
        return x


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Gains(2).to(device)
print(model(torch.ones(2, 3, device=device)).sum().item())
```

```python
# fixed run
import torch
from torch import nn


class Gains(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.gains = nn.ParameterList([nn.Parameter(torch.ones(3)) for _ in range(n)])

    def forward(self, x):
        for gain in self.gains:
            x = x * gain
        return x


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Gains(2).to(device)
print(model(torch.ones(2, 3, device=device)).sum().item())
```

A list of what is registered already is only another name:

```python
# good run
import torch
from torch import nn


class Gains(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Parameter(torch.ones(3))
        self.second = nn.Parameter(torch.ones(3))
        self.both = [self.first, self.second]

    def forward(self, x):
        return x * self.first * self.second


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(len(list(Gains().to(device).parameters())))
```

## Fix safety

Unsafe: the parameters become part of `parameters()` and `state_dict()`, which is what was meant, but
optimizers train them from now on, and checkpoints have new keys. There is no fix where the container holds
something else as well, or is used in a way that the registering ones do not know.

## References

- [torch.nn.ParameterList](https://docs.pytorch.org/docs/stable/generated/torch.nn.ParameterList.html)
- [torch.nn.ParameterDict](https://docs.pytorch.org/docs/stable/generated/torch.nn.ParameterDict.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from devlint.diagnostic import Safety, Severity
from devlint.model.cond import tips
from devlint.model.device import Like
from devlint.model.events import End
from devlint.model.value import REST, Obj, Site, Step, Tensor
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import held

if TYPE_CHECKING:
    from devlint.fix.context import Context
    from devlint.syntax import tree as t


def _check(event: End) -> Iterator[Finding]:
    owner = event.obj
    if "*" in owner.registered:
        return
    if owner.cls is not None and any(owner.cls.find(name) is not None for name in ("_apply", "parameters")):
        return  # the class moves and trains by its own rules
    known = set(_registered(owner, 0))
    for name, value, site in event.stores:
        for leaf in held(value):
            made = _made(leaf)
            if made is None or made.site.node in known or _follows_input(leaf):
                continue
            yield Finding(
                site,
                f"`{name}` is a plain container: the parameters in it are neither moved nor trained",
                ((made.site, "a parameter is made here"),),
                help="use nn.ParameterList or nn.ParameterDict",
                fix=partial(_fix, site, value),
            )
            break


def _made(leaf: Any) -> Step | None:
    """Where a parameter was made; None if it is none, or comes from elsewhere."""
    step: Any = leaf.cause if type(leaf) is Tensor and leaf.grad == "param" else None
    if isinstance(step, Step) and step.kind == "module":
        step = step.owner  # it was moved with its module
    return step if isinstance(step, Step) and step.kind == "param" else None


def _follows_input(leaf: Any) -> bool:
    """Whether a parameter was made where a tensor is that came from outside: for this call, and moved by nobody."""
    device = leaf.device
    return isinstance(device, Like) and not device.named and device.root.kind in ("param", "iter", "item")


def _registered(module: Obj, depth: int) -> Iterator[t.Node]:
    """Where the parameters were made that a module, or one in it, has registered."""
    for name, value in module.attrs.items():
        if not (name in module.registered or isinstance(name, tuple) or name == REST):
            continue
        for leaf in tips(value):
            made = _made(leaf)
            if made is not None:
                yield made.site.node
            elif isinstance(leaf, Obj) and depth < 4:
                yield from _registered(leaf, depth + 1)


def _fix(site: Site, value: Any, ctx: Context) -> Draft | None:
    edits = ctx.as_container(site, value, "Parameter")
    return None if edits is None else ctx.draft("Register the parameters", Safety.UNSAFE, edits)


RULE = Rule(
    code="DEV303",
    name="unregistered-parameter",
    summary="parameters are kept in a plain list, tuple or dict",
    severity=Severity.ERROR,
    on=(End,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
