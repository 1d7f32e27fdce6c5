"""Both ways to the lowered tree, Python's parser and libcst's, make the same tree."""

from __future__ import annotations

import sysconfig
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import libcst
import pytest

from devlint.deep import run_deep
from devlint.syntax import tree as t
from devlint.syntax.lower import lower
from devlint.syntax.quick import quick
from devlint.syntax.source import Source
from devlint.syntax.walk import walk

PROGRAMS = """
a < b < c is not d; a and b and (c or d or e); not -1; -1.5; -True; ~x; +x; x @ y ** 2 // 3 % 4 << 1 >> 2
(a and b) and c; a and (b and c)
f(*a, x=1, *b, **c, y=2); f(x for x in y); f(a, *b, k=1); f(*a, **b)
x[1]; x[1, 2]; x[(1, 2)]; x[1,]; x[a:b, ::2, ...]; x[:]; x[(a), b]
"a" "b" 'c'; b"a" b"b"; r"\\d" "\\n"; "a" f"b{x}c" "d" f"{y!r:>{w}}"; f"{{x}} {x = } {x!r} \\n"; rf"\\d{x}"; f""
x = [*a, b]; y = *a, b; {1: 2, **z}; {1, *s}; (); (a,); [a for a in b if c if d for e in f]; {k: v for k, v in z}
lambda: 0; lambda a, /, b=1, *c, d, e=2, **f: a
x = y = z; x: int = 1; x: int; x += 1; x @= y; (a, *b), c = d; a.b.c[0] = 1
del a; del a, b; del (a, b); del (a), b; del a,
import a.b as c, d; from . import e; from ..f.g import h as i, j; from k import *
0x1F, 1_000, 1e3, 1j, 0o17, 10**100, 123456789012345678901234567890
try:
    raise A from b
except (B, C) as e:
    pass
except D:
    ...
else:
    x
finally:
    y
with a as b, c: d
with (a as b, c as d): e
with (a, b): c
while x: break
else: y
for x, *y in z:
    continue
if a: b
elif c: d
elif e: f
else: g
if a: b
else:
    if c: d
assert x, "no"
async def f(a, b: int = 1, *args: int, c, d=2, **kwargs: str) -> None:
    "docs"
    global g
    async with a: pass
    async for b in c: await d
    return [e async for e in f], (yield)
def g(self, a, /, b): yield from (h := a)
def h():
    def inner(): yield
    return inner
@d.e(1)
class A(B, *c, metaclass=M, **kw):
    x: int
    def m(self): return super().m()
match x, y:
    case 1 | "a" | a.b | -1: z
    case [a, *_, b] | (a, b, *rest): z
    case {"k": v, **rest}: z
    case A(1, b, c=d) as e if f: z
    case None | True: z
    case _: z
print(u"x", "\\N{EM DASH}", "\\d")
"""


def nodes(value: Any) -> Iterator[Any]:
    """A tree, spelled out: types and what is in the slots, without places."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, t.Node):
            yield type(one)
            slots = [name for kind in type(one).__mro__ for name in getattr(kind, "__slots__", ())]
            stack += [getattr(one, name) for name in slots if name not in ("cst", "facts")]
        elif isinstance(one, (list, tuple)):
            yield type(one), len(one)
            stack += one
        else:
            yield one


def same(text: str) -> bool:
    tree = quick(text)
    return tree is not None and list(nodes(tree)) == list(nodes(lower(libcst.parse_module(text))))


def test_both_make_the_same_tree() -> None:
    assert same(PROGRAMS)


def test_both_make_the_same_tree_of_the_standard_library() -> None:
    def differing() -> list[str]:
        folder = Path(sysconfig.get_path("stdlib"))
        texts = {f.name: f.read_text("utf-8") for f in sorted(folder.glob("*.py"))}
        return [name for name, text in texts.items() if not same(text)]

    assert run_deep(differing) == []


def test_every_node_is_given_its_place() -> None:
    source = Source.from_text("a.py", PROGRAMS)
    assert source.quick_tree is source.tree
    parts = list(walk(source.tree))
    assert all(part.cst is None for part in parts)
    source.span(source.tree.body[0])
    assert all(part.cst is not None for part in parts)
    names = [part for part in parts if isinstance(part, t.Name)]
    assert [source.segment(name) for name in names] == [name.id for name in names]


def test_what_is_evaluated_without_being_spelled_stands_where_its_maker_does() -> None:
    source = Source.from_text("a.py", "x = 1\ny = 2\n")
    assert source.segment(t.Unspelled(t.Unspelled(source.tree.body[1]))) == "y = 2"


@pytest.mark.parametrize("text", ["x = 1\ry = 2\n", "x = (\n", "x = 1\0", "'\ud800'"])
def test_what_this_python_cannot_parse_or_reads_otherwise_is_left_to_libcst(text: str) -> None:
    assert quick(text) is None


def test_a_broad_and_deep_text_is_no_danger() -> None:
    deep: list[bool] = []
    thread = threading.Thread(target=lambda: deep.append(quick("x = " + "(" * 5000 + ")" * 5000) is None))
    thread.start()
    thread.join()
    assert deep == [True]
