"""What stands in for a hard-coded device string: the string where that device is there, else the CPU."""

from __future__ import annotations

from devlint.config import Settings
from devlint.fix.values import Names, spelled
from devlint.model.program import File
from devlint.syntax import tree as t
from devlint.syntax.layout import quote
from devlint.syntax.statements import add_import
from devlint.syntax.walk import parent, walk
from devlint.text import Edit

# The function that tells whether a type of device can be used, and the first torch that has it.
_ASKS: dict[str, tuple[str, tuple[int, int]]] = {
    "cuda": ("torch.cuda.is_available", (1, 0)),
    "mps": ("torch.backends.mps.is_available", (1, 12)),
    "xpu": ("torch.xpu.is_available", (2, 4)),
}


def torch_here(file: File, names: Names) -> tuple[str, tuple[Edit, ...]] | None:
    """How torch is written at a place, and the import that this needs; None where the file imports torch
    late on purpose, or its name is taken."""
    found = spelled(names, "torch") or spelled((file.globals,), "torch")
    if found is not None:
        return found, ()
    for node in walk(*file.tree.body):
        if isinstance(node, t.Name) and node.id == "torch":
            return None
        if isinstance(node, t.Import) and any(name.split(".")[0] == "torch" for name, _ in node.names):
            return None
        if isinstance(node, t.ImportFrom) and node not in file.tree.body and node.module.startswith("torch"):
            return None
    edit = add_import(file.source, "torch")
    return None if edit is None else ("torch", (edit,))


def with_fallback(
    file: File, names: Names, literal: str, kind: str, settings: Settings
) -> tuple[str, tuple[Edit, ...]] | None:
    """`literal if torch.cuda.is_available() else "cpu"`, and the import that it needs. `kind` is the type of
    device that the literal names. None where no function of the project's oldest torch tells."""
    ask = _ASKS.get(kind)
    torch = torch_here(file, names)
    if ask is None or torch is None or settings.target_torch < ask[1]:
        return None
    name, imports = torch
    q = literal[-1] if literal[-1:] in ("'", '"') else quote(file.source)
    return f"{literal} if {name}{ask[0].removeprefix('torch')}() else {q}cpu{q}", imports


def needs_brackets(stmt: t.Node, node: t.Node) -> bool:
    """Whether a conditional expression in the place of a node would be read otherwise without brackets."""
    plain = (t.Arg, t.Assign, t.AnnAssign, t.Param, t.Return, t.DictDisplay, t.Display, t.Lambda)
    return not isinstance(parent(stmt, node), plain)
