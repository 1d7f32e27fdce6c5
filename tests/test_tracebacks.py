"""Tracebacks in the forms that logs have."""

from __future__ import annotations

from pathlib import Path

import pytest

from devlint.tracebacks import Frame, own, parse

PYTHON = """\
epoch 1
Traceback (most recent call last):
  File "/home/me/project/train.py", line 9, in <module>
    main()
    ~~~~^^
  File "/venv/lib/python3.13/site-packages/torch/nn/modules/linear.py", line 125, in forward
    return F.linear(input, self.weight, self.bias)
RuntimeError: Expected all tensors to be on the same device,
but found at least two devices, cuda:0 and cpu!
"""
IPYTHON = """\
---------------------------------------------------------------------------
RuntimeError                              Traceback (most recent call last)
File ~/project/train.py:9, in main(args)
      8 x = 1
----> 9 model(x)

RuntimeError: Torch not compiled with CUDA enabled
"""
PYTEST = """\
tests/test_net.py:12: in test_net
    net(x)
src/net.py:7: in forward
    return x * self.mask
E   RuntimeError: Expected all tensors to be on the same device
src/net.py:7: RuntimeError
"""


def test_python() -> None:
    found = parse(PYTHON)
    assert found.frames == (
        Frame("/home/me/project/train.py", 9, "<module>"),
        Frame("/venv/lib/python3.13/site-packages/torch/nn/modules/linear.py", 125, "forward"),
    )
    assert found.message == (
        "RuntimeError: Expected all tensors to be on the same device,\n"
        "but found at least two devices, cuda:0 and cpu!"
    )


def test_ipython() -> None:
    found = parse(IPYTHON)
    assert [(frame.file, frame.row) for frame in found.frames] == [("~/project/train.py", 9)]
    assert found.message == "RuntimeError: Torch not compiled with CUDA enabled"


def test_pytest() -> None:
    found = parse(PYTEST)
    assert found.frames[:2] == (
        Frame("tests/test_net.py", 12, "test_net"),
        Frame("src/net.py", 7, "forward"),
    )
    assert found.message == "RuntimeError: Expected all tensors to be on the same device"


def test_the_last_of_several() -> None:
    first = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 'x'\n"
    between = "\nDuring handling of the above exception, another exception occurred:\n\n"
    found = parse(first + between + PYTHON)
    assert [frame.row for frame in found.frames] == [9, 125]


def test_colours_time_stamps_and_windows() -> None:
    text = (
        "[rank0]: Traceback (most recent call last):\r\n"
        '[rank0]:   \x1b[35mFile "C:\\work\\train.py", line 3, in main\x1b[0m\r\n'
        "[rank0]:     x.cuda()\r\n"
        "[rank0]: RuntimeError: No CUDA GPUs are available\r\n"
    )
    found = parse(text)
    assert found.frames == (Frame("C:\\work\\train.py", 3, "main"),)
    assert found.message == "RuntimeError: No CUDA GPUs are available"


def test_a_message_alone() -> None:
    assert parse("  No CUDA GPUs are available\n") == parse("No CUDA GPUs are available")
    assert parse("No CUDA GPUs are available").message == "No CUDA GPUs are available"


@pytest.mark.parametrize(
    "file",
    ["pkg/net.py", "/home/someone/else/project/pkg/net.py", "C:\\else\\project\\pkg\\net.py"],
)
def test_frames_of_the_project_wherever_it_lay(tmp_path: Path, file: str) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "net.py").touch()
    frame = Frame(file, 1, "f")
    assert own((frame,), str(tmp_path)) == ((frame, str(tmp_path / "pkg" / "net.py")),)


def test_frames_of_others(tmp_path: Path) -> None:
    (tmp_path / "linear.py").touch()
    (tmp_path / ".venv" / "lib").mkdir(parents=True)
    (tmp_path / ".venv" / "lib" / "x.py").touch()
    files = ["/venv/lib/site-packages/torch/linear.py", "<string>", str(tmp_path / ".venv" / "lib" / "x.py")]
    assert own(tuple(Frame(file, 1, "") for file in files), str(tmp_path)) == ()
