"""Functions of the project: when one is entered, with what, and what it gives."""

from __future__ import annotations

from typing import Any

from devlint.model.cond import Cond, each, tips
from devlint.model.contexts import (
    BUILD_ENTRIES,
    PLAIN_ENTRIES,
    TELLING_ENTRIES,
    VARIANTS,
    is_rooted,
    portable,
    rehome,
    renamed,
    surroundings,
    tells,
)
from devlint.model.device import UNKNOWN, Like
from devlint.model.machine import LEFT, MAX_DEPTH, MORE_POSITIONAL, CallKey, Frame, is_opaque
from devlint.model.reach import effects_of, matters
from devlint.model.torch.devices import means_device
from devlint.model.value import (
    REST,
    Bound,
    Class,
    Const,
    DeviceValue,
    Function,
    Lib,
    Obj,
    Partial,
    Root,
    Site,
    Spread,
    Tensor,
    Tuple,
    Unknown,
    item,
)
from devlint.model.watch import Watch
from devlint.syntax import tree as t

FORWARD = frozenset(
    "forward training_step validation_step test_step predict_step shared_step _forward_impl "
    "forward_features".split()
)
NESTED = 3
"""How often a function may stand within itself where it goes down into a container."""
SMALL = 40
"""A function of so few expressions and statements is entered in any case: `exists`, `default`."""


