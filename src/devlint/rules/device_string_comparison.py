"""A torch.device is compared with a string

## What it does

Reports `device == "cuda"`, `x.device != "cpu"`, `x.device in ("cuda", "mps")` where the left side is known to be a
`torch.device`: a variable that holds one, the `device` of a tensor or of a parameter, a parameter that is annotated
as one. Two strings may be compared, and of a `device` of which nothing is known nothing is said.

## Why is this bad?

A `torch.device` never equals a string: `torch.device("cuda") == "cuda"` is `False`, and `!=` is `True`, on every
machine. No error is raised. The branch for the GPU is never taken, or the one for the CPU always: pinned
memory, mixed precision or a synchronisation is silently on or off.

## Example

```python
# bad run=silent
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if device != "cpu":  # expect: DEV204
    raise SystemExit(int(not torch.cuda.is_available()))
```

```python
# fixed run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if device.type != "cpu":
    raise SystemExit(int(not torch.cuda.is_available()))
```

Ask for the type, or compare with a device:

```python
# good run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.ones(3, device=device)
print((x.device.type == "cuda") == torch.cuda.is_available(), x.device.type in ("cpu", "cuda"))
```

## Fix safety

Safe: the comparison becomes what it says, by `.type`, or with `torch.device(...)` around a string that has an index.
Until then it had one answer on every machine, which nobody can have meant. Where a mixed list holds strings with
and without an index there is no fix.

## References

- [torch.device](https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from devlint.diagnostic import Safety, Severity
from devlint.model.cond import tips
from devlint.model.device import Like
from devlint.model.events import Compared
from devlint.model.torch.devices import ACCELERATORS, is_valid_device, means_device
from devlint.model.value import Const, DeviceValue, Obj, Tuple
from devlint.rule import Draft, Finding, Rule
from devlint.syntax import tree as t
from devlint.syntax.edit import attribute, wrap

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _is_device(value: Any) -> bool:
    found = False
    for leaf in tips(value):
        if type(leaf) is Const and leaf.value is None:
            continue
        if type(leaf) is not DeviceValue or leaf.text:
            return False
        device = leaf.device
        if isinstance(device, Like) and not device.named and not device.root.seen & {"tensor", "module"}:
            return False
        found = True
    return found


def _is_string(value: Any) -> bool:
    if type(value) is Tuple:
        return bool(value.items) and all(_is_string(x) for x in value.items)
    if isinstance(value, Obj):
        items = [v for k, v in value.attrs.items() if isinstance(k, tuple)]
        return value.kind in ("list", "set") and bool(items) and all(_is_string(x) for x in items)
    return all(type(leaf) is Const and isinstance(leaf.value, str) for leaf in tips(value))


def _is_sentinel(device: Any, strings: Any) -> bool:
    """Whether a value is compared with a word that names no device (`"auto"`): then it takes such words as well.
    Of a parameter only its annotation says that it is a device, so a word that is misspelled counts too."""
    annotated = any(
        type(d) is DeviceValue and isinstance(d.device, Like) and d.device.named for d in tips(device)
    )
    fits = partial(is_valid_device, extra=ACCELERATORS) if annotated else means_device
    return not all(map(fits, _strings(strings)))


def _is_said_to_be_text(event: Compared) -> bool:
    """Whether what is compared is a parameter that takes a string: a device in its place is its caller's fault."""
    node, func = event.site.node, event.where.function
    if func is None or not isinstance(node, t.Compare):
        return False
    names = {part.id for part in (node.left, *(x for _, x in node.rest)) if isinstance(part, t.Name)}
    return any(
        p.name in names and isinstance(p.annotation, t.Name) and p.annotation.id == "str"
        for p in func.node.params
    )


def _check(event: Compared) -> Iterator[Finding]:
    if event.op not in ("Equal", "NotEqual", "In", "NotIn"):
        return
    pairs = [(event.left, event.right)]
    if event.op in ("Equal", "NotEqual"):
        pairs.append((event.right, event.left))
    if not any(_is_device(a) and _is_string(b) and not _is_sentinel(a, b) for a, b in pairs):
        return
    if _is_said_to_be_text(event):
        return
    always = "false" if event.op in ("Equal", "In") else "true"
    yield Finding(
        event.site,
        f"a torch.device never equals a string: this is always {always}",
        help="compare `.type`",
        fix=partial(_fix, event),
    )


def _strings(value: Any) -> list[str]:
    """The strings that a value may be, or hold."""
    if type(value) is Tuple:
        return [text for item in value.items for text in _strings(item)]
    if isinstance(value, Obj):
        return [text for key, v in value.attrs.items() if isinstance(key, tuple) for text in _strings(v)]
    return [str(leaf.value) for leaf in tips(value)]


def _fix(event: Compared, ctx: Context) -> Draft | None:
    node = event.site.node
    if not isinstance(node, t.Compare) or len(node.rest) != 1:
        return None
    pair = [(event.left, node.left), (event.right, node.rest[0][1])]
    if not _is_device(event.left):
        pair.reverse()
    (device, device_node), (strings, strings_node) = pair
    if any(type(leaf) is Const for leaf in tips(device)):
        return None  # perhaps None, which has no type
    texts = _strings(strings)
    if not all(is_valid_device(text, ACCELERATORS) for text in texts):
        return None  # "pinned", "auto": no device at all, so perhaps it is none either
    indexed = [":" in text for text in texts]
    if not any(indexed):
        return ctx.draft("Compare `.type`", Safety.SAFE, attribute(ctx.source, device_node, "type"))
    torch = ctx.spelled("torch.device", event.where)
    if not all(indexed) or torch is None:
        return None
    items = strings_node.items if isinstance(strings_node, t.Display) else [strings_node]
    if event.op in ("In", "NotIn") and not isinstance(strings_node, t.Display):
        return None
    edits = [edit for item in items for edit in wrap(ctx.source, item, f"{torch}(", ")")]
    return ctx.draft("Compare with a torch.device", Safety.SAFE, edits)


RULE = Rule(
    code="DEV204",
    name="device-string-comparison",
    summary="a torch.device is compared with a string",
    severity=Severity.ERROR,
    on=(Compared,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
