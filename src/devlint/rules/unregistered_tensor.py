"""A tensor that a module needs is kept as a plain attribute

## What it does

Reports a tensor that a module keeps as a plain attribute, in a list or in a dict, where it meets what does move: the
input, a parameter, a buffer, the output of a layer. It is reported at the assignment; the place where it meets
them is a note. Nothing is said of a tensor that is moved before it is used, that is only read by Python
(`.tolist()`), that is an index or 0-dim (PyTorch lets those mix), or that the class moves itself (`_apply`, `to`).

## Why is this bad?

`module.to(device)` moves parameters, buffers and sub-modules. A plain attribute stays where it was made, and the
first use raises `RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0
and cpu!`. Nor does it follow `module.half()`. On a machine without an accelerator nothing shows.

## Example

```python
# bad run=crash
import torch
from torch import nn


class Normalize(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.tensor([0.5, 0.4, 0.3])  # expect: DEV301

    def forward(self, x):
        return x - self.mean


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Normalize().to(device)(torch.ones(2, 3, device=device)).shape)
```

```python
# fixed run
import torch
from torch import nn


class Normalize(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "mean", torch.tensor([0.5, 0.4, 0.3]), persistent=False
        )

    def forward(self, x):
        return x - self.mean


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Normalize().to(device)(torch.ones(2, 3, device=device)).shape)
```

What is put beside the input each time needs no buffer:

```python
# good run
import torch
from torch import nn


class Normalize(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.tensor([0.5, 0.4, 0.3])

    def forward(self, x):
        return x - self.mean.to(x.device)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Normalize().to(device)(torch.ones(2, 3, device=device)).shape)
```

## Fix safety

Unsafe: the tensor becomes a buffer, which follows `.half()` and is listed in `buffers()`. It is registered with
`persistent=False`, so that the keys of `state_dict()` stay as they are and old checkpoints load. Should it be
saved, leave that out.

There is no fix where the class assigns anything but a tensor or None to the attribute elsewhere: PyTorch lets nothing
else be assigned to a buffer.

## References

- [torch.nn.Module.register_buffer](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.register_buffer)
- [torch.nn.parameter.Buffer](https://docs.pytorch.org/docs/stable/generated/torch.nn.parameter.Buffer.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.device import CPU, Like
from devlint.model.events import Combine
from devlint.model.value import Obj, Step
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import causes, may_be_on_accelerator, origin, sides
from devlint.syntax import tree as t
from devlint.syntax.walk import function_around, own_attribute, targets, walk

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Combine) -> Iterator[Finding]:
    for leaf, _, other in sides(event):
        if leaf.device is not CPU or not may_be_on_accelerator(other):
            continue
        if not event.where.forward and isinstance(other, Like) and other.root.kind != "module":
            continue  # whether what a caller passes has been moved is not known
        for step in causes(leaf):
            placed = step.prev is not None and step.prev.kind == "placed"
            if step.kind == "store" and not placed and not _is_placeholder(step):
                yield Finding(
                    step.site,
                    "a plain tensor attribute: moving the module leaves it behind",
                    (*origin(step), (event.site, f"it meets a tensor on {other!r} here")),
                    help="register it with `register_buffer`",
                    fix=partial(_fix, step),
                )


def _is_placeholder(step: Step) -> bool:
    """Whether what is kept has one element at most, and another method puts something else, that is not made of
    it, in its place: then it is there to be replaced, and whether that has happened is not known."""
    made, kept, owner = step.prev, step.site.node, step.owner
    if made is None or not isinstance(kept, t.Attr) or not isinstance(owner, Obj) or owner.cls is None:
        return False
    if not _is_small(made.site.node):
        return False
    here = function_around(step.site.file.tree, step.site.stmt)
    methods = (x for cls in owner.cls.mro for x in cls.node.body if isinstance(x, t.FunctionDef))
    return any(
        isinstance(part, t.Assign)
        and any(own_attribute(target, method) == kept.attr for target in targets(part))
        and not any(own_attribute(x, method) == kept.attr for x in walk(part.value))
        for method in methods
        if method is not here
        for part in walk(*method.body)
    )


def _is_small(made: t.Node) -> bool:
    """`torch.empty(0)`, `torch.zeros(1)`, `torch.tensor([])`, `torch.Tensor()`."""
    if not isinstance(made, t.Call):
        return False
    given = [arg.value for arg in made.args if arg.name is None]
    return not given or (
        len(given) == 1
        and (
            (isinstance(given[0], t.Const) and given[0].value in (0, 1))
            or (isinstance(given[0], t.Display) and not given[0].items)
        )
    )


def _fix(step: Step, ctx: Context) -> Draft | None:
    edits = ctx.as_buffer(step.site)
    return None if edits is None else ctx.draft("Register it as a buffer", Safety.UNSAFE, edits)


RULE = Rule(
    code="DEV301",
    name="unregistered-tensor",
    summary="a tensor that a module needs is kept as a plain attribute",
    severity=Severity.ERROR,
    on=(Combine,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
