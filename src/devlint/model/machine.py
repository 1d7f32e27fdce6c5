"""The state of the abstract machine: journal, assumptions, frames, events.

Everything mutable (variables, attributes, items) lives in dicts that are written through a journal, so a
branch can be undone and joined with another at the cost of what it wrote, not of all that there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from devlint.model.cond import LIMIT, Cond, choose, implied, make, restrict, size, tips
from devlint.model.device import AVAILABLE, UNKNOWN, Like
from devlint.model.events import Event, Where
from devlint.model.program import File, Program
from devlint.model.torch.devices import ACCELERATORS, means_device
from devlint.model.value import (
    FALSE,
    NONE,
    TRUE,
    Class,
    Const,
    DeviceValue,
    Function,
    Obj,
    Root,
    Site,
    Tensor,
    Unknown,
)
from devlint.syntax import tree as t

MISSING: Any = object()
NORMAL, JUMPED, LEFT = "normal", "jumped", "left"
"""How a block ends: it runs on, it leaves the iteration, it leaves the function."""

MORE_POSITIONAL, MORE_KEYWORDS = 1, 2
"""What `extra` of a call says: there are further arguments, which are not known."""

CallKey = tuple[int, bool, tuple[Any, ...], tuple[tuple[str, Any], ...], frozenset[tuple[Any, bool]]]
"""A function, whether a worker runs it, what is known of the arguments that may decide about branches, and
what is assumed."""

MAX_DEPTH = 14
"""How deep calls of the project's functions are followed."""


class Frame:
    """A call of a function, or the top level of a file, or a class body."""

    def __init__(self, file: File, variables: dict[str, Any], closure: Frame | None) -> None:
        self.caller: Frame | None = None
        self.file = file
        self.vars = variables
        self.closure = closure
        self.function: Function | None = None
        self.self_value: Any = None
        self.owner: Class | None = None
        self.returns: list[tuple[tuple[Any, ...], Any]] = []
        self.yields: list[tuple[tuple[Any, ...], Any]] = []
        self.conds: list[Any] = []
        self.pending: list[list[tuple[dict[Any, Any], Any, Any]]] = []
        self.outer_names: dict[str, dict[str, Any]] = {}
        self.loop = 0
        self.forward = False
        self.worker = False
        self.entered_with = False
        """A context manager's function has come to its `yield`: what follows runs after the `with`."""
        self.guarded = False
        self.caught = 0
        self.ambient: Any = None
        self.asked = False
        self.stmt: t.Node = file.tree


