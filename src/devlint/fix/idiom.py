"""The device variable that a script lacks: where it goes, what it says, and what it makes pointless.

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

All findings of a file that need it share one: in the function that holds them all, else after the imports.
A flag that decides about moves elsewhere in the file decides here too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from devlint.config import Settings
from devlint.fix.devices import Scene
from devlint.fix.guards import Guard, attributes, roots, without
from devlint.fix.values import is_flag, spelled
from devlint.model.program import File
from devlint.syntax import tree as t
from devlint.syntax.layout import newline, quote, text_of
from devlint.syntax.statements import add_import, insert_after, insert_before
from devlint.syntax.walk import bound_names, scopes_on, walk
from devlint.text import Edit

_NAMES = ("device", "DEVICE")
_LOCAL_NAMES = ("device", "target_device")
_AVAILABLE = "torch.cuda.is_available"


@dataclass(frozen=True, slots=True)
class Written:
    """A device expression, and the edits that it needs to mean something."""

    text: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Needs:
    """What of a file needs a device that nothing at hand has, and the guarded moves beside it. `literals`
    are the device strings that it would replace."""

    scenes: Sequence[Scene]
    guards: Sequence[Guard]
    literals: Sequence[str]


def idiom(file: File, needs: Needs, settings: Settings) -> Written | None:
    """The device variable of a file; None where it cannot be put in rightly."""
    if not needs.scenes:
        return None
    home = _home(needs.scenes)
    plan = _Plan(file, needs, settings)
    return plan.in_block(home) if home is not None else plan.in_module()


def _home(scenes: Sequence[Scene]) -> t.FunctionDef | t.If | None:
    """The outermost function that all scenes are in, or the body of a top-level `if` (of a script's main
    part); None where they have none in common."""
    outermost = {id(found): found for found in map(_outermost, scenes)}
    return next(iter(outermost.values())) if len(outermost) == 1 else None


def _outermost(scene: Scene) -> t.FunctionDef | t.If | None:
    function = next((s for s in scopes_on(scene.way) if isinstance(s, t.FunctionDef)), None)
    below = scene.way[1] if len(scene.way) > 1 else None
    if function is None and below is not None and isinstance(below.owner, t.If):
        return below.owner if below.block is below.owner.body else None
    return function


class _Plan:
    def __init__(self, file: File, needs: Needs, settings: Settings) -> None:
        self.file = file
        self.source = file.source
        self.tree = file.tree
        self.needs = needs
        self.settings = settings

    def in_block(self, home: t.FunctionDef | t.If) -> Written | None:
        """The variable before the first statement of the block that needs it."""
        guards = [g for g in self.needs.guards if any(level.owner is home for level in g.way)]
        ways = [scene.way for scene in self.needs.scenes] + [guard.way for guard in guards]
        at = min(level.at for way in ways for level in way if level.owner is home)
        first = next(
            (s for s in self.needs.scenes if any(x.owner is home and x.at == at for x in s.way)),
            self.needs.scenes[0],
        )
        scene = Scene(first.site._replace(stmt=home.body[at]), first.names)
        name = self._free(_LOCAL_NAMES, home)
        condition = self._condition(scene, guards)
        if name is None or condition is None:
            return None
        made = self._line(name, condition, scene)
        if made is None:
            return None
        line, imports = made
        where = insert_before(self.source, home.body[at], line)
        return Written(name, (*imports, where, *self._unguarded(guards, condition, name)))

    def in_module(self) -> Written | None:
        """The variable after the imports, and after the flags that it reads."""
        name = self._free(_NAMES, self.tree)
        if name is None:
            return None
        end = Scene(self.needs.scenes[0].site._replace(stmt=self.tree.body[-1]), (self.file.globals,))
        condition = self._condition(end, self.needs.guards)
        if condition is None:
            return None
        anchor = max(self._last_import(), self._last_binding(condition))
        if anchor < 0 or any(scene.way[0].at <= anchor for scene in self.needs.scenes):
            return None
        if not isinstance(self.tree.body[anchor], (t.Import, t.ImportFrom, t.Assign, t.AnnAssign)):
            return None
        made = self._line(name, condition, end)
        if made is None:
            return None
        line, imports = made
        unguarded = self._unguarded(self.needs.guards, condition, name)
        return Written(name, (*imports, self._after(anchor, line), *unguarded))

    # -- what it says --------------------------------------------------------------------------------

    def _condition(self, scene: Scene, guards: Sequence[Guard]) -> t.Expr | str | None:
        """The test that decides: the one that guards most moves, a flag in scope, or "" for
        `torch.cuda.is_available()`. None where a flag decides that cannot be read here."""
        tests = Counter(text_of(self.source, guard.test) for guard in self.needs.guards)
        for text, _ in tests.most_common():
            test = next(g.test for g in self.needs.guards if text_of(self.source, g.test) == text)
            if text.endswith(f"{_AVAILABLE}()"):
                return ""
            return test if all(scene.has(name) for name in roots(test)) else None
        return next((name for name in self._flags(scene)), "")

    def _flags(self, scene: Scene) -> list[str]:
        return [
            name
            for scope in scene.names
            for name, value in scope.items()
            if name.isidentifier() and is_flag(value) and scene.has(name)
        ]

    def _line(self, name: str, condition: t.Expr | str, scene: Scene) -> tuple[str, tuple[Edit, ...]] | None:
        torch = spelled(scene.names, "torch")
        imports: tuple[Edit, ...] = ()
        if torch is None:
            torch = "torch"
            edit = add_import(self.source, "torch")
            imports = (edit,) if edit is not None else ()
        elif not scene.has(torch.split(".")[0]):
            return None
        q = quote(self.source)
        accelerator = self.settings.device_idiom == "accelerator" and self.settings.target_torch >= (2, 6)
        if accelerator and condition == "":
            api = f"{torch}.accelerator"
            text = f"{api}.current_accelerator() if {api}.is_available() else {torch}.device({q}cpu{q})"
            return f"{name} = {text}", imports
        test = condition if isinstance(condition, str) else text_of(self.source, condition)
        kinds = set(self.needs.literals)
        kind = kinds.pop() if len(kinds) == 1 else "cuda"
        chosen = f"{q}{kind}{q} if {test or f'{torch}.cuda.is_available()'} else {q}cpu{q}"
        return f"{name} = {torch}.device({chosen})", imports

    def _unguarded(self, guards: Sequence[Guard], condition: t.Expr | str, name: str) -> list[Edit]:
        test = f"{_AVAILABLE}()" if condition == "" else condition
        text = test if isinstance(test, str) else text_of(self.source, test)
        same = [g for g in guards if text_of(self.source, g.test) == text]
        return list(without(self.source, same, name))

    # -- where it goes -------------------------------------------------------------------------------

    def _free(self, names: Sequence[str], scope: t.FunctionDef | t.If | t.Tree) -> str | None:
        """The first name that is neither bound around nor inside the scope."""
        taken = bound_names(self.tree)
        for node in walk(scope):
            if isinstance(node, t.FunctionDef):
                taken |= bound_names(node)
            elif isinstance(node, t.Name):
                taken.add(node.id)
        return next((name for name in names if name not in taken), None)

    def _last_import(self) -> int:
        """The number of the last import before anything is defined, or needs the variable."""
        last = -1
        first_use = min(scene.way[0].at for scene in self.needs.scenes)
        for at, stmt in enumerate(self.tree.body[:first_use]):
            if isinstance(stmt, (t.FunctionDef, t.ClassDef)):
                break
            if isinstance(stmt, (t.Import, t.ImportFrom)):
                last = at
        return last

    def _last_binding(self, condition: t.Expr | str) -> int:
        """The number of the last statement that binds what the condition reads."""
        if isinstance(condition, str):
            names, pairs = {condition}, set[tuple[str, str]]()
        else:
            names, pairs = roots(condition), attributes(condition)
        last = -1
        for at, stmt in enumerate(self.tree.body):
            for node in walk(stmt) if isinstance(stmt, (t.Assign, t.AnnAssign, t.If, t.Try)) else ():
                bound = node.targets if isinstance(node, t.Assign) else ()
                for target in bound:
                    if isinstance(target, t.Name) and target.id in names:
                        last = at
                    elif isinstance(target, t.Attr) and isinstance(target.value, t.Name):
                        last = at if (target.value.id, target.attr) in pairs else last
        return last

    def _after(self, anchor: int, line: str) -> Edit:
        stmt = self.tree.body[anchor]
        if not isinstance(stmt, (t.Import, t.ImportFrom)):
            return insert_after(self.source, stmt, line)
        edit = insert_after(self.source, stmt, line)
        end = newline(self.source)
        following = self.source.text[edit.end :].lstrip("\r\n")
        blank = self.source.text[edit.end :].startswith(end * 2) or not following
        return Edit(edit.start, edit.end, end + edit.text + ("" if blank else end))


__all__ = ["Needs", "Written", "idiom"]
