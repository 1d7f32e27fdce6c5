"""The result of moving a new nn.Parameter is no parameter

## What it does

Looks for `.to(device)`, `.cuda()` and the like on an `nn.Parameter` that was made right there, whose result
takes the parameter's place.

## Why is this bad?

`.to()` of a tensor is an operation of autograd: its result is a new tensor that has a history, not a
parameter. As an attribute of a module it is not registered, so that no optimizer gets it, `state_dict()`
does not have it, and the module's own `.to()` leaves it behind. Given to an optimizer by hand it raises
`ValueError: can't optimize a non-leaf Tensor`.

Where the tensor is on the device already, `.to()` returns the parameter itself. On a machine without a GPU
the program is right, then, and its tests pass; only on the GPU the parameter is lost.

## Example

```python
# bad run=silent
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Scale(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(n)).to(device)  # expect: DEV102

    def forward(self, x):
        return x * self.gain


model = Scale(3)
print(len(list(model.parameters())))
```

The data is put on the device, and then becomes a parameter.

```python
# fixed run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Scale(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(n, device=device))

    def forward(self, x):
        return x * self.gain


model = Scale(3)
print(len(list(model.parameters())))
```

In a module a device is not needed at all: the module is moved, and takes its parameters with it.

```python
# good run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Scale(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(n))

    def forward(self, x):
        return x * self.gain


model = Scale(3).to(device)
print(len(list(model.parameters())))
```

## Fix safety

Unsafe: the module gets a parameter that it did not have. It is trained from now on, its `state_dict` has one
more key, and a random factory draws other numbers on the device.

## References

- [torch.nn.Parameter](https://docs.pytorch.org/docs/stable/generated/torch.nn.parameter.Parameter.html)
- [torch.Tensor.to](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html)
- [Tensor.is_leaf](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.is_leaf.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.cond import tips
from devlint.model.events import Move
from devlint.model.value import Obj, Step, Tensor
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import is_lost, made_in, reassigned
from devlint.syntax import tree as t
from devlint.syntax.edit import argument, attribute, unwrap_method
from devlint.syntax.layout import whole
from devlint.syntax.walk import targets
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if type(receiver) is not Tensor or receiver.grad != "param" or event.dropped:
        return
    step = receiver.cause
    if step is None or step.kind != "param" or (event.target is None and event.like is None):
        return
    if all(type(leaf) is Tensor and leaf.grad == "param" for leaf in tips(event.result)):
        return  # it is there already: `.to` gives the parameter itself
    replaced = reassigned(event.site) and is_lost(event.site, step.site)
    if not (replaced or made_in(event.site.node, step)):
        return
    if _is_frozen(step) and not _is_for_module(event):
        return  # never trained, and nothing to register it in
    yield Finding(
        event.site,
        "moving an nn.Parameter gives a plain tensor: it is neither registered nor trained",
        ((step.site, "the parameter is made here"),) if step.site.stmt is not event.site.stmt else (),
        help="create the data on the device, inside `nn.Parameter(...)`",
        fix=partial(_fix, event, step),
    )


def _is_frozen(step: Step) -> bool:
    """Whether a parameter is made with `requires_grad=False`."""
    made = step.site.node
    wanted = argument(made, "requires_grad", 1) if isinstance(made, t.Call) else None
    return wanted is not None and isinstance(wanted.value, t.Const) and wanted.value.value is False


def _is_for_module(event: Move) -> bool:
    """Whether a module would register the parameter: it becomes an attribute of one."""
    owner = event.where.self_value
    kept = any(isinstance(target, t.Attr) for target in targets(event.site.stmt))
    return kept and not (isinstance(owner, Obj) and not owner.is_module)


def _fix(event: Move, step: Step, ctx: Context) -> Draft | None:
    call, made = event.site.node, step.site.node
    if not isinstance(call, t.Call) or not isinstance(call.func, t.Attr) or not isinstance(made, t.Call):
        return None
    message = "Move the data, then make the parameter"
    moved = ctx.destination(event)
    if call.func.value is not made:
        name = ctx.spelled("torch.nn.Parameter", event.where)
        if moved is None or not reassigned(event.site) or name is None:
            return None
        text = f"{ctx.text(call.func.value)}.to({', '.join(filter(None, (moved.device, moved.dtype)))})"
        span = whole(ctx.source, call)
        return ctx.draft(message, Safety.UNSAFE, moved.edits, Edit(*span, f"{name}({text})"))
    data = argument(made, "data", 0)
    if data is None:
        return None
    if isinstance(data.value, t.Call) and moved is not None and ctx.without_device(data.value):
        return ctx.draft(message, Safety.UNSAFE, ctx.create_there(data.value, call, moved))
    if ctx.created(data.value):
        return None
    start, end = whole(ctx.source, made).end, whole(ctx.source, call).end
    return ctx.draft(
        message,
        Safety.UNSAFE,
        unwrap_method(ctx.source, call),
        attribute(ctx.source, data.value, ctx.source.text[start:end].strip().removeprefix(".").strip()),
    )


RULE = Rule(
    code="DEV102",
    name="moved-parameter",
    summary="the result of moving a new nn.Parameter is no parameter",
    severity=Severity.ERROR,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