class Entering(Watch):
    """The part of the machine that enters functions."""

    def call_function(self, func: Function, args: list[Any], kwargs: dict[str, Any], extra: int) -> Any:
        """Enters a function, unless it is running already, too deep, or the budget is spent."""
        node = func.node
        label = f"{getattr(node, 'name', 'lambda')}()"
        if self.depth >= MAX_DEPTH or self.steps > self.budget:
            self._forget_written(func)
            self.watch_unfollowed((func.self_value, *args, *kwargs.values()))
            return self.unknown(label, "call")
        if id(node) in self.active and not self._descends(node, args):
            return self.unknown(label, "call")
        telling = any(tells(a) for a in args) or any(tells(a) for a in kwargs.values())
        if not (telling or self._can_matter(func, (*args, *kwargs.values()))):
            self._forget_written(func)
            return self.unknown(label, "call")
        key = self._call_key(func, args, kwargs)
        given = (*args, *(value for _, value in sorted(kwargs.items())))
        told = given if telling else ()
        known = self._known_result(func, key, told, given)
        if known is not None:
            self._forget_written(func)
            return known
        caller = self.frame
        frame = Frame(func.file, {}, func.closure)
        frame.function, frame.owner, frame.caller = func, func.owner, caller
        frame.self_value = func.self_value
        if frame.self_value is None and func.closure is not None:
            frame.self_value = func.closure.self_value
            frame.owner = frame.owner or func.closure.owner
        is_forward = (
            func.owner is not None and func.owner.kind == "module" and getattr(node, "name", "") in FORWARD
        )
        frame.forward = is_forward or (caller.forward and not _once_only(node))
        frame.worker, frame.caught = caller.worker, caller.caught
        frame.guarded = caller.guarded or self.is_skipped(func)
        frame.ambient = caller.ambient
        frame.stmt = node
        if func.self_value is not None:
            args = [func.self_value, *args]
        self.bind_params(func, frame, args, kwargs, extra)
        if self.tracing:
            self.trace_params(func, frame)
        around = surroundings(func, told)
        result = self.run(func, frame)
        if portable(result):
            self.results.setdefault(key, {})[around] = given, result
        return result

    def _can_matter(self, func: Function, given: tuple[Any, ...]) -> bool:
        """Whether entering a function may show anything if no device is known of its arguments."""
        name = getattr(func.node, "name", "")
        if type(func.node) is not t.FunctionDef or func.closure is not None or func.node.size <= SMALL:
            return True
        if name in FORWARD or name == "__init__":
            return True
        receiver = func.self_value
        if isinstance(receiver, Obj) and any(map(is_rooted, receiver.attrs.values())):
            return True
        callables = (Function, Class, Lib, Bound, Partial)
        return any(isinstance(leaf, callables) for value in given for leaf in tips(value)) or matters(func)

    def trace_params(self, func: Function, frame: Frame) -> None:
        """The parameters are bound, in a trace."""
        caller, self.frame = self.frame, frame
        for p in func.node.params:
            self.trace(Site(func.file, p, func.node), p.name, frame.vars[p.name])
        self.frame = caller

    def _call_key(self, func: Function, args: list[Any], kwargs: dict[str, Any]) -> CallKey:
        """What calls have in common of which one stands for the other: what is assumed, too, for that decides
        about branches inside. Workers are watched on their own."""
        named = tuple((name, _choice(value)) for name, value in sorted(kwargs.items(), key=lambda x: x[0]))
        assumed = frozenset((flag, value) for flag, value in self.assume.items() if not is_opaque(flag))
        return id(func.node), self.frame.worker, tuple(map(_choice, args)), named, assumed

    def _known_result(
        self, func: Function, key: CallKey, told: tuple[Any, ...], given: tuple[Any, ...]
    ) -> Any:
        """The result of a call that need not be entered, or None. `given`: the arguments; `told`: those, if
        they tell."""
        times = self.entries.get(key, 0)
        limit = BUILD_ENTRIES if getattr(func.node, "name", "") == "__init__" else PLAIN_ENTRIES
        if not told and times < limit:
            # Other flags and assumptions may lead elsewhere in it, but seldom more than a few times.
            every = self.plain.get(func.node, 0)
            if every >= VARIANTS * limit:
                times = limit
            else:
                self.plain[func.node] = every + 1
        if times >= (TELLING_ENTRIES if told else limit):
            found = self.results[key].get(surroundings(func, told)) if key in self.results else None
            if found is not None:
                before, result = found
                return renamed(rehome(result, func.self_value), before, given, lambda: self.opaque("call"))
            again = times < TELLING_ENTRIES if key in self.results else self._makes_objects(key)
            if told or not again:
                return self.unknown(f"{getattr(func.node, 'name', 'lambda')}()", "call")
        self.entries[key] = times + 1
        return None

    def _forget_written(self, func: Function) -> None:
        """A method is not entered (again): what it assigns to its object's plain attributes and to their
        items is not known, nor where it moves it; what it registers is."""
        receiver = func.self_value
        if not isinstance(receiver, Obj) or isinstance(func.node, t.Lambda):
            return
        known = func.file.effects
        effects = known.get(func.node)
        if effects is None:
            effects = known[func.node] = effects_of(func.node)
        if receiver.is_module:
            receiver.registered |= effects.registered
            if effects.moves_itself:
                self.place(receiver, UNKNOWN)
        for name in effects.written | effects.filled:
            if name in receiver.attrs and name not in receiver.registered:
                old = tips(receiver.attrs[name])
                if name in effects.filled or any(type(x) is Tensor for x in old):
                    self.write(receiver.attrs, name, self.unknown(f"self.{name}", "attribute"))

    def _makes_objects(self, key: CallKey) -> bool:
        """Whether a function returns objects with an identity, which each call has its own of."""
        return key not in self.results and self.entries.get(key, 0) < BUILD_ENTRIES

    def _descends(self, node: t.Node, args: list[Any]) -> bool:
        """Whether a call of a function by itself goes down into a container that is known: `to_device`."""
        known = any(
            type(a) in (Tensor, Tuple) or (isinstance(a, Obj) and a.kind in ("list", "dict")) for a in args
        )
        return known and self.active.count(id(node)) < NESTED

    def is_skipped(self, func: Function) -> bool:
        """Whether a function, or its class, is one that does not run where there is no accelerator."""
        if not self.skipped:
            return False
        owners = func.owner.mro if func.owner is not None else ()
        return id(func.node) in self.skipped or any(id(c.node) in self.skipped for c in owners)

    def hand_on(self, func: Function) -> None:
        """A function is an argument: `Thread(target=function)`. What gets it may call it."""
        guarded = self.frame.guarded or self.is_guarded()
        self.handed_on[id(func.node)] = guarded and self.handed_on.get(id(func.node), True)

    def run(self, func: Function, frame: Frame) -> Any:
        """Runs a function whose parameters are bound."""
        node = func.node
        caller, before = self.frame, self.assume
        self.entered.add(id(node))
        self.active.append(id(node))
        self.depth += 1
        self.frame = frame
        try:
            if isinstance(node, t.Lambda):
                return self.expr(node.body)
            how = self.block(node.body)
            self.join_pending(frame.pending)
            if node.is_generator:
                return self._generated(frame)
            return self.result_of(frame, how is not LEFT)
        finally:
            self.frame, self.assume = caller, before
            self.depth -= 1
            self.active.pop()
            frame.returns, frame.yields = [], []  # a function that was returned may hold the frame

    def _generated(self, frame: Frame) -> Any:
        out: Any = None
        for conds, value in reversed(frame.yields):
            if out is None:
                out = value
                continue
            known = tuple(c for c in conds if not (type(c) is Cond and is_opaque(c.flag)))
            formula = self.conjunction(known)
            out = self.either(self.opaque("yield") if formula is True else formula, value, out)
        made = self.iterator(out if out is not None else self.unknown("an item", "iter"))
        made.attrs["%generated"] = True
        return made

    def bind_params(
        self, func: Function, frame: Frame, args: list[Any], kwargs: dict[str, Any], extra: int
    ) -> None:
        """Binds arguments to parameters (Python's rules; what is missing is the default, or unknown)."""
        left = dict(kwargs)
        at = 0
        if extra & MORE_POSITIONAL:
            args = self._align(func, args, left)
        defaults = func.defaults
        for p in func.node.params:
            if p.kind == "star":
                rest = self.unknown(f"*{p.name}", "param") if extra else None
                value: Any = Tuple(tuple(args[at:]), rest)
                at = len(args)
            elif p.kind == "starstar":
                value = Obj("dict", Site(func.file, p, func.node))
                for key, v in left.items():
                    value.attrs[item(key)] = v
                if extra:
                    value.attrs["%open"] = True
                    value.attrs[REST] = self.unknown(f"**{p.name}", "param")
            elif at < len(args) and p.kind != "keyword":
                value = args[at]
                at += 1
            elif p.name in left:
                value = left.pop(p.name)
            else:
                value = self._missing(p, defaults.get(p.name), extra)
            if _takes_text(p, defaults.get(p.name)):
                value = each(value, _as_text)
            frame.vars[p.name] = value

    def _align(self, func: Function, args: list[Any], kwargs: dict[str, Any]) -> list[Any]:
        """The arguments with a `*value` of unknown length stretched: what stands after it goes last."""
        at = next((i for i, a in enumerate(args) if type(a) is Spread), len(args))
        before = args[:at]
        after = [a for a in args[at + 1 :] if type(a) is not Spread]
        params = func.node.params
        if any(p.kind == "star" for p in params):
            return before + after
        room = sum(p.kind in ("positional", "both") and p.name not in kwargs for p in params)
        element = args[at].element if at < len(args) else self.unknown("an argument", "param")
        return before + [element] * max(0, room - len(before) - len(after)) + after

    def _missing(self, p: t.Param, default: Any, extra: int) -> Any:
        if default is not None and not extra:
            return default
        value = self.unknown(p.name, "param")
        if default is None:
            return value
        return self.either(Cond(("given", value.root), True, False), value, default)

    def symbolic(self, func: Function, frame: Frame, skip: int) -> None:
        """Binds unknown values to the parameters: nothing is known of the callers."""
        for i, p in enumerate(func.node.params):
            if i < skip:
                continue
            root = Root(p.name, "param")
            value: Any = Unknown(root)
            if p.annotation is not None:
                self.annotate(root, p.annotation, func.file)
                self._default_fields(value, p.annotation, func.file)
            elif frame.forward and i == skip and p.default is None:
                root.seen.add("tensor")  # what a module is called with, unless its uses say otherwise
            if self.listed.get((id(func.node), p.name)):
                root.seen.add("list")
            default = func.defaults.get(p.name)
            if p.default is None and root.seen == {"device"} and isinstance(p.annotation, (t.Name, t.Attr)):
                value = DeviceValue(Like(root, named=True))
            if p.kind == "star":
                value = Tuple((), value)
            elif p.kind == "starstar":
                value = Obj("dict", Site(func.file, p, func.node))
                value.attrs["%open"] = True
                value.attrs[REST] = Unknown(root)
            elif default is not None:
                value = self._or_default(root, value, default)
            frame.vars[p.name] = value

    def _or_default(self, root: Root, value: Any, default: Any) -> Any:
        """What a parameter nobody is known to pass is: its default where that says something of devices, or
        is something to call; numbers and None say nothing."""
        kind = type(default)
        if kind in (Lib, Function, Class):
            return default
        if kind is DeviceValue or (
            kind is Const and isinstance(default.value, str) and means_device(default.value)
        ):
            root.seen.add("given")
            return self.either(Cond(("given", root), True, False), value, default)
        return value

    def _default_fields(self, value: Unknown, annotation: t.Expr, file: Any) -> None:
        """Of a parameter that is a dataclass of the project: the defaults that say something of devices."""
        cls = file.globals.get(annotation.id) if isinstance(annotation, t.Name) else None
        if type(cls) is not Class or cls.find("__post_init__") is not None:
            return
        for base in reversed(cls.mro):
            for name, default in base.attrs.get("%fields", ()):
                if isinstance(default, Obj) and default.kind == "field":
                    default = default.attrs.get("default")
                root = Root(f"{value.root.label}.{name}", "attribute")
                field = Unknown(root)
                found = self._or_default(root, field, default) if default is not None else field
                if found is not field:
                    value.attrs[name] = found

    def annotate(self, root: Root, annotation: t.Expr, file: Any) -> None:
        """What an annotation says of a parameter."""
        stack = [annotation]
        while stack:
            node = stack.pop()
            if isinstance(node, (t.Name, t.Attr)):
                name = _dotted(node)
                head = name.split(".", 1)[0]
                value = file.globals.get(head)
                if type(value) is Lib:
                    full = value.name + name[len(head) :]
                    if full == "torch.Tensor":
                        root.seen.add("tensor")
                    elif full == "torch.device":
                        root.seen.add("device")
                    elif full == "torch.dtype":
                        root.seen.add("dtype")
                    elif full == "numpy.ndarray":
                        root.seen.add("host")
                    elif full == "torch.nn.Module":
                        root.seen.add("module")
                elif name in ("int", "float", "str", "bool", "np.ndarray", "numpy.ndarray"):
                    root.seen.add("host")
            elif isinstance(node, t.Const) and isinstance(node.value, str):
                if node.value.rsplit(".", 1)[-1] == "Tensor":
                    root.seen.add("tensor")
            elif isinstance(node, t.Subscript) and isinstance(node.value, (t.Name, t.Attr)):
                if _dotted(node.value).rsplit(".", 1)[-1] in ("Optional", "Union", "Annotated"):
                    stack += node.index.items if isinstance(node.index, t.Display) else [node.index]
            elif isinstance(node, t.BinOp):
                stack += [node.left, node.right]


