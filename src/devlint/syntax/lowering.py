"""What both ways to the lowered tree have in common: from libcst's (`lower`), from Python's own (`quick`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from devlint.syntax import tree as t

if TYPE_CHECKING:
    from libcst import CSTNode

Handlers = Mapping[type, Callable[[Any, Any], Any]]


class Lowering:
    """Lowers one file; `size` counts the expressions and statements made.

    What lowers a node is called `_on_` and the node's type, as the parser's module names it. Those here are
    of nodes which both parsers give the same type and the same fields.
    """

    handlers: ClassVar[Handlers]

    def __init__(self) -> None:
        self.size = 0
        self._yields = False
        self._words: set[str] = set()

    def place(self, node: Any) -> CSTNode | None:
        """Where a node stands, if it is libcst's."""
        raise NotImplementedError

    def block(self, body: Any) -> list[t.Stmt]:
        """The statements of a block."""
        raise NotImplementedError

    def expr(self, node: Any) -> t.Expr:
        """An expression."""
        self.size += 1
        handler = self.handlers.get(type(node))
        return t.Opaque(self.place(node)) if handler is None else handler(self, node)

    def maybe(self, node: Any) -> t.Expr | None:
        """An expression that may be absent."""
        return None if node is None else self.expr(node)

    def constant(self, node: Any, value: object) -> t.Const:
        """A literal; a short string is one of the words of the function around it."""
        if type(value) is str and len(value) < t.SHORT:
            self._words.add(value)
        return t.Const(self.place(node), value)

    def unary(self, node: Any, op: str, operand: t.Expr) -> t.Expr:
        """An operation on one operand; a negative number is a literal."""
        if op == "Minus" and isinstance(operand, t.Const) and isinstance(operand.value, (int, float)):
            return t.Const(self.place(node), -operand.value)
        return t.Unary(self.place(node), op, operand)

    def enter(self) -> tuple[int, set[str]]:
        """A function begins: what `leave` needs of what is around it."""
        outer = self.size, self._words
        self._words = set()
        return outer

    def leave(self, function: t.FunctionDef, outer: tuple[int, set[str]]) -> t.FunctionDef:
        """A function ends: how large it is, and the words in it, which are also in what is around it."""
        before, words = outer
        function.size = self.size - before
        function.words = self._words | {p.name for p in function.params}
        words |= self._words
        words.add("def")
        self._words = words
        return function

    def comprehension(self, node: Any, kind: str) -> t.Expr:
        """A comprehension or a generator."""
        raise NotImplementedError

    def _on_ListComp(self, node: Any) -> t.Expr:
        return self.comprehension(node, "list")

    def _on_SetComp(self, node: Any) -> t.Expr:
        return self.comprehension(node, "set")

    def _on_GeneratorExp(self, node: Any) -> t.Expr:
        return self.comprehension(node, "generator")

    def _on_DictComp(self, node: Any) -> t.Expr:
        return self.comprehension(node, "dict")

    def _on_IfExp(self, node: Any) -> t.Expr:
        return t.IfExp(self.place(node), self.expr(node.test), self.expr(node.body), self.expr(node.orelse))

    def _on_NamedExpr(self, node: Any) -> t.Expr:
        return t.Walrus(self.place(node), self.expr(node.target), self.expr(node.value))

    def _on_Expr(self, node: Any) -> t.Stmt | None:
        value = self.expr(node.value)
        return None if isinstance(value, t.Const) else t.ExprStmt(self.place(node), value)

    def _on_Return(self, node: Any) -> t.Stmt:
        return t.Return(self.place(node), self.maybe(node.value))

    def _on_Raise(self, node: Any) -> t.Stmt:
        return t.Raise(self.place(node), self.maybe(node.exc))

    def _on_Assert(self, node: Any) -> t.Stmt:
        return t.Assert(self.place(node), self.expr(node.test))

    def _on_Break(self, node: Any) -> t.Stmt:
        return t.Jump(self.place(node), "break")

    def _on_Continue(self, node: Any) -> t.Stmt:
        return t.Jump(self.place(node), "continue")

    def _on_If(self, node: Any) -> t.Stmt:
        return t.If(self.place(node), self.expr(node.test), self.block(node.body), self.block(node.orelse))

    def _on_For(self, node: Any) -> t.Stmt:
        target, iter_ = self.expr(node.target), self.expr(node.iter)
        return t.For(self.place(node), target, iter_, self.block(node.body), self.block(node.orelse))

    def _on_While(self, node: Any) -> t.Stmt:
        return t.While(self.place(node), self.expr(node.test), self.block(node.body), self.block(node.orelse))


def handlers_of(lowering: type[Lowering], parser: ModuleType, newer: Collection[str] = ()) -> Handlers:
    """What lowers each type of node of a parser's module, which need not have the `newer` types."""
    names = [name[4:] for name in dir(lowering) if name.startswith("_on_")]
    return {
        getattr(parser, name): getattr(lowering, f"_on_{name}")
        for name in names
        if name not in newer or hasattr(parser, name)
    }


def steps_in_sequence(starred: Sequence[bool]) -> list[t.Step]:
    """The steps from a subject to the parts that the patterns of a sequence are for, given which of them is
    `*rest`: those before it are counted from the start, those after it from the end."""
    count = len(starred)
    star = starred.index(True) if True in starred else count
    return [
        slice(star, star + 1 - count or None) if at == star else at if at < star else at - count
        for at in range(count)
    ]