class Machine:
    """What all parts of the machine share. `file` is the one that is analysed."""

    def __init__(self, program: Program, file: File, budget: int) -> None:
        self.program = program
        self.file = file
        self.events: list[Event] = []
        self.journal: list[tuple[dict[Any, Any], Any, Any]] = []
        self.assume: dict[Any, bool] = {}
        self.frame = Frame(file, file.globals, None)
        self.depth = 0
        self.steps = 0
        self.budget = budget
        self.serial = 0
        self.entered: set[int] = set()
        self.entries: dict[CallKey, int] = {}
        self.plain: dict[Any, int] = {}
        """How often functions (by their nodes) were entered with arguments that say nothing of devices."""
        self.results: dict[CallKey, dict[Any, tuple[tuple[Any, ...], Any]]] = {}
        self.listed: dict[tuple[int, str], bool] = {}
        """Which parameters of constructors (by their nodes) were given nothing but lists."""
        self.first_made: dict[int, list[tuple[dict[Any, Any], Obj]]] = {}
        """What the constructors of classes (by identity) made of what when they were entered."""
        self.active: list[int] = []
        self.default_device: Any = None
        self.skipped: set[int] = set()
        """The functions and classes (by their nodes) that do not run where there is no accelerator."""
        self.handed_on: dict[int, bool] = {}
        """The functions (by their nodes) that were arguments: whether only where there is an accelerator."""
        self.ended: list[Obj] = []
        self.run_somewhere: set[int] = set()
        """The classes (by their nodes) whose modules were called where they are known to be."""
        self.called: set[str] = set()
        self.path = ""
        """The absolute path of the file."""
        self.callee: t.Expr | None = None
        self.late: list[tuple[str, Obj, Obj]] = []
        self.loop_moves: list[list[tuple[dict[Any, Any], Any, Any, Site]]] = []
        self.reads: list[tuple[Site, Any, str]] = []
        self.tracing = False
        self.stores: dict[int, list[tuple[str, Any, Site]]] = {}

    # -- implemented by the parts that stand below ---------------------------------------------------

    def expr(self, node: t.Expr) -> Any:
        """The value of an expression."""
        raise NotImplementedError

    def call(self, func: Any, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int = 0) -> Any:
        """The result of a call; `extra`: whether there are further arguments (MORE_*)."""
        raise NotImplementedError

    def call_bound(
        self, receiver: Any, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int
    ) -> Any:
        """The result of calling a method of something that is no instance of the project."""
        raise NotImplementedError

    def call_function(self, func: Function, args: list[Any], kwargs: dict[str, Any], extra: int) -> Any:
        """The result of calling a function of the project."""
        raise NotImplementedError

    def compare_only(self, value: Any, node: t.Expr) -> None:
        """A device is named where nothing is placed on it."""
        raise NotImplementedError

    def alternatives(self, a: DeviceValue, b: DeviceValue) -> None:
        """A device is the one or the other."""
        raise NotImplementedError

    def adopt(self, value: Any, owner: Obj | None = None, depth: int = 0) -> None:
        """Modules in a value are registered somewhere."""
        raise NotImplementedError

    def block(self, body: list[t.Stmt]) -> str:
        """Runs statements; returns how they end."""
        raise NotImplementedError

    def import_file(self, path: str) -> File | None:
        """A file of the project with its top level read."""
        raise NotImplementedError

    # -- journal -------------------------------------------------------------------------------------

    def write(self, store: dict[Any, Any], key: Any, value: Any) -> None:
        """Sets an entry of a variable or attribute dict; MISSING removes it."""
        self.journal.append((store, key, store.get(key, MISSING)))
        if value is MISSING:
            store.pop(key, None)
        else:
            store[key] = value

    def rollback(self, mark: int) -> list[tuple[dict[Any, Any], Any, Any]]:
        """Undoes all writes since the mark; returns what they had made: (dict, key, value)."""
        journal = self.journal
        if len(journal) == mark:
            return []
        changed: dict[tuple[int, Any], tuple[dict[Any, Any], Any, Any]] = {}
        for store, key, _ in journal[mark:]:
            changed[(id(store), key)] = (store, key, store.get(key, MISSING))
        for store, key, old in reversed(journal[mark:]):
            if old is MISSING:
                store.pop(key, None)
            else:
                store[key] = old
        del journal[mark:]
        return list(changed.values())

    def branch(self, formula: Any, then: Callable[[], str], other: Callable[[], str]) -> str:
        """Runs two alternatives of a formula and joins what they wrote. Returns how both end."""
        formula = restrict(formula, self.assume)
        if type(formula) is not Cond:
            return then() if formula else other()
        first, how_first = self._alternative(formula, True, then)
        second, how_second = self._alternative(formula, False, other)
        if how_first is NORMAL and how_second is NORMAL:
            self.join(formula, first, second)
            return NORMAL
        if how_first is not NORMAL:
            self._leave(first, how_first)
        if how_second is not NORMAL:
            self._leave(second, how_second)
        if how_first is NORMAL or how_second is NORMAL:
            stays = how_first is NORMAL
            for store, key, value in first if stays else second:
                self.write(store, key, value)
            self.assume = {**self.assume, **implied(formula, stays)}
            return NORMAL
        return JUMPED if JUMPED in (how_first, how_second) else LEFT

    def _alternative(self, formula: Any, value: bool, run: Callable[[], str]) -> tuple[list[Any], str]:
        mark, before = len(self.journal), self.assume
        self.assume = {**before, **implied(formula, value)}
        self.frame.conds.append(formula if value else choose(formula, False, True))
        how = run()
        self.frame.conds.pop()
        self.assume = before
        return self.rollback(mark), how

    def _leave(self, changes: list[Any], how: str) -> None:
        """Keeps what a branch wrote that left the block, to be joined where it comes together again."""
        if how is LEFT:
            own = self.frame.vars
            changes = [c for c in changes if c[0] is not own]
        if changes:
            self.frame.pending.append(changes)

    def join(self, formula: Any, first: list[Any], second: list[Any]) -> None:
        """Writes the join of two lists of changes."""
        entries: dict[tuple[int, Any], list[Any]] = {}
        for i, changes in enumerate((first, second)):
            for store, key, value in changes:
                entry = entries.setdefault((id(store), key), [store, key, MISSING, MISSING])
                entry[2 + i] = value
        for (_, key), (store, _, a, b) in entries.items():
            old = store.get(key, MISSING)
            a, b = (old if a is MISSING else a), (old if b is MISSING else b)
            if a is MISSING or b is MISSING:
                value = b if a is MISSING else a
                if store is not self.frame.vars and isinstance(key, str) and type(value) is Tensor:
                    value = self._where_set(formula, key, value, a is not MISSING)
                self.write(store, key, value)
            else:
                self.write(store, key, self.either(formula, a, b))

    def _where_set(self, formula: Any, name: str, value: Tensor, holds: bool) -> Any:
        """An attribute that is set in one branch alone.

        Who reads it has come that way, so what else depends on the same flag is as it was there.
        """
        if size(formula) > 2:
            return value
        unset = Unknown(Root(name, "join"), UNKNOWN)
        return self.either(formula, *((value, unset) if holds else (unset, value)))

    def join_pending(self, pending: list[list[Any]]) -> None:
        """Joins what was written on the ways that left early."""
        for changes in pending:
            self.join(self.opaque("left"), changes, [])

    def either(self, formula: Any, a: Any, b: Any) -> Any:
        """The value that is `a` where the formula holds, else `b`; unknown if that becomes too much."""
        if a is b:
            return a
        kind, other = type(a), type(b)
        if kind is Unknown and other is Unknown:
            merged = _merged(a, b)
            if merged is not None:
                return merged
        elif kind is Const and other is Const:
            if type(a.value) in (int, float) and type(b.value) in (int, float) and a != b:
                return self.unknown("a number", "host")
        elif kind is DeviceValue and other is DeviceValue:
            self.alternatives(a, b)
        if size(a) + size(b) > LIMIT or size(formula) > 4:
            return a if a == b and type(a) is type(b) else self._one_of(a, b)
        out = choose(formula, a, b)
        return out if size(out) <= LIMIT else self._one_of(a, b)

    def _one_of(self, a: Any, b: Any) -> Any:
        """What is one of too many values: unknown, though a device stays one."""
        every = [*tips(a), *tips(b)]
        if all(type(leaf) is DeviceValue for leaf in every):
            place = Like(Root("one of several devices", "join"), named=True)
            return DeviceValue(place, text=any(leaf.text for leaf in every))
        return self.unknown("one of several values", "join")

    def per_leaf(self, tree: Any, function: Callable[[Any], Any]) -> Any:
        """`each`, with the flags of the leaf assumed while it is worked on: what is written holds there."""
        if type(tree) is not Cond:
            return function(tree)
        flag, before = tree.flag, self.assume
        decided = before.get(flag)
        if decided is not None:
            return self.per_leaf(tree.then if decided else tree.other, function)
        mark = len(self.journal)
        self.assume = {**before, flag: True}
        then = self.per_leaf(tree.then, function)
        first = self.rollback(mark)
        self.assume = {**before, flag: False}
        other = self.per_leaf(tree.other, function)
        second = self.rollback(mark)
        self.assume = before
        formula = Cond(flag, True, False)
        self.join(formula, first, second)
        return self.either(formula, then, other)

    def from_flag(self, formula: Any, then: Any, other: Any) -> Any:
        """`then` where a formula holds, else `other`."""
        return self.either(formula, then, other) if type(formula) is Cond else then if formula else other

    def opaque(self, label: str) -> Cond:
        """A formula of a flag that nothing else speaks of."""
        self.serial += 1
        return Cond((label, self.serial), True, False)

    # -- values --------------------------------------------------------------------------------------

    def unknown(self, label: str, kind: str) -> Unknown:
        """A new unknown value."""
        return Unknown(Root(label, kind))

    def truth(self, value: Any) -> Any:
        """The formula of a value's truth."""
        if type(value) is Cond:
            then, other = self.truth(value.then), self.truth(value.other)
            return make(value.flag, restrict(then, {value.flag: True}), restrict(other, {value.flag: False}))
        if type(value) is Const:
            return bool(value.value) if value.value is not ... else self.opaque("?")
        if type(value) is Unknown:
            return Cond(("truth", value.root if not value.attrs.get("%derived") else value), True, False)
        if type(value) is DeviceValue:
            if type(value.device) is Like and value.device.named:  # it may be None
                return Cond(("truth", value.device.root), True, False)
            return True
        if isinstance(value, Obj) and value.kind in ("list", "dict", "set", "object"):
            return self.opaque("truth")
        if isinstance(value, (Obj, Class, Function)):
            return True
        return self.opaque("truth")

    def from_formula(self, formula: Any) -> Any:
        """A formula as a value."""
        if type(formula) is Cond:
            return make(formula.flag, self.from_formula(formula.then), self.from_formula(formula.other))
        return TRUE if formula else FALSE

    def site(self, node: t.Node) -> Site:
        """A node of the file that is being read now."""
        return Site(self.frame.file, node, self.frame.stmt)

    # -- events --------------------------------------------------------------------------------------

    def bare_where(self) -> Where:
        """The circumstances now, without the names in scope."""
        frame = self.frame
        guarded = frame.guarded or self.is_guarded()
        caught = frame.caught > 0
        return Where(
            frame.forward, frame.worker, frame.loop, guarded, caught, frame.function, frame.self_value, ()
        )

    def where(self) -> Where:
        """The circumstances now."""
        frame = self.frame
        scope: Frame | None = frame
        names = []
        while scope is not None:
            names.append(dict(scope.vars) if scope.vars is not scope.file.globals else scope.vars)
            scope = scope.closure
        if not names or names[-1] is not frame.file.globals:
            names.append(frame.file.globals)
        return Where(
            forward=frame.forward,
            worker=frame.worker,
            loop=frame.loop,
            guarded=frame.guarded or self.is_guarded(),
            caught=frame.caught > 0,
            function=frame.function,
            self_value=frame.self_value,
            names=tuple(names),
        )

    def is_guarded(self) -> bool:
        """Whether an assumption says that there is, or is wanted, an accelerator."""
        return any(is_guard(flag, value) for flag, value in self.assume.items()) or any(
            type(formula) is Cond and only_guarded(formula, _never) for formula in self.frame.conds
        )

    def asks_place(self) -> bool:
        """Whether it was asked where something is: `if x.is_cuda`, `if index > -1`. What is made then is
        made for that place."""
        return any(
            isinstance(flag, tuple)
            and (
                flag[0] == "device =="
                or (flag[0] == "compare" and (flag[-1] in DEVICE_NAMES or flag[-1] == -1))
            )
            for flag in self.assume
        )

    def is_chosen(self, index: Any) -> bool:
        """Whether an assumption says that an index was given: `if gpu is not None`, `if len(ids) > 0`."""
        if type(index) is not Unknown:
            return False
        own = set(_sources(index.root))
        for flag, value in self.assume.items():
            if isinstance(flag, tuple) and flag[0] in GUARDS and not (flag[0] == "none" and value):
                subject = flag[1].root if isinstance(flag[1], Unknown) else flag[1]
                if isinstance(subject, Root) and not own.isdisjoint(_sources(subject)):
                    return True
        return False

    def emit(self, event: Event) -> None:
        """Adds an event."""
        self.events.append(event)

    def result_of(self, frame: Frame, fell_through: bool) -> Any:
        """The value of a call from the returns that its frame gathered."""
        out = NONE if fell_through or not frame.returns else frame.returns[-1][1]
        for conds, value in reversed(frame.returns):
            out = self.either(self.conjunction(conds), value, out)
        return out

    def conjunction(self, conds: tuple[Any, ...]) -> Any:
        """The formula that holds where all of these do; one of its own where that becomes too much."""
        formula: Any = True
        for cond in reversed(conds):
            if size(cond) + size(formula) > LIMIT:
                return self.opaque("way")
            formula = choose(cond, formula, False)
        return formula


