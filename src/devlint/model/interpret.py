"""Statements: control flow."""

from __future__ import annotations

from typing import Any

from devlint.model.cond import Cond, implied, restrict, tips
from devlint.model.contexts import tells
from devlint.model.definitions import Definitions
from devlint.model.events import Compared
from devlint.model.machine import JUMPED, LEFT, MISSING, NORMAL, only_guarded
from devlint.model.value import (
    FALSE,
    NONE,
    REST,
    TRUE,
    Const,
    DeviceValue,
    Function,
    Lib,
    Obj,
    Tuple,
    Unknown,
    item,
)
from devlint.syntax import tree as t

EXITS = frozenset(
    {"sys.exit", "os._exit", "builtins.exit", "builtins.quit", "pytest.skip", "pytest.fail", "os.abort"}
)
BROAD = frozenset({"Exception", "BaseException", "RuntimeError", "AssertionError", "TypeError", "?"})


class Interpret(Definitions):
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
        if isinstance(stmt.test, t.Const) and not stmt.test.value:
            return LEFT  # `assert False` says that nobody gets here
        formula = restrict(self.truth(self.expr(stmt.test)), self.assume)
        self.assume = {**self.assume, **implied(formula, True)}
        return NORMAL

    def _do_if(self, stmt: t.If) -> str:
        value = self.expr(stmt.test)
        frame, outer = self.frame, self.frame.guarded

        def then() -> str:
            frame.guarded = outer or only_guarded(value, _names_accelerator)
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


def _names_accelerator(leaf: Any) -> bool:
    """Whether a test that comes to this holds only where the name of an accelerator was given."""
    return type(leaf) is Const and (leaf.site is not None if leaf == TRUE else leaf == FALSE)
