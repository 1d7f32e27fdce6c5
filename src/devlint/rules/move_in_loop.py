"""The same, unchanged tensor is moved on every iteration

## What it does

Reports `table.to(device)` in the body of a loop, where `table` was made before the loop, is on another
device, and the loop does not change it.

## Why is this bad?

Every turn copies the same bytes again, and allocates memory for them: for a table of class weights that is
little, for an embedding or a mask of the whole data set it is most of the step.

## Example

```python
# bad run=performance
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
table = torch.arange(1000.0)
total = torch.zeros(1000, device=device)
for step in range(3):
    total += table.to(device) * step  # expect: DEV604
print(total.sum().item())
```

```python
# good run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
table = torch.arange(1000.0, device=device)
total = torch.zeros(1000, device=device)
for step in range(3):
    total += table * step
print(total.sum().item())
```

## Fix safety

No fix: whether the tensor can live on the device from the start depends on what else reads it.

## References

- [Avoid unnecessary CPU-GPU synchronization](https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Severity
from devlint.model.events import LoopMove
from devlint.model.value import Tensor
from devlint.rule import Finding, Rule
from devlint.rules._evidence import notes
from devlint.syntax import tree as t
from devlint.syntax.walk import own_names, walk, way_to


def _check(event: LoopMove) -> Iterator[Finding]:
    cause = event.receiver.cause if type(event.receiver) is Tensor else None
    if _may_change(event) or (cause is not None and cause.kind == "module"):
        return  # (what a module registered moves with it: then nothing is copied here)
    yield Finding(
        event.site,
        "the same tensor is copied on every iteration",
        notes(event.receiver),
        help="move it once, before the loop",
    )


def _may_change(event: LoopMove) -> bool:
    """Whether the loop does anything with the tensor but read it: writes to its items, an operation in place,
    a call that is given it; or binds a name that says which tensor it is, or goes through what says where it
    goes."""
    call = event.site.node
    if not isinstance(call, t.Call) or not isinstance(call.func, t.Attr):
        return True
    moved = call.func.value
    way = way_to(event.site.file.tree, event.site.stmt)
    loops = [level.owner for level in way if isinstance(level.owner, (t.For, t.While))]
    if not loops:
        return True
    loop, names = loops[-1], {x.id for x in walk(moved) if isinstance(x, t.Name)}
    given = {x.id for arg in call.args for x in walk(arg.value) if isinstance(x, t.Name)}
    if not given.isdisjoint(own_names(loop)):
        return True
    return any(_changes(node, moved) or not names.isdisjoint(own_names(node)) for node in walk(loop))


def _changes(node: t.Node, moved: t.Node) -> bool:
    if isinstance(node, t.Call):
        given = (part for arg in node.args for part in walk(arg.value) if part is not moved)
        if any(_same(part, moved) for part in given):
            return True
        func = node.func
        return isinstance(func, t.Attr) and func.attr.endswith("_") and _begins(func.value, moved)
    if isinstance(node, t.Subscript):
        return _same(node.value, moved)
    return isinstance(node, t.AugAssign) and _begins(node.target, moved)


def _same(one: t.Node, other: t.Node) -> bool:
    """Whether two expressions are the same name, or the same attribute of a name."""
    if isinstance(one, t.Name) and isinstance(other, t.Name):
        return one.id == other.id
    if isinstance(one, t.Attr) and isinstance(other, t.Attr):
        return one.attr == other.attr and _same(one.value, other.value)
    return False


def _begins(node: t.Node, with_: t.Node) -> bool:
    """Whether an expression is another, or a method, an item or an attribute of it."""
    while not _same(node, with_):
        if isinstance(node, (t.Attr, t.Subscript)):
            node = node.value
        elif isinstance(node, t.Call):
            node = node.func
        else:
            return False
    return True


RULE = Rule(
    code="DEV604",
    name="move-in-loop",
    summary="the same, unchanged tensor is moved on every iteration",
    severity=Severity.INFO,
    on=(LoopMove,),
    check=_check,
)
