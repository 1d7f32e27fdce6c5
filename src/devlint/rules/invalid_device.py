"""A string that torch.device rejects

## What it does

Reports a literal that reaches a place where a device is taken, and that no PyTorch understands: `"gpu"`, `"CUDA"`,
`"cuda0"`, `"cuda:-1"`. Device types that plugins register (`"npu"`, `"mlu"`, `"musa"`, and the program's own, by
`torch.utils.rename_privateuse1_backend`) are right. A word that the program translates before it is taken
(`"auto"`, `"gpu"`) is not reported, nor is an attempt that is expected to fail.

## Why is this bad?

It raises, `RuntimeError: Expected one of cpu, cuda, ipu, xpu, mkldnn, ... device type at start of device string: gpu`,
or `RuntimeError: Invalid device string: 'cuda0'`. If it stands in the branch for machines with a GPU, no other
machine will show it.

## Example

```python
# bad run=crash
import torch

device = torch.device("gpu" if torch.cuda.is_available() else "cpu")  # expect: DEV203
print(torch.ones(3, device=device).sum().item())
```

```python
# fixed run
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(torch.ones(3, device=device).sum().item())
```

A word of one's own is translated first:

```python
# good run
import torch


def pick(name="gpu"):
    if name == "gpu":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


print(torch.ones(3, device=pick()).sum().item())
```

## Fix safety

Safe: the program raised at this place, on every machine. The fix writes the one device that the string can have
meant (`"gpu"` and `"CUDA"`: `"cuda"`, `"cuda0"`: `"cuda:0"`), with the CPU as its fallback where the program says
nothing of machines without it. Where the meaning is not certain (`"auto"`, `"tpu"`) there is no fix.

## References

- [torch.device](https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device)
- [Facilitating new backend integration by PrivateUse1](https://docs.pytorch.org/tutorials/advanced/privateuseone.html)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Take
from devlint.model.torch.devices import ACCELERATORS, DEVICE_TYPES, is_valid_device
from devlint.rule import Draft, Finding, Rule

if TYPE_CHECKING:
    from devlint.fix.context import Context

# A plugin of PyTorch registers its type when torch is imported: the program need not name the plugin.
PLUGINS = frozenset({"npu", "mlu", "musa", "sdaa"}) & ACCELERATORS


def _check(event: Take) -> Iterator[Finding]:
    site = event.literal.site
    name = str(event.literal.value)
    if site is None or event.where.caught or is_valid_device(name, PLUGINS):
        return
    source = event.site.file.source
    if _brings(source.data + source.path.encode(), name.partition(":")[0]):
        return
    if event.site.stmt is not site.stmt and meant(name) is None:
        return  # a word on its way (`"auto"`), which is translated somewhere
    yield Finding(
        site,
        f'torch.device has no "{name}": this raises',
        ((event.site, f"taken as a device here ({event.how})"),) if event.site.node is not site.node else (),
        fix=partial(_fix, event),
    )


def _brings(program: bytes, kind: str) -> bool:
    """Whether a program brings a device type of its own: it renames one, or uses `torch.kind`, which the plugin
    puts there, or `torch_kind`, the plugin itself (PyTorch docs, "Facilitating New Backend Integration by PrivateUse1")."""
    if b"rename_privateuse1_backend" in program:
        return True
    return (
        kind not in DEVICE_TYPES
        and kind.isidentifier()
        and re.search(rb"\btorch[._]%s\w*\b" % kind.encode(), program) is not None
    )


# A known type in another spelling ("CUDA"), TensorFlow's name for it, an index without its colon ("cuda0").
_MEANT = re.compile(r"/?(?:device:)?(cpu|cuda|gpu|mps|xpu)(?:\s*[:_-]?\s*([0-9]+))?", re.IGNORECASE)


def meant(name: str) -> str | None:
    """The device that a rejected string evidently means; None where that is a guess."""
    match = _MEANT.fullmatch(name.strip())
    if match is None:
        return None
    kind = match[1].lower().replace("gpu", "cuda")
    return kind if match[2] is None or kind in ("cpu", "mps") else f"{kind}:{int(match[2])}"


def _fix(event: Take, ctx: Context) -> Draft | None:
    name = meant(str(event.literal.value))
    written = ctx.instead_of(event, name) if name is not None else None
    if written is None:
        return None
    return ctx.draft(f"Use `{written.text}`", Safety.SAFE, written.edits)


RULE = Rule(
    code="DEV203",
    name="invalid-device",
    summary="a string that torch.device rejects",
    severity=Severity.ERROR,
    on=(Take,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
