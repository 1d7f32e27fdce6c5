"""A name of torch.cuda that has a device-neutral form

## What it does

Looks for names that exist for every device, but are asked for in `torch.cuda`: `torch.cuda.amp.autocast`,
`torch.cuda.amp.GradScaler`, and functions such as `torch.cuda.synchronize()` that nothing guards.

## Why is this bad?

`torch.cuda.amp` is deprecated since PyTorch 2.4 ("`torch.cuda.amp.autocast(args...)` is deprecated. Please
use `torch.amp.autocast('cuda', args...)` instead."). It is silent where there is no CUDA: on an accelerator
of another kind the model runs in full precision, and nobody hears of it.

`torch.cuda.synchronize()` and the like raise there: `AssertionError: Torch not compiled with CUDA enabled`.

Functions that do nothing without CUDA (`torch.cuda.empty_cache()`, `torch.cuda.manual_seed_all()`), and
those that only CUDA code needs (streams, the index of the card of a process), are not reported.

## Example

```python
# bad
import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    @torch.cuda.amp.autocast()  # expect: DEV207
    def forward(self, x):
        return self.layer(x)
```

```python
# fixed
import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    @torch.amp.autocast("cuda")
    def forward(self, x):
        return self.layer(x)
```

The device of the data says what is to be cast for, and knows every accelerator.

```python
# good run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
layer = nn.Linear(4, 1).to(device)
x = torch.ones(2, 4, device=device)
with torch.autocast(device.type, dtype=torch.bfloat16):
    print(layer(x).shape)
```

## Fix safety

Safe: `torch.amp.autocast("cuda")` is what `torch.cuda.amp.autocast()` is defined as; the device stands where
it can be changed. `torch.amp.GradScaler` and the functions of `torch.accelerator` are written only if
`target-torch` has them; the latter are unsafe, because they mean whatever accelerator the machine has. That
`device.type` is meant cannot be known: on the CPU autocast does something (`bfloat16`), the CUDA-only name
does not.

## References

- [torch.amp](https://docs.pytorch.org/docs/stable/amp.html)
- [torch.accelerator](https://docs.pytorch.org/docs/stable/accelerator.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Use
from devlint.model.torch.devices import CUDA_ONLY_APIS, CudaOnly
from devlint.rule import Draft, Finding, Rule
from devlint.syntax import tree as t
from devlint.syntax.edit import arguments, replace, set_argument
from devlint.syntax.layout import indentation, newline, starts_line
from devlint.syntax.walk import walk, way_to
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context

# What only code for CUDA asks for: streams, and the card of a process.
CUDA_S_OWN = frozenset({"torch.cuda.set_device", "torch.cuda.current_device", "torch.cuda.current_stream"})


def _check(event: Use) -> Iterator[Finding]:
    api = CUDA_ONLY_APIS.get(event.name)
    if api is None or event.name in CUDA_S_OWN:
        return
    if not event.name.startswith("torch.cuda.amp."):
        if api.harmless or not event.called or event.where.guarded or event.where.caught:
            return
        call = _call_of(event)
        if call is None or call.args:
            return  # of a card that was chosen elsewhere: `for i in range(torch.cuda.device_count())`
    elif _knows_neutral(event, api) or _by_version(event):
        return
    yield Finding(
        event.site,
        f"`{event.name}` is for CUDA alone",
        help=f"use `{api.neutral}`",
        fix=partial(_fix, event, api),
    )


def _knows_neutral(event: Use, api: CudaOnly) -> bool:
    """Whether the file has the neutral form too, for another version of PyTorch: as an alternative."""
    return api.replacement.encode() + b"(" in event.site.file.source.data or any(
        isinstance(node, t.ImportFrom)
        and node.module == "torch.amp"
        and api.replacement.rpartition(".")[2] in {name for name, _ in node.names or ()}
        for node in walk(*event.site.file.tree.body)
    )


def _by_version(event: Use) -> bool:
    """Whether a version of PyTorch decides: `if version.parse(torch.__version__) < version.parse("2.4"):`."""
    return any(
        isinstance(level.owner, t.If)
        and any(isinstance(x, t.Attr) and x.attr == "__version__" for x in walk(level.owner.test))
        for level in way_to(event.site.file.tree, event.site.stmt)
    )


def _fix(event: Use, api: CudaOnly, ctx: Context) -> Draft | None:
    torch = ctx.spelled("torch", event.where)
    if ctx.settings.target_torch < api.since:
        return None
    if isinstance(event.site.node, t.Name) and api.replacement:
        edits = _imported(event, ctx)
        return None if edits is None else ctx.draft("Import it from `torch.amp`", Safety.SAFE, edits)
    if torch is None:
        return None
    if not api.replacement:
        name, call, rest = api.neutral.partition("(")
        call_node = _call_of(event)
        if not call or rest != ")" or call_node is None or call_node.args:
            return None
        text = torch + name.removeprefix("torch")
        return ctx.draft(f"Use `{name}`", Safety.UNSAFE, replace(ctx.source, event.site.node, text))
    given = _with_device(event, api, ctx)
    if given is None:
        return None
    text = torch + api.replacement.removeprefix("torch")
    message = f'Use `{api.replacement}("cuda")`'
    return ctx.draft(message, Safety.SAFE, replace(ctx.source, event.site.node, text), given)


def _with_device(event: Use, api: CudaOnly, ctx: Context) -> list[Edit] | None:
    """The arguments of the call with "cuda" among them, as the neutral name has them."""
    call = _call_of(event)
    if call is None or any(arg.star for arg in call.args):
        return None
    device = ctx.string("cuda")
    if api.argument:
        return set_argument(ctx.source, call, api.argument, device)
    given = [arg for arg in call.args if arg.name is None]
    if api.positional and len(given) > len(api.positional):
        return None
    edits = []
    for arg, name in zip(given, api.positional, strict=False):
        start = ctx.source.span(arg).start
        edits.append(Edit(start, start, f"{name}="))
    start = arguments(ctx.source, call).start
    first = ctx.source.span(call.args[0]).start if call.args else start
    return [*edits, Edit(first, first, f"{device}, " if call.args else device)]


def _imported(event: Use, ctx: Context) -> list[Edit] | None:
    """The import of a name from the neutral module, and "cuda" in its calls; None if it has other uses."""
    name = getattr(event.site.node, "id", "")
    tree = event.site.file.tree
    found = [
        node
        for node in walk(*tree.body)
        if isinstance(node, t.ImportFrom) and name in {bound for _, bound in node.names or ()}
    ]
    uses = [e for e in ctx.workshop.events if isinstance(e, Use) and getattr(e.site.node, "id", "") == name]
    used = {id(e.site.node) for e in uses}
    read = {id(node) for node in walk(*tree.body) if isinstance(node, t.Name) and node.id == name}
    if len(found) != 1 or used != read or found[0].names is None:
        return None
    edits = _import_neutral(found[0], name, CUDA_ONLY_APIS[event.name], ctx)
    if edits is None:
        return None
    for use in uses:
        given = _with_device(use, CUDA_ONLY_APIS[use.name], ctx)
        if given is None:
            return None
        edits += given
    return edits


def _import_neutral(stmt: t.ImportFrom, bound: str, api: CudaOnly, ctx: Context) -> list[Edit] | None:
    module, _, name = api.replacement.rpartition(".")
    start, end = ctx.source.span(stmt)
    if "#" in ctx.source.text[start:end] or not starts_line(ctx.source, start):
        return None
    lines = [f"from {module} import {name}" + (f" as {bound}" if bound != name else "")]
    rest = [(each, other) for each, other in stmt.names or () if other != bound]
    if rest:
        names = (each if each == other else f"{each} as {other}" for each, other in rest)
        lines.append(f"from {stmt.module} import {', '.join(names)}")
    return [Edit(start, end, (newline(ctx.source) + indentation(ctx.source, start)).join(lines))]


def _call_of(event: Use) -> t.Call | None:
    """The call of the name."""
    for root in (event.site.stmt, *getattr(event.site.stmt, "decorators", ())):
        for node in walk(root):
            if isinstance(node, t.Call) and node.func is event.site.node:
                return node
    return None


RULE = Rule(
    code="DEV207",
    name="cuda-only-api",
    summary="a name of torch.cuda that has a device-neutral form",
    severity=Severity.WARNING,
    on=(Use,),
    check=_check,
    safeties=frozenset({Safety.SAFE, Safety.UNSAFE}),
)
