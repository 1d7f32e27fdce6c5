"""A wrapper's state_dict is saved, with its prefix

## What it does

Reports `torch.save` of the `state_dict()` of a `DataParallel` or `DistributedDataParallel` wrapper, also
inside a dictionary.

## Why is this bad?

The wrapper holds the model as its attribute `module`, so every key of its `state_dict()` begins with
`module.`. Such a checkpoint can be loaded only into a model that is wrapped again; for evaluation on one
card or on the CPU it raises `Error(s) in loading state_dict: Missing key(s) in state_dict: "weight"...
Unexpected key(s) in state_dict: "module.weight"`. Programs that load it then cut the prefix off by hand.

## Example

```python
# bad run=crash
import io

import torch
from torch import nn

net = nn.Linear(3, 2)
if torch.cuda.is_available():
    net = nn.DataParallel(net.to("cuda"))
file = io.BytesIO()
torch.save(net.state_dict(), file)  # expect: DEV503
file.seek(0)
nn.Linear(3, 2).load_state_dict(torch.load(file, map_location="cpu"))
```

```python
# fixed run
import io

import torch
from torch import nn

net = nn.Linear(3, 2)
if torch.cuda.is_available():
    net = nn.DataParallel(net.to("cuda"))
file = io.BytesIO()
torch.save(getattr(net, "module", net).state_dict(), file)
file.seek(0)
nn.Linear(3, 2).load_state_dict(torch.load(file, map_location="cpu"))
```

Where the model keeps its name beside the wrapper, that is the one to save:

```python
# good run
import io

import torch
from torch import nn

net = nn.Linear(3, 2)
parallel = nn.DataParallel(net)
torch.save(net.state_dict(), io.BytesIO())
torch.save(parallel.module.state_dict(), io.BytesIO())
print(len(parallel.module.state_dict()))
```

Nothing is reported where the program also has the reader of such files: a function that asks the keys for the
prefix, and loads them into a wrapper or not, as they are.

## Fix safety

Unsafe: the checkpoint's keys change. Programs that load it into a wrapped model, or cut the prefix off,
have to be changed with it, and old checkpoints keep their prefix.

## References

- [Saving and loading: DataParallel](https://docs.pytorch.org/tutorials/beginner/saving_loading_models.html#saving-torch-nn-dataparallel-models)
- [DistributedDataParallel](https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import SaveWrapped
from devlint.rule import Draft, Finding, Rule
from devlint.syntax import tree as t
from devlint.syntax.edit import attribute, wrap

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: SaveWrapped) -> Iterator[Finding]:
    yield Finding(
        event.site,
        "saved from inside the wrapper: every key begins with `module.`",
        ((event.obj.site, "wrapped here"),),
        help="save `model.module.state_dict()`",
        fix=partial(_fix, event),
    )


def _fix(event: SaveWrapped, ctx: Context) -> Draft | None:
    call = event.site.node
    if not isinstance(call, t.Call) or not isinstance(call.func, t.Attr):
        return None
    model = call.func.value
    if _is_loaded_too(event, ctx.text(model)):
        return None  # into the wrapper itself: both sides must change
    if event.certain:
        edits = attribute(ctx.source, model, "module")
    elif isinstance(model, (t.Name, t.Attr)):
        edits = wrap(ctx.source, model, "getattr(", f', "module", {ctx.text(model)})')
    else:
        return None
    return ctx.draft("Save the wrapped module", Safety.UNSAFE, edits)


def _is_loaded_too(event: SaveWrapped, model: str) -> bool:
    """Whether the same function loads a state_dict into the wrapper, whose keys have the prefix."""
    file, function = event.site.file, event.where.function
    here = function is not None and function.file is file  # a helper elsewhere may be what saves
    text = file.source.segment(function.node) if function is not None and here else file.source.text
    return f"{model}.load_state_dict(" in text


RULE = Rule(
    code="DEV503",
    name="wrapped-state-dict",
    summary="a wrapper's state_dict is saved, with its prefix",
    severity=Severity.WARNING,
    on=(SaveWrapped,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
