"""`.cuda()` ties the program to one kind of accelerator

## What it does

Reports `.cuda()`, with or without a card, on tensors, modules, and on what is unknown: with no or one argument,
in a file that imports torch, this is PyTorch's method. Not reported where the program has made sure that there is
a GPU (`if torch.cuda.is_available():`, an early exit, a test that is skipped), where somebody asked for one
(`if args.cuda:`, `if gpu is not None: x.cuda(gpu)`, `if x.is_cuda:`), where the failure is handled, and in a
class's own method `cuda`.

## Why is this bad?

On a machine without CUDA it raises `AssertionError: Torch not compiled with CUDA enabled`, or `RuntimeError: Found
no NVIDIA driver on your system`. Whoever has an AMD, Intel or Apple device, or a laptop and a debugger, cannot
run the program. `.cuda()` is always the current card: in a program with several, that is one more thing to know.

## Example

```python
# bad run=portability
import torch
from torch import nn

model = nn.Linear(3, 1).cuda()  # expect: DEV201
x = torch.ones(4, 3)
print(model(x.cuda()).shape)  # expect: DEV201
```

```python
# fixed run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(3, 1).to(device)
x = torch.ones(4, 3)
print(model(x.to(device)).shape)
```

Behind a question that has another answer, it is right:

```python
# good run
import torch
from torch import nn

model = nn.Linear(3, 1)
x = torch.ones(4, 3)
if torch.cuda.is_available():
    model, x = model.cuda(), x.cuda()
print(model(x).shape)
```

## Fix safety

Unsafe: on a machine without CUDA the program ran into an error, and now runs, on the CPU. Where it ran before it
does the same. The device is one that is in scope; else that of the module, or of a model that the function was
given; else a variable that all findings of the function, or of the file, share:

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

A flag that decides about other moves (`if args.cuda: model.cuda()`) decides about it as well, and guards around
nothing but such moves go. Arguments such as `non_blocking=True` stay. A card of its own (`.cuda(1)`,
`.cuda(rank)`) is left alone.

## References

- [CUDA semantics: device-agnostic code](https://docs.pytorch.org/docs/stable/notes/cuda.html#device-agnostic-code)
- [torch.Tensor.cuda](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.cuda.html)
- [torch.accelerator](https://docs.pytorch.org/docs/stable/accelerator.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Move
from devlint.model.value import Obj, Tensor, Unknown
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import is_tensor
from devlint.syntax import tree as t
from devlint.syntax.edit import move_to

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _is_torch_s(node: t.Node) -> bool:
    """Whether a call has the arguments of PyTorch's `.cuda()`: `device`, `non_blocking`, `memory_format`."""
    if not isinstance(node, t.Call):
        return False
    positional = sum(1 for arg in node.args if arg.name is None)
    names = {arg.name for arg in node.args if arg.name is not None}
    return positional <= 1 and names <= {"device", "non_blocking", "memory_format"}


def _check(event: Move) -> Iterator[Finding]:
    if event.method != "cuda" or event.where.guarded or event.where.caught:
        return
    if event.where.function is not None and getattr(event.where.function.node, "name", "") == "cuda":
        return  # the class's own `.cuda()`: it does what it is called
    receiver = event.receiver
    if type(receiver) is Unknown and not _is_torch_s(event.site.node):
        return
    if event.dropped and is_tensor(receiver):
        return  # unassigned-move says more
    known = (
        type(receiver) is Tensor
        or type(receiver) is Unknown
        or (isinstance(receiver, Obj) and receiver.is_module)
    )
    if not known or b"torch" not in event.site.file.source.data:
        return
    yield Finding(
        event.site,
        "`.cuda()` raises on a machine without CUDA, and knows no other accelerator",
        help="use `.to(device)`",
        fix=partial(_fix, event),
    )


def _fix(event: Move, ctx: Context) -> Draft | None:
    written = ctx.card(event)
    call = event.site.node
    if written is None or not isinstance(call, t.Call):
        return None
    return ctx.draft(
        f"Use `.to({written.text})`", Safety.UNSAFE, written.edits, move_to(ctx.source, call, written.text)
    )


RULE = Rule(
    code="DEV201",
    name="hardcoded-cuda-call",
    summary="`.cuda()`: use `.to(device)`",
    severity=Severity.WARNING,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
