"""The lowered tree: what a program does, without trivia.

libcst keeps every blank and bracket, so a model that walked its nodes would spend its time on them. A
file is lowered to these nodes (see `quick` and `lower`); each is given its libcst node, from which
`Source.span` finds its place, when something is to be reported or rewritten.

The classes are plain and slotted because millions of them are made in a run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from libcst import CSTNode

SHORT = 10
"""Strings of fewer characters count as words of a function (see `FunctionDef`)."""


class Node:
    """Anything with a place in the source. `cst` is its libcst node, None until `Source.cst_of` is asked."""

    __slots__ = ("cst",)
    cst: CSTNode | None


class Expr(Node):
    """An expression."""

    __slots__ = ()


class Name(Expr):
    """A name that is read or bound."""

    __slots__ = ("id",)

    def __init__(self, cst: CSTNode | None, id: str) -> None:
        self.cst = cst
        self.id = id


class Const(Expr):
    """A literal: a number, string, bytes, None, True, False or Ellipsis."""

    __slots__ = ("value",)

    def __init__(self, cst: CSTNode | None, value: object) -> None:
        self.cst = cst
        self.value = value


class Attr(Expr):
    """`value.attr`."""

    __slots__ = ("attr", "value")

    def __init__(self, cst: CSTNode | None, value: Expr, attr: str) -> None:
        self.cst = cst
        self.value = value
        self.attr = attr


class Arg(Node):
    """An argument of a call: `star` is "", "*" or "**"; `name` is None unless it is a keyword."""

    __slots__ = ("name", "star", "value")

    def __init__(self, cst: CSTNode | None, star: str, name: str | None, value: Expr) -> None:
        self.cst = cst
        self.star = star
        self.name = name
        self.value = value


class Call(Expr):
    """`func(*args)`."""

    __slots__ = ("args", "func")

    def __init__(self, cst: CSTNode | None, func: Expr, args: list[Arg]) -> None:
        self.cst = cst
        self.func = func
        self.args = args


class Subscript(Expr):
    """`value[index]`; several indices are a Display of kind "tuple"."""

    __slots__ = ("index", "value")

    def __init__(self, cst: CSTNode | None, value: Expr, index: Expr) -> None:
        self.cst = cst
        self.value = value
        self.index = index


class Slice(Expr):
    """`lower:upper:step` in a subscript; each may be absent."""

    __slots__ = ("lower", "step", "upper")

    def __init__(
        self, cst: CSTNode | None, lower: Expr | None, upper: Expr | None, step: Expr | None
    ) -> None:
        self.cst = cst
        self.lower = lower
        self.upper = upper
        self.step = step


class Display(Expr):
    """A tuple, list or set display; `kind` says which."""

    __slots__ = ("items", "kind")

    def __init__(self, cst: CSTNode | None, kind: str, items: list[Expr]) -> None:
        self.cst = cst
        self.kind = kind
        self.items = items


class DictDisplay(Expr):
    """A dict display; a key of None is `**value`."""

    __slots__ = ("items",)

    def __init__(self, cst: CSTNode | None, items: list[tuple[Expr | None, Expr]]) -> None:
        self.cst = cst
        self.items = items


class Starred(Expr):
    """`*value` in a display or a target."""

    __slots__ = ("value",)

    def __init__(self, cst: CSTNode | None, value: Expr) -> None:
        self.cst = cst
        self.value = value


class BinOp(Expr):
    """An arithmetic operation; `op` is the operator's libcst name ("Add", "MatrixMultiply" ...)."""

    __slots__ = ("left", "op", "right")

    def __init__(self, cst: CSTNode | None, op: str, left: Expr, right: Expr) -> None:
        self.cst = cst
        self.op = op
        self.left = left
        self.right = right


