"""Faults that show only when two places are seen together: a move and what came before it, a read and the
copy that it reads, a save and the wrapper that it saves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from devlint.model.cond import Cond, pairs, tips
from devlint.model.contexts import LISTS
from devlint.model.device import CPU, Like, Verdict, compare
from devlint.model.events import (
    AsyncRead,
    Combine,
    CopyMove,
    LateMove,
    Load,
    LoopMove,
    Move,
    Saved,
    SaveWrapped,
    StaleDevice,
    StripPrefix,
    Sync,
)
from devlint.model.library import PARALLEL, canonical
from devlint.model.machine import MISSING
from devlint.model.prefixes import reads_both
from devlint.model.ranks import Ranks
from devlint.model.value import (
    PLACE,
    REST,
    Const,
    DeviceValue,
    Obj,
    Site,
    Step,
    Tensor,
    Tuple,
    Unknown,
)
from devlint.syntax import tree as t
from devlint.syntax.walk import alike, argument_of, function_around, own_names, scopes_on, walk, way_to

OPTIMIZER, WRAPPED = "%optimizer", "%wrapped"


class Watch(Ranks):
    """The part of the machine that remembers what a later line may break."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.stale: list[tuple[StaleDevice, bool | None, list[t.Node]]] = []
        """What was placed by a kept device, whether the module is there, and the expressions that give what
        was placed and nothing else sees."""
        self.came_late: set[int] = set()
        """The optimizers and wrappers, by the nodes that made them, whose modules were moved later."""
        self.unfollowed: set[int] = set()
        """The optimizers, by the nodes that made them, that were handed to calls which were not followed
        after their modules had been moved."""
        self.saved: list[Saved] = []

    # -- modules that are moved too late -------------------------------------------------------------

    def watch_optimizer(self, params: Any, site: Site, fragile: bool) -> None:
        """Remembers that an optimizer has the parameters of these modules."""
        for module in self.modules_of(params, 0):
            taken = self._watch(module, OPTIMIZER, Obj("optimizer", site))
            taken.attrs["%fragile"] = Const(fragile)

    def watch_wrapped(self, module: Any, site: Site) -> None:
        """Remembers that a module is wrapped."""
        for leaf in tips(module):
            if isinstance(leaf, Obj) and leaf.is_module:
                self._watch(leaf, WRAPPED, Obj("wrapper", site))

    def _watch(self, module: Obj | Unknown, key: str, taken: Obj) -> Obj:
        """Remembers what took the parameters of a module, and where these were."""
        taken.attrs[PLACE] = module.attrs.get(PLACE, CPU)
        self.write(module.attrs, key, taken)
        return taken

    def modules_of(self, value: Any, depth: int) -> list[Obj | Unknown]:
        """The modules whose parameters are in a value."""
        out: list[Obj | Unknown] = []
        for leaf in tips(value):
            if type(leaf) is Tensor and leaf.cause is not None and leaf.cause.kind == "module":
                if isinstance(leaf.cause.owner, (Obj, Unknown)):
                    out.append(leaf.cause.owner)
            elif depth < 5 and type(leaf) is Tuple:
                inner = [*leaf.items, *((leaf.rest,) if leaf.rest is not None else ())]
                out += [m for x in inner for m in self.modules_of(x, depth + 1)]
            elif depth < 5 and isinstance(leaf, Obj) and leaf.kind in LISTS:
                inner = [v for k, v in leaf.attrs.items() if isinstance(k, tuple) or k == REST]
                out += [m for x in inner for m in self.modules_of(x, depth + 1)]
        return out

    def place(self, module: Obj, devices: Any) -> None:
        """Moves a module; a move that changes its place comes too late for what has its parameters."""
        before = module.attrs.get(PLACE, CPU)
        super().place(module, devices)
        self.late = []
        if devices is None or not self._changes(before, module.attrs[PLACE]):
            return
        for inner in self._with_children(module, [], 0):
            for key, kind in ((OPTIMIZER, "optimizer"), (WRAPPED, "ddp")):
                earlier = _earlier(inner, key)
                if earlier is not None and self._changes(earlier.attrs[PLACE], inner.attrs.get(PLACE)):
                    self.late.append((kind, module, earlier))

    def _changes(self, before: Any, after: Any) -> bool:
        """Whether a move takes something from the CPU to another place; back is a way to save or to end."""
        return any(
            a is CPU and compare(a, b) in (Verdict.DIFFERENT, Verdict.FOLLOWS)
            for _, a, b in pairs(before, after, self.assume)
        )

    def _with_children(self, module: Obj, seen: list[Obj], depth: int) -> list[Obj]:
        if module in seen or depth > 4:
            return seen
        seen.append(module)
        for key, value in module.attrs.items():
            if isinstance(key, tuple) or key == REST or key in module.registered:
                for leaf in tips(value):
                    if isinstance(leaf, Obj) and leaf.is_module:
                        self._with_children(leaf, seen, depth + 1)
        return seen

    def watch_unfollowed(self, given: tuple[Any, ...]) -> None:
        """A call was not followed. What has an optimizer may give it the parameters again."""
        for value in given if self.came_late else ():
            for leaf in tips(value):
                held = (leaf, *leaf.attrs.values()) if isinstance(leaf, Obj) else ()
                self.unfollowed |= {
                    id(x.site.node)
                    for one in held
                    for x in tips(one)
                    if isinstance(x, Obj) and x.kind == "optimizer"
                }

    def finish_late(self) -> None:
        """Moves that came too late, but for those of modules whose optimizer was not watched to the end."""
        self.events[:] = [
            event
            for event in self.events
            if not isinstance(event, LateMove) or id(event.earlier.node) not in self.unfollowed
        ]

    def watch_move(self, receiver: Any, result: Any, devices: Any, site: Site, blocking: Any) -> None:
        """Says what a move comes too late for, and remembers moves in loops and copies to the host."""
        if isinstance(receiver, Obj):
            for kind, module, earlier in self.late:
                fragile = earlier.attrs.get("%fragile") == Const(True)
                self.emit(LateMove(site, self.where(), kind, module, earlier.site, fragile))
                self.came_late.add(id(earlier.site.node))
            self.late = []
            return
        if type(receiver) is Unknown:
            self._watch_unknown(receiver, devices, site)
        here = type(result) is Tensor and result.cause is not None and result.cause.site == site
        moved = here and receiver.device is not CPU
        if devices is CPU and blocking is None and receiver.device is not CPU:
            self.waits += 1
            if self.in_loop_body():
                self.reads.append((site, receiver, "cpu"))
        if blocking == Const(True) and devices is CPU and moved:
            result.cause.owner = self.waits
        node = site.node.func if isinstance(site.node, t.Call) else None
        copies = any(type(x) is Tensor and x.cause is not None and x.cause.site == site for x in tips(result))
        if self.in_loop_body() and isinstance(node, t.Attr) and type(receiver) is Tensor and copies:
            self._remember_loop_move(node.value, receiver, site)

    def _watch_unknown(self, module: Unknown, devices: Any, site: Site) -> None:
        """Something whose parameters an optimizer has is moved, for the first time as far as is known."""
        earlier = _earlier(module, OPTIMIZER)
        leaves_cpu = any(d is not CPU and d is not None for d in tips(devices))
        if earlier is not None and "%placed" not in module.attrs and leaves_cpu:
            fragile = earlier.attrs.get("%fragile") == Const(True)
            self.emit(LateMove(site, self.where(), "optimizer", module, earlier.site, fragile))
            self.came_late.add(id(earlier.site.node))
        self.write(module.attrs, "%placed", Const(True))

    # -- loops ---------------------------------------------------------------------------------------

    loop_conds = 0
    loop_frame: Any = None

    def in_loop_body(self) -> bool:
        """Whether what is read now is done on every turn of the innermost loop, by that loop's function."""
        frame = self.frame
        return frame is self.loop_frame and len(frame.conds) <= self.loop_conds

    def _remember_loop_move(self, node: t.Expr, receiver: Tensor, site: Site) -> None:
        store: Any = None
        if isinstance(node, t.Name):
            store, key = self.frame.vars, node.id
        elif isinstance(node, t.Attr) and isinstance(node.value, t.Name):
            owner = self.lookup_name(node.value.id)
            if isinstance(owner, Obj):
                store, key = owner.attrs, node.attr
        if store is not None and store.get(key, MISSING) is receiver:
            self.loop_moves[-1].append((store, key, receiver, site))

    def lookup_name(self, name: str) -> Any:
        """What a name is bound to."""
        raise NotImplementedError

    def loop_ended(self, changes: list[tuple[dict[Any, Any], Any, Any]]) -> None:
        """A loop's body was read: what it moved, and did not write, is the same on every turn."""
        written = {(id(store), key) for store, key, _ in changes}
        for store, key, receiver, site in self.loop_moves[-1]:
            if (id(store), key) not in written:
                self.emit(LoopMove(site, self.where(), receiver))

    # -- reads ---------------------------------------------------------------------------------------

    backwards = 0

    def watch_read(self, value: Any, how: str, node: t.Node) -> None:
        """The host reads a tensor."""
        step = getattr(value, "cause", None)
        if type(value) is Tensor and isinstance(step, Step) and step.kind == "move":
            if type(step.owner) is int and step.owner == self.waits:
                self.emit(AsyncRead(step.site, self.where(), self.site(node)))
        if getattr(value, "device", CPU) is not CPU:
            self.waits += 1
        if self.in_loop_body():
            self.reads.append((self.site(node), value, how))

    def training_loop_ended(self) -> None:
        """A loop that called backward() has ended: what it read on each step, it waited for."""
        for site, value, how in self.reads:
            self.emit(Sync(site, self.bare_where(), value, how))

    # -- the rest ------------------------------------------------------------------------------------

    def watch_copy(self, target: Any, source: Any, node: t.Expr) -> None:
        """`target.copy_(source.to(target.device))`."""
        if not isinstance(node, t.Call) or not node.args:
            return
        moved = self.moved_by(node.args[0].value)
        if moved is None or (moved.cast and not any(leaf is target for leaf in tips(moved.like))):
            return  # with a cast on the way, copy_ gets other values
        both = [(a, b) for _, a, b in pairs(target, source, self.assume)]
        if all(type(a) in (Tensor, Unknown) and type(b) in (Tensor, Unknown) for a, b in both) and all(
            a.device == b.device for a, b in both
        ):
            self.emit(CopyMove(self.site(node), self.bare_where(), target, source, moved.site))

    def watch_device(self, value: Any, node: t.Node) -> None:
        """A module places something by a device that it keeps."""
        self.watch_index(value, node)
        frame = self.frame
        obj = frame.self_value
        if not frame.forward or not isinstance(obj, Obj) or not obj.is_module or self.follows(obj):
            return
        if type(value) not in (DeviceValue, Unknown, Const, Cond) or obj.cls is None:
            return
        if any(obj.cls.find(name) is not None for name in ("to", "_apply", "cuda")):
            return
        if PARALLEL & {canonical(name) for name in obj.cls.libs}:
            return
        stores = self.stores.get(id(obj), ())
        read = self._own_attributes(node)
        for attr, stored, site in stores:
            kept = tips(obj.attrs.get(attr))
            is_it = attr in read and any(leaf in kept for leaf in tips(value))
            if is_it or (stored is value and not read and not self._is_argument(node, value)):
                every = tuple(other for name, _, other in stores if name == attr)
                event = StaleDevice(self.site(node), self.where(), obj, attr, site, every)
                self.stale.append((event, self._agrees(obj, value), [node, *self._calls_giving(node)]))
                return

    def _calls_giving(self, node: t.Node) -> list[t.Node]:
        """The calls of the function in the statement that called it, if all that it does with the value of
        a node is to return it."""
        frame = self.frame
        if (
            frame.caller is None
            or frame.function is None
            or not _is_returned(frame.file.tree, frame.stmt, node)
        ):
            return []
        name = getattr(frame.function.node, "name", "")
        return [
            x
            for x in walk(frame.caller.stmt)
            if isinstance(x, t.Call)
            and name == (x.func.attr if isinstance(x.func, t.Attr) else getattr(x.func, "id", None))
        ]

    def _own_attributes(self, node: t.Node) -> set[str]:
        """The attributes of `self` that the arguments of a call are."""
        function = self.frame.function
        params = function.node.params if function is not None else ()
        me = params[0].name if params else ""
        given = [arg.value for arg in node.args] if isinstance(node, t.Call) else []
        return {
            x.attr
            for x in given
            if isinstance(x, t.Attr) and isinstance(x.value, t.Name) and x.value.id == me
        }

    def _is_argument(self, node: t.Node, value: Any) -> bool:
        """Whether a device came as an argument of the function in which it is used."""
        function = self.frame.function
        names = {p.name for p in function.node.params} if function is not None else set()
        used = {x.id for x in walk(node) if isinstance(x, t.Name)}
        return any(self.frame.vars.get(name) is value for name in names & used)

    def _agrees(self, module: Obj, device: Any) -> bool | None:
        """Whether a module is where its device attribute says; None if its user decides where it is."""
        place = module.attrs.get(PLACE)
        if any(isinstance(leaf, Like) and not leaf.named for leaf in tips(place)):
            return None
        both = [(a, b) for _, a, b in pairs(place, self.as_devices(device), self.assume)]
        return all(a is CPU or a == b for a, b in both)

    def finish_stale(self) -> None:
        """The devices kept by modules that the program moves elsewhere, or never says where."""
        placed = [event.obj.cls for event, agrees, _ in self.stale if agrees is not None]
        again = {
            id(event.site.node.func.value)
            for event in self.events
            if isinstance(event, Move)
            and (event.target is not None or event.like is not None)
            and isinstance(event.site.node, t.Call)
            and isinstance(event.site.node.func, t.Attr)
        }
        for event, agrees, (node, *calls) in self.stale:
            if id(node) in again or (calls and all(id(call) in again for call in calls)):
                continue  # moved on at once: nothing meets it where this puts it
            open_to_all = agrees is None and event.obj.cls not in placed and not _is_setting(event)
            if agrees is False or open_to_all:
                self.emit(event)
                self._follows_from(event.site.node)

    def _follows_from(self, node: t.Node) -> None:
        """Drops the events that are there only because a node placed a tensor where it did."""
        self.events[:] = [
            event
            for event in self.events
            if not isinstance(event, Combine)
            or all(
                leaf.cause is None or leaf.cause.site.node is not node for leaf in (event.left, event.right)
            )
        ]

    def watch_save(self, value: Any, target: Any, node: t.Expr) -> None:
        """Remembers what was saved; a state_dict of a wrapper is an event."""
        self.saved.append(Saved(value, target, self.site(node)))
        every = self._state_dicts(value, 0)
        for found in every:
            module = found.attrs["%module"]
            if isinstance(module, Obj) and module.lib in PARALLEL:
                same = [x.attrs["%module"] for x in every if x.site.node is found.site.node]
                certain = all(isinstance(x, Obj) and x.lib in PARALLEL for x in same)
                self.emit(SaveWrapped(found.site, self.where(), module, self.site(node), certain))

    def finish_saves(self) -> None:
        """Saving the state_dict of a wrapper is no fault where the program reads such files, too."""
        if not any(isinstance(event, SaveWrapped) for event in self.events):
            return
        imported = [self.program.load(path) for path in self.program.read if path.endswith(".py")]
        if any(file is not None and reads_both(file.tree) for file in (self.file, *imported)):
            self.events[:] = [event for event in self.events if not isinstance(event, SaveWrapped)]

    def finish_loads(self) -> None:
        """What is saved to the files that are loaded: to the same place, or what has the keys that are asked
        for; if there is no such thing, all that the class saves which loads it."""
        loads = [event for event in self.events if isinstance(event, Load)]
        if not loads or not self.saved:
            return
        written = [(saved, _path_of(saved.site, 1)) for saved in self.saved]
        by_class: dict[t.ClassDef | None, tuple[Saved, ...]] = {}
        for saved in self.saved:
            own = _class_at(saved.site)
            by_class[own] = (*by_class.get(own, ()), saved)
        found: dict[int, tuple[Saved, ...]] = {}
        for load in loads:
            path = _path_of(load.site, 0)
            files = (_as_file_of(load, path, saved, to) for saved, to in written)
            found[id(load)] = tuple(filter(None, files))
        for load in loads:
            # On another way to the same line the result may have been handed on, to be asked there.
            for x in loads if not found[id(load)] else ():
                if x.site.node is load.site.node and _is_same_file(x.source, load.source):
                    found[id(load)] += found[id(x)]
            owner = load.where.function.owner if load.where.function is not None else None
            classes = [cls.node for cls in owner.mro] if owner is not None else [_class_at(load.site)]
            for cls in classes if not found[id(load)] else ():
                found[id(load)] += by_class.get(cls, ()) if cls is not None else ()
        self.events[:] = [
            replace(event, saved=found[id(event)]) if isinstance(event, Load) else event
            for event in self.events
        ]

    def _state_dicts(self, value: Any, depth: int) -> list[Obj]:
        out: list[Obj] = []
        for leaf in tips(value):
            if isinstance(leaf, Obj) and "%module" in leaf.attrs:
                out.append(leaf)
            elif isinstance(leaf, Obj) and depth < 3 and leaf.kind in ("dict", "list"):
                inner = [v for k, v in leaf.attrs.items() if isinstance(k, tuple) or k == REST]
                out += [d for x in inner for d in self._state_dicts(x, depth + 1)]
        return out

    def strip_prefix(self, node: t.Node) -> None:
        """`module.` is cut from a key by hand."""
        self.emit(StripPrefix(self.site(node), self.bare_where()))


