"""What is written in the place of a device string."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from devlint.fix.fallback import needs_brackets, with_fallback
from devlint.fix.idiom import Written
from devlint.model.events import Take
from devlint.syntax import tree as t
from devlint.syntax.edit import after, replace, wrap
from devlint.syntax.layout import step, text_of
from devlint.syntax.statements import insert_first
from devlint.syntax.walk import parent
from devlint.text import Edit

if TYPE_CHECKING:
    from devlint.fix.context import Context

_QUOTES = re.compile(r"""[bBfFrRuU]*('{3}|"{3}|'|")""")


def literal_of(event: Take) -> t.Const | t.Format | None:
    """The literal that was taken, if its text is all of its value."""
    node = event.literal.site.node if event.literal.site is not None else None
    if isinstance(node, t.Const):
        return node if node.value == event.literal.value else None
    return node if isinstance(node, t.Format) else None


def is_argument(event: Take) -> bool:
    """Whether the literal stands right in the call that takes it: `.to("cuda")`, `device="cuda"`."""
    call, literal = event.site.node, literal_of(event)
    return isinstance(call, t.Call) and any(arg.value is literal for arg in call.args)


def placed(event: Take) -> t.Expr | None:
    """What is used up on the spot: the literal in `.to("cuda")` and `device="cuda"`, `torch.device("cuda")`
    in a call. None where it is kept (assigned, a default)."""
    call, literal = event.site.node, literal_of(event)
    if not isinstance(call, t.Call) or literal is None:
        return None
    if event.how in (".to", "device="):
        given = [arg.value for arg in call.args]
        return next((value for value in given if value is literal or _wraps(value, literal)), None)
    in_call = isinstance(parent(event.site.stmt, call), t.Arg) and not isinstance(
        event.site.stmt, t.FunctionDef
    )
    return call if event.how == "torch.device" and in_call and _wraps(call, literal) else None


def is_direct(event: Take) -> bool:
    """Whether a call is told the first CUDA device right there."""
    return event.literal.value in ("cuda", "cuda:0") and placed(event) is not None


def in_quotes_of(text: str, value: str) -> str:
    """A string in the quotes of another literal."""
    match = _QUOTES.match(text)
    quote = match[1][:1] if match is not None else '"'
    return f"{quote}{value}{quote}"


def instead_of(ctx: Context, event: Take, name: str | None) -> Written | None:
    """What replaces a device string: a device at hand where it is used up on the spot, else the string (or
    `name`) with a fallback, if it needs one. The text says what is used, the edits do it."""
    literal = literal_of(event)
    if literal is None or event.index is not None:
        return None
    spot = placed(event)
    if spot is not None:
        found = ctx.device(event.site, event.where) if name is None and is_direct(event) else None
        named = ctx.named_device(event.site, event.where)
        found = found or (Written(named) if named is not None else None)
        if found is not None:
            return Written(found.text, (*found.edits, replace(ctx.source, spot, found.text)))
    return _with_fallback(ctx, event, literal, name)


def _with_fallback(ctx: Context, event: Take, literal: t.Expr, name: str | None) -> Written | None:
    text = ctx.source.segment(literal)
    if name is not None:
        text = in_quotes_of(text, name)
    kind = (name or str(event.literal.value)).partition(":")[0]
    if kind == "cpu" or event.fallback or event.where.guarded or event.where.caught:
        return Written(text, (replace(ctx.source, literal, text),))
    names = event.where.names if is_argument(event) else ()
    made = with_fallback(ctx.site.file, names, text, kind, ctx.settings)
    if made is None:
        return None
    expression, imports = made
    filled = _filled_in(ctx, literal, expression)
    if filled is not None:
        return Written(expression, (*imports, *filled))
    if needs_brackets(ctx.site.stmt, literal):
        expression = f"({expression})"
    return Written(expression, (*imports, replace(ctx.source, literal, expression)))


def _filled_in(ctx: Context, literal: t.Expr, expression: str) -> list[Edit] | None:
    """A default argument becomes None, and the function starts by filling it in; only where its annotation
    can say so."""
    function = ctx.site.stmt
    if not isinstance(function, t.FunctionDef):
        return None
    for param in function.params:
        default = param.default
        if default is None or not (default is literal or _wraps(default, literal)):
            continue
        annotation = _with_none(ctx, param.annotation)
        if annotation is None:
            return None
        whole, inner = ctx.source.span(default), ctx.source.span(literal)
        text = text_of(ctx.source, default)
        value = (
            ctx.source.text[whole.start : inner.start] + expression + ctx.source.text[inner.end : whole.end]
        )
        filling = f"if {param.name} is None:\n{step(ctx.source)}{param.name} = {value}"
        first = insert_first(ctx.source, function, filling)
        if first is None or "\n" in text:
            return None
        return [first, *annotation, replace(ctx.source, default, "None")]
    return None


def _with_none(ctx: Context, annotation: t.Expr | None) -> list[Edit] | None:
    """The edits that let an annotation admit None; None where the file has no way to write that."""
    if annotation is None or re.search("None|Optional", ctx.text(annotation)):
        return []
    optional = ctx.spelled("typing.Optional")
    if optional is not None:
        return wrap(ctx.source, annotation, f"{optional}[", "]")
    lazy = any(
        isinstance(stmt, t.ImportFrom)
        and stmt.module == "__future__"
        and ("annotations",) * 2 in (stmt.names or ())
        for stmt in ctx.site.file.tree.body
    )
    return [after(ctx.source, annotation, " | None")] if lazy or "| None" in ctx.source.text else None


def _wraps(node: t.Expr, literal: t.Expr) -> bool:
    """Whether an expression is `torch.device("cuda")`, for that literal."""
    if not isinstance(node, t.Call) or len(node.args) != 1 or node.args[0].value is not literal:
        return False
    return (node.func.attr if isinstance(node.func, t.Attr) else getattr(node.func, "id", "")) == "device"
