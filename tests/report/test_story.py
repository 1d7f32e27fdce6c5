"""The story of an error, in its formats."""

from __future__ import annotations

from pathlib import Path

import pytest

from devlint.explain import Story, story
from devlint.report import story as report
from devlint.rules import all_rules
from tests.test_explain import TRACEBACK
from tests.tracing import PROGRAM

RULES = {rule.name: rule for rule in all_rules()}
WHOLE = """\
An operation gets tensors from different devices. PyTorch never copies between them by itself.

How it came there, and where the values were (with the lines that set them)
  net.py:25, in <module>
    print(net(moved) + batch)
      net (18)    module Net  cpu -> cuda | cpu without an accelerator  made in line 18
      moved (23)  tensor      cpu -> cuda | cpu without an accelerator  comes from this loader, on the CPU (line 20), moved in line 22, but the result is dropped
      batch (22)  tensor      cpu                                       not moved: the result is dropped; created on the CPU in line 20, comes from this loader, on the CPU (line 20)
      different devices meet: a + b
        cuda                          |  cpu
        its module is made in line 9  |  created on the CPU in line 20
                                      |  comes from this loader, on the CPU (line 20)
                                      |  moved in line 22, but the result is dropped
  net.py:14, in forward
    return x * self.mask
      x (13)          tensor  cuda | cpu without an accelerator  its module is made in line 9
      self.mask (10)  tensor  cpu                                not registered: it does not move with the module
      different devices meet: a * b
        cuda                          |  cpu
        its module is made in line 9  |  created on the CPU in line 10
                                      |  kept as the plain attribute `mask` (line 10)

What devlint finds in this file
  net.py:10:9: DEV301 unregistered-tensor: a plain tensor attribute: moving the module leaves it behind
  net.py:22:5: DEV101 unassigned-move: the result of `.to()` is dropped: it moves no tensor in place
  To see what can be mended:
  devlint fix --unsafe-fixes --select unregistered-tensor,unassigned-move net.py

What may have caused it, the likeliest first
  1. A module keeps a tensor as a plain attribute (`self.mask = torch.ones(...)`). Moving the module
     moves parameters and buffers only: use `register_buffer`.
     found here: net.py:10 (DEV301 unregistered-tensor)
  2. `x.to(device)` or `x.cuda()` stands alone on a line: it returns the moved tensor, and x stays
     where it was.
     found here: net.py:22 (DEV101 unassigned-move)
  3. The input, the target or the batch was not moved to the model's device, or the model was not.
     found by input-not-moved (DEV402)
  4. `forward` creates a tensor or a layer without a device: it is on the CPU, wherever the input
     is.
     found by factory-without-device (DEV304), module-in-forward (DEV305)
  5. Layers are kept in a plain list, tuple or dict. They are not part of the module, and never move
     with it.
     found by unregistered-module (DEV302)
  6. A module remembers the device that it was built with, and was moved since.
     found by stale-device-attribute (DEV307)
  7. An operation takes one tensor that was moved, and one that was not.
     found by device-mismatch (DEV401)
"""
MESSAGE = """\
An optimizer takes parameters and other leaves only; moving one makes a new tensor that is none.

What may have caused it, the likeliest first
  1. `nn.Parameter(...).to(device)` is a plain tensor: `nn.Parameter(torch.zeros(...,
     device=device))`.
     found by moved-parameter (DEV102)
  2. `torch.randn(..., requires_grad=True).to(device)` loses its gradient.
     found by moved-leaf (DEV103)

To look for them:
  devlint check --select moved-parameter,moved-leaf
"""
DOCUMENT = """\
# non-leaf

An optimizer takes parameters and other leaves only; moving one makes a new tensor that is none.

## What may have caused it, the likeliest first

1. `nn.Parameter(...).to(device)` is a plain tensor: `nn.Parameter(torch.zeros(..., device=device))`. Found by `moved-parameter` (DEV102).
2. `torch.randn(..., requires_grad=True).to(device)` loses its gradient. Found by `moved-leaf` (DEV103).
"""


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Story:
    """The story of a traceback."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "devlint.toml").touch()
    (tmp_path / "net.py").write_text(PROGRAM)
    return known(TRACEBACK)


def known(text: str) -> Story:
    """The story of an error that is known."""
    found = story(text)
    assert found is not None
    return found


def test_a_traceback(told: Story) -> None:
    assert report.text(told, RULES) == WHOLE


def test_in_colour(told: Story) -> None:
    colorful = report.text(told, RULES, color=True)
    assert "\x1b[1;31mDEV101 unassigned-move\x1b[0m" in colorful
    assert "\x1b[1mnet.py:25\x1b[0m, in <module>" in colorful


def test_a_message() -> None:
    assert report.text(known("can't optimize a non-leaf Tensor"), RULES) == MESSAGE


def test_a_document() -> None:
    assert report.markdown(known("can't optimize a non-leaf Tensor"), RULES) == DOCUMENT


def test_a_document_of_a_traceback(told: Story) -> None:
    document = report.markdown(told, RULES)
    assert document.startswith("# same-device\n")
    assert "```text\nHow it came there" in document
    assert document.count("```") == 2
    assert "register_buffer`. **Found here**: net.py:10 (DEV301 unregistered-tensor).\n" in document


def test_an_object(told: Story) -> None:
    found = report.entry(told)
    assert found["error"] == "same-device"
    assert found["causes"][1]["rules"] == ["unassigned-move"]
    assert [frame["row"] for frame in found["frames"]] == [25, 14]
    assert [value["name"] for value in found["frames"][0]["values"]] == ["net", "moved", "batch"]
    assert found["causes"][0]["found"] == [{"filename": "net.py", "row": 10}]
    assert found["findings"][1] == {
        "code": "DEV101",
        "name": "unassigned-move",
        "message": "the result of `.to()` is dropped: it moves no tensor in place",
        "filename": "net.py",
        "location": {"row": 22, "column": 5},
    }


def test_in_a_narrow_terminal(told: Story) -> None:
    text = report.text(told, RULES, width=80)
    shown = text[: text.index("What devlint finds")]
    assert max(map(len, shown.splitlines())) <= 80
    assert "        cuda\n          its module is made in line 9\n" in shown