def _is_setting(event: StaleDevice) -> bool:
    """Whether a kept device is one of the settings that a module is given, `config["device"]`, `args.device`:
    what the whole program goes by, who places the module included."""
    return all(map(_is_of_settings, tips(event.obj.attrs.get(event.attr))))


def _is_of_settings(leaf: Any) -> bool:
    if type(leaf) is Unknown:
        return leaf.root.source is not None
    place = leaf.device if type(leaf) is DeviceValue else None
    if not isinstance(place, Like) or place.named or place.root.kind != "param":
        return False
    return place.root.seen.isdisjoint(("tensor", "module", "asked"))


def _is_returned(tree: t.Tree, stmt: t.Node, node: t.Node) -> bool:
    """Whether a statement is `return node`, or binds a name to it which the next one returns."""
    if isinstance(stmt, t.Return):
        return stmt.value is node
    if not isinstance(stmt, t.Assign) or stmt.value is not node or len(stmt.targets) != 1:
        return False
    name = stmt.targets[0]
    way = way_to(tree, stmt)
    after = way[-1].block[way[-1].at + 1 :][:1] if way else []
    return isinstance(name, t.Name) and any(
        isinstance(x, t.Return) and isinstance(x.value, t.Name) and x.value.id == name.id for x in after
    )


