"""A move and a cast in two steps

## What it does

Looks for a cast right after a move: `.to(device).half()`, `.cuda().to(torch.bfloat16)`. On tensors only
where the cast makes them smaller, on modules always.

## Why is this bad?

The tensor is copied to the device at its full width, needs memory there twice, and is made smaller only
then. `.to(device, dtype)` casts it on the CPU and copies half of the bytes. A large model that fits in half
precision may not fit at all in two steps: `torch.cuda.OutOfMemoryError`.

The other way round two steps are right: a `uint8` image is copied as it is, and becomes `float32` on the
device.

## Example

```python
# bad run=performance
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 2).to(device).bfloat16()  # expect: DEV105
x = torch.ones(3, 4).to(torch.float32)
y = model(x.to(device).to(torch.bfloat16))  # expect: DEV105
print(y.shape)
```

```python
# fixed run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 2).to(device, torch.bfloat16)
x = torch.ones(3, 4).to(torch.float32)
y = model(x.to(device, torch.bfloat16))
print(y.shape)
```

```python
# good run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
pixels = torch.zeros(8, 8, dtype=torch.uint8)
image = pixels.to(device).float() / 255
print(image.shape)
```

## Fix safety

Safe: `.to(device, dtype)` gives the same values on the same device. Unsafe for a `.cuda()` that nothing
guards, because the device is another one then on a machine without CUDA.

## References

- [torch.Tensor.to](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html)
- [torch.nn.Module.to](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.to)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.cond import tips
from devlint.model.events import Move
from devlint.model.torch.effects import words
from devlint.model.torch.methods import MOVES
from devlint.model.value import Lib, Obj, Step
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import is_tensor
from devlint.syntax import tree as t
from devlint.syntax.edit import argument
from devlint.syntax.layout import whole
from devlint.syntax.walk import walk
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context

NARROW = words("bfloat16 bool byte char float16 half int16 int8 short uint8", "torch.")


def _narrows(event: Move) -> bool:
    """Whether a cast may make a tensor smaller, and it is no image of bytes from elsewhere."""
    if not any(type(leaf) is Lib and leaf.name in NARROW for leaf in tips(event.dtype)):
        return False
    step: Step | None = event.receiver.cause
    while step is not None and step.kind != "host":
        step = step.prev
    return step is None or not _counts_in_bytes(event)


def _counts_in_bytes(event: Move) -> bool:
    """Whether the function around has the 255 of pixels in it."""
    function = event.where.function
    around = function.node if function is not None else event.site.file.tree
    return any(isinstance(node, t.Const) and node.value in (255, 255.0) for node in walk(around))


def _check(event: Move) -> Iterator[Finding]:
    if event.after is None or event.dtype is None or event.after.cast:
        return
    move = event.after.site.node
    assert isinstance(move, t.Call)
    if event.after.method == "cpu" or any(
        isinstance(a.value, t.Const) and a.value.value == "cpu" for a in move.args
    ):
        return
    if len(move.args) > 1:
        return
    receiver = event.receiver
    is_module = isinstance(receiver, Obj) and receiver.is_module
    if not is_module and not (is_tensor(receiver) and _narrows(event)):
        return
    yield Finding(
        event.site,
        "moved at full width, then cast: one `.to(device, dtype)` does both",
        fix=partial(_fix, event, event.after),
    )


def _fix(event: Move, first: Move, ctx: Context) -> Draft | None:
    call, move = event.site.node, first.site.node
    moved = ctx.destination(first)
    torch = ctx.spelled("torch", event.where)
    if moved is None or moved.dtype or not isinstance(call, t.Call) or not isinstance(move, t.Call):
        return None
    if not isinstance(call.func, t.Attr) or not isinstance(move.func, t.Attr):
        return None
    if event.method in MOVES:
        dtype = argument(call, "dtype", 0)
        if dtype is None or len(call.args) > 1:
            return None
        text = ctx.text(dtype.value)
    elif torch is not None and not call.args and event.method in _DTYPES:
        text = f"{torch}.{_DTYPES[event.method]}"
    else:
        return None
    start, end = whole(ctx.source, move.func.value).end, ctx.source.span(call).end
    both = ctx.source.text[start:end]
    if "#" in both or call.func.value is not move:
        return None
    blanks = both[: both.index(".")]
    edits = [*moved.edits, Edit(start, end, f"{blanks}.to({moved.device}, {text})")]
    unguarded = move.func.attr == "cuda" and not event.where.guarded
    return ctx.draft("Move and cast in one step", Safety.UNSAFE if unguarded else Safety.SAFE, edits)


_DTYPES = {
    "bfloat16": "bfloat16",
    "bool": "bool",
    "byte": "uint8",
    "char": "int8",
    "double": "float64",
    "float": "float32",
    "half": "float16",
    "short": "int16",
}

RULE = Rule(
    code="DEV105",
    name="split-move-and-cast",
    summary="a move and a cast in two steps",
    severity=Severity.INFO,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.SAFE, Safety.UNSAFE}),
)
