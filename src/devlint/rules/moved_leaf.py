"""A tensor that requires a gradient is moved, and loses it

## What it does

Looks for `.to(device)`, `.cuda()` and the like on a tensor that was made with `requires_grad=True` or
`requires_grad_()`, whose result takes the tensor's place.

## Why is this bad?

Autograd puts gradients into *leaves*: tensors that the program made itself. A move is an operation, its
result has a history and is no leaf. `backward()` runs, but `.grad` of the moved tensor stays None ("The
.grad attribute of a Tensor that is not a leaf Tensor is being accessed"); the leaf that gets the gradient is
the one on the CPU, which nobody has a name for any more. An optimizer refuses the moved tensor: `ValueError:
can't optimize a non-leaf Tensor`.

Where the tensor is on the device already, `.to()` returns the tensor itself: without a GPU, all is well.

## Example

```python
# bad run=crash
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
weights = torch.zeros(3, requires_grad=True).to(device)  # expect: DEV103
optimizer = torch.optim.SGD([weights], lr=0.1)
loss = (weights - 1).square().sum()
loss.backward()
optimizer.step()
print(weights.tolist())
```

```python
# fixed run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
weights = torch.zeros(3, requires_grad=True, device=device)
optimizer = torch.optim.SGD([weights], lr=0.1)
loss = (weights - 1).square().sum()
loss.backward()
optimizer.step()
print(weights.tolist())
```

What cannot be created there is moved first.

```python
# good run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
image = torch.tensor([[0.5, 0.25]])
image = image.to(device).requires_grad_()
image.square().sum().backward()
print(image.grad.tolist())
```

## Fix safety

Safe where the tensor is created on the device, or moved before `requires_grad_()`: its values are the same,
and it is the leaf that it was meant to be. Unsafe for random factories, which draw other numbers on the
device, for `.cuda()` that nothing guards, and where the tensor has a name before it is moved: something may
hold it already.

## References

- [Tensor.is_leaf](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.is_leaf.html)
- [Tensor.grad](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.grad.html)
- [Tensor.retain_grad](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.retain_grad.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Move
from devlint.model.value import Step, Tensor
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import is_lost, made_in, notes
from devlint.syntax import tree as t
from devlint.syntax.edit import after, unwrap_method
from devlint.syntax.layout import whole
from devlint.syntax.walk import own_names, walk

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if type(receiver) is not Tensor or receiver.grad != "leaf" or event.dropped or receiver.cause is None:
        return
    if event.target is None and event.like is None:
        return
    step = receiver.cause
    replaced = is_lost(event.site, step.site)
    if not (replaced or made_in(event.site.node, step)) or _asks_otherwise(event):
        return
    if event.where.forward and isinstance(event.site.stmt, t.Return):
        return  # a loss of nothing: it requires a gradient to let `backward()` pass, nobody wants its `.grad`
    if _is_only_computed_with(event):
        return
    yield Finding(
        event.site,
        "the moved tensor is no leaf: its `.grad` stays None, and optimizers refuse it",
        notes(receiver),
        help="create it on the device, or move it before `requires_grad_()`",
        fix=partial(_fix, event, step),
    )


def _asks_otherwise(event: Move) -> bool:
    """Whether the function gets gradients in a way that works for every tensor: `retain_grad()`,
    `torch.autograd.grad()`."""
    function = event.where.function
    around = function.node.body if function is not None else event.site.file.tree.body
    for node in walk(*(around if isinstance(around, list) else [around])):
        func = node.func if isinstance(node, t.Call) else None
        if isinstance(func, t.Attr):
            owner = func.value
            of_autograd = "autograd" in (getattr(owner, "attr", ""), getattr(owner, "id", ""))
            if func.attr == "retain_grad" or (func.attr == "grad" and of_autograd):
                return True
        elif isinstance(func, t.Name) and func.id == "grad":
            return True
    return False


def _is_only_computed_with(event: Move) -> bool:
    """Whether the moved tensor is a local name that operators, its methods and functions of torch alone read:
    nobody can ask for its gradient."""
    function = event.where.function
    names = set(own_names(event.site.stmt))
    if function is None or not isinstance(event.site.stmt, t.Assign) or not names:
        return False
    computing: set[int] = set()
    for node in walk(function.node):
        if isinstance(node, t.BinOp):
            computing |= {id(node.left), id(node.right)}
        elif isinstance(node, t.Assign):
            computing |= {id(target) for target in node.targets}
        elif isinstance(node, t.Call) and isinstance(node.func, t.Attr):
            owner = node.func.value
            computing.add(id(owner))
            if isinstance(owner, t.Name) and owner.id == "torch":
                computing |= {id(arg.value) for arg in node.args}
    found = (node for node in walk(function.node) if isinstance(node, t.Name) and node.id in names)
    return all(id(node) in computing for node in found)


def _fix(event: Move, step: Step, ctx: Context) -> Draft | None:
    call, factory = event.site.node, step.site.node
    moved = ctx.destination(event)
    if moved is None or not isinstance(call, t.Call) or not isinstance(call.func, t.Attr):
        return None
    guarded = event.method != "cuda" or event.where.guarded
    on = call.func.value
    if isinstance(on, t.Name):
        _, start = whole(ctx.source, on)
        move = ctx.source.text[start : whole(ctx.source, call).end]
        edits = [unwrap_method(ctx.source, call), after(ctx.source, on, f".detach(){move}.requires_grad_()")]
        return ctx.draft("Make a leaf of what was moved", Safety.UNSAFE, edits) if guarded else None
    if isinstance(factory, t.Call) and isinstance(on, t.Call):
        made = ctx.without_device(factory)
        if made and made_in(call, step):
            drawn = any(create.random for create in made)
            safety = Safety.SAFE if guarded and not drawn else Safety.UNSAFE
            edits = ctx.create_there(factory, call, moved)
            return ctx.draft(f"Create it on `{moved.device}`", safety, edits)
    if isinstance(on, t.Call) and isinstance(on.func, t.Attr) and on.func.attr == "requires_grad_":
        to = f".to({', '.join(filter(None, (moved.device, moved.dtype)))})"
        edits = [*moved.edits, unwrap_method(ctx.source, call), after(ctx.source, on.func.value, to)]
        safety = Safety.SAFE if guarded else Safety.UNSAFE
        return ctx.draft("Move it, then let it require a gradient", safety, edits)
    return None


RULE = Rule(
    code="DEV103",
    name="moved-leaf",
    summary="a tensor that requires a gradient is moved, and loses it",
    severity=Severity.ERROR,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.SAFE, Safety.UNSAFE}),
)
