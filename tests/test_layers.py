"""One direction: a module imports only what stands above it, and no two modules import each other."""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "devlint"

# The way through, from bytes to reports; what is on one line knows nothing of what comes later.
_RUNGS = """
text diagnostic cells links globs deep files codec workers
comments
syntax
model
trace
rule selectors options config errors tracebacks
rules
suppress baseline noqa
fix
lint cache
discover reading project rewrite explain
catalogue report
cli
__init__ __main__
"""
ORDER = _RUNGS.split()

FILES = sorted(SOURCE.rglob("*.py"))


def module_of(file: Path) -> str:
    """The dotted name of a file."""
    parts = file.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(file): file for file in FILES}


def imports(file: Path) -> Iterator[str]:
    """The modules that a file imports when it runs, wherever in it."""
    for node in _at_run_time(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are absolute"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else str(node.module)


def _at_run_time(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _at_run_time(child)


def rung(module: str) -> str:
    """The part of the package that a module belongs to."""
    return module.split(".")[1] if "." in module else "__init__"


def test_every_part_has_its_place() -> None:
    assert {rung(module) for module in MODULES} == set(ORDER)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_stands_above_it(module: str) -> None:
    here = ORDER.index(rung(module))
    for name in imports(MODULES[module]):
        # `devlint` by itself is asked for the version only.
        if name.startswith("devlint."):
            assert ORDER.index(rung(name)) <= here, f"{module} imports {name}"


def test_no_two_modules_import_each_other() -> None:
    graph = {
        module: {name for name in imports(file) if name in MODULES and name != "devlint"}
        for module, file in MODULES.items()
    }
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError


# What only one part may spell: the rest must not depend on the library that does it.
LIBRARIES = {"libcst": "syntax", "click": "cli", "rich": "cli", "torch": ""}


@pytest.mark.parametrize("module", MODULES)
def test_a_library_is_spelled_in_one_place_and_torch_in_none(module: str) -> None:
    for name in imports(MODULES[module]):
        assert LIBRARIES.get(name.split(".")[0], rung(module)) == rung(module), f"{module} imports {name}"
