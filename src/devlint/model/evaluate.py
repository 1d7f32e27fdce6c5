"""Expressions to values, emitting events on the way."""

from __future__ import annotations

from typing import Any

from devlint.model.cond import Cond, implied, restrict, tips
from devlint.model.containers import BUILTINS
from devlint.model.events import Reveal
from devlint.model.libraries import GRAPH_LOADERS
from devlint.model.library import USED
from devlint.model.machine import MISSING, MORE_KEYWORDS, MORE_POSITIONAL
from devlint.model.operators import Operators
from devlint.model.torch.effects import Mix
from devlint.model.torch.methods import MOVES
from devlint.model.value import (
    NONE,
    REST,
    Bound,
    Const,
    Function,
    Lib,
    Obj,
    Spread,
    Step,
    Tensor,
    Tuple,
    Unknown,
    item,
)
from devlint.syntax import tree as t

REBOUND = frozenset({"requires_grad_"})


class Evaluate(Operators):
    """The part of the machine that evaluates expressions."""

    def expr(self, node: t.Expr) -> Any:
        """The value of an expression."""
        self.steps += 1
        value = _HANDLERS[type(node)](self, node)
        if type(value) is Cond and self.assume:
            return restrict(value, self.assume)
        return value

    # -- names and literals --------------------------------------------------------------------------

    def lookup(self, name: str) -> Any:
        """What a name is bound to, or MISSING."""
        frame: Any = self.frame
        while frame is not None:
            found = frame.vars.get(name, MISSING)
            if found is not MISSING:
                return found
            frame = frame.closure
        file = self.frame.file
        found = file.globals.get(name, MISSING)
        if found is MISSING:
            found = self.from_stars(file, name) or MISSING
        return found

    def _on_name(self, node: t.Name) -> Any:
        found = self.lookup(node.id)
        if found is not MISSING:
            if type(found) is Lib and found.name in USED:
                self.use(found.name, node)
            return found
        if node.id in BUILTINS:
            return Lib("builtins." + node.id)
        if node.id == "__name__":
            file = self.frame.file
            return Const("__main__" if file is self.program.main else file.name)
        for star in self.frame.file.stars:
            if type(star) is Lib:
                return self.lib_attr(f"{star.name}.{node.id}", node)
        value = self.unknown(node.id, "global")
        self.write(self.frame.file.globals, node.id, value)
        return value

    def _on_const(self, node: t.Const) -> Any:
        if node.value is None:
            return NONE
        value = node.value
        if type(value) is not str or len(value) >= 40 or self._is_own_name(value):
            return Const(value)
        return Const(value, self.site(node))

    def _is_own_name(self, text: str) -> bool:
        """`"cuda"` in a class's own method `cuda`: it does what it is called."""
        func = self.frame.function
        return (
            func is not None
            and func.owner is not None
            and getattr(func.node, "name", "") == text.partition(":")[0]
        )

    def _on_format(self, node: t.Format) -> Any:
        values = [p if isinstance(p, str) else self.expr(p) for p in node.parts]
        if all(isinstance(v, str) or (type(v) is Const and isinstance(v.value, (str, int))) for v in values):
            return Const("".join(v if isinstance(v, str) else str(v.value) for v in values), self.site(node))
        out = self.unknown("a string", "host")
        first = values[0] if values else ""
        out.attrs["%text"] = first if isinstance(first, str) else ""
        for value in values:
            if type(value) is Unknown and value.root.kind == "rank" and "%derived" not in value.attrs:
                out.attrs["%rank"] = value
        return out

    def _on_display(self, node: t.Display) -> Any:
        items: list[Any] = []
        rest: Any = None
        for element in node.items:
            value = self.expr(element.value if isinstance(element, t.Starred) else element)
            if not isinstance(element, t.Starred) and rest is None:
                items.append(value)
            elif not isinstance(element, t.Starred):
                rest = self.either(self.opaque("item"), rest, value)  # at which place is not known
            elif type(value) is Tuple and value.rest is None:
                items += value.items
            else:
                more = self.iterate(value, node)
                rest = more if rest is None else self.either(self.opaque("item"), rest, more)
        if node.kind == "tuple":
            return Tuple(tuple(items), rest)
        return self.new_list(node.kind, node, items, rest)

    def _on_dict_display(self, node: t.DictDisplay) -> Any:
        out = self.new_list("dict", node)
        for key_node, value_node in node.items:
            key = self.expr(key_node) if key_node is not None else None
            value = self.expr(value_node)
            if key is None:
                if isinstance(value, Obj) and value.kind == "dict":
                    out.attrs.update(value.attrs)
                else:
                    out.attrs["%open"] = True
            elif type(key) is Const:
                out.attrs[item(key.value)] = value
            else:
                old = out.attrs.get(REST)
                out.attrs[REST] = value if old is None else self.either(self.opaque("item"), old, value)
        return out

    def _on_slice(self, node: t.Slice) -> Any:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.expr(part)
        return self.unknown("a slice", "host")

    def _on_opaque(self, node: t.Opaque) -> Any:
        return self.unknown("an expression", "host")

    def _on_starred(self, node: t.Starred) -> Any:
        return self.iterate(self.expr(node.value), node)

    # -- attributes, items, calls --------------------------------------------------------------------

    def _on_attr(self, node: t.Attr) -> Any:
        return self.get_attr(self.expr(node.value), node.attr, node)

    def _on_subscript(self, node: t.Subscript) -> Any:
        value, index = self.expr(node.value), self.expr(node.index)
        before = [x for x in tips(value) if self.is_replaced(value, x)] if type(value) is Cond else []
        return self.per_leaf(value, lambda leaf: self._leaf_item(leaf, index, node, before))

    def lookup_name(self, name: str) -> Any:
        """What a name is bound to."""
        return self.lookup(name)

    def _leaf_item(self, leaf: Any, index: Any, node: t.Subscript, before: list[Any]) -> Any:
        if type(leaf) is Lib and leaf.name == "os.environ":
            return self.environment(index)
        if type(leaf) is Tensor:
            if leaf not in before:
                self.check_index(leaf, index, node)
            pinned = None if leaf.pinned is not False else False
            return Tensor(leaf.device, leaf.cause, self._item_rank(index, node.index), "", pinned)
        if type(leaf) is Unknown and type(index) is Tensor:
            self.check_index(leaf, index, node)
        return self.get_item(leaf, index, node)

    def check_index(self, leaf: Any, index: Any, node: t.Node) -> None:
        """Indices are on the CPU, or on the device of what they index."""
        for i in self.flatten([index]):
            self.combine("index", Mix.INDEX, [leaf, i], node)

    def _item_rank(self, index: Any, node: t.Expr) -> bool | None:
        parts = node.items if isinstance(node, t.Display) else [node]
        if any(isinstance(p, t.Slice) or (isinstance(p, t.Const) and p.value in (None, ...)) for p in parts):
            return False
        if type(index) is Tensor and index.zero_dim is False:
            return False
        return None

    def _on_call(self, node: t.Call) -> Any:
        func_node = node.func
        if isinstance(func_node, t.Attr):
            receiver = self.expr(func_node.value)
            self.callee = func_node
            name = func_node.attr
            func = self._method(receiver, name, func_node)
        else:
            self.callee = func_node
            func = self.expr(func_node)
        self.callee = None
        args, kwargs, extra = self.arguments(node.args)
        if type(func) is Lib and func.name == "builtins.reveal" and args:
            self.emit(Reveal(self.site(node), self.where(), repr(args[0])))
            return args[0]
        if type(func) is Lib and func.name == "dataclasses.field":
            out = Obj("field", self.site(node))
            out.attrs.update(kwargs)
            return out
        result = self.call(func, args, kwargs, node, extra)
        if (
            isinstance(func_node, t.Attr)
            and func_node.attr in REBOUND
            and isinstance(func_node.value, (t.Name, t.Attr))
        ) and type(result) is Tensor:
            self.assign(func_node.value, result)
        if isinstance(func_node, t.Attr) and isinstance(func_node.value, t.Name) and self.is_dropped(node):
            self._mark_dropped(func_node.value, func_node.attr, args, kwargs, node, result)
        return result

    def _method(self, receiver: Any, name: str, node: t.Attr) -> Any:
        """`receiver.name`, read to be called."""
        if type(receiver) is Cond:
            return self.attr_of_each(receiver, name, lambda leaf: self._method(leaf, name, node))
        if type(receiver) is Unknown and name not in receiver.attrs:
            return Bound(receiver, name)
        return self.get_attr(receiver, name, node)

    def _mark_dropped(
        self, name: t.Name, method: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr, result: Any
    ) -> None:
        """`x.to(device)` as a statement: what follows from `x` staying where it was has its cause here. A
        batch of graphs has been moved."""
        value = self.lookup(name.id)
        if method in MOVES and _is_graph_batch(value):
            self.assign(name, result)
        if type(value) is not Tensor or method not in MOVES:
            return
        target, like, _ = self.destination(method, args, kwargs)
        if target is not None or like is not None:
            step = Step("dropped", self.site(node), "moved here, but the result is dropped", value.cause)
            self.assign(name, Tensor(value.device, step, value.zero_dim, value.grad, value.pinned))

    def assign(self, target: t.Expr, value: Any) -> None:
        """Binds a target."""
        raise NotImplementedError

    def arguments(self, nodes: list[t.Arg]) -> tuple[list[Any], dict[str, Any], int]:
        """The positional and keyword arguments of a call, and whether there may be more (MORE_*)."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        extra = 0
        for node in nodes:
            value = self.expr(node.value)
            if type(value) is Function:
                self.hand_on(value)
            if not node.star:
                if node.name is None:
                    args.append(value)
                else:
                    kwargs[node.name] = value
            elif node.star == "*":
                extra |= MORE_POSITIONAL if self._spread(value, args) else 0
            elif isinstance(value, Obj) and value.kind == "dict":
                for key, inner in value.attrs.items():
                    if isinstance(key, tuple) and isinstance(key[1], str):
                        kwargs.setdefault(key[1], inner)
                extra |= MORE_KEYWORDS if REST in value.attrs or "%open" in value.attrs else 0
            else:
                extra |= MORE_KEYWORDS
        return args, kwargs, extra

    def _spread(self, value: Any, args: list[Any]) -> bool:
        """`*value` of a call; returns whether its length is unknown."""
        if type(value) is Tuple:
            args += value.items
            if value.rest is None:
                return False
        elif isinstance(value, Obj) and value.kind in ("list", "iterator", "set"):
            args += [v for k, v in value.attrs.items() if isinstance(k, tuple)]
            if REST not in value.attrs:
                return False
        args.append(Spread(self.iterate(value, None)))
        return True

    def _on_walrus(self, node: t.Walrus) -> Any:
        value = self.expr(node.value)
        self.assign(node.target, value)
        return value

    # -- comprehensions and functions ----------------------------------------------------------------

    def _on_comprehension(self, node: t.Comprehension) -> Any:
        frame = self.frame
        saved = dict(frame.vars)
        before = self.assume
        exact = self._exact(node)
        if exact is not None:
            items = []
            for value in exact:
                self.assign(node.clauses[0].target, value)
                items.append(self.expr(node.element))
            self._restore(saved)
            return self.new_list("list" if node.kind != "generator" else "iterator", node, items)
        frame.loop += 1
        for clause in node.clauses:
            self.assign(clause.target, self.iterate(self.expr(clause.iter), clause))
            for condition in clause.conditions:
                formula = restrict(self.truth(self.expr(condition)), self.assume)
                self.assume = {**self.assume, **implied(formula, True)}
        key = self.expr(node.key) if node.key is not None else None
        element = self.expr(node.element)
        frame.loop -= 1
        self.assume = before
        self._restore(saved)
        kind = {"generator": "iterator", "set": "set", "dict": "dict"}.get(node.kind, "list")
        if key is not None and type(key) is Const:
            out = self.new_list(kind, node)
            out.attrs[item(key.value)] = element
            return out
        return self.new_list(kind, node, rest=element)

    def _restore(self, saved: dict[str, Any]) -> None:
        """A comprehension's targets are its own."""
        variables = self.frame.vars
        for key in [k for k in variables if variables[k] is not saved.get(k, MISSING)]:
            self.write(variables, key, saved.get(key, MISSING))

    def _exact(self, node: t.Comprehension) -> list[Any] | None:
        """The elements of a short, fully known iterable of a plain comprehension."""
        if len(node.clauses) != 1 or node.clauses[0].conditions or node.kind not in ("list", "generator"):
            return None
        if not isinstance(node.clauses[0].iter, (t.Name, t.Attr, t.Display)):
            return None
        value = self.expr(node.clauses[0].iter)
        if type(value) is Tuple and value.rest is None and 0 < len(value.items) <= 4:
            return list(value.items)
        if isinstance(value, Obj) and value.kind == "list" and REST not in value.attrs:
            items = [v for k, v in value.attrs.items() if isinstance(k, tuple)]
            return items if 0 < len(items) <= 4 else None
        return None

    def _on_lambda(self, node: t.Lambda) -> Any:
        return Function(node, self.frame.file, self.frame, self.frame.owner, None, self.defaults(node.params))

    def defaults(self, params: list[t.Param]) -> dict[str, Any]:
        """The values of the defaults, evaluated where the function is defined."""
        return {p.name: self.expr(p.default) for p in params if p.default is not None}

    def _on_await(self, node: t.Await) -> Any:
        value = self.expr(node.value) if node.value is not None else NONE
        if node.how == "await":
            return value
        element = self.iterate(value, node) if node.how == "yield from" else value
        self.frame.yields.append((tuple(self.frame.conds), element))
        if self.frame.function is not None and _manages_context(self.frame.function.node):
            self.frame.entered_with = True
        return self.unknown("a sent value", "call")


