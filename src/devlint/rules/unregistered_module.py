"""Sub-modules are kept in a plain list, tuple or dict

## What it does

Reports an attribute of a module that is a plain list, tuple or dict, at any depth, with modules in it that have
parameters or buffers and that the module made and registered nowhere else. For a container that is filled later
it is reported where the container is made.

Not reported: modules that are registered under another name as well, modules without state (activations, losses
without weights), a module that was given from outside and is put into a list so that it is *not* registered, and
classes that override `_apply`.

## Why is this bad?

A module finds its sub-modules among its attributes and does not look into plain containers. These layers are not
moved: the first call raises `RuntimeError: Expected all tensors to be on the same device`. They are also missing
in `parameters()`, so that the optimizer never trains them, and in `state_dict()`, so that they are never saved:
on a machine without an accelerator the program runs, and learns less than it should.

## Example

```python
# bad run=crash
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.blocks = []  # expect: DEV302
        for _ in range(depth):
            self.blocks.append(nn.Linear(3, 3))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Net().to(device)(torch.ones(2, 3, device=device)).shape)
```

```python
# fixed run
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.blocks = nn.ModuleList()
        for _ in range(depth):
            self.blocks.append(nn.Linear(3, 3))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Net().to(device)(torch.ones(2, 3, device=device)).shape)
```

A list of what is registered already is only another name:

```python
# good run
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = nn.Linear(3, 3)
        self.both = [self.first, self.second]

    def forward(self, x):
        for block in self.both:
            x = block(x)
        return x


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Net().to(device)(torch.ones(2, 3, device=device)).shape)
```

## Fix safety

Unsafe: the modules become part of `parameters()` and `state_dict()`, which is what was meant, but optimizers now
train them and checkpoints have new keys. A tuple or list becomes `nn.ModuleList`, a dict with string keys
`nn.ModuleDict`. Where the container holds something else as well, or is used in a way that these do not know,
there is no fix.

## References

- [torch.nn.ModuleList](https://docs.pytorch.org/docs/stable/generated/torch.nn.ModuleList.html)
- [torch.nn.ModuleDict](https://docs.pytorch.org/docs/stable/generated/torch.nn.ModuleDict.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from devlint.diagnostic import Safety, Severity
from devlint.model.cond import tips
from devlint.model.device import CPU
from devlint.model.events import End
from devlint.model.value import PLACE, Function, Obj, Site
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import has_state, held
from devlint.syntax import tree as t
from devlint.syntax.walk import walk

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _hides(stmt: t.Node) -> bool:
    """`self.backbone = [backbone]`: the way to keep a module that is not to be registered."""
    value = stmt.value if isinstance(stmt, t.Assign) else None
    if not isinstance(value, t.Display) or len(value.items) != 1:
        return False
    return isinstance(value.items[0], (t.Name, t.Attr))


def _is_given(leaf: Obj, value: Any, owner: Obj) -> bool:
    """Whether a module was handed over in a container that is kept as it is, and nobody has placed it. Put
    into a container here, it belongs to somebody else."""
    given = all(isinstance(x, Obj) and x.serial < owner.serial for x in tips(value))
    return given and leaf.attrs.get(PLACE) is CPU


def _comes_along(leaf: Obj) -> bool:
    """Whether a module moves what it has by itself, whenever it is called: `self.kernel.to(x.device)`."""
    found = leaf.cls.find("forward") if leaf.cls is not None else None
    if found is None or not isinstance(found[0], Function) or not isinstance(found[0].node, t.FunctionDef):
        return False
    moved = {
        part.func.value.attr
        for part in walk(*found[0].node.body)
        if isinstance(part, t.Call)
        and isinstance(part.func, t.Attr)
        and part.func.attr == "to"
        and isinstance(part.func.value, t.Attr)
    }
    parts = {str(name) for name in leaf.registered if _is_stateful(leaf.attrs.get(name))}
    return bool(parts) and parts <= moved


def _is_stateful(value: Any) -> bool:
    return any(not isinstance(x, Obj) or has_state(x) for x in tips(value) if x is not None)


def _check(event: End) -> Iterator[Finding]:
    owner = event.obj
    if owner.cls is not None and owner.cls.find("_apply") is not None:
        return  # the class moves by its own rules
    for name, value, site in event.stores:
        if _hides(site.stmt):
            continue
        for leaf in held(value):
            if not isinstance(leaf, Obj) or not leaf.is_module or "%owned" in leaf.attrs:
                continue
            if leaf.serial < owner.serial and not _is_given(leaf, value, owner):
                continue
            if not has_state(leaf) or _comes_along(leaf):
                continue
            yield Finding(
                site,
                f"`{name}` is a plain container: the modules in it are neither moved nor trained",
                ((leaf.site, "a module is made here"),),
                help="use nn.ModuleList or nn.ModuleDict",
                fix=partial(_fix, site, value),
            )
            break


def _fix(site: Site, value: Any, ctx: Context) -> Draft | None:
    edits = ctx.as_container(site, value)
    return None if edits is None else ctx.draft("Register the modules", Safety.UNSAFE, edits)


RULE = Rule(
    code="DEV302",
    name="unregistered-module",
    summary="sub-modules are kept in a plain list, tuple or dict",
    severity=Severity.ERROR,
    on=(End,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
