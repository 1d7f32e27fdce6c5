"""Statements: control flow, definitions, imports."""

from __future__ import annotations

from typing import Any

from devlint.model.cond import Cond, each, implied, leaves, restrict, tips
from devlint.model.contexts import tells
from devlint.model.device import UNKNOWN
from devlint.model.evaluate import Evaluate
from devlint.model.events import Compared
from devlint.model.libraries import module_base
from devlint.model.library import canonical
from devlint.model.machine import JUMPED, LEFT, MISSING, NORMAL, Frame, is_guard
from devlint.model.moves import spelled
from devlint.model.program import File
from devlint.model.torch.effects import Mix
from devlint.model.torch.modules import DATA, MODULES
from devlint.model.value import (
    FALSE,
    NONE,
    REST,
    TRUE,
    Class,
    Const,
    DeviceValue,
    FileValue,
    Function,
    Lib,
    Obj,
    Step,
    Tensor,
    Tuple,
    Unknown,
    item,
)
from devlint.syntax import tree as t
from devlint.syntax.source import ParseError

EXITS = frozenset(
    {"sys.exit", "os._exit", "builtins.exit", "builtins.quit", "pytest.skip", "pytest.fail", "os.abort"}
)
BROAD = frozenset({"Exception", "BaseException", "RuntimeError", "AssertionError", "TypeError", "?"})
DATACLASS = frozenset(
    {"dataclass", "dataclasses.dataclass", "attr.s", "attrs.define", "pydantic.dataclasses.dataclass"}
)
KEPT_DECORATORS = frozenset({"property", "staticmethod", "classmethod", "cached_property"})