class Compare(Expr):
    """A chain of comparisons: `left`, then pairs of an operator name and an operand."""

    __slots__ = ("left", "rest")

    def __init__(self, cst: CSTNode | None, left: Expr, rest: list[tuple[str, Expr]]) -> None:
        self.cst = cst
        self.left = left
        self.rest = rest


class BoolOp(Expr):
    """`left and right` or `left or right`; `op` is "And" or "Or"."""

    __slots__ = ("left", "op", "right")

    def __init__(self, cst: CSTNode | None, op: str, left: Expr, right: Expr) -> None:
        self.cst = cst
        self.op = op
        self.left = left
        self.right = right


class Unary(Expr):
    """`not x`, `-x`, `~x`, `+x`."""

    __slots__ = ("op", "operand")

    def __init__(self, cst: CSTNode | None, op: str, operand: Expr) -> None:
        self.cst = cst
        self.op = op
        self.operand = operand


class IfExp(Expr):
    """`body if test else orelse`."""

    __slots__ = ("body", "orelse", "test")

    def __init__(self, cst: CSTNode | None, test: Expr, body: Expr, orelse: Expr) -> None:
        self.cst = cst
        self.test = test
        self.body = body
        self.orelse = orelse


class Walrus(Expr):
    """`target := value`."""

    __slots__ = ("target", "value")

    def __init__(self, cst: CSTNode | None, target: Expr, value: Expr) -> None:
        self.cst = cst
        self.target = target
        self.value = value


class Format(Expr):
    """An f-string or t-string: text (str) and expressions in order."""

    __slots__ = ("parts",)

    def __init__(self, cst: CSTNode | None, parts: list[str | Expr]) -> None:
        self.cst = cst
        self.parts = parts


class Await(Expr):
    """`await value`, `yield value` and `yield from value` (`how` says which); value may be absent."""

    __slots__ = ("how", "value")

    def __init__(self, cst: CSTNode | None, how: str, value: Expr | None) -> None:
        self.cst = cst
        self.how = how
        self.value = value


class Clause(Node):
    """One `for target in iter if conditions` of a comprehension."""

    __slots__ = ("conditions", "iter", "target")

    def __init__(self, cst: CSTNode | None, target: Expr, iter: Expr, conditions: list[Expr]) -> None:
        self.cst = cst
        self.target = target
        self.iter = iter
        self.conditions = conditions


class Comprehension(Expr):
    """`kind` is "list", "set", "dict" or "generator"; `key` is set in a dict comprehension."""

    __slots__ = ("clauses", "element", "key", "kind")

    def __init__(
        self, cst: CSTNode | None, kind: str, key: Expr | None, element: Expr, clauses: list[Clause]
    ) -> None:
        self.cst = cst
        self.kind = kind
        self.key = key
        self.element = element
        self.clauses = clauses


class Opaque(Expr):
    """An expression that carries no value the model follows."""

    __slots__ = ()

    def __init__(self, cst: CSTNode | None) -> None:
        self.cst = cst


class Unspelled(Opaque):
    """An expression that a program evaluates without spelling it; it stands where another node does."""

    __slots__ = ("at",)

    def __init__(self, at: Node) -> None:
        self.cst = None
        self.at = at


class Param(Node):
    """A parameter; `kind` is "positional" (posonly), "both", "star", "keyword" or "starstar"."""

    __slots__ = ("annotation", "default", "kind", "name")

    def __init__(
        self, cst: CSTNode | None, name: str, kind: str, annotation: Expr | None, default: Expr | None
    ) -> None:
        self.cst = cst
        self.name = name
        self.kind = kind
        self.annotation = annotation
        self.default = default


class Lambda(Expr):
    """`lambda params: body`. `facts` is a cache of the model's own."""

    __slots__ = ("body", "facts", "params")

    def __init__(self, cst: CSTNode | None, params: list[Param], body: Expr) -> None:
        self.cst = cst
        self.params = params
        self.body = body
        self.facts: object = None


class Stmt(Node):
    """A statement."""

    __slots__ = ()


