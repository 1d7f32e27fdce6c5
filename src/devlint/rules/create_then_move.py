"""A tensor is created on the CPU, only to be moved

## What it does

Reports a factory (`torch.zeros`, `torch.arange`, `torch.randn` ...) whose result is moved in the same expression,
perhaps after a few methods that only change its shape, its dtype or each element. Where the result is used on the
CPU first, meets other CPU tensors, is drawn from a CPU `generator=` or lies in pinned memory, the move is needed,
and nothing is said.

## Why is this bad?

The memory is allocated and filled on the host, then copied, and the host waits for the copy: three steps instead
of one. In a training loop this is a synchronisation on every step. Nothing is wrong with the result.

Not reported: `torch.tensor(values).to(device)` and what else copies Python's data. It is filled on the host and
copied in either case; there, `device=` is no more than the shorter way to say so.

## Example

```python
# bad run=performance
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
mask = torch.ones(4, 4).tril().to(device)  # expect: DEV104
steps = torch.arange(4).to(device)  # expect: DEV104
print(mask[steps].sum().item())
```

```python
# fixed run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
mask = torch.ones(4, 4, device=device).tril()
steps = torch.arange(4, device=device)
print(mask[steps].sum().item())
```

What has to be on the CPU first is moved rightly:

```python
# good run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
labels = torch.tensor([0, 2, 1])
one_hot = torch.zeros(3, 3).scatter_(1, labels.unsqueeze(1), 1.0).to(device)
print(one_hot.sum().item())
```

## Fix safety

Safe: `device=` goes into the factory's call and the move goes away, with a dtype that it asked for made the
factory's. The values are the same. Unsafe where they are not: random factories draw other numbers on another
device, with the same seed. And unsafe for an unguarded `.cuda()`, whose hard-coded device the fix makes
follow the program's.

## References

- [torch.tensor fills on the host, then copies: tensor_new.cpp](https://github.com/pytorch/pytorch/blob/main/torch/csrc/utils/tensor_new.cpp)
- [torch.zeros and its `device`](https://docs.pytorch.org/docs/stable/generated/torch.zeros.html)
- [Performance tuning guide: create tensors directly on the target device](https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#create-tensors-directly-on-the-target-device)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from devlint.diagnostic import Safety, Severity
from devlint.model.cond import tips
from devlint.model.device import CPU
from devlint.model.events import Move
from devlint.model.torch.effects import Mix, Op, Out
from devlint.model.torch.methods import METHODS
from devlint.model.value import Const, DeviceValue, Step, Tensor, Unknown
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import made_in
from devlint.syntax import tree as t

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _reshapes(op: Op) -> bool:
    """Whether an operation leaves the number of bytes to copy as it is, and meets no other tensor."""
    return op.out is Out.SAME and op.mix is Mix.FREE and not op.zero_dim_if_no


def _belongs_on_cpu(call: t.Node) -> bool:
    """Whether a factory is told to draw from a generator, or to make pinned memory: both are the CPU's."""
    return isinstance(call, t.Call) and any(arg.name in ("generator", "pin_memory") for arg in call.args)


def _is_given(event: Move, call: t.Node) -> bool:
    """Whether what makes the tensor is an argument of the function: others may not take a device."""
    function = event.where.function
    func = call.func if isinstance(call, t.Call) else None
    return (
        function is not None
        and isinstance(func, t.Name)
        and func.id in {p.name for p in function.node.params}
    )


def _is_cpu(target: Any) -> bool:
    if type(target) is DeviceValue:
        return target.device is CPU
    return type(target) is Const and target.value == "cpu"


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if type(receiver) is not Tensor or event.target is None or event.dropped or receiver.grad:
        return
    if all(type(x) is Unknown and not x.root.seen & {"device", "host"} for x in tips(event.target)):
        return  # it may be a dtype, or a tensor
    if event.method == "type":
        return  # legacy-tensor-type says more
    if event.method == "cuda" and not (event.where.guarded or event.where.caught):
        return  # hardcoded-cuda-call says more
    step = receiver.cause
    if step is None or step.kind != "create" or _is_cpu(event.target):
        return
    if receiver.pinned or _belongs_on_cpu(step.site.node) or _is_given(event, step.site.node):
        return
    if not made_in(event.site.node, step, _reshapes):
        return
    yield Finding(
        event.site,
        "created on the CPU, then copied to the device: create it there",
        ((step.site, step.text),),
        fix=partial(_fix, event, step),
    )


def _fix(event: Move, step: Step, ctx: Context) -> Draft | None:
    call, factory = event.site.node, step.site.node
    if not isinstance(call, t.Call) or not isinstance(factory, t.Call):
        return None
    made = ctx.without_device(factory)
    moved = ctx.destination(event)
    if not made or moved is None:
        return None
    edits = ctx.create_there(factory, call, moved)
    drawn = any(create.random for create in made) or not _keeps_values(call, factory)
    safe = not drawn and not (event.method == "cuda" and not event.where.guarded)
    return ctx.draft(f"Create it on `{moved.device}`", Safety.SAFE if safe else Safety.UNSAFE, edits)


def _keeps_values(call: t.Call, factory: t.Call) -> bool:
    """Whether no method between the factory and the move draws random numbers (`.uniform_()`)."""
    at: t.Expr = call
    while isinstance(at, t.Call) and isinstance(at.func, t.Attr) and at is not factory:
        op = METHODS.get(at.func.attr)
        if op is not None and op.random:
            return False
        at = at.func.value
    return True


RULE = Rule(
    code="DEV104",
    name="create-then-move",
    summary="a tensor is created on the CPU, only to be moved",
    severity=Severity.INFO,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.SAFE, Safety.UNSAFE}),
)
