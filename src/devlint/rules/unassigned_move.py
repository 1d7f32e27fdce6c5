"""The result of moving a tensor is dropped

## What it does

Reports `x.to(device)`, `x.cuda()`, `x.cpu()` as a statement of its own, where `x` is known to be a tensor: by what
made it, by its annotation, or by how it is used. A module moves in place, and so do many batch classes
(`BatchEncoding` of Transformers, `Data` of PyTorch Geometric): there the same line is right, and nothing is
said; nor is it where nothing is known of `x`.

A move that is expected to fail (in a `try` with a handler, in `pytest.raises`), and one of a tensor that is made
in the same line to start CUDA (`torch.zeros(1).cuda()`), are left alone.

## Why is this bad?

`Tensor.to` returns the moved copy; the tensor itself stays where it was. On a machine without an accelerator it
returns the tensor itself, so nothing shows there. With one, the first operation that meets what did move raises
`RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!`,
in another line and often in another file.

## Example

```python
# bad run=crash
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 1)
model.to(device)
x = torch.ones(4, 3)
x.to(device)  # expect: DEV101
print(model(x).shape)
```

```python
# fixed run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 1)
model.to(device)
x = torch.ones(4, 3)
x = x.to(device)
print(model(x).shape)
```

For a module, the statement is right:

```python
# good run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 1)
model.to(device)
x = torch.ones(4, 3).to("cpu")
print(model(x.to(device)).shape)
```

## Fix safety

Safe where the tensor is a name, an attribute or an item: the result is assigned to it, which is what the
statement says. On a machine without an accelerator it is the same tensor. Unsafe for an unguarded `.cuda()`, which
becomes a move to the program's device as well. Not offered where the receiver is an expression, a parameter of a
module or the variable of a loop: to assign those would move nothing that lasts.

## References

- [torch.Tensor.to](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html)
- [torch.nn.Module.to](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.to)
- [Saving and loading models across devices](https://docs.pytorch.org/tutorials/beginner/saving_loading_models.html#saving-loading-model-across-devices)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from devlint.diagnostic import Safety, Severity
from devlint.model.cond import tips
from devlint.model.device import Like
from devlint.model.events import Move
from devlint.model.moves import receiver_of
from devlint.model.value import Lib, Tensor, Unknown
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import is_tensor, made_in, notes
from devlint.syntax import tree as t
from devlint.syntax.edit import before, move_to

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if not event.dropped or event.where.caught or (event.target is None and event.like is None):
        return
    if not is_tensor(receiver):
        return
    if not (_is_device(event.target) or (event.method == "to" and event.like)) and _works(event.site.node):
        return  # `x.add_(y).to(x.dtype)`: the work is done in place, and the target may be a dtype
    step = receiver.cause
    if step is not None and made_in(event.site.node, step):
        return  # `torch.zeros(1).cuda()` starts CUDA: nobody could miss the tensor
    if all(_is_there(receiver, leaf) for leaf in tips(event.target if event.like is None else event.like)):
        return  # it was made of what it shall be moved to
    yield Finding(
        event.site,
        f"the result of `.{event.method}()` is dropped: it moves no tensor in place",
        notes(receiver) if type(receiver) is Tensor else (),
        help="assign the result",
        fix=partial(_fix, event),
    )


def _is_there(receiver: Any, target: Any) -> bool:
    """Whether a tensor is known to be where another tensor is, wherever that is. (A device that the program
    names may be another one tomorrow.)"""
    place = getattr(target, "device", None)
    return isinstance(place, Like) and not place.named and receiver.device == place


def _is_device(target: Any) -> bool:
    """Whether it is known that a device is asked for, and no dtype."""
    if type(target) is Unknown:
        return "device" in target.root.seen
    return target is not None and type(target) is not Lib


def _works(call: t.Node) -> bool:
    """Whether what is moved is what an operation in place gives."""
    inner = receiver_of(call)
    name = inner.func.attr if isinstance(inner, t.Call) and isinstance(inner.func, t.Attr) else ""
    return name.endswith("_") and not name.endswith("__")


def _fix(event: Move, ctx: Context) -> Draft | None:
    call, stmt = event.site.node, event.site.stmt
    if not isinstance(stmt, t.ExprStmt) or not isinstance(call, t.Call) or not isinstance(call.func, t.Attr):
        return None
    if stmt.value is not call or not ctx.can_assign(event, call.func.value):
        return None
    target = ctx.text(call.func.value)
    message, assigned = f"Assign the result to `{target}`", before(ctx.source, call, f"{target} = ")
    if event.method != "cuda" or event.where.guarded:
        return ctx.draft(message, Safety.SAFE, assigned)
    written = ctx.card(event)
    if written is None:
        return None
    return ctx.draft(message, Safety.UNSAFE, written.edits, assigned, move_to(ctx.source, call, written.text))


RULE = Rule(
    code="DEV101",
    name="unassigned-move",
    summary="the result of moving a tensor is dropped",
    severity=Severity.ERROR,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.SAFE, Safety.UNSAFE}),
)
