"""Work that recurses deeply: a thread with a large stack."""

from __future__ import annotations

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


def run_deep(work: Callable[[], T]) -> T:
    """Calls `work` in such a thread; its result, or its exception.

    The caller stays open to Ctrl-C, which leaves the thread to die with the process.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def body() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    limit = sys.getrecursionlimit()
    try:
        thread = _start(body, limit)
        # An unlimited join cannot be interrupted on Windows.
        while thread.is_alive():
            thread.join(_POLL_SECONDS)
    finally:
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]


def _start(body: Callable[[], None], limit: int) -> threading.Thread:
    """Starts a thread with the largest stack that the system gives, and raises the limit to fit."""
    before = threading.stack_size()
    try:
        for size in _STACK_SIZES:
            thread = threading.Thread(target=body, name="devlint", daemon=True)
            try:
                threading.stack_size(size)
                sys.setrecursionlimit(max(limit, size // _BYTES_A_FRAME))
                thread.start()
            except (ValueError, RuntimeError, MemoryError):
                continue
            return thread
    finally:
        threading.stack_size(before)
    sys.setrecursionlimit(limit)
    thread = threading.Thread(target=body, name="devlint", daemon=True)
    thread.start()
    return thread