def _once_only(node: Any) -> bool:
    """Whether what a function does in `forward` is not done on every call: constructors, cached functions."""
    if getattr(node, "name", "") == "__init__":
        return True
    for decorator in getattr(node, "decorators", ()):
        if isinstance(decorator, t.Call):
            decorator = decorator.func
        if _dotted(decorator).rsplit(".", 1)[-1] in ("lru_cache", "cache", "cached"):
            return True
    return False


def _choice(value: Any) -> Any:
    """What of an argument may decide about branches: None, a flag, a string."""
    known = type(value) is Const and (value.value is None or isinstance(value.value, (bool, str)))
    return value.value if known else ...


def _as_text(leaf: Any) -> Any:
    return DeviceValue(leaf.device, leaf.literal, text=True) if type(leaf) is DeviceValue else leaf


def _takes_text(p: t.Param, default: Any) -> bool:
    """Whether a parameter is meant for strings, too: by its default, or by an annotation of several types."""
    if type(default) is Const and isinstance(default.value, str):
        return True
    return p.annotation is not None and not isinstance(p.annotation, (t.Name, t.Attr))


def _dotted(node: t.Expr) -> str:
    if isinstance(node, t.Name):
        return node.id
    if isinstance(node, t.Attr):
        return f"{_dotted(node.value)}.{node.attr}"
    return "?"