def _is_same_file(a: Any, b: Any) -> bool:
    return a is not None and (a is b or (type(a) is Const and a == b))


def _as_file_of(load: Load, path: t.Expr | None, saved: Saved, to: t.Expr | None) -> Saved | None:
    """What was saved, if that is seen to be what is loaded. (`path` and `to` name the files.)"""
    if _is_same_file(saved.target, load.source) or _is_spelled_alike(load.site, path, saved.site, to):
        return replace(saved, same=True)
    if _has(load.source, "%bytes") and _has(saved.target, "%empty"):
        return saved  # who writes bytes into memory, and reads such, reads what was written
    asked = {key for key in load.result.attrs if isinstance(key, tuple)}
    has_them = any(
        isinstance(leaf, Obj) and leaf.kind == "dict" and asked <= leaf.attrs.keys()
        for leaf in tips(saved.value)
    )
    return saved if asked and has_them else None


def _has(value: Any, mark: str) -> bool:
    return type(value) is Unknown and mark in value.attrs


def _is_spelled_alike(load: Site, path: t.Expr | None, save: Site, to: t.Expr | None) -> bool:
    """Whether both name a file by the same text: `os.path.join(folder, "a.pt")` is one file in all functions,
    and `path.with_suffix(kind)` is in one."""
    if path is None or isinstance(path, t.Name) or load.file is not save.file or not alike(path, to):
        return False
    here = _function_at(load)
    if here is not _function_at(save):
        return any(isinstance(x, t.Format) or type(getattr(x, "value", None)) is str for x in walk(path))
    used = {x.id for x in walk(path) if isinstance(x, t.Name)}
    bound = [name for x in walk(*here.body) for name in own_names(x)] if here is not None else []
    return all(bound.count(name) < 2 for name in used)


