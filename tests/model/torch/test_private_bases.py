from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest

from devlint.model.libraries import module_base

torch = pytest.importorskip("torch")


def private() -> dict[str, Any]:
    """The private names of PyTorch's files of layers."""
    package = torch.nn.modules
    files = [
        importlib.import_module(f"{package.__name__}.{info.name}")
        for info in pkgutil.iter_modules(package.__path__)
    ]
    return {
        f"{file.__name__}.{name}": value
        for file in files
        for name, value in vars(file).items()
        if name.startswith("_") and not name.startswith("__")
    }


def test_private_bases_of_layers_are_modules() -> None:
    known = {name for name in private() if module_base(name)}
    modules = {
        name
        for name, value in private().items()
        if isinstance(value, type) and issubclass(value, torch.nn.Module)
    }
    assert known <= modules
    assert modules - known <= {"torch.nn.modules.conv._ConvTransposeMixin"}
