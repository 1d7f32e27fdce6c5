from __future__ import annotations

import pytest

from devlint.syntax import tree as t
from devlint.syntax.source import Source
from devlint.syntax.walk import (
    alike,
    bound_at_end,
    bound_before,
    bound_names,
    function_around,
    parent,
    targets,
    walk,
    way_to,
)


def tree(text: str) -> t.Tree:
    return Source.from_text("a.py", text).tree


def name(root: t.Tree, wanted: str) -> t.Name:
    return next(node for node in walk(*root.body) if isinstance(node, t.Name) and node.id == wanted)


def statement(root: t.Tree, wanted: str) -> t.Stmt:
    """The statement that is just a name."""
    return next(
        node
        for node in walk(*root.body)
        if isinstance(node, t.ExprStmt) and isinstance(node.value, t.Name) and node.value.id == wanted
    )


def test_the_way_to_a_statement_goes_through_all_blocks() -> None:
    root = tree("class A:\n    def f(self):\n        if a:\n            b\n        else:\n            here\n")
    way = way_to(root, statement(root, "here"))
    assert [type(level.owner).__name__ for level in way] == ["Tree", "ClassDef", "FunctionDef", "If"]
    assert [level.at for level in way] == [0, 0, 0, 0]
    assert way[-1].stmt is statement(root, "here")


def test_there_is_no_way_to_a_statement_of_another_file() -> None:
    assert way_to(tree("a\n"), statement(tree("a\n"), "a")) == ()


def test_the_function_around_a_statement() -> None:
    root = tree("def f():\n    if a:\n        b\n    class A:\n        c\nd\n")
    assert function_around(root, statement(root, "b")) is root.body[0]
    assert function_around(root, statement(root, "c")) is None
    assert function_around(root, statement(root, "d")) is None


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("os.path.join(a, 'b.pt')", 'os.path.join( a, "b.pt" )', True),
        ("a / 'b.pt'", "a / 'c.pt'", False),
        ("f'{a}/b.pt'", "f'{a}/b.pt'", True),
        ("f'{a}/b.pt'", "f'{a}/c.pt'", False),
        ("f(a, b)", "f(a, b=b)", False),
        ("f(a)", "f(a, b)", False),
        ("a[1]", "a[True]", False),
        ("{**a, 'b': c}", "{**a, 'b': c}", True),
    ],
)
def test_expressions_that_are_spelled_the_same(a: str, b: str, same: bool) -> None:
    (left,), (right,) = tree(a).body, tree(b).body
    assert isinstance(left, t.ExprStmt)
    assert isinstance(right, t.ExprStmt)
    assert alike(left.value, right.value) is same


def test_the_parent_of_an_expression() -> None:
    root = tree("f(x, y=z)\n")
    argument = parent(root.body[0], name(root, "z"))
    assert isinstance(argument, t.Arg)
    assert argument.name == "y"
    assert parent(root.body[0], name(tree("z"), "z")) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a = b = 1", ["a", "b"]),
        ("(a, [b, *c]) = x", ["a", "b", "c"]),
        ("a: int = 1", ["a"]),
        ("a: int", []),
        ("a += 1", ["a"]),
        ("for a, b in x: pass", ["a", "b"]),
        ("with x as a, y as (b, c): pass", ["a", "b", "c"]),
    ],
)
def test_what_a_statement_binds(text: str, names: list[str]) -> None:
    assert [x.id for x in targets(tree(text).body[0]) if isinstance(x, t.Name)] == names


def test_the_names_of_a_function() -> None:
    function = tree(
        "def f(a, *b, c=1, **d):\n"
        "    global g\n"
        "    import e.x, e.y as h\n"
        "    from z import i, j as k\n"
        "    g = 1\n"
        "    try: l = (m := 1)\n"
        "    except E as n: pass\n"
        "    match q:\n"
        "        case [o, *p]: pass\n"
        "    def inner(): hidden = 1\n"
        "    class C: hidden = 1\n"
        "    return lambda hidden: hidden\n"
    ).body[0]
    assert isinstance(function, t.FunctionDef)
    assert bound_names(function) == set("abcdehiklmnop") | {"inner", "C"}


@pytest.mark.parametrize(
    ("body", "bound"),
    [
        ("x = 1\nhere", True),
        ("here\nx = 1", False),
        ("if a:\n    x = 1\nhere", False),
        ("if a:\n    x = 1\n    here", True),
        ("if a:\n    x = 1\nelse:\n    x = 2\nhere", True),
        ("if a:\n    x = 1\nelse:\n    raise E\nhere", True),
        ("for x in a:\n    here", True),
        ("for x in a:\n    pass\nhere", False),
        ("for i in a:\n    x = 1\nhere", False),
        ("with a as x:\n    here", True),
        ("with a:\n    x = 1\nhere", True),
        ("try:\n    x = 1\nexcept E:\n    pass\nhere", False),
        ("try:\n    x = 1\nexcept E:\n    x = 2\nhere", True),
        ("try:\n    pass\nfinally:\n    x = 1\nhere", True),
        ("import x\nhere", True),
        ("def x(): pass\nhere", True),
    ],
)
def test_whether_a_name_is_surely_bound(body: str, bound: bool) -> None:
    root = tree(body + "\n")
    assert bound_before(way_to(root, statement(root, "here")), "x") is bound
    inner = tree("x = 1\ndef f():\n" + "".join(f"    {line}\n" for line in body.splitlines()))
    assert bound_before(way_to(inner, statement(inner, "here")), "x") is bound


def test_parameters_are_bound_from_the_start() -> None:
    root = tree("def f(x):\n    here\n")
    assert bound_before(way_to(root, statement(root, "here")), "x")


def test_what_is_bound_in_the_end() -> None:
    root = tree("def f(): pass\nif a:\n    y = 1\nx = 1\n")
    assert [bound_at_end(root, wanted) for wanted in ("f", "x", "y")] == [True, True, False]