class Assign(Stmt):
    """`targets = value`, several targets when chained."""

    __slots__ = ("targets", "value")

    def __init__(self, cst: CSTNode | None, targets: list[Expr], value: Expr) -> None:
        self.cst = cst
        self.targets = targets
        self.value = value


class AnnAssign(Stmt):
    """`target: annotation = value`; the value may be absent."""

    __slots__ = ("annotation", "target", "value")

    def __init__(self, cst: CSTNode | None, target: Expr, annotation: Expr, value: Expr | None) -> None:
        self.cst = cst
        self.target = target
        self.annotation = annotation
        self.value = value


class AugAssign(Stmt):
    """`target op= value`; `op` is named as in BinOp."""

    __slots__ = ("op", "target", "value")

    def __init__(self, cst: CSTNode | None, target: Expr, op: str, value: Expr) -> None:
        self.cst = cst
        self.target = target
        self.op = op
        self.value = value


class ExprStmt(Stmt):
    """An expression whose value is dropped."""

    __slots__ = ("value",)

    def __init__(self, cst: CSTNode | None, value: Expr) -> None:
        self.cst = cst
        self.value = value


class Return(Stmt):
    """`return value`."""

    __slots__ = ("value",)

    def __init__(self, cst: CSTNode | None, value: Expr | None) -> None:
        self.cst = cst
        self.value = value


class Raise(Stmt):
    """`raise value`."""

    __slots__ = ("value",)

    def __init__(self, cst: CSTNode | None, value: Expr | None) -> None:
        self.cst = cst
        self.value = value


class Jump(Stmt):
    """`break` or `continue`."""

    __slots__ = ("kind",)

    def __init__(self, cst: CSTNode | None, kind: str) -> None:
        self.cst = cst
        self.kind = kind


class Assert(Stmt):
    """`assert test`."""

    __slots__ = ("test",)

    def __init__(self, cst: CSTNode | None, test: Expr) -> None:
        self.cst = cst
        self.test = test


class Delete(Stmt):
    """`del target`."""

    __slots__ = ("target",)

    def __init__(self, cst: CSTNode | None, target: Expr) -> None:
        self.cst = cst
        self.target = target


class Scope(Stmt):
    """`global` or `nonlocal` names."""

    __slots__ = ("kind", "names")

    def __init__(self, cst: CSTNode | None, kind: str, names: list[str]) -> None:
        self.cst = cst
        self.kind = kind
        self.names = names


class Import(Stmt):
    """`import a.b as c`: pairs of the dotted name and the bound name (None: the first part)."""

    __slots__ = ("names",)

    def __init__(self, cst: CSTNode | None, names: list[tuple[str, str | None]]) -> None:
        self.cst = cst
        self.names = names


class ImportFrom(Stmt):
    """`from ..module import name as bound`; `names` is None for a star import."""

    __slots__ = ("level", "module", "names")

    def __init__(
        self, cst: CSTNode | None, module: str, level: int, names: list[tuple[str, str]] | None
    ) -> None:
        self.cst = cst
        self.module = module
        self.level = level
        self.names = names


class If(Stmt):
    """`if test: body else: orelse`; an `elif` is an If in orelse."""

    __slots__ = ("body", "orelse", "test")

    def __init__(self, cst: CSTNode | None, test: Expr, body: list[Stmt], orelse: list[Stmt]) -> None:
        self.cst = cst
        self.test = test
        self.body = body
        self.orelse = orelse


class For(Stmt):
    """`for target in iter: body else: orelse`."""

    __slots__ = ("body", "iter", "orelse", "target")

    def __init__(
        self, cst: CSTNode | None, target: Expr, iter: Expr, body: list[Stmt], orelse: list[Stmt]
    ) -> None:
        self.cst = cst
        self.target = target
        self.iter = iter
        self.body = body
        self.orelse = orelse