def _manages_context(node: t.Node) -> bool:
    names = (getattr(d, "attr", getattr(d, "id", "")) for d in getattr(node, "decorators", ()))
    return any(name in ("contextmanager", "asynccontextmanager") for name in names)


_HANDLERS: dict[type, Any] = {
    t.Name: Evaluate._on_name,
    t.Const: Evaluate._on_const,
    t.Attr: Evaluate._on_attr,
    t.Call: Evaluate._on_call,
    t.Subscript: Evaluate._on_subscript,
    t.Slice: Evaluate._on_slice,
    t.Display: Evaluate._on_display,
    t.DictDisplay: Evaluate._on_dict_display,
    t.Starred: Evaluate._on_starred,
    t.BinOp: Evaluate._on_binop,
    t.Compare: Evaluate._on_compare,
    t.BoolOp: Evaluate._on_boolop,
    t.Unary: Evaluate._on_unary,
    t.IfExp: Evaluate._on_ifexp,
    t.Walrus: Evaluate._on_walrus,
    t.Format: Evaluate._on_format,
    t.Await: Evaluate._on_await,
    t.Comprehension: Evaluate._on_comprehension,
    t.Lambda: Evaluate._on_lambda,
    t.Opaque: Evaluate._on_opaque,
}


def _is_graph_batch(value: Any) -> bool:
    """Whether it is a batch that moves in place."""
    step = value.cause if type(value) is Unknown and "%derived" not in value.attrs else None
    if step is None or step.kind != "loader" or not isinstance(step.owner, Obj):
        return False
    return step.owner.lib in GRAPH_LOADERS
