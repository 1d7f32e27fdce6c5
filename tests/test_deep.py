from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from devlint import deep
from devlint.deep import end_if_busy, run_deep


@pytest.fixture(autouse=True)
def nothing_is_left_changed() -> Iterator[None]:
    before = sys.getrecursionlimit(), threading.stack_size()
    yield
    assert (sys.getrecursionlimit(), threading.stack_size()) == before


def depth(n: int) -> int:
    return 0 if n == 0 else 1 + depth(n - 1)


def test_recursion_goes_deep() -> None:
    assert run_deep(lambda: depth(50_000)) == 50_000


def test_an_exception_comes_out() -> None:
    def fail() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError, match="x"):
        run_deep(fail)


def test_an_endless_recursion_is_an_exception() -> None:
    def endless() -> int:
        return endless()

    with pytest.raises(RecursionError):
        run_deep(endless)


def test_a_system_that_gives_no_large_stack_still_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deep, "_STACK_SIZES", (1, 2))  # ValueError: at least 32 KiB
    limit = sys.getrecursionlimit()
    assert run_deep(sys.getrecursionlimit) == limit


def test_a_thread_that_cannot_be_started_is_tried_with_less(monkeypatch: pytest.MonkeyPatch) -> None:
    start = threading.Thread.start
    sizes: list[int] = []

    def stingy(thread: threading.Thread) -> None:
        size = threading.stack_size()
        threading.stack_size(size)  # asking for it has set it back
        sizes.append(size)
        if size > 64 << 20:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", stingy)
    assert run_deep(lambda: depth(10_000)) == 10_000
    assert sizes == [512 << 20, 256 << 20, 64 << 20]


def test_without_work_left_nothing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "_exit", lambda _: pytest.fail("ended"))
    run_deep(lambda: None)
    end_if_busy(130)


def test_ctrl_c_ends_a_run_whose_work_does_not_end() -> None:
    # A shell starts what runs in its background with SIGINT ignored, and that is inherited.
    program = """
import signal, sys, time
from devlint.deep import end_if_busy, run_deep

signal.signal(signal.SIGINT, signal.default_int_handler)

def work():
    sys.stdout.write("started\\n")
    sys.stdout.flush()
    sys.stdout.write("not flushed yet")
    time.sleep(60)

try:
    run_deep(work)
except KeyboardInterrupt:
    end_if_busy(130)
    raise SystemExit("the work was not seen")
"""
    start = time.monotonic()
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    time.sleep(1)  # until it sleeps
    process.send_signal(signal.SIGINT)
    assert process.stdout.read() == "not flushed yet"
    assert process.wait() == 130
    assert time.monotonic() - start < 50
