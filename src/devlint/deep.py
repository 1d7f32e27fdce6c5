"""Work that recurses deeply: a thread with a large stack."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# A sum of 500 terms ends Python's default of 1000 frames in libcst's parser.
_STACK_SIZES = tuple(megabytes << 20 for megabytes in (512, 256, 64))
# What a level of recursion takes of the stack at most, with room to spare.
_BYTES_A_FRAME = 2600
_POLL_SECONDS = 0.5

# What runs now. It outlives an interrupted call, and the process must know of it when it ends.
_busy: set[threading.Event] = set()


def run_deep(work: Callable[[], T]) -> T:
    """Calls `work` in such a thread; its result, or its exception.

    The caller stays open to Ctrl-C, which leaves the thread to run on: see `end_if_busy`.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def body() -> None:
        _busy.add(done)
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            _busy.discard(done)
            done.set()

    limit = sys.getrecursionlimit()
    try:
        _start(body, limit)
        # An unlimited wait cannot be interrupted on Windows; an interrupted `join` takes the thread for dead.
        while not done.wait(_POLL_SECONDS):
            pass
    finally:
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]


def end_if_busy(code: int) -> None:
    """Ends the process here and now if work that was given up still runs.

    The interpreter cannot wait for it, and aborts if it finds a thread inside a parser when it shuts down.
    """
    if _busy:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


def _start(body: Callable[[], None], limit: int) -> None:
    """Starts a thread with the largest stack that the system gives, and raises the limit to fit."""
    before = threading.stack_size()
    try:
        for size in _STACK_SIZES:
            thread = threading.Thread(target=body, daemon=True)
            try:
                threading.stack_size(size)
                sys.setrecursionlimit(max(limit, size // _BYTES_A_FRAME))
                thread.start()
            except (ValueError, RuntimeError, MemoryError):
                continue
            return
    finally:
        threading.stack_size(before)
    sys.setrecursionlimit(limit)
    threading.Thread(target=body, daemon=True).start()
