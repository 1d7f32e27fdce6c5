"""Each verb against small programs: what comes out, and that it is still the same program elsewhere."""

from __future__ import annotations

import ast

import pytest

from devlint.syntax import tree as t
from devlint.syntax.edit import (
    attribute,
    before,
    move_to,
    remove_argument,
    replace,
    set_argument,
    unwrap_method,
    without_brackets,
    wrap,
)
from devlint.syntax.source import Source
from devlint.syntax.walk import walk
from devlint.text import Edit, apply_edits


def parsed(text: str) -> tuple[Source, t.Expr]:
    """The first statement's expression."""
    source = Source.from_text("a.py", text)
    stmt = source.tree.body[0]
    assert isinstance(stmt, (t.ExprStmt, t.Assign))
    return source, stmt.value


def call_in(text: str) -> tuple[Source, t.Call]:
    source, value = parsed(text)
    assert isinstance(value, t.Call)
    return source, value


def done(source: Source, edits: list[Edit]) -> str:
    text = apply_edits(source.text, edits)
    ast.parse(text)
    return text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f()", "f(device=d)"),
        ("f(a)", "f(a, device=d)"),
        ("f(a,)", "f(a, device=d,)"),
        ("f(a, b=1)", "f(a, b=1, device=d)"),
        ("f(*a, **k)", "f(*a, **k, device=d)"),
        ("f(a, device=None)", "f(a, device=d)"),
        ("f(device = (c))", "f(device = d)"),
        ("f(x for x in y)", "f((x for x in y), device=d)"),
        ("f((x for x in y))", "f((x for x in y), device=d)"),
        ("(f)(a)", "(f)(a, device=d)"),
        ("f[0](a)", "f[0](a, device=d)"),
        ("f(\n    a,\n    b,  # c\n)", "f(\n    a,\n    b,  # c\n    device=d,\n)"),
        ("f(\n    a,\n    b  # c\n)", "f(\n    a,\n    b,  # c\n    device=d\n)"),
        ("f(\n    a,\n    b\n)", "f(\n    a,\n    b,\n    device=d\n)"),
        ("f(\n    a, b\n)", "f(\n    a, b, device=d\n)"),
        ("f(a,\n  b)", "f(a,\n  b, device=d)"),
        ("f(\n    a)", "f(\n    a, device=d)"),
        ("f(a, [\n    1,\n])", "f(a, [\n    1,\n], device=d)"),
        ("f(  # c\n)", "f(  # c\ndevice=d)"),
        ("f(a, '(')", "f(a, '(', device=d)"),
    ],
)
def test_an_argument_is_added_as_a_person_would(text: str, expected: str) -> None:
    source, call = call_in(text)
    assert done(source, set_argument(source, call, "device", "d")) == expected


def test_a_new_row_keeps_the_newline_of_the_file() -> None:
    source, call = call_in("f(\r\n    a,\r\n)\r\n")
    assert done(source, set_argument(source, call, "device", "d")) == "f(\r\n    a,\r\n    device=d,\r\n)\r\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("load(p, None)", "load(p, 'cpu')"),
        ("load(p, map_location=None)", "load(p, map_location='cpu')"),
        ("load(*p, None)", "load(*p, None, map_location='cpu')"),
        ("load(p)", "load(p, map_location='cpu')"),
    ],
)
def test_an_argument_at_its_position_is_replaced(text: str, expected: str) -> None:
    source, call = call_in(text)
    assert done(source, set_argument(source, call, "map_location", "'cpu'", position=1)) == expected


LONG = "value = torch.zeros(batch_size, sequence_length, hidden_size, dtype=torch.long)\n"


def test_a_line_that_would_get_too_long_is_broken_as_black_does() -> None:
    source, call = call_in(LONG + "x = 1\n" * 100)
    text = done(source, set_argument(source, call, "device", "input.device"))
    assert text.split("\n")[:3] == [
        "value = torch.zeros(",
        "    batch_size, sequence_length, hidden_size, dtype=torch.long, device=input.device",
        ")",
    ]


def test_a_file_that_aligns_arguments_goes_on_to() -> None:
    source, call = call_in(LONG + "f(a,\n  b)\n" + "x = 1\n" * 100)
    text = done(source, set_argument(source, call, "device", "input.device"))
    assert text.split("\n")[:2] == [
        "value = torch.zeros(batch_size, sequence_length, hidden_size, dtype=torch.long,",
        "                    device=input.device)",
    ]