class Interpret(Evaluate):
    """The machine whole."""

    def block(self, body: list[t.Stmt]) -> str:
        """Runs statements; returns how they end."""
        frame = self.frame
        for stmt in body:
            if frame.entered_with:
                return LEFT
            frame.stmt = stmt
            how = _STATEMENTS[type(stmt)](self, stmt)
            if how is not None and how is not NORMAL:
                return str(how) if how not in (JUMPED, LEFT) else how
        return NORMAL

    # -- binding -------------------------------------------------------------------------------------

    def assign(self, target: t.Expr, value: Any) -> None:
        """Binds a target to a value."""
        kind = type(target)
        if self.tracing and (kind is t.Name or kind is t.Attr):
            self.trace(self.site(target), spelled(target), value)
        if kind is t.Name:
            frame = self.frame
            if frame.owner is not None and frame.function is None and frame.owner.kind == "module":
                value = self.kept(
                    value, Step("store", self.site(target), "kept as an attribute of the class")
                )
            self.write(self.frame.outer_names.get(target.id, self.frame.vars), target.id, value)  # type: ignore[attr-defined]
        elif isinstance(target, t.Attr):
            owner = self.expr(target.value)
            if target.attr == "requires_grad" and type(owner) is Tensor:
                self._require_grad(target.value, owner, value)
            if target.attr == "data" and isinstance(target.value, t.Attr):
                self._replace_data(target.value.value, value)
            self.set_attr(owner, target.attr, value, target)
        elif isinstance(target, t.Subscript):
            self._assign_item(target, value)
        elif isinstance(target, t.Display):
            self._unpack(target, value)
        elif isinstance(target, t.Starred):
            self.assign(target.value, value)

    def _require_grad(self, name: t.Expr, tensor: Tensor, value: Any) -> None:
        """`x.requires_grad = True`: x becomes a leaf that gets a gradient."""
        if isinstance(name, (t.Name, t.Attr)) and value == TRUE and tensor.grad in ("", "frozen"):
            self.assign(name, Tensor(tensor.device, tensor.cause, tensor.zero_dim, "leaf", tensor.pinned))

    def _replace_data(self, name: t.Expr, value: Any) -> None:
        """`cell.weight.data = other.weight.data`: the parameter is now where the other one is, which need not
        be where its module was."""
        module = self.expr(name) if isinstance(name, t.Name) else None
        if not isinstance(module, Obj) or not module.is_module:
            return
        if any(type(leaf) is not Tensor or leaf.device != self.device_tree(module) for leaf in tips(value)):
            self.place(module, UNKNOWN)

    def _assign_item(self, target: t.Subscript, value: Any) -> None:
        obj, index = self.expr(target.value), self.expr(target.index)
        if isinstance(target.value, (t.Name, t.Attr)) and all(type(x) is Tuple for x in tips(obj)):
            self.assign(target.value, each(obj, lambda leaf: self._with_item(leaf, index, value)))
            return
        for _, leaf in leaves(obj, self.assume):
            if type(leaf) is Tensor:
                # The indices may be anywhere: `index_put_` brings them to the tensor, as reading does not.
                indices = [i for i in self.flatten([index]) if type(i) is Tensor and i.zero_dim is False]
                if indices and type(value) is Tensor:
                    self.combine("index_put_", Mix.ELEMENTWISE, [leaf, value], target)
            else:
                self.set_item(leaf, index, value, target)

    def _with_item(self, listed: Tuple, index: Any, new: Any) -> Tuple:
        """What a loader collated, which is a list in truth (torch.utils.data.default_collate), with an item
        set."""
        items = list(listed.items)
        if type(index) is Const and isinstance(index.value, int) and -len(items) <= index.value < len(items):
            items[index.value] = new
        elif type(index) is Unknown and self.frame.loop and all(type(x) is Tensor for x in tips(new)):
            items = [new if type(old) is Tensor else old for old in items]  # `x[i] = x[i].to(device)`
        return Tuple(tuple(items), listed.rest)

    def _unpack(self, target: t.Display, value: Any) -> None:
        items = target.items
        star = next((i for i, x in enumerate(items) if isinstance(x, t.Starred)), None)
        if star is None:
            for x, v in zip(items, self.unpack(value, len(items)), strict=False):
                self.assign(x, v)
            return
        after = len(items) - star - 1
        value = _as_tuple(value)
        if type(value) is Tuple and value.rest is None and len(value.items) >= len(items) - 1:
            end = len(value.items) - after
            parts = [*value.items[:star], Tuple(value.items[star:end]), *value.items[end:]]
        else:
            element = self.iterate(value, target)
            parts = [
                *self.unpack(value, star),
                self.new_list("list", target, rest=element),
                *([element] * after),
            ]
        for x, v in zip(items, parts, strict=False):
            self.assign(x, v)

    def _do_assign(self, stmt: t.Assign) -> str:
        targets = stmt.targets
        first = targets[0]
        if (
            len(targets) == 1
            and isinstance(first, t.Display)
            and isinstance(stmt.value, t.Display)
            and len(first.items) == len(stmt.value.items)
            and not any(isinstance(x, t.Starred) for x in (*first.items, *stmt.value.items))
        ):
            values = [self.expr(v) for v in stmt.value.items]
            for x, v in zip(first.items, values, strict=False):
                self.assign(x, v)
            return NORMAL
        if len(targets) == 1 and isinstance(first, t.Display) and isinstance(stmt.value, t.Display):
            parts = self._stretched(first, stmt.value)
            if parts is not None:
                for x, v in zip(first.items, parts, strict=False):
                    self.assign(x, v)
                return NORMAL
        value = self.expr(stmt.value)
        for target in targets:
            self.assign(target, value)
        return NORMAL

    def _stretched(self, target: t.Display, value: t.Display) -> list[Any] | None:
        """`b, n, device = *x.shape, x.device`: how many values the starred one gives is known by what
        stands around it. In `b, *_, device = *x.shape, x.device` it does not matter."""
        stars = [isinstance(x, t.Starred) for x in value.items]
        if sum(stars) != 1:
            return None
        values = [self.expr(x.value if isinstance(x, t.Starred) else x) for x in value.items]
        at = stars.index(True)
        lead, inner, trail = values[:at], values[at], values[at + 1 :]
        open_at = next((i for i, x in enumerate(target.items) if isinstance(x, t.Starred)), None)
        if open_at is None:
            return [*lead, *self.unpack(inner, len(target.items) - len(values) + 1), *trail]
        after = len(target.items) - open_at - 1
        inner = _as_tuple(inner)
        if type(inner) is Tuple and inner.rest is None:
            every = [*lead, *inner.items, *trail]
            end = len(every) - after
            return [*every[:open_at], Tuple(tuple(every[open_at:end])), *every[end:]]
        element = self.iterate(inner, target)
        lead += [element] * (open_at - len(lead))
        trail = [element] * (after - len(trail)) + trail
        middle = [*lead[open_at:], element, *trail[: len(trail) - after]]
        rest = middle[0]
        for other in middle[1:]:
            rest = self.either(self.opaque("item"), rest, other)
        return [
            *lead[:open_at],
            self.new_list("list", target, rest=rest),
            *trail[len(trail) - after :],
        ]

    def _do_ann_assign(self, stmt: t.AnnAssign) -> str:
        if stmt.value is not None:
            self.assign(stmt.target, self.expr(stmt.value))
        return NORMAL

    def _do_aug_assign(self, stmt: t.AugAssign) -> str:
        old = self.expr(stmt.target)
        value = self.expr(stmt.value)
        if isinstance(old, Obj) and (old.kind == "list" or old.is_module) and stmt.op == "Add":
            self.extend(old, value)
            return NORMAL
        new = self.binary(stmt.op, old, value, stmt.target)
        self.assign(stmt.target, old if type(old) is Tensor else new)
        return NORMAL

    def _do_expr_stmt(self, stmt: t.ExprStmt) -> str:
        self.expr(stmt.value)
        call = stmt.value
        if isinstance(call, t.Call):
            func = call.func
            if (isinstance(func, t.Attr) and func.attr in ("exit", "_exit", "skip", "fail", "abort")) or (
                isinstance(func, t.Name) and func.id in ("exit", "quit")
            ):
                value = self.expr(func)
                if type(value) is Lib and value.name in EXITS:
                    return LEFT
            if isinstance(func, t.Attr) and func.attr == "skipTest":
                return LEFT  # unittest.TestCase.skipTest raises
        return NORMAL

    # -- control flow --------------------------------------------------------------------------------

    def _do_return(self, stmt: t.Return) -> str:
        value = self.expr(stmt.value) if stmt.value is not None else NONE
        self.frame.returns.append((tuple(self.frame.conds), value))
        return LEFT

    def _do_raise(self, stmt: t.Raise) -> str:
        if stmt.value is not None:
            self.expr(stmt.value)
        return LEFT

    def _do_jump(self, stmt: t.Jump) -> str:
        return JUMPED

    def _do_assert(self, stmt: t.Assert) -> str:
        formula = restrict(self.truth(self.expr(stmt.test)), self.assume)
        self.assume = {**self.assume, **implied(formula, True)}
        return NORMAL

    def _do_delete(self, stmt: t.Delete) -> str:
        target = stmt.target
        if isinstance(target, t.Name) and target.id in self.frame.vars:
            self.write(self.frame.vars, target.id, MISSING)
        elif isinstance(target, t.Subscript):
            owner, key = self.expr(target.value), self.expr(target.index)
            if isinstance(owner, Obj) and owner.kind == "dict" and type(key) is Const:
                self.write(owner.attrs, item(key.value), MISSING)
        return NORMAL

    def _do_scope(self, stmt: t.Scope) -> str:
        for name in stmt.names:
            store = self.frame.file.globals
            if stmt.kind == "nonlocal":
                scope = self.frame.closure
                while scope is not None and name not in scope.vars:
                    scope = scope.closure
                if scope is not None:
                    store = scope.vars
            self.frame.outer_names[name] = store
        return NORMAL

    def _do_if(self, stmt: t.If) -> str:
        value = self.expr(stmt.test)
        frame, outer = self.frame, self.frame.guarded

        def then() -> str:
            frame.guarded = outer or _names_accelerator(value)
            before, self.later = self.later, self.later or self._is_for_checkers(stmt.test)
            how = self.block(stmt.body)
            self.later = before
            frame.guarded = outer
            return how

        return self.branch(self.truth(value), then, lambda: self.block(stmt.orelse))

    def _do_for(self, stmt: t.For) -> str:
        value = self.expr(stmt.iter)

        def once() -> str:
            self.assign(stmt.target, self.iterate(value, stmt.iter))
            return self.block(stmt.body)

        return self._loop(once, stmt.orelse)

    def _do_while(self, stmt: t.While) -> str:
        def once() -> str:
            formula = restrict(self.truth(self.expr(stmt.test)), self.assume)
            self.assume = {**self.assume, **implied(formula, True)}
            return self.block(stmt.body)

        return self._loop(once, stmt.orelse)

    def _loop(self, once: Any, orelse: list[t.Stmt]) -> str:
        """Runs a body until what it writes no longer changes what it reads: twice is enough here."""
        frame = self.frame
        outer, frame.pending = frame.pending, []
        frame.loop += 1
        stmt = frame.stmt
        outer_loop = self.loop_moves, self.loop_conds, self.loop_frame
        self.loop_conds, self.loop_frame = len(frame.conds) + 1, frame
        reads, backwards = self.reads, self.backwards
        self.reads, self.backwards = [], 0
        for turn in range(2):
            mark, before = len(self.journal), self.assume
            formula = self.opaque("loop")
            frame.conds.append(formula)
            self.loop_moves = [[]]
            once()
            frame.conds.pop()
            frame.stmt = stmt
            self.assume = before
            changes = self.rollback(mark)
            self.loop_ended(changes)
            again = (
                turn == 0 and frame.loop <= 1 and self.steps <= self.budget and any(map(_matters, changes))
            )
            if not again:
                # A loop that is written is meant to run: what it leaves is what its last turn left.
                for store, key, new in changes:
                    self.write(store, key, new)
                break
            for store, key, new in changes:
                old = store.get(key, MISSING)
                known = old is not MISSING and new is not MISSING
                self.write(store, key, self.either(formula, new, old) if known else new)
        frame.loop -= 1
        if self.backwards:
            self.training_loop_ended()
        self.loop_moves, self.loop_conds, self.loop_frame = outer_loop
        self.reads, self.backwards = reads, backwards
        self.join_pending(frame.pending)
        frame.pending = outer
        return self.block(orelse) if orelse else NORMAL

    def _do_with(self, stmt: t.With) -> str:
        frame = self.frame
        ambient, caught = frame.ambient, frame.caught
        for context, target in stmt.items:
            value = self.expr(context)
            if any(type(leaf) is DeviceValue for leaf in tips(value)):
                frame.ambient = value
            elif (
                isinstance(context, t.Call)
                and isinstance(context.func, t.Attr)
                and context.func.attr in ("raises", "assertRaises", "suppress")
            ):
                frame.caught += 1
            if target is not None:
                if isinstance(value, Obj) and value.cls is not None:
                    enter = value.cls.find("__enter__")
                    if enter is not None and isinstance(enter[0], Function):
                        value = self.call_function(enter[0].bound(value), [], {}, 0)
                elif isinstance(value, Obj) and "%generated" in value.attrs:  # of @contextmanager
                    value = self.iterate(value, context)
                self.assign(target, value)
        how = self.block(stmt.body)
        frame.ambient, frame.caught = ambient, caught
        return how

    def _do_try(self, stmt: t.Try) -> str:
        names = {_last_name(h.type) for h in stmt.handlers}
        if names and names <= {"ImportError", "ModuleNotFoundError"}:
            how = self.block(stmt.body + stmt.orelse)
        elif stmt.handlers:
            how = self._guarded_try(stmt, bool(names & BROAD))
        else:
            how = self.block(stmt.body)
        final = self.block(stmt.final) if stmt.final else NORMAL
        return how if final is NORMAL else final

    def _guarded_try(self, stmt: t.Try, broad: bool) -> str:
        def body() -> str:
            self.frame.caught += broad
            how = self.block(stmt.body)
            self.frame.caught -= broad
            return how if how is not NORMAL else self.block(stmt.orelse)

        def handlers() -> str:
            hows = []
            for i, handler in enumerate(stmt.handlers):

                def run(handler: t.Handler = handler) -> str:
                    if handler.type is not None:
                        self.expr(handler.type)
                    if handler.name is not None:
                        self.write(self.frame.vars, handler.name, self.unknown("an exception", "host"))
                    return self.block(handler.body)

                if i == len(stmt.handlers) - 1:
                    hows.append(run())
                else:
                    hows.append(self.branch(self.opaque("except"), run, lambda: NORMAL))
            return NORMAL if NORMAL in hows else hows[-1]

        return self.branch(self.opaque("try"), body, handlers)

    def _do_match(self, stmt: t.Match) -> str:
        subject = self.expr(stmt.subject)
        return self._cases(subject, stmt.cases, 0)

    def _cases(self, subject: Any, cases: list[t.Case], i: int) -> str:
        if i == len(cases):
            return NORMAL
        case = cases[i]
        formula: Any = self.opaque("case")
        values = [self.expr(v) for v in case.values]
        if len(values) == 1 and not case.binds:
            if any(type(leaf) is DeviceValue for leaf in tips(subject)):
                self.emit(Compared(self.site(case.values[0]), self.where(), "Equal", subject, values[0]))
            formula = self._equal(subject, values[0]) if type(subject) is not Cond else formula
        elif not values and case.guard is None and i == len(cases) - 1:
            formula = True

        def body() -> str:
            for name, path in case.binds.items():
                value = subject
                for step in path:
                    value = self._part(value, step, case)
                self.write(self.frame.vars, name, value)
            if case.guard is not None:
                self.expr(case.guard)
            return self.block(case.body)

        return self.branch(formula, body, lambda: self._cases(subject, cases, i + 1))

    def _part(self, value: Any, step: t.Step, case: t.Case) -> Any:
        """What a pattern inside another one is for."""
        if type(value) is Cond:
            return self.per_leaf(value, lambda leaf: self._part(leaf, step, case))
        if isinstance(step, tuple):
            return self.get_attr(value, step[0], t.Unspelled(case))
        if step is None:
            return self.unknown("a part", "item")
        listed = isinstance(value, Obj) and value.kind == "list" and REST not in value.attrs
        if listed and not isinstance(step, str):
            value = Tuple(tuple(v for k, v in value.attrs.items() if isinstance(k, tuple)))
        if type(value) is Tuple and value.rest is None and not isinstance(step, str):
            if isinstance(step, slice):
                return self.new_list("list", case, list(value.items[step]))
            if -len(value.items) <= step < len(value.items):
                return value.items[step]
        if isinstance(step, slice):
            return self.new_list("list", case, rest=self.iterate(value, case))
        found = value.attrs.get(item(step)) if isinstance(value, (Obj, Unknown)) else None
        return self.iterate(value, case) if found is None else found

    # -- definitions ---------------------------------------------------------------------------------

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

    @property
    def defined(self) -> list[tuple[Any, bool]]:
        """The functions and classes whose definitions were run, and whether under a guard."""
        found: list[tuple[Any, bool]] = self.__dict__.setdefault("_defined", [])
        return found

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

    # -- imports -------------------------------------------------------------------------------------

    def _do_import(self, stmt: t.Import) -> str:
        for name, bound in stmt.names:
            path = self.program.find(self.frame.file, name if bound else name.split(".")[0], 0)
            file = self.import_file(path) if path is not None else None
            value: Any = FileValue(file) if file is not None else Lib(name if bound else name.split(".")[0])
            self.write(self.frame.vars, bound or name.split(".")[0], value)
        return NORMAL

    later = False
    """Whether what is read now is read by type checkers alone."""

    def _is_for_checkers(self, test: t.Expr) -> bool:
        """Whether a test is one for `TYPE_CHECKING`, at the top level: what it imports is not there when the
        program runs, or only once somebody asks for it (PEP 562, lazy modules)."""
        if isinstance(test, t.BoolOp) and test.op == "Or":
            return self._is_for_checkers(test.left)
        asked = isinstance(test, (t.Name, t.Attr)) and self.expr(test) == Lib("typing.TYPE_CHECKING")
        return asked and self.frame.vars is self.frame.file.globals

    def imported_later(self, file: File, name: str) -> Any:
        if name in file.asked:
            return None
        file.asked.add(name)
        try:
            return self._import_later(file, name)
        finally:
            file.asked.discard(name)

    def _import_later(self, file: File, name: str) -> Any:
        for stmt in file.later:
            path = self.program.find(file, stmt.module, stmt.level)
            if stmt.names is not None:
                for own, bound in stmt.names:
                    if bound == name:
                        found = self.import_file(path) if path is not None else None
                        value = self._imported(file, stmt, found, path, own)
                        self.write(file.globals, name, value)
                        return value
            elif path is not None and (path.endswith("__init__.py") or self.program.defines(path, name)):
                other = self.import_file(path)
                if other is not None:
                    value = other.globals.get(name) or self.from_stars(other, name)
                    value = value or self.imported_later(other, name)
                    if value is not None:
                        return value
        return None

    def _do_import_from(self, stmt: t.ImportFrom) -> str:
        path = self.program.find(self.frame.file, stmt.module, stmt.level)
        if self.later and path is not None:
            self.frame.file.later.append(stmt)
            return NORMAL
        file = self.import_file(path) if path is not None else None
        if stmt.names is None:
            self._star(stmt, file, path)
            return NORMAL
        for name, bound in stmt.names:
            self.write(self.frame.vars, bound, self._imported(self.frame.file, stmt, file, path, name))
        return NORMAL

    def _star(self, stmt: t.ImportFrom, file: File | None, path: str | None) -> None:
        stars = self.frame.file.stars
        if file is not None:
            stars.append(FileValue(file))
        elif path is None and not stmt.level:
            stars.append(Lib(stmt.module))

    def _imported(
        self, importer: File, stmt: t.ImportFrom, file: File | None, path: str | None, name: str
    ) -> Any:
        if file is not None:
            found = file.globals.get(name, MISSING)
            if found is MISSING:
                found = self.from_stars(file, name) or MISSING
            if found is not MISSING:
                return found
        below = self.program.find(importer, f"{stmt.module}.{name}" if stmt.module else name, stmt.level)
        if below is not None:
            inner = self.import_file(below)
            if inner is not None:
                return FileValue(inner)
        if path is None and not stmt.level:
            return Lib(f"{stmt.module}.{name}")
        found = self.imported_later(file, name) if file is not None else None
        return found or self.unknown(name, "global")

    def import_file(self, path: str) -> File | None:
        """A file of the project with its top level read, by a machine of its own."""
        if path == self.path:
            return self.file
        file = self.program.load(path)
        if file is None:
            return None
        if file.state == "new":
            file.state = "running"
            try:
                inner = type(self)(self.program, file, 20_000)
                inner.path = path
                inner.depth = self.depth + 1
                if inner.depth < 40:
                    with self.program.importing(path):
                        inner.block(file.tree.body)
            except ParseError:
                return None
            finally:
                file.state = "done"
        return file


