"""The direction of the project: a module imports only what stands above it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "devlint"

# From the bottom up; those of one line may know each other.
LAYERS = (
    ("text", "globs", "links", "codec", "deep", "files"),
    ("diagnostic",),
    ("syntax",),
    ("model",),
    ("rule",),
    ("selectors", "options", "config"),
    ("rules",),
    ("comments", "suppress", "noqa", "baseline"),
    ("fix",),
    ("lint",),
    ("discover", "workers", "cache", "reading", "project", "rewrite"),
    ("catalogue", "report"),
    ("cli",),
    ("__main__",),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
# What only some may spell: the rest must not depend on the library that does it.
LIBRARIES = {"libcst": {"syntax"}, "click": {"cli"}, "rich": {"cli"}, "torch": set[str]()}


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(path: Path) -> Iterator[str]:
    """All that a module imports when it runs, by full name (what only type checkers see does not count)."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    types = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    ]
    hidden = {id(inner) for node in types for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            assert node.level == 0, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_imports_only_what_stands_above_it(path: Path) -> None:
    here = layer(path)
    for name in imports(path):
        top, _, rest = name.partition(".")
        if top == "devlint":
            there = rest.partition(".")[0]
            assert not there or there.startswith("__") or LEVEL[there] <= LEVEL[here], name
        elif top in LIBRARIES:
            assert here in LIBRARIES[top], name


def test_every_module_has_its_layer() -> None:
    assert {layer(path) for path in modules()} == set(LEVEL)