def test_a_line_that_another_edit_shortens_is_long_enough() -> None:
    short, value = parsed(
        "value = torch.zeros(batch_size, sequence_length, hidden_size).to(input.device)\n" + "x = 1\n" * 100
    )
    assert isinstance(value, t.Call)
    assert isinstance(value.func, t.Attr)
    factory = value.func.value
    assert isinstance(factory, t.Call)
    off = unwrap_method(short, value)
    text = done(short, [off, *set_argument(short, factory, "device", "d", beside=off)])
    assert text.startswith("value = torch.zeros(batch_size, sequence_length, hidden_size, device=d)\n")


def test_a_file_of_long_lines_keeps_them_long() -> None:
    source, call = call_in(LONG + ("# " + "x" * 100 + "\n") * 3)
    text = done(source, set_argument(source, call, "device", "input.device"))
    assert text.startswith(LONG.strip()[:-1] + ", device=input.device)\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(a)", ["f()"]),
        ("f(a,)", ["f()"]),
        ("f(a, b)", ["f(b)", "f(a)"]),
        ("f(a, b,)", ["f(b,)", "f(a,)"]),
        ("f(\n    a,  # c\n    b,\n)", ["f(\n      # c\n    b,\n)", "f(\n    a,  # c\n    \n)"]),
    ],
)
def test_an_argument_goes_with_its_comma(text: str, expected: list[str]) -> None:
    source, call = call_in(text)
    assert [done(source, [remove_argument(source, call, arg)]) for arg in call.args] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x.to(d)", "x"),
        ("(x).to(d)", "(x)"),
        ("(a + b).to(d)", "(a + b)"),
        ("(x\n .to(d))", "(x)"),
        ("(x  # c\n .to(d))", "(x  # c\n )"),
        ("(\n    x  # c\n    .to(d)\n)", "(\n    x  # c\n)"),
        ("(\n    x\n    # c\n    .to(d)\n)", "(\n    x\n    # c\n)"),
        ("x.to(\n    d,\n)", "x"),
    ],
)
def test_a_method_is_taken_off(text: str, expected: str) -> None:
    source, call = call_in(text)
    assert done(source, [unwrap_method(source, call)]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x.cuda()", "x.to(d)"),
        ("x.cuda(0)", "x.to(d)"),
        ("x.cuda(non_blocking=True)", "x.to(d, non_blocking=True)"),
        ("x.cuda(None, nb)", "x.to(d, non_blocking=nb)"),
        ("f(x)[0].cuda ( )", "f(x)[0].to (d)"),
        ("(x\n    .cuda())", "(x\n    .to(d))"),
    ],
)
def test_cuda_becomes_to(text: str, expected: str) -> None:
    source, call = call_in(text)
    assert done(source, move_to(source, call, "d")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", "x.type"),
        ("x.device", "x.device.type"),
        ("f(x)[0]", "f(x)[0].type"),
        ("a or b", "(a or b).type"),
        ("(a or b)", "(a or b).type"),
        ("((a))", "((a)).type"),
    ],
)
def test_an_attribute_of_an_expression(text: str, expected: str) -> None:
    source, value = parsed(text)
    assert done(source, attribute(source, value, "type")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y = [a, b]", "y = M([a, b])"),
        ("y = (a, b)", "y = M((a, b))"),
        ("y = a, b", "y = M((a, b))"),
        ("y = [a for a in b]  # c", "y = M([a for a in b])  # c"),
        ("y = (\n    [a]\n)", "y = M((\n    [a]\n))"),
    ],
)
def test_an_expression_is_wrapped(text: str, expected: str) -> None:
    source, value = parsed(text)
    assert done(source, wrap(source, value, "M(", ")")) == expected


def test_brackets_around_an_expression_stay_outside_or_inside() -> None:
    source, value = parsed("y = (x)")
    assert done(source, [replace(source, value, "z")]) == "y = (z)"
    assert done(source, [before(source, value, "z + ")]) == "y = z + (x)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(x\n .to(d))", "x"),
        ("(\n    x\n    .to(d)\n)", "x"),
        ("f((x\n   .to(d)))", "f(x)"),
        ("(x.to(d))", None),
        ("((x\n  .to(d)))", None),
        ("(x  # c\n .to(d))", None),
        ("(x\n .to(d)\n # c\n)", None),
        ("(f(\n  x)\n .to(d))", None),
        ("(x\n .to(d)\n .half())", None),
        ("1 if(x\n .to(d))else 2", None),
    ],
)
def test_brackets_that_a_method_needed_go_with_it(text: str, expected: str | None) -> None:
    source = Source.from_text("a.py", text + "\n")
    (call,) = (
        node
        for node in walk(*source.tree.body)
        if isinstance(node, t.Call) and isinstance(node.func, t.Attr) and node.func.attr == "to"
    )
    edits = without_brackets(source, call)
    assert (done(source, [unwrap_method(source, call), *edits]).rstrip("\n") if edits else None) == expected
