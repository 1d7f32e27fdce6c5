"""libcst's tree to the lowered tree, in one pass."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

import libcst as cst

from devlint.syntax import tree as t
from devlint.syntax.lowering import Lowering, handlers_of
from devlint.syntax.patterns import parts

_QUOTES = re.compile(r'(\\.)|"', re.DOTALL)


def lower(module: cst.Module) -> t.Tree:
    """The lowered tree of a parsed file."""
    lowering = _Placed()
    body = lowering.block(module.body)
    return t.Tree(module, body, lowering.size)


class _Placed(Lowering):
    """Lowers one file from libcst's tree."""

    def place(self, node: cst.CSTNode) -> cst.CSTNode:
        """The node itself."""
        return node

    def block(self, body: Any) -> list[t.Stmt]:
        """The statements of a module, an indented block, a suite on one line; of an `else`, a `finally`, an
        `elif`; none of what is not there."""
        if body is None:
            return []
        if isinstance(body, cst.If):
            self.size += 1
            return [self._on_If(body)]
        if isinstance(body, (cst.Else, cst.Finally)):
            body = body.body
        if isinstance(body, (cst.IndentedBlock, cst.SimpleStatementSuite)):
            body = body.body
        out: list[t.Stmt] = []
        table = self.handlers
        for node in body:
            if type(node) is cst.SimpleStatementLine:
                for small in node.body:
                    handler = table.get(type(small))
                    stmt = handler(self, small) if handler else None
                    if stmt is not None:
                        self.size += 1
                        out.append(stmt)
            else:
                handler = table.get(type(node))
                stmt = handler(self, node) if handler else None
                if stmt is not None:
                    self.size += 1
                    out.append(stmt)
        return out

    # -- expressions ---------------------------------------------------------------------------------

    def _on_Name(self, node: cst.Name) -> t.Expr:
        constants = {"None": None, "True": True, "False": False}
        if node.value in constants:
            return t.Const(node, constants[node.value])
        self._words.add(node.value)
        return t.Name(node, node.value)

    def _on_Integer(self, node: cst.Integer) -> t.Expr:
        text = node.value
        return t.Const(node, int(text) if text.isdigit() and len(text) < 20 else _literal(text))

    def _on_Float(self, node: cst.Float) -> t.Expr:
        return t.Const(node, float(node.value.replace("_", "")))

    def _on_Imaginary(self, node: cst.Imaginary) -> t.Expr:
        return t.Const(node, _literal(node.value))

    def _on_Ellipsis(self, node: cst.Ellipsis) -> t.Expr:
        return t.Const(node, ...)

    def _on_SimpleString(self, node: cst.SimpleString) -> t.Expr:
        return self.constant(node, _string(node.value))

    def _on_ConcatenatedString(self, node: cst.ConcatenatedString) -> t.Expr:
        pieces: list[Any] = []
        rest: cst.CSTNode = node
        while isinstance(rest, cst.ConcatenatedString):
            pieces.append(rest.left)
            rest = rest.right
        pieces.append(rest)
        if all(isinstance(piece, cst.SimpleString) for piece in pieces):
            values: list[Any] = [_string(piece.value) for piece in pieces]
            if any(type(value) is not type(values[0]) or value is ... for value in values):
                return t.Const(node, ...)
            return self.constant(node, type(values[0])().join(values))
        return self._format(node, pieces)

    def _on_FormattedString(self, node: cst.FormattedString) -> t.Expr:
        return self._format(node, [node])

    def _on_TemplatedString(self, node: Any) -> t.Expr:
        return self._format(node, [node])

    def _format(self, node: cst.CSTNode, pieces: list[Any]) -> t.Expr:
        """The text (neighbours joined) and the expressions of strings that stand side by side."""
        parts: list[str | t.Expr] = []
        for piece in pieces:
            raw = "r" in piece.prefix.lower()
            inner: Any = (piece,) if isinstance(piece, cst.SimpleString) else piece.parts
            for part in inner:
                value = getattr(part, "expression", None)
                if value is None:
                    text = str(_string(part.value) if part is piece else _unescaped(part.value, raw))
                else:
                    text = _said(part) if getattr(part, "equal", None) is not None else ""
                if text and parts and isinstance(parts[-1], str):
                    parts[-1] += text
                elif text:
                    parts.append(text)
                if value is not None:
                    parts.append(self.expr(value))
        return t.Format(node, parts)

    def _on_Attribute(self, node: cst.Attribute) -> t.Expr:
        self._words.add(node.attr.value)
        return t.Attr(node, self.expr(node.value), node.attr.value)

    def args(self, nodes: Any) -> list[t.Arg]:
        """The arguments of a call or a class statement."""
        expr = self.expr
        self._words.update(a.keyword.value for a in nodes if a.keyword)
        return [t.Arg(a, a.star, a.keyword.value if a.keyword else None, expr(a.value)) for a in nodes]

    def _on_Call(self, node: cst.Call) -> t.Expr:
        return t.Call(node, self.expr(node.func), self.args(node.args))

    def _on_Subscript(self, node: cst.Subscript) -> t.Expr:
        value = self.expr(node.value)
        indices = [self._index(element.slice) for element in node.slice]
        if len(indices) == 1 and not isinstance(node.slice[0].comma, cst.Comma):
            if not isinstance(indices[0], t.Starred):
                return t.Subscript(node, value, indices[0])
        self.size += 1
        return t.Subscript(node, value, t.Display(node.slice[0], "tuple", indices))

    def _index(self, node: cst.BaseSlice) -> t.Expr:
        if isinstance(node, cst.Index):
            value = self.expr(node.value)
            return t.Starred(node, value) if node.star else value
        assert isinstance(node, cst.Slice)
        bounds = [self.expr(p) if p is not None else None for p in (node.lower, node.upper, node.step)]
        return t.Slice(node, *bounds)

    def _items(self, elements: Any) -> list[t.Expr]:
        expr = self.expr
        return [
            t.Starred(e, expr(e.value)) if type(e) is cst.StarredElement else expr(e.value) for e in elements
        ]

    def _on_Tuple(self, node: cst.Tuple) -> t.Expr:
        return t.Display(node, "tuple", self._items(node.elements))

    def _on_List(self, node: cst.List) -> t.Expr:
        return t.Display(node, "list", self._items(node.elements))

    def _on_Set(self, node: cst.Set) -> t.Expr:
        return t.Display(node, "set", self._items(node.elements))

    def _on_Dict(self, node: cst.Dict) -> t.Expr:
        items: list[tuple[t.Expr | None, t.Expr]] = []
        for element in node.elements:
            key = self.expr(element.key) if isinstance(element, cst.DictElement) else None
            items.append((key, self.expr(element.value)))
        return t.DictDisplay(node, items)

    def _on_BinaryOperation(self, node: cst.BinaryOperation) -> t.Expr:
        return t.BinOp(node, type(node.operator).__name__, self.expr(node.left), self.expr(node.right))

    def _on_BooleanOperation(self, node: cst.BooleanOperation) -> t.Expr:
        return t.BoolOp(node, type(node.operator).__name__, self.expr(node.left), self.expr(node.right))

    def _on_UnaryOperation(self, node: cst.UnaryOperation) -> t.Expr:
        return self.unary(node, type(node.operator).__name__, self.expr(node.expression))

    def _on_Comparison(self, node: cst.Comparison) -> t.Expr:
        rest = [(type(c.operator).__name__, self.expr(c.comparator)) for c in node.comparisons]
        return t.Compare(node, self.expr(node.left), rest)

    def _on_Await(self, node: cst.Await) -> t.Expr:
        return t.Await(node, "await", self.expr(node.expression))

    def _on_Yield(self, node: cst.Yield) -> t.Expr:
        self._yields = True
        if isinstance(node.value, cst.From):
            return t.Await(node, "yield from", self.expr(node.value.item))
        return t.Await(node, "yield", self.expr(node.value) if node.value else None)

    def _on_Lambda(self, node: cst.Lambda) -> t.Expr:
        self._words.add("lambda")
        return t.Lambda(node, self.params(node.params), self.expr(node.body))

    def _clauses(self, clause: cst.CompFor | None) -> list[t.Clause]:
        out = []
        while clause is not None:
            conditions = [self.expr(c.test) for c in clause.ifs]
            out.append(t.Clause(clause, self.expr(clause.target), self.expr(clause.iter), conditions))
            clause = clause.inner_for_in
        return out

    def comprehension(self, node: Any, kind: str) -> t.Expr:
        """A comprehension or a generator."""
        key = self.expr(node.key) if kind == "dict" else None
        element = self.expr(node.value if kind == "dict" else node.elt)
        return t.Comprehension(node, kind, key, element, self._clauses(node.for_in))

    # -- small statements ----------------------------------------------------------------------------

    def _on_Assign(self, node: cst.Assign) -> t.Stmt:
        return t.Assign(node, [self.expr(x.target) for x in node.targets], self.expr(node.value))

    def _on_AnnAssign(self, node: cst.AnnAssign) -> t.Stmt:
        value = self.expr(node.value) if node.value is not None else None
        return t.AnnAssign(node, self.expr(node.target), self.expr(node.annotation.annotation), value)

    def _on_AugAssign(self, node: cst.AugAssign) -> t.Stmt:
        op = type(node.operator).__name__.removesuffix("Assign")
        return t.AugAssign(node, self.expr(node.target), op, self.expr(node.value))

    def _on_Del(self, node: cst.Del) -> t.Stmt:
        target: cst.BaseExpression = node.target
        if isinstance(target, cst.Tuple) and len(target.elements) == 1 and not target.lpar:
            target = target.elements[0].value
        return t.Delete(node, self.expr(target))

    def _on_Global(self, node: cst.Global) -> t.Stmt:
        return t.Scope(node, "global", [n.name.value for n in node.names])

    def _on_Nonlocal(self, node: cst.Nonlocal) -> t.Stmt:
        return t.Scope(node, "nonlocal", [n.name.value for n in node.names])

    def _on_Import(self, node: cst.Import) -> t.Stmt:
        names = [(dotted(a.name), a.asname.name.value if a.asname else None) for a in node.names]  # type: ignore[union-attr]
        return t.Import(node, names)

    def _on_ImportFrom(self, node: cst.ImportFrom) -> t.Stmt:
        module = dotted(node.module) if node.module is not None else ""
        level = len(node.relative)
        if isinstance(node.names, cst.ImportStar):
            return t.ImportFrom(node, module, level, None)
        names = []
        for alias in node.names:
            name = dotted(alias.name)
            bound = alias.asname.name.value if alias.asname else name  # type: ignore[union-attr]
            names.append((name, str(bound)))
        return t.ImportFrom(node, module, level, names)

    # -- compound statements -------------------------------------------------------------------------

    def _on_With(self, node: cst.With) -> t.Stmt:
        items = [
            (self.expr(i.item), self.expr(i.asname.name) if i.asname is not None else None)
            for i in node.items
        ]
        return t.With(node, items, self.block(node.body))

    def _try(self, node: Any) -> t.Stmt:
        body = self.block(node.body)
        handlers = []
        for h in node.handlers:
            kind = self.expr(h.type) if h.type is not None else None
            name = h.name.name.value if h.name is not None else None
            handlers.append(t.Handler(h, kind, name, self.block(h.body)))
        return t.Try(node, body, handlers, self.block(node.orelse), self.block(node.finalbody))

    def _on_Try(self, node: cst.Try) -> t.Stmt:
        return self._try(node)

    def _on_TryStar(self, node: cst.TryStar) -> t.Stmt:
        return self._try(node)

    def _on_Match(self, node: cst.Match) -> t.Stmt:
        cases = []
        for case in node.cases:
            binds: dict[str, t.Path] = {}
            values: list[t.Expr] = []
            self._pattern(case.pattern, binds, values)
            guard = self.expr(case.guard) if case.guard is not None else None
            cases.append(t.Case(case, binds, values, guard, self.block(case.body)))
        return t.Match(node, self.expr(node.subject), cases)

    def _pattern(
        self, node: cst.CSTNode, binds: dict[str, t.Path], values: list[t.Expr], path: t.Path = ()
    ) -> None:
        if isinstance(node, cst.MatchValue):
            values.append(self.expr(node.value))
        elif isinstance(node, (cst.MatchAs, cst.MatchStar)) and node.name is not None:
            binds[node.name.value] = path
        elif isinstance(node, cst.MatchMapping) and node.rest is not None:
            binds[node.rest.value] = path
        for inner, steps in parts(node):
            self._pattern(inner, binds, values, path + steps)

    def params(self, node: cst.Parameters) -> list[t.Param]:
        """The parameters of a function or a lambda, in order."""
        out = []
        groups: list[tuple[str, Any]] = [("positional", node.posonly_params), ("both", node.params)]
        if isinstance(node.star_arg, cst.Param):
            groups.append(("star", [node.star_arg]))
        groups.append(("keyword", node.kwonly_params))
        if node.star_kwarg is not None:
            groups.append(("starstar", [node.star_kwarg]))
        for kind, members in groups:
            for p in members:
                annotation = self.expr(p.annotation.annotation) if p.annotation is not None else None
                default = self.expr(p.default) if p.default is not None else None
                out.append(t.Param(p, p.name.value, kind, annotation, default))
        return out

    def _on_FunctionDef(self, node: cst.FunctionDef) -> t.Stmt:
        outer = self.enter()
        decorators = [self.expr(d.decorator) for d in node.decorators]
        params = self.params(node.params)
        returns = self.expr(node.returns.annotation) if node.returns is not None else None
        yields, self._yields = self._yields, False
        body = self.block(node.body)
        is_async = node.asynchronous is not None
        out = t.FunctionDef(node, node.name.value, params, body, decorators, returns, is_async)
        out.is_generator, self._yields = self._yields, yields
        return self.leave(out, outer)

    def _on_ClassDef(self, node: cst.ClassDef) -> t.Stmt:
        decorators = [self.expr(d.decorator) for d in node.decorators]
        bases = [self.expr(a.value) for a in node.bases]
        return t.ClassDef(
            node, node.name.value, bases, self.args(node.keywords), self.block(node.body), decorators
        )


