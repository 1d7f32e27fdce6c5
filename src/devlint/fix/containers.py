"""Plain lists, tuples and dicts of modules as `nn.ModuleList` and `nn.ModuleDict`, of parameters as
`nn.ParameterList` and `nn.ParameterDict`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from devlint.fix.attributes import Attribute, after_super, attribute_at, is_class_attribute, others, uses
from devlint.model.cond import tips
from devlint.model.value import REST, Const, Obj, Site, Tensor, Tuple, Unknown
from devlint.syntax import tree as t
from devlint.syntax.edit import replace, wrap
from devlint.syntax.walk import walk
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context

# What plain containers can do and the registering ones cannot (torch 2.13, torch/nn/modules/container.py).
_LACKS = {
    "ModuleList": frozenset(["remove", "index", "count", "sort", "reverse", "copy", "clear"]),
    "ModuleDict": frozenset(["get", "setdefault", "copy", "popitem", "fromkeys"]),
    "ParameterList": frozenset(
        ["insert", "pop", "remove", "index", "count", "sort", "reverse", "copy", "clear"],
    ),
    "ParameterDict": frozenset[str](),
}

_TAKES_ANY = frozenset("dict enumerate iter len list map next reversed sorted sum tuple zip".split())

# A module of such a name hides an attribute of the container, which refuses it (torch.nn.Module.add_module).
_TAKEN = frozenset(
    "T_destination add_module apply bfloat16 buffers call_super_init children clear compile copy cpu cuda "
    "double dump_patches eval extra_repr float forward fromkeys get get_buffer get_extra_state "
    "get_parameter get_submodule half ipu items keys load_state_dict modules mtia named_buffers "
    "named_children named_modules named_parameters parameters pop popitem register_buffer register_module "
    "register_parameter requires_grad_ set_extra_state set_submodule setdefault share_memory state_dict to "
    "to_empty train training type update values xpu zero_grad".split()
)


def as_container(ctx: Context, site: Site, value: Any, what: str) -> list[Edit] | None:
    """The assigned container as one that registers what it holds (`what`: "Module" or "Parameter"); None
    where that would break its uses."""
    attribute = attribute_at(site)
    if attribute is None or not after_super(attribute) or is_class_attribute(ctx, attribute):
        return None
    kind = _kind(value)
    names = {kind: ctx.spelled(f"torch.nn.{what}{kind}") for kind in ("List", "Dict")}
    if kind is None or None in names.values() or not _stays_whole(attribute, what + kind):
        return None
    if isinstance(attribute.value, t.Name) and _is_used_later(attribute, attribute.value.id):
        return None
    fits = _is_module if what == "Module" else _is_parameter
    edits = _wrapped(ctx, attribute.value, value, {k: str(v) for k, v in names.items()}, fits)
    if edits is not None and isinstance(attribute.stmt, t.AnnAssign):
        edits.append(replace(ctx.source, attribute.stmt.annotation, str(names[kind])))
    return edits


def _kind(value: Any) -> str | None:
    """The registering container for a plain one; None where it is one thing or another."""
    kinds = {_kind_of(leaf) for leaf in tips(value) if type(leaf) is Tuple or isinstance(leaf, Obj)}
    return kinds.pop() if len(kinds) == 1 else None


def _kind_of(leaf: Tuple | Obj) -> str | None:
    if isinstance(leaf, Tuple) or leaf.kind == "list":
        return "List"
    return "Dict" if leaf.kind == "dict" else None


def _stays_whole(attribute: Attribute, kind: str) -> bool:
    """Whether the class neither sets the name to anything but None, nor asks of it what the other lacks."""
    for other in others(attribute):
        grows = isinstance(other, t.AugAssign) and other.op == "Add" and kind.endswith("List")
        value = getattr(other, "value", None)
        if not grows and not (isinstance(value, t.Const) and value.value is None):
            return False
    if any(use.attr in _LACKS[kind] for use in uses(attribute)):
        return False
    name = attribute.target.attr
    for node in walk(attribute.owner):
        if isinstance(node, t.BinOp) and any(_reads(side, name) for side in (node.left, node.right)):
            return False
        if isinstance(node, t.Call) and _is_passed_whole(node, name):
            return False
    return True


def _reads(node: t.Expr, name: str) -> bool:
    return isinstance(node, t.Attr) and node.attr == name


def _is_passed_whole(call: t.Call, name: str) -> bool:
    """Whether a call gets the container itself, and may ask for a real list (`torch.stack` does)."""
    if isinstance(call.func, t.Name) and call.func.id in _TAKES_ANY:
        return False
    return any(not arg.star and _reads(arg.value, name) for arg in call.args)


def _is_used_later(attribute: Attribute, name: str) -> bool:
    """Whether the method still uses the variable that is assigned: it may go on to fill it."""
    end = False
    for node in walk(*attribute.method.body):
        if node is attribute.value:
            end = True
        elif end and isinstance(node, t.Name) and node.id == name:
            return True
    return False


def _wrapped(
    ctx: Context, node: t.Expr, value: Any, names: dict[str, str], fits: Callable[[Any], bool]
) -> list[Edit] | None:
    """The edits that wrap a container, and the containers in it, from the outside in."""
    kind = _kind(value)
    if kind is None or (kind == "Dict" and not _has_names(node, value)):
        return None
    if _is_empty(node):
        return [replace(ctx.source, node, f"{names[kind]}()")] if _holds_only(value, fits) else None
    edits = (
        [replace(ctx.source, node.func, names[kind])]
        if kind == "List" and isinstance(node, t.Call) and _is_list_of(node)
        else wrap(ctx.source, node, f"{names[kind]}(", ")")
    )
    for inner, inside in _parts(node, value):
        if all(fits(leaf) for leaf in tips(inside)):
            continue
        below = _wrapped(ctx, inner, inside, names, fits) if inner is not None else None
        if below is None:
            return None
        edits += below
    return edits


def _is_empty(node: t.Expr) -> bool:
    """Whether an expression is `[]`, `{}`, `list()` or `dict()`."""
    if isinstance(node, t.Call):
        return not node.args and isinstance(node.func, t.Name) and node.func.id in ("list", "dict")
    return isinstance(node, (t.Display, t.DictDisplay)) and not node.items


def _is_list_of(node: t.Call) -> bool:
    """Whether a call is `list(x)` or `tuple(x)`: the other container takes the same."""
    plain = isinstance(node.func, t.Name) and node.func.id in ("list", "tuple")
    return plain and len(node.args) == 1 and not node.args[0].star and node.args[0].name is None


def _parts(node: t.Expr, value: Any) -> list[tuple[t.Expr | None, Any]]:
    """What a container holds, each with the expression that makes it, where there is one."""
    held = [v for leaf in tips(value) for v in _values(leaf)]
    if isinstance(node, t.Comprehension):
        return [(node.element, v) for v in held]
    if isinstance(node, t.Display) and len(node.items) == len(held):
        return list(zip(node.items, held, strict=True))
    if isinstance(node, t.DictDisplay) and len(node.items) == len(held):
        return [(item, v) for (_, item), v in zip(node.items, held, strict=True)]
    return [(None, v) for v in held]


def _values(leaf: Any) -> list[Any]:
    if type(leaf) is Tuple:
        return [*leaf.items, *((leaf.rest,) if leaf.rest is not None else ())]
    if isinstance(leaf, Obj):
        return [v for key, v in leaf.attrs.items() if isinstance(key, tuple) or key == REST]
    return []


def _is_module(leaf: Any) -> bool:
    if isinstance(leaf, Obj):
        return leaf.is_module
    return type(leaf) is Unknown or (type(leaf) is Const and leaf.value is None)


def _is_parameter(leaf: Any) -> bool:
    return type(leaf) is Tensor and leaf.grad == "param"


def _holds_only(value: Any, fits: Callable[[Any], bool]) -> bool:
    return all(fits(leaf) for part in tips(value) for v in _values(part) for leaf in tips(v))


def _has_names(node: t.Expr, value: Any) -> bool:
    """Whether the keys of a dict can be names of modules: strings without a dot, as far as one sees."""
    for leaf in tips(value):
        for key in leaf.attrs if isinstance(leaf, Obj) else ():
            if not isinstance(key, tuple):
                continue
            name = key[1]
            if not isinstance(name, str) or not name or "." in name or name in _TAKEN:
                return False
    if not isinstance(node, t.Comprehension):
        return not any(REST in leaf.attrs for leaf in tips(value) if isinstance(leaf, Obj))
    counts = any(
        isinstance(clause.iter, t.Call)
        and isinstance(clause.iter.func, t.Name)
        and clause.iter.func.id in ("range", "enumerate")
        for clause in node.clauses
    )
    return not counts or isinstance(node.key, (t.Format, t.Call))
