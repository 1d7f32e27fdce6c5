"""A tensor type of old that is tied to CUDA

## What it does

Looks for the tensor types of `torch.cuda` where they make or convert tensors: `torch.cuda.FloatTensor(...)`,
`.type(torch.cuda.LongTensor)`, `torch.set_default_tensor_type("torch.cuda.FloatTensor")`, and the alias
`Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor`.

## Why is this bad?

They are from the time before `torch.device`: one type for each dtype and for each of two devices. They raise
on a machine without CUDA (`TypeError: type torch.cuda.FloatTensor not available. Torch not compiled with
CUDA enabled.`), know no other accelerator and no second card, and an alias of them spreads this over the
whole program. `set_default_tensor_type` is deprecated since PyTorch 2.1.

A type is right where it is only asked for, as in `isinstance(x, torch.cuda.LongTensor)` or in an annotation.

## Example

```python
# bad run=portability
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
noise = torch.cuda.FloatTensor(2, 3).fill_(0.5)  # expect: DEV206
labels = torch.tensor([0, 2], device=device)
labels = labels.type(torch.cuda.LongTensor)  # expect: DEV206
print(noise.sum().item(), labels.tolist())
```

```python
# fixed run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
noise = torch.empty(2, 3, device=device).fill_(0.5)
labels = torch.tensor([0, 2], device=device)
labels = labels.to(device, torch.int64)
print(noise.sum().item(), labels.tolist())
```

```python
# good run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
noise = torch.full((2, 3), 0.5, device=device)
labels = torch.tensor([0, 2], dtype=torch.int64, device=device)
print(noise.sum().item(), labels.tolist())
```

## Fix safety

Unsafe: the tensor is on the program's device from now on, which is not CUDA on every machine. A fix is
offered only where the arguments are sizes for sure, or data for sure; for an alias there is none.

## References

- [torch.Tensor](https://docs.pytorch.org/docs/stable/tensors.html)
- [torch.set_default_tensor_type](https://docs.pytorch.org/docs/stable/generated/torch.set_default_tensor_type.html)
- [torch.set_default_device](https://docs.pytorch.org/docs/stable/generated/torch.set_default_device.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Move, Use
from devlint.model.torch.devices import LEGACY_TYPES
from devlint.rule import Draft, Finding, Rule
from devlint.syntax import tree as t
from devlint.syntax.edit import arguments, method_name, replace
from devlint.syntax.walk import parent, walk
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context

_SET_DEFAULT = "torch.set_default_tensor_type"
_HELP = "create tensors with `device=` and `dtype=`"


def _check(event: Use | Move) -> Iterator[Finding]:
    if event.where.caught:
        return
    if isinstance(event, Move):
        name = _named_by_string(event.site.node) if event.method == "type" else None
        if name is not None:
            yield Finding(event.site, _message(name), help=_HELP, fix=partial(_fix_type, event, name))
    elif event.name == _SET_DEFAULT:
        call = parent(event.site.stmt, event.site.node)
        name = _named_by_string(call) if call is not None else None
        if name is not None:
            yield Finding(event.site, _message(name), help="use `torch.set_default_device(device)`")
    elif event.name in LEGACY_TYPES and ".cuda." in event.name and _makes(event):
        yield Finding(event.site, _message(event.name), help=_HELP, fix=partial(_fix, event))


def _message(name: str) -> str:
    return f"`{name}` is tied to CUDA and deprecated"


def _named_by_string(call: t.Node) -> str | None:
    """The type of torch.cuda that a string in the arguments of a call names."""
    for node in walk(*call.args) if isinstance(call, t.Call) else ():
        value = node.value if isinstance(node, t.Const) else None
        if isinstance(value, str) and value in LEGACY_TYPES and ".cuda." in value:
            return value
    return None


def _makes(event: Use) -> bool:
    """Whether a type is called, handed to what converts, or given a name; not where it is only asked for."""
    node, stmt = event.site.node, event.site.stmt
    around = parent(stmt, node)
    while isinstance(around, t.IfExp):
        node, around = around, parent(stmt, around)
    if isinstance(around, (t.Call, t.Arg)):
        return event.called or _converts(stmt, around)
    return isinstance(around, (t.Assign, t.Return, t.Lambda, t.Param))


def _converts(stmt: t.Node, arg: t.Node) -> bool:
    """Whether an argument is one of `.type(...)` or `set_default_tensor_type(...)`."""
    call = parent(stmt, arg)
    func = call.func if isinstance(call, t.Call) else None
    name = func.attr if isinstance(func, t.Attr) else getattr(func, "id", "")
    return name in ("type", "set_default_tensor_type")


def _fix(event: Use, ctx: Context) -> Draft | None:
    for move in ctx.workshop.events:
        if not isinstance(move, Move) or move.method != "type" or not isinstance(move.site.node, t.Call):
            continue
        if any(arg.value is event.site.node for arg in move.site.node.args):
            return _fix_type(move, event.name, ctx)
    call = parent(event.site.stmt, event.site.node)
    return _fix_call(event, call, ctx) if isinstance(call, t.Call) and event.called else None


def _fix_type(event: Move, name: str, ctx: Context) -> Draft | None:
    """`x.type(torch.cuda.LongTensor)` as `x.to(device, torch.int64)`."""
    call = event.site.node
    torch, device = ctx.spelled("torch", event.where), ctx.named_device(event.site, event.where)
    if not isinstance(call, t.Call) or len(call.args) != 1 or torch is None or device is None:
        return None
    if isinstance(call.args[0].value, t.IfExp):
        return None
    dtype = LEGACY_TYPES[name].replace("torch", torch, 1)
    given = Edit(*arguments(ctx.source, call), f"{device}, {dtype}")
    return ctx.draft(
        f"Use `.to({device}, {dtype})`", Safety.UNSAFE, Edit(*method_name(ctx.source, call), "to"), given
    )


def _fix_call(event: Use, call: t.Call, ctx: Context) -> Draft | None:
    """`torch.cuda.FloatTensor(2, 3)` as `torch.empty(2, 3, device=device)`."""
    torch, device = ctx.spelled("torch", event.where), ctx.named_device(event.site, event.where)
    if torch is None or device is None or any(arg.star or arg.name is not None for arg in call.args):
        return None
    dtype = LEGACY_TYPES[event.name].replace("torch", torch, 1)
    values = [arg.value for arg in call.args]
    if len(values) == 1 and isinstance(values[0], (t.Display, t.Comprehension)):
        name, more = "tensor", f", dtype={dtype}"
    elif len(values) > 1 or all(_is_size(value) for value in values):
        name, more = "empty", "" if dtype.endswith("float32") else f", dtype={dtype}"
    else:
        return None
    end = arguments(ctx.source, call).end
    given = f"{more}, device={device}" if values else f"0{more}, device={device}"
    return ctx.draft(
        f"Use `{torch}.{name}(..., device={device})`",
        Safety.UNSAFE,
        replace(ctx.source, event.site.node, f"{torch}.{name}"),
        Edit(end, end, given),
    )


def _is_size(node: t.Expr) -> bool:
    if isinstance(node, t.Const):
        return type(node.value) is int
    func = node.func if isinstance(node, t.Call) else None
    if isinstance(func, t.Attr):
        return func.attr == "size" and isinstance(node, t.Call) and bool(node.args)
    return isinstance(func, t.Name) and func.id == "len"


RULE = Rule(
    code="DEV206",
    name="legacy-tensor-type",
    summary="a tensor type of old that is tied to CUDA",
    severity=Severity.WARNING,
    on=(Use, Move),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
