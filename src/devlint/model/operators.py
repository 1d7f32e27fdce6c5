"""Operators and comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from devlint.model.calls import Calls
from devlint.model.cond import Cond, choose, each, implied, negate, restrict, tips
from devlint.model.contexts import is_made
from devlint.model.device import AVAILABLE, Like, Verdict, compare, equal_flag
from devlint.model.events import Compared
from devlint.model.machine import NORMAL
from devlint.model.torch.devices import ACCELERATORS
from devlint.model.torch.effects import BINARY, PRODUCT, UNARY
from devlint.model.value import (
    REST,
    Const,
    DeviceValue,
    Obj,
    Tensor,
    Tuple,
    Unknown,
    item,
)
from devlint.syntax import tree as t

_NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": lambda a, b: a + b,
    "Subtract": lambda a, b: a - b,
    "Multiply": lambda a, b: a * b,
    "FloorDivide": lambda a, b: a // b if b else 0,
}
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "GreaterThan": lambda a, b: a > b,
    "LessThan": lambda a, b: a < b,
    "GreaterThanEqual": lambda a, b: a >= b,
    "LessThanEqual": lambda a, b: a <= b,
}


class Operators(Calls):
    """The part of the machine that computes with values and compares them."""

    def _on_binop(self, node: t.BinOp) -> Any:
        return self.binary(node.op, self.expr(node.left), self.expr(node.right), node)

    def binary(self, op: str, left: Any, right: Any, node: t.Expr) -> Any:
        """`left op right`."""
        if type(left) is Const and type(right) is Const:
            return self._constants(op, left, right)
        if op == "Add" and type(left) is Tuple and type(right) is Tuple and left.rest is None:
            return Tuple(left.items + right.items, right.rest)
        if op == "Add" and isinstance(left, Obj) and left.kind == "list":
            out = self.sliced(left)
            self.extend(out, right)
            return out
        if op == "Multiply" and isinstance(left, Obj) and left.kind == "list":
            return left
        if type(left) is Const and isinstance(left.value, str):
            out = self.unknown("a string", "host")
            out.attrs["%text"] = left.value
            return out
        operands = self.flatten([left, right])
        if not operands:
            return self.unknown("a number", "host")
        table = PRODUCT if op == "MatrixMultiply" else BINARY
        return self.operate(op, table, [left, right], {}, node)

    def _constants(self, op: str, left: Const, right: Const) -> Any:
        a, b = left.value, right.value
        if isinstance(a, str) and isinstance(b, str) and op == "Add":
            return Const(a + b, left.site)
        if isinstance(a, int) and isinstance(b, int) and op in _NUMBERS and abs(a) < 2**40 and abs(b) < 2**40:
            return Const(_NUMBERS[op](a, b))
        out = self.unknown("a constant", "host")
        if isinstance(a, str):
            out.attrs["%text"] = a
        return out

    def _on_unary(self, node: t.Unary) -> Any:
        value = self.expr(node.operand)
        if node.op == "Not":
            return self.from_formula(negate(self.truth(value)))
        operands = self.flatten([value])
        return (
            self.operate(node.op, UNARY, [value], {}, node) if operands else self.unknown("a number", "host")
        )

    def _on_boolop(self, node: t.BoolOp) -> Any:
        left = self.expr(node.left)
        formula = restrict(self.truth(left), self.assume)
        if type(formula) is not Cond:
            return self.expr(node.right) if bool(formula) is (node.op == "And") else left
        before = self.assume
        self.assume = {**before, **implied(formula, node.op == "And")}
        right = self.expr(node.right)
        self.assume = before
        return self.either(formula, right, left) if node.op == "And" else self.either(formula, left, right)

    def _on_ifexp(self, node: t.IfExp) -> Any:
        formula = restrict(self.truth(self.expr(node.test)), self.assume)
        if type(formula) is not Cond:
            return self.expr(node.body if formula else node.orelse)
        values: list[Any] = []

        def side(branch: t.Expr) -> Callable[[], str]:
            def run() -> str:
                values.append(self.expr(branch))
                return NORMAL

            return run

        self.branch(formula, side(node.body), side(node.orelse))
        return self.either(formula, *values)

    def _on_compare(self, node: t.Compare) -> Any:
        left = self.expr(node.left)
        formula: Any = True
        for op, right_node in node.rest:
            right = self.expr(right_node)
            self.compare_only(left, node.left)
            self.compare_only(right, right_node)
            value = self.compared(op, left, right, node)
            if len(node.rest) == 1:
                return value
            formula = choose(formula, self.truth(value), False)
            left = right
        return self.from_formula(formula)

    def compared(self, op: str, left: Any, right: Any, node: t.Compare) -> Any:
        """`left op right` as a value."""
        if op in ("Is", "IsNot"):
            formula = each(left, lambda a: each(right, lambda b: self._identical(a, b)))
            return self.from_formula(formula if op == "Is" else negate(formula))
        if any(type(leaf) is DeviceValue for leaf in tips(left)) or any(
            type(leaf) is DeviceValue for leaf in tips(right)
        ):
            self.emit(Compared(self.site(node), self.where(), op, left, right))
        if op in ("In", "NotIn"):
            return self._shown(self._contains(op, left, right), op, left, right, node)
        if any(all(type(leaf) is Tensor for leaf in tips(x)) for x in (left, right)):
            return self.operate(op, BINARY, [left, right], {}, node)
        if op in ("Equal", "NotEqual"):
            if op == "NotEqual":
                return self.from_formula(
                    negate(each(left, lambda a: each(right, lambda b: self._equal(a, b))))
                )
            return each(left, lambda a: each(right, lambda b: self._shown(self._equal(a, b), op, a, b, node)))
        formula = each(left, lambda a: each(right, lambda b: self._ordered(op, a, b)))
        return self.from_formula(formula)

    def _shown(self, formula: Any, op: str, left: Any, right: Any, node: t.Compare) -> Any:
        """A comparison's result. Where `device == "cuda"` is known to hold, for what it was called with, it
        remains the question whether there is an accelerator."""
        if formula is True and op in ("Equal", "In"):
            if any(
                type(x) is Const and str(x.value).partition(":")[0] in ACCELERATORS for x in (left, right)
            ):
                return Const(True, self.site(node))
        return self.from_formula(formula)

    def _contains(self, op: str, left: Any, right: Any) -> Any:
        if type(right) is Tuple or (isinstance(right, Obj) and right.kind in ("list", "set")):
            items = (
                right.items
                if isinstance(right, Tuple)
                else [v for k, v in right.attrs.items() if isinstance(k, tuple)]
            )
            if items and len(items) <= 6 and all(type(x) is Const for x in items):
                formula: Any = False
                for x in items:
                    formula = choose(each(left, lambda a, x=x: self._equal(a, x)), True, formula)  # type: ignore[misc]
                return formula if op == "In" else negate(formula)
        if type(right) is Cond:
            return each(right, lambda leaf: self._contains(op, left, leaf))
        if type(left) is Const and type(right) is Const and isinstance(right.value, str):
            return (str(left.value) in right.value) is (op == "In")
        if type(left) is Const and type(right) is Unknown:
            formula = Cond(("compare", right.root, "in", left.value), True, False)
            return formula if op == "In" else negate(formula)
        if isinstance(right, Obj) and right.kind == "dict" and type(left) is Const:
            if item(left.value) in right.attrs:
                return op == "In"
            if REST not in right.attrs and "%open" not in right.attrs:
                return op != "In"
        return self.opaque("in")

    def _identical(self, a: Any, b: Any) -> Any:
        if type(b) is Const and (b.value is None or isinstance(b.value, bool)):
            if type(a) is Const:
                return a.value is b.value
            if type(a) is Unknown:
                if b.value is None and ("given" in a.root.seen or "%derived" in a.attrs or is_made(a)):
                    return False  # what a class makes is never None
                return Cond(("none", a.root, b.value), True, False)
            return False
        return self.opaque("is")

    def _equal(self, a: Any, b: Any) -> Any:
        if type(a) is Const and type(b) is Const:
            return bool(a.value == b.value)
        if type(a) is DeviceValue and type(b) is DeviceValue:
            verdict = compare(a.device, b.device)
            if a.device == b.device or verdict is Verdict.DIFFERENT:
                return a.device == b.device
            return Cond(equal_flag(a.device, b.device), True, False)
        if (type(a) is Unknown and type(b) is DeviceValue) or (type(a) is DeviceValue and type(b) is Unknown):
            ours, theirs = (Like(x.root, named=True) if type(x) is Unknown else x.device for x in (a, b))
            return Cond(equal_flag(ours, theirs), True, False)
        if type(a) is DeviceValue and type(b) is Const:
            return self.device_type_is(a.device, str(b.value).partition(":")[0])
        if type(b) is DeviceValue and type(a) is Const:
            return self.device_type_is(b.device, str(a.value).partition(":")[0])
        if type(a) is Unknown and type(b) is Const:
            if a.root.kind == "index" and b.value == -1:
                return False  # the index of a card; that of the CPU is the constant
            flag = Cond(("compare", a.root if "%derived" not in a.attrs else a, b.value), True, False)
            # NCCL is NVIDIA's: a program that asks for it has looked (torch.distributed, Backends).
            return Cond(AVAILABLE, flag, False) if b.value == "nccl" else flag
        if type(b) is Unknown and type(a) is Const:
            return Cond(("compare", b.root if "%derived" not in b.attrs else b, a.value), True, False)
        if type(a) is Const or type(b) is Const:
            other = b if type(a) is Const else a
            if isinstance(other, (Tensor, Obj, Tuple)):
                return self.opaque("==")
        return self.opaque("==")

    def _ordered(self, op: str, a: Any, b: Any) -> Any:
        if type(a) is Const and type(b) is Const:
            try:
                return bool(_ORDER[op](a.value, b.value))
            except TypeError:
                return self.opaque(op)
        if type(a) is Unknown and type(b) is Const:
            if a.root.kind == "index" and b.value == -1:
                return op in ("GreaterThan", "GreaterThanEqual")
            return Cond(("compare", a.root if "%derived" not in a.attrs else a, op, b.value), True, False)
        if op == "GreaterThan" and type(a) is Const and a.value == 0 and type(b) is Unknown:
            return False  # a count of none against an index
        return self.opaque(op)