def is_opaque(flag: Any) -> bool:
    """Whether a flag is one of `Machine.opaque`: it stands for a way, and says nothing of values."""
    return type(flag) is tuple and len(flag) == 2 and type(flag[1]) is int


def _merged(a: Unknown, b: Unknown) -> Unknown | None:
    """One unknown value for two, unless it is known of one where it is."""
    if a.device == b.device:
        return a
    if type(a.device) is Like and type(b.device) is Like:
        return b if a.root.kind == "host" else a
    return None


def is_guard(flag: Any, value: bool) -> bool:
    """Whether a flag, with that value, says that there is, or is wanted, an accelerator."""
    if flag == AVAILABLE or (isinstance(flag, tuple) and flag[0] == "available"):
        return True
    if isinstance(flag, tuple) and flag[0] == "device ==":
        return True
    if not isinstance(flag, tuple) or flag[0] not in GUARDS:
        return False
    root = flag[1].root if isinstance(flag[1], Unknown) else flag[1]
    if not isinstance(root, Root):
        return False
    if flag[0] == "compare" and flag[-1] in DEVICE_NAMES:
        return True  # `x.is_cuda`, `device.type == "cuda"`, `"cuda" in name`
    if flag[0] == "none" and (value or root.kind != "option"):
        return False
    if flag[0] == "compare" and len(flag) == 4 and flag[2] == "in" and not means_device(str(flag[3])):
        return False  # `"[" in text`
    return root.kind in GUARD_KINDS and "tensor" not in root.seen


def only_guarded(tree: Any, ends: Callable[[Any], bool]) -> bool:
    """Whether a tree holds only where a guard was asked, though not always the same one.

    `ends`: whether a leaf never holds, or has asked itself.
    """
    if type(tree) is not Cond:
        return ends(tree)
    return (is_guard(tree.flag, True) or only_guarded(tree.then, ends)) and (
        is_guard(tree.flag, False) or only_guarded(tree.other, ends)
    )


def _never(formula: Any) -> bool:
    return formula is False


def _sources(root: Root | None) -> Iterator[Root]:
    while root is not None:
        yield root
        root = root.source


DEVICE_NAMES = ACCELERATORS | {"cpu"}
GUARDS = frozenset({"truth", "compare", "none"})
GUARD_KINDS = frozenset({"param", "option", "attribute", "call", "global"})
"""Kinds of unknown things whose value someone chose: a branch on them is a choice, not data."""
