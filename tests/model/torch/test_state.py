"""Which options give a layer its state, compared with the installed torch."""

from __future__ import annotations

import inspect

import pytest

from devlint.model.torch.modules import MODULES

torch = pytest.importorskip("torch")

OPTIONAL = [name for name, info in MODULES.items() if info.state_if]


@pytest.mark.parametrize("name", OPTIONAL)
def test_options_are_where_torch_has_them(name: str) -> None:
    parameters = list(inspect.signature(getattr(torch.nn, name.rpartition(".")[2])).parameters.values())
    for option, position, default in MODULES[name].state_if:
        assert (parameters[position].name, parameters[position].default) == (option, default)


@pytest.mark.parametrize("name", [n for n in OPTIONAL if "Lazy" not in n])
def test_without_them_there_is_no_state(name: str) -> None:
    layer = getattr(torch.nn, name.rpartition(".")[2])
    sizes = (1, 2) if name.endswith("GroupNorm") else (2,)
    made = layer(*sizes, **{option: False for option, _, _ in MODULES[name].state_if})
    assert not [*made.parameters(), *made.buffers()]
