"""What is written in the place of a device string."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from devlint.fix.fallback import needs_brackets, with_fallback
from devlint.fix.idiom import Written
from devlint.model.events import Take
from devlint.syntax import tree as t
from devlint.syntax.edit import replace
from devlint.syntax.layout import step, text_of
from devlint.syntax.statements import insert_first
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


def is_direct(event: Take) -> bool:
    """Whether a move or a factory is told the first CUDA device right there."""
    return (
        event.how in (".to", "device=") and event.literal.value in ("cuda", "cuda:0") and is_argument(event)
    )


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
    if is_argument(event) and event.how in (".to", "device="):
        found = ctx.device(event.site, event.where) if name is None and is_direct(event) else None
        named = ctx.named_device(event.site, event.where)
        found = found or (Written(named) if named is not None else None)
        if found is not None:
            return Written(found.text, (*found.edits, replace(ctx.source, literal, found.text)))
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
    """A default argument becomes None, and the function starts by filling it in; only where no annotation
    speaks against None."""
    function = ctx.site.stmt
    if not isinstance(function, t.FunctionDef):
        return None
    for param in function.params:
        default = param.default
        if default is None or not (default is literal or _wraps(default, literal)):
            continue
        if param.annotation is not None and not re.search(r"None|Optional", ctx.text(param.annotation)):
            return None
        whole, inner = ctx.source.span(default), ctx.source.span(literal)
        text = text_of(ctx.source, default)
        value = (
            ctx.source.text[whole.start : inner.start] + expression + ctx.source.text[inner.end : whole.end]
        )
        filling = f"if {param.name} is None:\n{step(ctx.source)}{param.name} = {value}"
        first = insert_first(ctx.source, function, filling)
        return None if first is None or "\n" in text else [first, replace(ctx.source, default, "None")]
    return None


def _wraps(default: t.Expr, literal: t.Expr) -> bool:
    """Whether a default is `torch.device("cuda")`."""
    return isinstance(default, t.Call) and len(default.args) == 1 and default.args[0].value is literal
