"""A model that a library has placed is moved

## What it does

Looks for `.to(device)` and `.cuda()` on a model whose parts were put on devices when it was loaded: with
`device_map="auto"`, by Accelerate's `dispatch_model`, or in 4 or 8 bits.

## Why is this bad?

`device_map` spreads the layers of a model over cards, the CPU and the disk, and Accelerate hooks on them
move the data from one to the next. Moved to one device, the model may not fit any more, and the hooks send
the data elsewhere. Parts on the disk cannot be moved at all: `RuntimeError: You can't move a model that has
some modules offloaded to cpu or disk.` Quantised weights refuse too: `ValueError: .to is not supported for
4-bit or 8-bit bitsandbytes models. Please use the model as it is [...]`.

It may go well as long as the whole model fits on the one card that `.to()` names.

## Example

```python
# bad
import torch
from transformers import AutoModelForCausalLM

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = AutoModelForCausalLM.from_pretrained("gpt2", device_map="auto")
model.to(device)  # expect: DEV506
model.eval()
```

```python
# fixed
import torch
from transformers import AutoModelForCausalLM

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = AutoModelForCausalLM.from_pretrained("gpt2", device_map="auto")
model.eval()
```

Either the library places the model, or the program does. The inputs go to where the model begins.

```python
# good
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("gpt2")
model = AutoModelForCausalLM.from_pretrained("gpt2", device_map="auto", torch_dtype=torch.float16)
inputs = tokenizer("Hello", return_tensors="pt").to(model.device)
model.generate(**inputs)
```

## Fix safety

Unsafe: without the move the model stays where the library put it, and what follows must not count on another
place.

## References

- [Accelerate: Big Model Inference](https://huggingface.co/docs/accelerate/usage_guides/big_modeling)
- [Transformers: bitsandbytes](https://huggingface.co/docs/transformers/quantization/bitsandbytes)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Move
from devlint.model.value import Const, Obj, Unknown
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import reassigned
from devlint.syntax import tree as t
from devlint.syntax.edit import unwrap_method
from devlint.syntax.reorder import take_away
from devlint.syntax.walk import way_to

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: Move) -> Iterator[Finding]:
    receiver = event.receiver
    if not isinstance(receiver, (Obj, Unknown)) or receiver.attrs.get("%dispatched") != Const(True):
        return
    if event.target is None or event.where.caught:
        return
    yield Finding(
        event.site,
        "the model was placed when it was loaded (`device_map`, 4 or 8 bits): this breaks that, or raises",
        ((receiver.site, "loaded here"),) if isinstance(receiver, Obj) else (),
        help="leave it where it is",
        fix=partial(_fix, event),
    )


def _fix(event: Move, ctx: Context) -> Draft | None:
    call, stmt = event.site.node, event.site.stmt
    if not isinstance(call, t.Call) or event.cast:
        return None
    alone = (isinstance(stmt, t.ExprStmt) and stmt.value is call) or reassigned(event.site)
    if not alone or not isinstance(stmt, t.Stmt):
        return ctx.draft("Leave the model where it is", Safety.UNSAFE, unwrap_method(ctx.source, call))
    way = way_to(event.site.file.tree, stmt)
    gone = take_away(ctx.source, stmt) if way and len(way[-1].block) > 1 else None
    return None if gone is None else ctx.draft("Leave the model where it is", Safety.UNSAFE, gone)


RULE = Rule(
    code="DEV506",
    name="move-after-dispatch",
    summary="a model that a library has placed is moved",
    severity=Severity.ERROR,
    on=(Move,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
