"""The trace for a terminal."""

from __future__ import annotations

import io
import re

from devlint.report import trace_text
from devlint.trace import Trace
from tests.tracing import traced

WHOLE = """\
net.py

Net.__init__
   9  self.layer = nn.Linear(3, 3)
        self.layer  module Linear  cpu
  10  self.mask = torch.ones(3)
        self.mask   tensor         cpu  not registered: it does not move with the module

Net.forward
  12  def forward(self, x):
        x     tensor  wherever x is
          or  tensor  cuda | cpu without an accelerator  when called from line 25; moved in line 22, but the result is dropped, moved in line 23, passed to the module in line 25
  13      x = self.layer(x)
        x     tensor  wherever this Net is               its module is made in line 9
          or  tensor  cuda | cpu without an accelerator  when called from line 25; its module is made in line 9
  14      return x * self.mask
        different devices meet: a * b
          cuda                          |  cpu
          its module is made in line 9  |  created on the CPU in line 10
                                        |  kept as the plain attribute `mask` (line 10)

(top level)
  17  device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        device     device             cuda | cpu without an accelerator
  18  net = Net().to(device)
        net        module Net         cpu -> cuda | cpu without an accelerator  made in line 18
  19  optimizer = torch.optim.Adam(net.parameters())
        optimizer  optimizer Adam     cuda | cpu without an accelerator         its parameters are there
  20  loader = DataLoader(TensorDataset(torch.ones(8, 3)))
        loader     loader DataLoader  cpu                                       its batches are there
  21  for (batch,) in loader:
        batch      tensor             cpu                                       created on the CPU in line 20, comes from this loader, on the CPU (line 20)
  22      batch.to(device)
        batch      tensor             cpu                                       not moved: the result is dropped; created on the CPU in line 20, comes from this loader, on the CPU (line 20)
  23      moved = batch.to(device)
        moved      tensor             cpu -> cuda | cpu without an accelerator  comes from this loader, on the CPU (line 20), moved in line 22, but the result is dropped
  25      print(net(moved) + batch)
        different devices meet: a + b
          cuda                          |  cpu
          its module is made in line 9  |  created on the CPU in line 20
                                        |  comes from this loader, on the CPU (line 20)
                                        |  moved in line 22, but the result is dropped

Modules: what moves with them, and what does not
  Net (line 6)
    moves: layer (Linear)
    stays: mask (tensor, cpu, line 10)

Different devices meet in 2 places: lines 14, 25.
"""


def text(trace: Trace, *, color: bool = False) -> str:
    """The report."""
    stream = io.StringIO()
    trace_text.render(trace, stream, color=color)
    return stream.getvalue()


def test_whole() -> None:
    assert text(traced()) == WHOLE


def test_colours_say_where_a_value_is() -> None:
    colorful = text(traced(), color=True)
    assert "\x1b[36mcpu\x1b[0m -> \x1b[32mcuda | cpu without an accelerator\x1b[0m" in colorful
    assert "\x1b[1;31mdifferent devices meet:\x1b[0m a + b" in colorful
    assert re.sub(r"\x1b\[[0-9;]*m", "", colorful) == WHOLE


def test_nothing_to_say() -> None:
    assert text(traced("x = 1\n")) == "net.py\n\nNothing here has to do with devices.\n"


def test_no_meeting() -> None:
    assert (
        text(traced("import torch\nx = torch.ones(2)\n"))
        == """\
net.py

(top level)
  2  x = torch.ones(2)
       x  tensor  cpu

Nowhere do different devices meet, as far as is known.
"""
    )


def test_a_function_is_named_in_the_title() -> None:
    assert text(traced(function="Net.forward")).startswith("net.py: Net.forward\n")


def test_in_a_narrow_terminal_trails_stand_below() -> None:
    stream = io.StringIO()
    trace_text.render(traced(), stream, width=80)
    text = stream.getvalue()
    assert (
        """
        moved      tensor             cpu -> cuda | cpu without an accelerator
            comes from this loader, on the CPU (line 20), moved in line 22, but
            the result is dropped
  25      print(net(moved) + batch)
        different devices meet: a + b
          cuda
            its module is made in line 9
          cpu
            created on the CPU in line 20
            comes from this loader, on the CPU (line 20)
            moved in line 22, but the result is dropped
"""
        in text
    )
    assert max(map(len, text.splitlines())) <= 80


def test_in_a_very_narrow_one_the_words_stay_whole() -> None:
    stream = io.StringIO()
    trace_text.render(traced(), stream, width=10)
    assert "            its module is made in line 9\n" in stream.getvalue()


def test_names_of_a_line_of_which_the_same_holds_stand_together() -> None:
    program = "import torch\na, b, c = torch.ones(3), torch.ones(3, device='cuda'), torch.ones(3)\n"
    assert "       a, c  tensor  cpu\n       b     tensor  cuda\n" in text(traced(program))