def _function_at(site: Site) -> t.FunctionDef | None:
    return function_around(site.file.tree, site.stmt)


def _class_at(site: Site) -> t.ClassDef | None:
    scopes = scopes_on(way_to(site.file.tree, site.stmt))
    return next((scope for scope in scopes if isinstance(scope, t.ClassDef)), None)


def _path_of(site: Site, position: int) -> t.Expr | None:
    """The expression for the file that a call reads or writes: that of the name which it is given, if the
    function binds it once, or of the file that it opens."""
    found = argument_of(site.node, "f", position) if isinstance(site.node, t.Expr) else None
    for _ in range(2):
        if isinstance(found, t.Name):
            found = _bound_to(site, found.id) or found
        if isinstance(found, t.Call) and isinstance(found.func, t.Name) and found.func.id == "open":
            found = found.args[0].value if found.args else None
    return found


def _bound_to(site: Site, name: str) -> t.Expr | None:
    """The expression that a name stands for at a site: that of the `with` around it, or of the only statement
    of the function that binds it."""
    way = way_to(site.file.tree, site.stmt)
    for owner in [level.owner for level in reversed(way)]:
        if isinstance(owner, t.With):
            for opened, target in owner.items:
                if isinstance(target, t.Name) and target.id == name:
                    return opened
    function = _function_at(site)
    binding = [x for x in walk(*function.body) if name in own_names(x)] if function is not None else []
    if len(binding) != 1:
        return None
    stmt = binding[0]
    plain = isinstance(stmt, t.AnnAssign) or (
        isinstance(stmt, t.Assign) and all(isinstance(target, t.Name) for target in stmt.targets)
    )
    return stmt.value if plain and isinstance(stmt, (t.Assign, t.AnnAssign)) else None


def _earlier(module: Obj | Unknown, key: str) -> Obj | None:
    """What took the parameters of a module, in some case."""
    return next((leaf for leaf in tips(module.attrs.get(key)) if isinstance(leaf, Obj)), None)
