"""What is saved, and whether it is what is loaded."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from devlint.model.cond import tips
from devlint.model.events import (
    Load,
    Saved,
    SaveWrapped,
    StripPrefix,
)
from devlint.model.library import PARALLEL
from devlint.model.prefixes import reads_both
from devlint.model.stale import Stale
from devlint.model.value import (
    REST,
    Const,
    Obj,
    Site,
    Unknown,
)
from devlint.syntax import tree as t
from devlint.syntax.walk import alike, argument_of, function_around, own_names, scopes_on, walk, way_to


class Saving(Stale):
    """The part of the machine that remembers what torch.save was given."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.saved: list[Saved] = []

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
