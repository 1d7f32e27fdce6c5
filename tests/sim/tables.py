"""Tables of expressions, asked of a simulated machine all at once: a process for each would take minutes."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable

from tests.sim import run

PRELUDE = """\
import torch
from torch import nn
import torch.nn.functional as F
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
cpu, gpu = torch.ones(4, 4), torch.ones(4, 4, device=device)
cpu0, gpu0 = torch.tensor(2.0), torch.tensor(2.0, device=device)
cpu1, gpu1 = torch.ones(1), torch.ones(1, device=device)
"""

_ASK = """
import ast, json, sys
said = {}
for text in json.loads(sys.argv[1]):
    names = {"__name__": "__main__", **{k: v for k, v in globals().items() if k not in ("said", "text")}}
    try:
        tree = ast.parse(text)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<row>", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), "<row>", "eval"), names)
        said[text] = str(value)
    except Exception as error:
        said[text] = f"!{type(error).__name__}: {error}"
    torch.set_default_device(None)
print(json.dumps(said))
"""


@functools.cache
def _said(rows: tuple[str, ...], gpus: int) -> dict[str, str]:
    outcome = run(PRELUDE + _ASK, gpus, argv=[json.dumps(rows)])
    assert outcome.ok, outcome.error
    said: dict[str, str] = json.loads(outcome.stdout.splitlines()[-1])
    return said


def says(table: Iterable[str], row: str, gpus: int) -> str:
    """What a row of a table of programs says: the text of its last expression, or `!` and the error."""
    return _said(tuple(table), gpus)[row]


def agrees(said: str, want: str) -> bool:
    """Whether it is what was wanted: the same text, or an error with that part."""
    return want[1:] in said if want.startswith("!") and said.startswith("!") else said == want
