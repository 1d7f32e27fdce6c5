"""The verbs of fixes: what is to change, as edits against the unchanged text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from devlint.syntax import tree as t
from devlint.syntax.layout import (
    ends_line,
    hangs,
    indentation,
    limit,
    line_end,
    line_start,
    newline,
    starts_line,
    step,
    text_of,
    whole,
)
from devlint.syntax.source import Source
from devlint.text import Edit, Span

if TYPE_CHECKING:
    import libcst as cst

_TIGHT = (t.Name, t.Attr, t.Call, t.Subscript)
"""What a dot can follow without brackets."""


def replace(source: Source, node: t.Node, text: str) -> Edit:
    """Puts a text in the place of a node; brackets around it stay."""
    span = source.span(node)
    return Edit(span.start, span.end, text)


def before(source: Source, node: t.Node, text: str) -> Edit:
    """Puts a text right before an expression with its brackets."""
    start = whole(source, node).start
    return Edit(start, start, text)


def after(source: Source, node: t.Node, text: str) -> Edit:
    """Puts a text right after an expression with its brackets."""
    end = whole(source, node).end
    return Edit(end, end, text)


def attribute(source: Source, node: t.Expr, name: str) -> list[Edit]:
    """Makes an expression its attribute: `x` becomes `x.name`, `a or b` becomes `(a or b).name`."""
    if isinstance(node, _TIGHT) or getattr(source.cst_of(node), "lpar", None):
        return [after(source, node, f".{name}")]
    return [before(source, node, "("), after(source, node, f").{name}")]


def wrap(source: Source, node: t.Expr, left: str, right: str) -> list[Edit]:
    """Puts an expression between two texts, without blanks after an opening bracket of its own."""
    bare = (
        isinstance(node, t.Display)
        and node.kind == "tuple"
        and not getattr(source.cst_of(node), "lpar", None)
    )
    if bare:
        left, right = left + "(", ")" + right
    return [before(source, node, left), after(source, node, right)]


def method_name(source: Source, call: t.Call) -> Span:
    """The name of the method that is called: `to` of `x.to(d)`."""
    return source.place(cast("cst.Attribute", source.cst_of(call.func)).attr)


def arguments(source: Source, call: t.Call) -> Span:
    """What stands between the brackets of a call."""
    start = source.text.index("(", whole(source, call.func).end)
    return Span(start + 1, source.span(call).end - 1)


def move_to(source: Source, call: t.Call, device: str) -> list[Edit]:
    """`x.cuda(...)` as `x.to(device)`; `non_blocking` stays."""
    name, inside = method_name(source, call), arguments(source, call)
    blocking = argument(call, "non_blocking", 1)
    more = "" if blocking is None else f", non_blocking={text_of(source, blocking.value)}"
    return [Edit(*name, "to"), Edit(*inside, device + more)]


def set_argument(
    source: Source,
    call: t.Call,
    name: str,
    text: str,
    position: int | None = None,
    beside: Edit | None = None,
) -> list[Edit]:
    """Gives a call the argument `name=text`: in the place of that keyword, or of the argument at that
    position, else at the end of its arguments. `beside` is an edit that is to be made after the call, too: it
    may shorten the line."""
    given = argument(call, name, position)
    if given is not None:
        start, end = whole(source, given.value)
        return [Edit(start, end, text)]
    if not call.args:
        at = arguments(source, call).end
        return [Edit(at, at, f"{name}={text}")]
    if _is_bare_generator(source, call):
        start, end = source.span(call.args[0].value)
        return [Edit(start, start, "("), Edit(end, end, f"), {name}={text}")]
    return _append(source, call, f"{name}={text}", beside)


def argument(call: t.Call, name: str, position: int | None = None) -> t.Arg | None:
    """The argument of that name, or at that position if all before it are positional."""
    for arg in call.args:
        if arg.name == name:
            return arg
    if position is None or position >= len(call.args):
        return None
    if any(arg.star or arg.name is not None for arg in call.args[: position + 1]):
        return None
    return call.args[position]


def _is_bare_generator(source: Source, call: t.Call) -> bool:
    value = call.args[0].value
    return (
        len(call.args) == 1
        and isinstance(value, t.Comprehension)
        and value.kind == "generator"
        and not cast("cst.GeneratorExp", source.cst_of(value)).lpar
    )


def _append(source: Source, call: t.Call, text: str, beside: Edit | None) -> list[Edit]:
    last = call.args[-1]
    start, end = source.span(last)
    comma = _comma(source, last)
    at = line_end(source, end)
    closing = arguments(source, call).end
    if starts_line(source, start) and closing > at and ends_line(source, comma or end):
        row = newline(source) + indentation(source, start) + text
        if comma:
            return [Edit(at, at, row + ",")]
        return [Edit(end, end, "," + row)] if at == end else [Edit(end, end, ","), Edit(at, at, row)]
    if _fits(source, end, len(text) + 2, beside):
        return [Edit(end, end, f", {text}")]
    return _broken(source, call, text, beside) or [Edit(end, end, f", {text}")]


def _fits(source: Source, at: int, more: int, beside: Edit | None) -> bool:
    """Whether a line stays within the file's limit with more characters; one that is too long already may
    get longer."""
    start, end = line_start(source, at), line_end(source, at)
    length = end - start
    if beside is not None and beside.start <= end:
        length = beside.start - start + len(beside.text) + line_end(source, beside.end) - beside.end
    most = limit(source)
    return length + more <= most or end - start > most


def _broken(source: Source, call: t.Call, text: str, beside: Edit | None) -> list[Edit] | None:
    """The arguments with one more, broken as the file breaks them; None where that would look worse: if the
    call is not the only one of its line, or is broken already."""
    opening, closing = arguments(source, call)
    end = source.span(call.args[-1]).end
    tail = source.text[closing + 1 : line_end(source, closing)]
    if beside is not None and beside.start <= line_end(source, closing):
        tail = (
            source.text[closing + 1 : beside.start] + source.text[beside.end : line_end(source, beside.end)]
        )
    alone = "(" not in source.text[line_start(source, opening) : opening - 1]
    if "\n" in source.text[opening:closing] or not alone or tail.strip(" )]},:")[:1] not in ("", ".", "#"):
        return None
    blanks = newline(source) + indentation(source, opening)
    if hangs(source):
        deeper = blanks + step(source)
        rest = source.text[end:closing].rstrip()
        return [Edit(opening, opening, deeper), Edit(end, closing, f", {text}{rest}{blanks}")]
    if "\t" in blanks:
        return None
    column = opening - line_start(source, opening)
    return [Edit(end, end, f",{newline(source)}{' ' * column}{text}")]


def _comma(source: Source, arg: t.Arg) -> int | None:
    """The end of the comma after an argument, if it has one."""
    comma = cast("cst.Arg", source.cst_of(arg)).comma
    blanks = getattr(comma, "whitespace_before", None)
    return None if blanks is None else source.place(blanks).end + 1


def remove_argument(source: Source, call: t.Call, arg: t.Arg) -> Edit:
    """Takes an argument out of a call, with its comma."""
    at = next(i for i, other in enumerate(call.args) if other is arg)
    start, end = source.span(arg)
    comma = _comma(source, arg) or end
    if at + 1 < len(call.args):
        following = source.span(call.args[at + 1]).start
        return Edit(start, comma if "#" in source.text[end:following] else following, "")
    previous = source.span(call.args[at - 1]).end if at else start
    if at and "#" not in source.text[previous:start]:
        return Edit(previous, end, "")
    return Edit(start, comma, "")


def unwrap_method(source: Source, call: t.Call) -> Edit:
    """Takes a method call off its receiver: `x.to(d)` becomes `x`. Comments before the dot stay."""
    node = cast("cst.Attribute", source.cst_of(call.func)).dot
    start, dot = source.place(node.whitespace_before)
    end = source.span(call).end
    comment = source.text.rfind("#", start, dot)
    if comment >= 0:
        start = line_end(source, comment)
        if source.text[end : end + 1] not in ("\r", "\n"):
            start = dot
    return Edit(start, end, "")


def without_brackets(source: Source, call: t.Call, more: Iterable[Edit] = ()) -> list[Edit]:
    """Takes off the brackets that a method on a row of its own needed, once that is taken off. `more` are the
    edits of what it was called on. None where something else is broken, or the row would be too long."""
    on = call.func.value if isinstance(call.func, t.Attr) else None
    if not isinstance(on, _TIGHT) or len(getattr(source.cst_of(call), "lpar", ())) != 1:
        return []
    (opening, closing), end = whole(source, call), source.span(call).end
    first, last = whole(source, on)
    text = source.text
    said = text[first:last] + "".join(edit.text for edit in more)
    around, method = text[opening + 1 : first] + text[end : closing - 1], text[last:end]
    length = opening - line_start(source, opening) + len(said) + line_end(source, closing) - closing
    joined = opening > 0 and (text[opening - 1].isalnum() or text[opening - 1] == "_")
    is_broken = "\n" in said or "\n" not in method or around.strip() or "#" in method
    if is_broken or joined or length > limit(source):
        return []
    return [Edit(opening, first, ""), Edit(end, closing, "")]
