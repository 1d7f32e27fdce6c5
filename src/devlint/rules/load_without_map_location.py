"""torch.load is not told where to

## What it does

Reports `torch.load` without `map_location`, by keyword or position, in `**options` or in a partial. Not reported: a
`map_location` that the caller hands on, or may hand on in `**kwargs`; a load that only happens where there is a GPU,
the other branch saying `map_location="cpu"`; bytes that this process has written itself (`io.BytesIO()`), or a file
that the same function has surely written before; a file in which the program is seen to save no tensors, or only
such as it has just made on the CPU or moved there; one that is said to hold none (`-> Dict[str, np.ndarray]`,
`cast(SomeTypedDict, state)`); states of random generators, which are always on the CPU, of scalers of gradients and
of learning rate schedulers, which are numbers; what a test of pytest or unittest reads, since it, or its fixtures, wrote
that on the same machine; the `load` of other libraries.

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
from devlint.model.value import Class, Const, Function, Unknown
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import is_surely_before
from devlint.rules._saved import is_bound_to_no_device
from devlint.syntax import tree as t
from devlint.syntax.edit import set_argument
from devlint.syntax.walk import own_names, parent, scopes_on, walk, way_to

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _options(function: Function | None) -> set[str]:
    """The names of the `**options` that a function, or one around it, takes from its callers, and of what it
    makes of them: `{"weights_only": True, **options}`."""
    found: set[str] = set()
    while function is not None:
        found |= {p.name for p in function.node.params if p.kind == "starstar"}
        for x in walk(function.node) if found else ():
            if isinstance(x, t.Assign) and _holds_all_of(x.value, found):
                found.update(own_names(x))
        function = function.closure.function if function.closure is not None else None
    return found


def _holds_all_of(value: t.Expr, options: set[str]) -> bool:
    """Whether a dictionary is made of others with these names."""
    if isinstance(value, t.DictDisplay):
        parts = [x for key, x in value.items if key is None]
    elif isinstance(value, t.Call) and _last_name(value.func) == "dict":
        parts = [arg.value for arg in value.args if arg.name is None]
    else:
        return False
    return any(isinstance(x, t.Name) and x.id in options for x in parts)


def _hands_on(event: Load) -> bool:
    """Whether a call passes a map_location that comes from its caller, be it None this time, or all that its
    caller says, a map_location this time or not: `**kwargs`."""
    options = _options(event.where.function)
    return isinstance(event.site.node, t.Call) and any(
        isinstance(arg.value, t.Name) and arg.value.id in options
        if arg.star
        else (arg.name == "map_location" or (i == 1 and arg.name is None))
        and not isinstance(arg.value, t.Const)
        for i, arg in enumerate(event.site.node.args)
    )


def _is_said_to_be_data(event: Load) -> bool:
    """Whether annotations say that what is loaded holds no tensors: that of the name it is bound to, one that
    it is cast to, that of the function which returns it."""
    stmt, node = event.site.stmt, event.site.node
    function = event.where.function.node if event.where.function is not None else None
    if not isinstance(function, t.FunctionDef):
        function = None
    if isinstance(stmt, t.AnnAssign):
        return stmt.value is node and _is_data(stmt.annotation, event)
    if isinstance(stmt, t.Return):
        return function is not None and stmt.value is node and _is_data(function.returns, event)
    name = stmt.targets[0] if isinstance(stmt, t.Assign) and stmt.value is node else None
    if function is None or not isinstance(name, t.Name):
        return False
    inside = list(walk(*function.body))
    casts = [x for x in inside if isinstance(x, t.Call) and _casts(x, name.id)]
    if casts:
        return all(_is_data(x.args[0].value, event) for x in casts)
    if not _is_data(function.returns, event):
        return False
    # Nothing may turn what is loaded into what is returned. (Numbers may be sizes, arrays are made by few.)
    if any(isinstance(x, t.Attr) and x.attr in _TURNS for x in inside):
        return False
    arrays = function.returns is not None and any(map(_is_array, walk(function.returns)))
    return any(isinstance(x, t.Return) and _is_named(x.value, name.id) for x in inside) or (
        arrays and any(isinstance(x, (t.For, t.Clause)) and _goes_through(x, name.id) for x in inside)
    )


_TURNS = frozenset("array asarray concatenate cpu detach hstack item numpy stack tolist to vstack".split())
"""Methods and functions that make numbers and arrays of tensors."""


def _casts(call: t.Call, name: str) -> bool:
    """Whether it is `cast(type, name)`."""
    return _last_name(call.func) == "cast" and len(call.args) == 2 and _is_named(call.args[1].value, name)


def _goes_through(loop: t.For | t.Clause, name: str) -> bool:
    """Whether a loop goes through the items of what has this name."""
    found = loop.iter
    if isinstance(found, t.Call) and isinstance(found.func, t.Attr) and found.func.attr == "items":
        found = found.func.value
    return _is_named(found, name)


def _is_named(node: t.Node | None, name: str) -> bool:
    return isinstance(node, t.Name) and node.id == name


def _is_data(annotation: t.Expr | None, event: Load, depth: int = 0) -> bool:
    """Whether it names numbers, texts, arrays of NumPy, and containers of such only: `Dict[str, List[int]]`,
    a TypedDict."""
    if depth > 4:
        return False
    if isinstance(annotation, (t.Attr, t.Name)) and _is_array(annotation):
        return True
    if isinstance(annotation, t.Name):
        found = next((scope[annotation.id] for scope in event.where.names if annotation.id in scope), None)
        if isinstance(found, Class):
            return _is_typed_dict(found) and all(
                _is_data(x.annotation, event, depth + 1)
                for cls in found.mro
                for x in cls.node.body
                if isinstance(x, t.AnnAssign)
            )
        if annotation.id in ("bool", "bytes", "float", "int", "str"):
            return True
        aliases = [
            x.value
            for x in event.site.file.tree.body
            if isinstance(x, (t.Assign, t.AnnAssign)) and annotation.id in own_names(x)
        ]
        return len(aliases) == 1 and _is_data(aliases[0], event, depth + 1)
    if not isinstance(annotation, t.Subscript):
        return False
    if _is_array(annotation.value) or _last_name(annotation.value) == "Literal":
        return True
    items = annotation.index.items if isinstance(annotation.index, t.Display) else [annotation.index]
    return all(
        _is_data(x, event, depth + 1) for x in items if not (isinstance(x, t.Const) and x.value is ...)
    )


def _is_array(node: t.Node) -> bool:
    return _last_name(node) in ("ndarray", "NDArray")


def _last_name(node: t.Node) -> str:
    return node.attr if isinstance(node, t.Attr) else node.id if isinstance(node, t.Name) else ""


def _is_typed_dict(cls: Class) -> bool:
    return any(base.rpartition(".")[2] == "TypedDict" for base in cls.libs)


def _are_states(result: Unknown) -> bool:
    """Whether all that is loaded becomes the state of random generators, which wants it on the CPU, or of what
    has no tensors."""
    parts = [x for key, x in result.attrs.items() if key == "%element" or isinstance(key, tuple)]
    all_states = bool(parts) and all(type(x) is Unknown and "state" in x.root.seen for x in parts)
    return "state" in result.root.seen or all_states


def _is_in_test(event: Load) -> bool:
    """Whether a test of pytest or unittest loads it: that reads what it, or its fixtures, wrote on this machine.
    A function `test_net` that a script calls belongs to neither."""
    tree = event.site.file.tree
    around = scopes_on(way_to(tree, event.site.stmt))
    tests = [x for x in around if isinstance(x, t.FunctionDef) and x.name.startswith("test")]
    if not tests or not {"pytest", "unittest"}.isdisjoint(name for x in tree.body for name in _imports(x)):
        return bool(tests)
    called = {_last_name(x.func) for x in walk(*tree.body) if isinstance(x, t.Call)}
    asserts = any(isinstance(x, t.Assert) for x in walk(*tests[0].body))
    return asserts and tests[0].name not in called


def _imports(stmt: t.Stmt) -> Iterator[str]:
    """The packages that a statement imports."""
    if isinstance(stmt, t.Import):
        yield from (name.split(".")[0] for name, _ in stmt.names)
    elif isinstance(stmt, t.ImportFrom) and not stmt.level:
        yield stmt.module.split(".")[0]


def _check(event: Load) -> Iterator[Finding]:
    absent = event.place is None or event.place == Const(None)
    if not absent or event.open_ended or event.available or _hands_on(event):
        return
    if type(event.source) is Unknown and "%empty" in event.source.attrs:
        return  # written by this process, on this machine
    if isinstance(parent(event.site.stmt, event.site.node), t.Compare):
        return  # text, or a number: no tensor is compared with `==` as a whole
    if _is_said_to_be_data(event) or _are_states(event.result) or _is_in_test(event):
        return
    if event.saved and all(map(is_bound_to_no_device, event.saved)):
        return
    # At the top level each cell of a notebook may be run by itself.
    if event.where.function is not None and any(
        saved.same and is_surely_before(saved.site, event.site) for saved in event.saved
    ):
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
    if any(arg.star for arg in call.args) and _options(event.where.function):
        return None  # another caller's map_location may be among them
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
