"""torch.load is not told where to

## What it does

Reports `torch.load` without `map_location`, by keyword or position, in `**options` or in a partial. Not reported: a
`map_location` that the caller hands on; a load that only happens where there is a GPU, the other branch saying
`map_location="cpu"`; bytes that this process has written itself (`io.BytesIO()`); a file in which the program is seen to save no tensors,
or that is said to hold none (`-> Dict[str, int]`); states of random generators, which are always on the CPU; the
`load` of other libraries.

## Why is this bad?

Each tensor goes back to the device that it was saved from. On a machine without it this raises `RuntimeError:
Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False`, or, for a card that is not
there, `RuntimeError: Attempting to deserialize object on CUDA device 1 but torch.cuda.device_count() is 1`. In a
distributed program every rank loads onto the card of the rank that saved, and its memory runs out.

## Example

The file may come from any machine. Here it comes from this one, so that the example runs:

```python
# bad
import torch
from torch import nn

torch.save(nn.Linear(3, 1).state_dict(), "model.pt")
model = nn.Linear(3, 1)
model.load_state_dict(torch.load("model.pt"))  # expect: DEV501
print(model(torch.ones(2, 3)).shape)
```

```python
# fixed run
import torch
from torch import nn

torch.save(nn.Linear(3, 1).state_dict(), "model.pt")
model = nn.Linear(3, 1)
model.load_state_dict(torch.load("model.pt", map_location="cpu"))
print(model(torch.ones(2, 3)).shape)
```

```python
# good run
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.save(nn.Linear(3, 1).state_dict(), "model.pt")
model = nn.Linear(3, 1).to(device)
model.load_state_dict(torch.load("model.pt", map_location=device))
print(model(torch.ones(2, 3, device=device)).shape)
```

## Fix safety

Unsafe: the tensors land elsewhere than before. Code that goes on with them, rather than copying them into a module
by `load_state_dict`, has to expect them there. `map_location` becomes the program's device if it has one in
scope, else `"cpu"`, which PyTorch recommends for a checkpoint that is copied into a module.

## References

- [torch.load](https://docs.pytorch.org/docs/stable/generated/torch.load.html)
- [Saving and loading models across devices](https://docs.pytorch.org/tutorials/beginner/saving_loading_models.html#saving-loading-model-across-devices)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Load
from devlint.model.value import Const, Unknown
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import holds_data
from devlint.syntax import tree as t
from devlint.syntax.edit import set_argument
from devlint.syntax.walk import parent

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _hands_on(node: t.Node) -> bool:
    """Whether a call passes a map_location that comes from its caller, be it None this time."""
    return isinstance(node, t.Call) and any(
        (arg.name == "map_location" or (i == 1 and arg.name is None and not arg.star))
        and not isinstance(arg.value, t.Const)
        for i, arg in enumerate(node.args)
    )


def _returns_data(event: Load) -> bool:
    """Whether it is returned by a function whose annotation says that this holds no tensors."""
    function, stmt = event.where.function, event.site.stmt
    return (
        function is not None
        and isinstance(function.node, t.FunctionDef)
        and isinstance(stmt, t.Return)
        and stmt.value is event.site.node
        and _is_data(function.node.returns)
    )


def _is_data(annotation: t.Expr | None) -> bool:
    """Whether it names numbers, texts and containers of such only: `Dict[str, List[int]]`."""
    if isinstance(annotation, t.Name):
        return annotation.id in ("bool", "bytes", "float", "int", "str")
    if not isinstance(annotation, t.Subscript):
        return False
    items = annotation.index.items if isinstance(annotation.index, t.Display) else [annotation.index]
    return all(_is_data(x) for x in items if not (isinstance(x, t.Const) and x.value is ...))


def _are_states(result: Unknown) -> bool:
    """Whether all that is loaded becomes the state of random generators, which wants it on the CPU."""
    parts = [x for key, x in result.attrs.items() if key == "%element" or isinstance(key, tuple)]
    return "state" in result.root.seen or (bool(parts) and all("state" in x.root.seen for x in parts))


def _check(event: Load) -> Iterator[Finding]:
    absent = event.place is None or event.place == Const(None)
    if not absent or event.open_ended or event.available or _hands_on(event.site.node):
        return
    if type(event.source) is Unknown and "%empty" in event.source.attrs:
        return  # written by this process, on this machine
    if isinstance(parent(event.site.stmt, event.site.node), t.Compare):
        return  # text, or a number: no tensor is compared with `==` as a whole
    if _returns_data(event) or _are_states(event.result):
        return
    if event.saved and all(holds_data(value) for value in event.saved):
        return
    yield Finding(
        event.site,
        "tensors go back to the device that they were saved from, which may not be there",
        help="pass `map_location=`",
        fix=partial(_fix, event),
    )


def _fix(event: Load, ctx: Context) -> Draft | None:
    call = event.site.node
    if not isinstance(call, t.Call) or not ctx.calls(call, "torch.load", event.where):
        return None
    place = ctx.named_device(event.site, event.where) or ctx.string("cpu")
    edits = set_argument(ctx.source, call, "map_location", place, position=1)
    return ctx.draft(f"Load onto `{place}`", Safety.UNSAFE, edits)


RULE = Rule(
    code="DEV501",
    name="load-without-map-location",
    summary="torch.load is not told where to",
    severity=Severity.WARNING,
    on=(Load,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