def _string(text: str) -> object:
    """The value of a string literal."""
    if "\\" not in text and text[0] in "'\"":
        cut = 3 if text[:3] in ('"""', "'''") else 1
        return text[cut:-cut]
    return _literal(text)


def _unescaped(text: str, raw: bool) -> object:
    """Text between the expressions of an f-string."""
    text = text.replace("{{", "{").replace("}}", "}")
    if raw or "\\" not in text:
        return text
    return _literal('"""' + _QUOTES.sub(lambda found: found[1] or '\\"', text) + '"""')


def _said(part: Any) -> str:
    """What `f"{x = }"` writes before the value."""
    return "".join(
        map(cst.Module([]).code_for_node, (part.whitespace_before_expression, part.expression, part.equal))
    )


def _literal(text: str) -> object:
    """The value of a literal; what this Python cannot read is an Ellipsis, that is no value of ours."""
    try:
        # literal_eval would leave closures behind that hold each other.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape is nothing to us
            node = ast.parse(text, mode="eval").body
    except (ValueError, SyntaxError, MemoryError):
        return ...
    return node.value if isinstance(node, ast.Constant) else ...


def dotted(node: cst.CSTNode) -> str:
    """`a.b.c` as text."""
    parts = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    parts.append(node.value if isinstance(node, cst.Name) else "")
    return ".".join(reversed(parts))


_Placed.handlers = handlers_of(_Placed, cst)