def _as_tuple(value: Any) -> Any:
    """A list of which all items are known as the tuple of them; anything else as it is."""
    if isinstance(value, Obj) and value.kind == "list" and REST not in value.attrs:
        return Tuple(tuple(v for k, v in value.attrs.items() if isinstance(k, tuple)))
    return value


def _matters(change: tuple[dict[Any, Any], Any, Any]) -> bool:
    """Whether a variable that existed before the loop changed in a way that a second turn would see."""
    store, key, new = change
    old = store.get(key, MISSING)
    if old is MISSING or new is MISSING or old is new or key in ("%batch",):
        return False
    if type(old) is type(new) and old == new:
        return False
    return tells(old) or tells(new)


def _last_name(node: t.Expr | None) -> str:
    if node is None:
        return "?"
    if isinstance(node, t.Display):
        names = {_last_name(x) for x in node.items}
        return next((n for n in names if n in BROAD), next(iter(names), "?"))
    return node.attr if isinstance(node, t.Attr) else node.id if isinstance(node, t.Name) else "?"


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


_STATEMENTS: dict[type, Any] = {
    t.Assign: Interpret._do_assign,
    t.AnnAssign: Interpret._do_ann_assign,
    t.AugAssign: Interpret._do_aug_assign,
    t.ExprStmt: Interpret._do_expr_stmt,
    t.Return: Interpret._do_return,
    t.Raise: Interpret._do_raise,
    t.Jump: Interpret._do_jump,
    t.Assert: Interpret._do_assert,
    t.Delete: Interpret._do_delete,
    t.Scope: Interpret._do_scope,
    t.Import: Interpret._do_import,
    t.ImportFrom: Interpret._do_import_from,
    t.If: Interpret._do_if,
    t.For: Interpret._do_for,
    t.While: Interpret._do_while,
    t.With: Interpret._do_with,
    t.Try: Interpret._do_try,
    t.Match: Interpret._do_match,
    t.FunctionDef: Interpret._do_function,
    t.ClassDef: Interpret._do_class,
}


def _names_accelerator(value: Any) -> bool:
    """Whether a test holds only where the name of an accelerator was given, or one was asked for."""
    if type(value) is Cond:
        return (is_guard(value.flag, True) or _names_accelerator(value.then)) and (
            is_guard(value.flag, False) or _names_accelerator(value.other)
        )
    return type(value) is Const and (value.site is not None if value == TRUE else value == FALSE)
