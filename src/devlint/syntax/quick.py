"""Python's own parser's tree to the lowered tree, in one pass.

The parser of the running Python is ten times as fast as libcst's, but it knows no blanks and brackets, and
only the syntax of its own version. So a file is first lowered from here, with nodes that have no place yet;
`lower` makes the same tree from libcst's, for the few files that have something to report, and for those
that this Python cannot parse.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

from devlint.syntax import tree as t
from devlint.syntax.lowering import Lowering, handlers_of, steps_in_sequence

# libcst's names of the operators.
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "Add",
    ast.Sub: "Subtract",
    ast.Mult: "Multiply",
    ast.Div: "Divide",
    ast.FloorDiv: "FloorDivide",
    ast.Mod: "Modulo",
    ast.Pow: "Power",
    ast.LShift: "LeftShift",
    ast.RShift: "RightShift",
    ast.BitOr: "BitOr",
    ast.BitAnd: "BitAnd",
    ast.BitXor: "BitXor",
    ast.MatMult: "MatrixMultiply",
    ast.And: "And",
    ast.Or: "Or",
    ast.Not: "Not",
    ast.USub: "Minus",
    ast.UAdd: "Plus",
    ast.Invert: "BitInvert",
    ast.Lt: "LessThan",
    ast.Gt: "GreaterThan",
    ast.LtE: "LessThanEqual",
    ast.GtE: "GreaterThanEqual",
    ast.Eq: "Equal",
    ast.NotEq: "NotEqual",
    ast.In: "In",
    ast.NotIn: "NotIn",
    ast.Is: "Is",
    ast.IsNot: "IsNot",
}
# A carriage return alone ends a row for Python, not for libcst.
_LONE_RETURN = re.compile(r"\r(?!\n)")


def quick(text: str) -> t.Tree | None:
    """The lowered tree of a file's text, its nodes without their places; None if this Python cannot parse
    it, or might read it otherwise than libcst."""
    if _LONE_RETURN.search(text):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape is nothing to us
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lowering = _Quick()
    body = lowering.block(module.body)
    return t.Tree(None, body, lowering.size)


class _Quick(Lowering):
    """Lowers one file from Python's own tree."""

    def place(self, node: Any) -> None:
        """Not known here."""

    def block(self, body: list[ast.stmt]) -> list[t.Stmt]:
        """The statements of a block."""
        out: list[t.Stmt] = []
        for node in body:
            handler = self.handlers.get(type(node))
            stmt = handler(self, node) if handler else None
            if stmt is not None:
                self.size += 1
                out.append(stmt)
        return out

    # -- expressions ---------------------------------------------------------------------------------

    def _on_Name(self, node: ast.Name) -> t.Expr:
        self._words.add(node.id)
        return t.Name(None, node.id)

    def _on_Constant(self, node: ast.Constant) -> t.Expr:
        return self.constant(node, node.value)

    def _on_JoinedStr(self, node: Any) -> t.Expr:
        parts: list[str | t.Expr] = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(str(part.value))
            else:
                parts.append(self.expr(part.value))  # a FormattedValue, or an Interpolation
        return t.Format(None, parts)

    _on_TemplateStr = _on_JoinedStr

    def _on_Attribute(self, node: ast.Attribute) -> t.Expr:
        self._words.add(node.attr)
        return t.Attr(None, self.expr(node.value), node.attr)

    def _args(self, positional: list[ast.expr], keywords: list[ast.keyword]) -> list[t.Arg]:
        """The arguments of a call or a class statement, in the order of the text."""
        nodes: list[Any] = [*positional, *keywords]
        if keywords and any(type(node) is ast.Starred for node in positional):
            nodes.sort(key=lambda node: (node.lineno, node.col_offset))
        return [self._arg(node) for node in nodes]

    def _arg(self, node: Any) -> t.Arg:
        if type(node) is ast.keyword:
            if node.arg is None:
                return t.Arg(None, "**", None, self.expr(node.value))
            self._words.add(node.arg)
            return t.Arg(None, "", node.arg, self.expr(node.value))
        if type(node) is ast.Starred:
            return t.Arg(None, "*", None, self.expr(node.value))
        return t.Arg(None, "", None, self.expr(node))

    def _on_Call(self, node: ast.Call) -> t.Expr:
        return t.Call(None, self.expr(node.func), self._args(node.args, node.keywords))

    def _on_Subscript(self, node: ast.Subscript) -> t.Expr:
        value = self.expr(node.value)
        if type(node.slice) is ast.Tuple:
            self.size += 1
            return t.Subscript(
                None, value, t.Display(None, "tuple", [self._index(item) for item in node.slice.elts])
            )
        return t.Subscript(None, value, self._index(node.slice))

    def _index(self, node: ast.expr) -> t.Expr:
        if type(node) is ast.Slice:
            return t.Slice(None, self.maybe(node.lower), self.maybe(node.upper), self.maybe(node.step))
        return self._item(node)

    def _item(self, node: ast.expr) -> t.Expr:
        return t.Starred(None, self.expr(node.value)) if type(node) is ast.Starred else self.expr(node)

    def _display(self, kind: str, nodes: list[ast.expr]) -> t.Display:
        return t.Display(None, kind, [self._item(node) for node in nodes])

    def _on_Tuple(self, node: ast.Tuple) -> t.Expr:
        return self._display("tuple", node.elts)

    def _on_List(self, node: ast.List) -> t.Expr:
        return self._display("list", node.elts)

    def _on_Set(self, node: ast.Set) -> t.Expr:
        return self._display("set", node.elts)

    def _on_Dict(self, node: ast.Dict) -> t.Expr:
        pairs = zip(node.keys, node.values, strict=True)
        return t.DictDisplay(None, [(self.maybe(key), self.expr(value)) for key, value in pairs])

    def _on_BinOp(self, node: ast.BinOp) -> t.Expr:
        return t.BinOp(None, _OPERATORS[type(node.op)], self.expr(node.left), self.expr(node.right))

    def _on_BoolOp(self, node: ast.BoolOp) -> t.Expr:
        op = _OPERATORS[type(node.op)]
        out = self.expr(node.values[0])
        for value in node.values[1:]:
            out = t.BoolOp(None, op, out, self.expr(value))
        self.size += len(node.values) - 2
        return out

    def _on_UnaryOp(self, node: ast.UnaryOp) -> t.Expr:
        return self.unary(node, _OPERATORS[type(node.op)], self.expr(node.operand))

    def _on_Compare(self, node: ast.Compare) -> t.Expr:
        pairs = zip(node.ops, node.comparators, strict=True)
        rest = [(_OPERATORS[type(op)], self.expr(value)) for op, value in pairs]
        return t.Compare(None, self.expr(node.left), rest)

    def _on_Await(self, node: ast.Await) -> t.Expr:
        return t.Await(None, "await", self.expr(node.value))

    def _on_Yield(self, node: ast.Yield) -> t.Expr:
        self._yields = True
        return t.Await(None, "yield", self.maybe(node.value))

    def _on_YieldFrom(self, node: ast.YieldFrom) -> t.Expr:
        self._yields = True
        return t.Await(None, "yield from", self.expr(node.value))

    def _on_Lambda(self, node: ast.Lambda) -> t.Expr:
        self._words.add("lambda")
        return t.Lambda(None, self._params(node.args), self.expr(node.body))

    def comprehension(self, node: Any, kind: str) -> t.Expr:
        """A comprehension or a generator."""
        key = self.expr(node.key) if kind == "dict" else None
        element = self.expr(node.value if kind == "dict" else node.elt)
        clauses = [
            t.Clause(None, self.expr(c.target), self.expr(c.iter), [self.expr(x) for x in c.ifs])
            for c in node.generators
        ]
        return t.Comprehension(None, kind, key, element, clauses)

    # -- small statements ----------------------------------------------------------------------------

    def _on_Assign(self, node: ast.Assign) -> t.Stmt:
        return t.Assign(None, [self.expr(x) for x in node.targets], self.expr(node.value))

    def _on_AnnAssign(self, node: ast.AnnAssign) -> t.Stmt:
        value = self.maybe(node.value)
        return t.AnnAssign(None, self.expr(node.target), self.expr(node.annotation), value)

    def _on_AugAssign(self, node: ast.AugAssign) -> t.Stmt:
        return t.AugAssign(None, self.expr(node.target), _OPERATORS[type(node.op)], self.expr(node.value))

    def _on_Delete(self, node: ast.Delete) -> t.Stmt:
        if len(node.targets) == 1:
            return t.Delete(None, self.expr(node.targets[0]))
        self.size += 1
        return t.Delete(None, self._display("tuple", node.targets))

    def _on_Global(self, node: ast.Global) -> t.Stmt:
        return t.Scope(None, "global", node.names)

    def _on_Nonlocal(self, node: ast.Nonlocal) -> t.Stmt:
        return t.Scope(None, "nonlocal", node.names)

    def _on_Import(self, node: ast.Import) -> t.Stmt:
        return t.Import(None, [(alias.name, alias.asname) for alias in node.names])

    def _on_ImportFrom(self, node: ast.ImportFrom) -> t.Stmt:
        names = [(alias.name, alias.asname or alias.name) for alias in node.names]
        star = names[0][0] == "*"
        return t.ImportFrom(None, node.module or "", node.level, None if star else names)

    # -- compound statements -------------------------------------------------------------------------

    _on_AsyncFor = Lowering._on_For

    def _on_With(self, node: Any) -> t.Stmt:
        items = [(self.expr(i.context_expr), self.maybe(i.optional_vars)) for i in node.items]
        return t.With(None, items, self.block(node.body))

    _on_AsyncWith = _on_With

    def _on_Try(self, node: Any) -> t.Stmt:
        body = self.block(node.body)
        handlers = [t.Handler(None, self.maybe(h.type), h.name, self.block(h.body)) for h in node.handlers]
        final = self.block(node.finalbody)
        return t.Try(None, body, handlers, self.block(node.orelse), final)

    _on_TryStar = _on_Try

    def _on_Match(self, node: ast.Match) -> t.Stmt:
        cases = []
        for case in node.cases:
            binds: dict[str, t.Path] = {}
            values: list[t.Expr] = []
            self._pattern(case.pattern, binds, values)
            cases.append(t.Case(None, binds, values, self.maybe(case.guard), self.block(case.body)))
        return t.Match(None, self.expr(node.subject), cases)

    def _pattern(
        self, node: ast.pattern, binds: dict[str, t.Path], values: list[t.Expr], path: t.Path = ()
    ) -> None:
        def inside(pattern: ast.pattern, *steps: t.Step) -> None:
            self._pattern(pattern, binds, values, path + steps)

        if isinstance(node, ast.MatchValue):
            values.append(self.expr(node.value))
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)):
            if node.name is not None:
                binds[node.name] = path
            if isinstance(node, ast.MatchAs) and node.pattern is not None:
                inside(node.pattern)
        elif isinstance(node, ast.MatchMapping):
            if node.rest is not None:
                binds[node.rest] = path
            for key, pattern in zip(node.keys, node.patterns, strict=True):
                text = key.value if isinstance(key, ast.Constant) else None
                inside(pattern, text if isinstance(text, str) else None)
        elif isinstance(node, ast.MatchClass):
            for pattern in node.patterns:
                inside(pattern, None)
            for name, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
                inside(pattern, (name,))
        elif isinstance(node, ast.MatchOr):
            for pattern in node.patterns:
                inside(pattern)
        elif isinstance(node, ast.MatchSequence):
            steps = steps_in_sequence([isinstance(x, ast.MatchStar) for x in node.patterns])
            for pattern, step in zip(node.patterns, steps, strict=True):
                inside(pattern, step)

    def _params(self, node: ast.arguments) -> list[t.Param]:
        """The parameters of a function or a lambda, in order."""
        out = []
        both = [("positional", p) for p in node.posonlyargs] + [("both", p) for p in node.args]
        plain: list[ast.expr | None] = [None] * (len(both) - len(node.defaults))
        for (kind, p), default in zip(both, [*plain, *node.defaults], strict=True):
            out.append(self._param(p, kind, default))
        if node.vararg is not None:
            out.append(self._param(node.vararg, "star", None))
        for p, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
            out.append(self._param(p, "keyword", default))
        if node.kwarg is not None:
            out.append(self._param(node.kwarg, "starstar", None))
        return out

    def _param(self, node: ast.arg, kind: str, default: ast.expr | None) -> t.Param:
        return t.Param(None, node.arg, kind, self.maybe(node.annotation), self.maybe(default))

    def _on_FunctionDef(self, node: Any) -> t.Stmt:
        outer = self.enter()
        decorators = [self.expr(d) for d in node.decorator_list]
        params = self._params(node.args)
        returns = self.maybe(node.returns)
        yields, self._yields = self._yields, False
        body = self.block(node.body)
        is_async = type(node) is ast.AsyncFunctionDef
        out = t.FunctionDef(None, node.name, params, body, decorators, returns, is_async)
        out.is_generator, self._yields = self._yields, yields
        return self.leave(out, outer)

    _on_AsyncFunctionDef = _on_FunctionDef

    def _on_ClassDef(self, node: ast.ClassDef) -> t.Stmt:
        decorators = [self.expr(d) for d in node.decorator_list]
        bases = [self.expr(b.value if isinstance(b, ast.Starred) else b) for b in node.bases]
        keywords = self._args([], node.keywords)
        return t.ClassDef(None, node.name, bases, keywords, self.block(node.body), decorators)


_Quick.handlers = handlers_of(_Quick, ast, newer=("TemplateStr", "TryStar"))
