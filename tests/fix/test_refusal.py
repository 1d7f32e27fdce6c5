"""Files in which nothing can be fixed, because libcst does not give them back as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from devlint.config import Resolver
from devlint.discover import discover
from devlint.rewrite import run_fix
from devlint.rules import all_rules


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("import torch\rmodel = torch.nn.Linear(2, 2).cuda()\r", True),
        ("import torch\n\fmodel = torch.nn.Linear(2, 2).cuda()\n", False),
        ("import torch\n\f\nmodel = torch.nn.Linear(2, 2).cuda()\n", False),
    ],
)
def test_it_is_said_that_nothing_is_fixed(
    text: str, refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_bytes(text.encode())
    found = discover(["a.py"], Resolver(all_rules(), isolated=True))
    (result,) = run_fix(found, unsafe=True, write=True, jobs=1, cache=False)
    assert [why.startswith("a.py: nothing is fixed: ") for why in result.dropped] == [True] * refused
    assert (Path("a.py").read_bytes() == text.encode()) is refused
    assert len(result.fixed) == 1 - refused
