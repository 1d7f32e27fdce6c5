"""Definitions of functions and classes, and what decorates them."""

from __future__ import annotations

from typing import Any

from devlint.model.assignments import Assignments
from devlint.model.cond import Cond, tips
from devlint.model.libraries import module_base
from devlint.model.library import canonical
from devlint.model.machine import NORMAL, Frame
from devlint.model.torch.modules import DATA, MODULES
from devlint.model.value import (
    Class,
    Function,
    Lib,
    Obj,
    Unknown,
)
from devlint.syntax import tree as t

DATACLASS = frozenset(
    {"dataclass", "dataclasses.dataclass", "attr.s", "attrs.define", "pydantic.dataclasses.dataclass"}
)
KEPT_DECORATORS = frozenset({"property", "staticmethod", "classmethod", "cached_property"})


class Definitions(Assignments):
    """The part of the machine that defines."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.defined: list[tuple[Any, bool]] = []
        """The functions and classes whose definitions were run, and whether under a guard."""

    def _do_function(self, stmt: t.FunctionDef) -> str:
        frame = self.frame
        closure = frame if frame.vars is not frame.file.globals else None
        owner = None
        if frame.owner is not None and frame.function is None:
            owner, closure = frame.owner, frame.closure
        func = Function(stmt, frame.file, closure, owner, None, self.defaults(stmt.params))
        self.defined.append((func, frame.guarded or self.is_guarded()))
        value: Any = func
        for decorator in reversed(stmt.decorators):
            value = self._decorated(decorator, value, func)
        self.write(frame.outer_names.get(stmt.name, frame.vars), stmt.name, value)
        return NORMAL

    def _decorated(self, decorator: t.Expr, value: Any, func: Any) -> Any:
        if isinstance(decorator, t.Name) and decorator.id in KEPT_DECORATORS:
            return value
        outer, self.frame.stmt = self.frame.stmt, decorator
        made = self.expr(decorator)
        self.frame.stmt = outer
        if asks(made) or _mentions_availability(decorator):
            self.skipped.add(id(func.node))
        if isinstance(made, Function):
            out = self.call(made, [value], {}, decorator)
            if asks(out):
                self.skipped.add(id(func.node))
            return out if isinstance(out, (Function, Class)) else value
        return value

    def _do_class(self, stmt: t.ClassDef) -> str:
        frame = self.frame
        bases = [self.expr(b) for b in stmt.bases]
        closure = frame if frame.vars is not frame.file.globals else None
        cls = Class(stmt, frame.file, closure, [self._base(b) for b in bases])
        cls.kind = self._class_kind(cls, stmt)
        self.defined.append((cls, frame.guarded or self.is_guarded()))
        inner = Frame(frame.file, cls.attrs, closure)
        inner.owner = cls
        inner.stmt = stmt
        self.frame = inner
        self.block(stmt.body)
        self.frame = frame
        if self._is_record(cls, stmt):
            cls.attrs["%fields"] = self._field_list(stmt, cls)
        value: Any = cls
        for decorator in reversed(stmt.decorators):
            value = self._decorated(decorator, value, cls)
        self.write(frame.outer_names.get(stmt.name, frame.vars), stmt.name, value)
        return NORMAL

    def _base(self, value: Any) -> Any:
        if type(value) is Cond:
            for leaf in tips(value):
                if isinstance(leaf, (Class, Lib)):
                    return leaf
        return value

    def _class_kind(self, cls: Class, stmt: t.ClassDef) -> str:
        cls.base = next(filter(None, map(module_base, cls.libs)), None)
        if cls.base is not None or any(canonical(name) in MODULES for name in cls.libs):
            return "module"
        for name in cls.libs:
            if canonical(name) in DATA:
                return DATA[canonical(name)]
        return "plain"

    def _is_record(self, cls: Class, stmt: t.ClassDef) -> bool:
        if "typing.NamedTuple" in cls.libs or "pydantic.BaseModel" in cls.libs:
            return True
        for decorator in stmt.decorators:
            node = decorator.func if isinstance(decorator, t.Call) else decorator
            value = self.expr(node)
            if type(value) is Lib and value.name in DATACLASS:
                return True
        return False

    def _field_list(self, stmt: t.ClassDef, cls: Class) -> list[tuple[str, Any]]:
        out = []
        for s in stmt.body:
            if isinstance(s, t.AnnAssign) and isinstance(s.target, t.Name):
                out.append((s.target.id, cls.attrs.get(s.target.id)))
        return out


def asks(value: Any) -> bool:
    """Whether a value was made by a library that was told whether there is an accelerator: a mark of
    pytest or unittest, or a list of marks."""
    if isinstance(value, Obj) and value.kind == "list":
        return any(asks(x) for x in value.attrs.values())
    return type(value) is Unknown and "%asks" in value.attrs


def _mentions_availability(node: t.Expr) -> bool:
    """Whether a decorator asks for an accelerator: `skipif(not torch.cuda.is_available())`."""
    stack: list[Any] = [node]
    while stack:
        x = stack.pop()
        if isinstance(x, t.Attr):
            if x.attr in ("is_available", "device_count"):
                return True
            stack.append(x.value)
        elif isinstance(x, t.Call):
            stack += [x.func, *(a.value for a in x.args)]
        elif isinstance(x, t.Unary):
            stack.append(x.operand)
        elif isinstance(x, t.BoolOp):
            stack += [x.left, x.right]
        elif isinstance(x, t.Compare):
            stack += [x.left, *(e for _, e in x.rest)]
    return False