class While(Stmt):
    """`while test: body else: orelse`."""

    __slots__ = ("body", "orelse", "test")

    def __init__(self, cst: CSTNode | None, test: Expr, body: list[Stmt], orelse: list[Stmt]) -> None:
        self.cst = cst
        self.test = test
        self.body = body
        self.orelse = orelse


class With(Stmt):
    """`with item as target, ...: body`."""

    __slots__ = ("body", "items")

    def __init__(self, cst: CSTNode | None, items: list[tuple[Expr, Expr | None]], body: list[Stmt]) -> None:
        self.cst = cst
        self.items = items
        self.body = body


class Handler(Node):
    """`except type as name: body`."""

    __slots__ = ("body", "name", "type")

    def __init__(self, cst: CSTNode | None, type: Expr | None, name: str | None, body: list[Stmt]) -> None:
        self.cst = cst
        self.type = type
        self.name = name
        self.body = body


class Try(Stmt):
    """`try: body except ...: else: orelse finally: final`."""

    __slots__ = ("body", "final", "handlers", "orelse")

    def __init__(
        self,
        cst: CSTNode | None,
        body: list[Stmt],
        handlers: list[Handler],
        orelse: list[Stmt],
        final: list[Stmt],
    ) -> None:
        self.cst = cst
        self.body = body
        self.handlers = handlers
        self.orelse = orelse
        self.final = final


Step = int | str | slice | tuple[str] | None
"""From a value to a part of it: an item by its index or key, items, an attribute, something unknown."""
Path = tuple[Step, ...]


class Case(Node):
    """One case of a match: the names it binds, and to what part of the subject; constants that it compares
    with, guard and body."""

    __slots__ = ("binds", "body", "guard", "values")

    def __init__(
        self,
        cst: CSTNode | None,
        binds: dict[str, Path],
        values: list[Expr],
        guard: Expr | None,
        body: list[Stmt],
    ) -> None:
        self.cst = cst
        self.binds = binds
        self.values = values
        self.guard = guard
        self.body = body


class Match(Stmt):
    """`match subject: case ...`."""

    __slots__ = ("cases", "subject")

    def __init__(self, cst: CSTNode | None, subject: Expr, cases: list[Case]) -> None:
        self.cst = cst
        self.subject = subject
        self.cases = cases


class FunctionDef(Stmt):
    """A function. `is_generator` when it yields; `size` counts its nodes, `words` are the names, attributes,
    keywords (`def` and `lambda`, too) and short strings in it. `facts` is a cache of the model's own."""

    __slots__ = (
        "body",
        "decorators",
        "facts",
        "is_async",
        "is_generator",
        "name",
        "params",
        "returns",
        "size",
        "words",
    )

    def __init__(
        self,
        cst: CSTNode | None,
        name: str,
        params: list[Param],
        body: list[Stmt],
        decorators: list[Expr],
        returns: Expr | None,
        is_async: bool,
    ) -> None:
        self.cst = cst
        self.name = name
        self.params = params
        self.body = body
        self.decorators = decorators
        self.returns = returns
        self.is_async = is_async
        self.is_generator = False
        self.size = 0
        self.words: set[str] = set()
        self.facts: object = None


class ClassDef(Stmt):
    """A class; `keywords` are those of the class statement."""

    __slots__ = ("bases", "body", "decorators", "keywords", "name")

    def __init__(
        self,
        cst: CSTNode | None,
        name: str,
        bases: list[Expr],
        keywords: list[Arg],
        body: list[Stmt],
        decorators: list[Expr],
    ) -> None:
        self.cst = cst
        self.name = name
        self.bases = bases
        self.keywords = keywords
        self.body = body
        self.decorators = decorators


class Tree(Node):
    """A whole file. `size` counts its nodes, the unit in which the model's work is bounded."""

    __slots__ = ("body", "size")

    def __init__(self, cst: CSTNode | None, body: list[Stmt], size: int) -> None:
        self.cst = cst
        self.body = body
        self.size = size
