"""Ways through a lowered tree: what is inside a node, and what a statement stands in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from devlint.syntax import tree as t

Scope = t.FunctionDef | t.ClassDef | t.Lambda | t.Tree


class Level(NamedTuple):
    """A step of the way down to a statement: the block it is in, its number there, and whose block it is."""

    owner: t.Node
    block: list[t.Stmt]
    at: int

    @property
    def stmt(self) -> t.Stmt:
        """The statement of the block that the way goes through."""
        return self.block[self.at]


_FIELDS: dict[type[t.Node], tuple[str, ...]] = {}


def _fields(kind: type[t.Node]) -> tuple[str, ...]:
    """The slots of a node class that may hold nodes."""
    if kind not in _FIELDS:
        slots = (name for base in kind.__mro__ for name in getattr(base, "__slots__", ()))
        _FIELDS[kind] = tuple(name for name in slots if name not in ("cst", "facts"))
    return _FIELDS[kind]


def _nodes(value: object) -> Iterator[t.Node]:
    if isinstance(value, t.Node):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _nodes(item)


def children(node: t.Node) -> Iterator[t.Node]:
    """The nodes right inside a node."""
    for name in _fields(type(node)):
        yield from _nodes(getattr(node, name))


def walk(*roots: t.Node) -> Iterator[t.Node]:
    """The nodes themselves and all that is inside them."""
    stack: list[t.Node] = list(reversed(roots))
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(list(children(node)))


def give_places(tree: t.Node, placed: t.Node) -> None:
    """Give the nodes of a tree the libcst nodes of the same tree, lowered from libcst's.

    Raises:
        ValueError: they are not the same.
    """
    pairs = [(tree, placed)]
    while pairs:
        node, twin = pairs.pop()
        if type(node) is not type(twin):
            raise ValueError(f"{type(node).__name__} where libcst has {type(twin).__name__}")
        node.cst = twin.cst
        pairs += zip(children(node), children(twin), strict=True)


def blocks(node: t.Node) -> Iterator[list[t.Stmt]]:
    """The blocks of statements right inside a statement (of a `try`, those of its handlers too)."""
    for name in ("body", "orelse", "final"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
    for name in ("handlers", "cases"):
        for part in getattr(node, name, ()):
            yield part.body


def way_to(tree: t.Tree, stmt: t.Node) -> tuple[Level, ...]:
    """The way from the top of a file down to a statement; empty if it is not a statement of the file."""
    stack: list[tuple[t.Node, tuple[Level, ...]]] = [(tree, ())]
    while stack:
        owner, above = stack.pop()
        for block in blocks(owner):
            for at, inner in enumerate(block):
                way = (*above, Level(owner, block, at))
                if inner is stmt:
                    return way
                if not isinstance(inner, (t.Assign, t.ExprStmt)):
                    stack.append((inner, way))
    return ()


def alike(a: object, b: object) -> bool:
    """Whether two expressions are spelled the same."""
    if type(a) is not type(b) or isinstance(a, t.Opaque):
        return False
    if isinstance(a, t.Node):
        return all(alike(getattr(a, name), getattr(b, name)) for name in _fields(type(a)))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(alike, a, b))
    return a == b


def function_around(tree: t.Tree, stmt: t.Node) -> t.FunctionDef | None:
    """The innermost function that a statement stands in, not across a class."""
    scopes = scopes_on(way_to(tree, stmt))
    found = scopes[-1] if scopes else None
    return found if isinstance(found, t.FunctionDef) else None


def argument_of(node: t.Expr, name: str | None, position: int) -> t.Expr | None:
    """The argument of that name or at that position of a call; None where stars hide it."""
    if not isinstance(node, t.Call):
        return None
    for arg in node.args:
        if arg.name == name is not None:
            return arg.value
    if any(arg.star for arg in node.args[: position + 1]) or position >= len(node.args):
        return None
    return node.args[position].value if node.args[position].name is None else None


def own_attribute(node: object, method: t.FunctionDef | t.Lambda) -> str:
    """The attribute that an expression is of the object whose method it stands in (`self.name`), or empty."""
    me = method.params[0].name if method.params else ""
    own = isinstance(node, t.Attr) and isinstance(node.value, t.Name) and node.value.id == me
    return node.attr if own and isinstance(node, t.Attr) else ""


def parent(root: t.Node, node: t.Node) -> t.Node | None:
    """The node right around another, found from one that is further out."""
    for outer in walk(root):
        if any(inner is node for inner in children(outer)):
            return outer
    return None


def scopes_on(way: tuple[Level, ...]) -> tuple[t.FunctionDef | t.ClassDef, ...]:
    """The functions and classes that a way goes into, outermost first."""
    return tuple(level.owner for level in way if isinstance(level.owner, (t.FunctionDef, t.ClassDef)))


def targets(stmt: t.Node) -> Iterator[t.Expr]:
    """What a statement binds by itself, not the statements inside it (Starred and displays taken apart)."""
    found: list[t.Expr | None] = []
    if isinstance(stmt, t.Assign):
        found += stmt.targets
    elif isinstance(stmt, t.AnnAssign):
        found += [stmt.target] if stmt.value is not None else []
    elif isinstance(stmt, (t.AugAssign, t.For, t.Delete)):
        found.append(stmt.target)
    elif isinstance(stmt, t.With):
        found += [target for _, target in stmt.items]
    while found:
        node = found.pop(0)
        if isinstance(node, t.Display):
            found = [*node.items, *found]
        elif isinstance(node, t.Starred):
            found.insert(0, node.value)
        elif node is not None:
            yield node


def own_names(stmt: t.Node) -> Iterator[str]:
    """The names that a statement binds by itself."""
    for target in targets(stmt):
        if isinstance(target, t.Name):
            yield target.id
    if isinstance(stmt, (t.FunctionDef, t.ClassDef)):
        yield stmt.name
    elif isinstance(stmt, t.Import):
        yield from (bound or name.split(".")[0] for name, bound in stmt.names)
    elif isinstance(stmt, t.ImportFrom):
        yield from (bound for _, bound in stmt.names or ())


def bound_names(scope: t.FunctionDef | t.Tree) -> set[str]:
    """All names that a function or a file binds in its own scope, at any place."""
    out: set[str] = set()
    outer: set[str] = set()
    if isinstance(scope, t.FunctionDef):
        out |= {p.name for p in scope.params}
    stack: list[t.Node] = list(scope.body)
    while stack:
        node = stack.pop()
        out |= set(own_names(node))
        if isinstance(node, t.Scope):
            outer |= set(node.names)
        elif isinstance(node, t.Walrus) and isinstance(node.target, t.Name):
            out.add(node.target.id)
        elif isinstance(node, t.Handler) and node.name:
            out.add(node.name)
        elif isinstance(node, t.Case):
            out |= set(node.binds)
        if not isinstance(node, (t.FunctionDef, t.ClassDef, t.Lambda)):
            stack += children(node)
    return out - outer


def bound_before(way: tuple[Level, ...], name: str) -> bool:
    """Whether a name of the innermost scope is bound on every way to the end of `way`: by a parameter, or
    a statement (a loop's target counts inside the loop, a branch only inside it)."""
    for level in reversed(way):
        if isinstance(level.owner, t.FunctionDef) and any(p.name == name for p in level.owner.params):
            return True
        if isinstance(level.owner, (t.For, t.With)) and name in own_names(level.owner):
            return True
        for stmt in reversed(level.block[: level.at]):
            if _surely_binds(stmt, name):
                return True
        if isinstance(level.owner, t.FunctionDef):
            return False
    return False


def bound_at_end(scope: t.FunctionDef | t.Tree, name: str) -> bool:
    """Whether a function or a file has surely bound a name when it has run to its end."""
    return bound_before((Level(scope, scope.body, len(scope.body)),), name)


def _surely_binds(stmt: t.Stmt, name: str) -> bool:
    if isinstance(stmt, t.Delete):
        return False
    if name in own_names(stmt) and not isinstance(stmt, (t.For, t.AugAssign)):
        return True
    if isinstance(stmt, t.With):
        return any(_surely_binds(s, name) for s in stmt.body)
    if isinstance(stmt, t.If):
        return bool(stmt.orelse) and all(
            _leaves(block) or any(_surely_binds(s, name) for s in block) for block in (stmt.body, stmt.orelse)
        )
    if isinstance(stmt, t.Try):
        return any(_surely_binds(s, name) for s in stmt.final) or (
            any(_surely_binds(s, name) for s in (*stmt.body, *stmt.orelse))
            and all(_leaves(h.body) or any(_surely_binds(s, name) for s in h.body) for h in stmt.handlers)
        )
    return False


def _leaves(block: list[t.Stmt]) -> bool:
    """Whether a block never runs to its end."""
    return bool(block) and isinstance(block[-1], (t.Return, t.Raise, t.Jump))
