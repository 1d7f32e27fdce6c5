"""Worker processes that outlive each other: one that dies costs the item it was at, and no other."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NamedTuple, TypeVar, cast

from devlint.deep import run_deep

Item = TypeVar("Item")
Result = TypeVar("Result")

_PRELOADED = ["libcst", "devlint.lint", "devlint.rules"]


class Died(NamedTuple):
    """In place of a result: the process that was at the item died with this exit code."""

    exitcode: int | None


class _Worker(NamedTuple):
    process: Any
    pipe: Connection


class Pool(Generic[Item, Result]):
    """Hands chunks of items to processes.

    `make` is called once in every worker and gives the function that handles an item; it, the items and
    the results are pickled.
    """

    def __init__(
        self, make: Callable[[], Callable[[Item], Result]], chunks: Sequence[Sequence[Item]], jobs: int
    ) -> None:
        self._make = make
        self._items = [item for chunk in chunks for item in chunk]
        numbers = iter(range(len(self._items)))
        self._waiting = deque([next(numbers) for _ in chunk] for chunk in chunks)
        self._jobs = jobs
        self._context = _context()
        self._running: dict[Connection, _Worker] = {}
        self._left: dict[Connection, list[int]] = {}

    def results(self) -> Iterator[tuple[int, Result | Died]]:
        """The number of an item (counted over all chunks) with its result, as they come.

        Raises:
            OSError: no process can be started.
        """
        try:
            for _ in range(min(self._jobs, len(self._waiting))):
                self._start()
            while self._running:
                for pipe in wait(list(self._running)):
                    # Windows has a class of its own for these.
                    yield from self._receive(cast(Connection, pipe))
        finally:
            for worker in self._running.values():
                worker.process.terminate()
                worker.process.join()
                worker.pipe.close()
            self._running.clear()

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(self._make, theirs, os.getcwd()), daemon=True)
        try:
            process.start()
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        self._running[ours] = _Worker(process, ours)
        self._hand_out(ours)

    def _hand_out(self, pipe: Connection) -> None:
        """Gives a worker its next chunk, or lets it go."""
        numbers = self._waiting.popleft() if self._waiting else []
        self._left[pipe] = numbers
        with contextlib.suppress(OSError):  # it died meanwhile: its end is received next
            pipe.send([self._items[number] for number in numbers])

    def _receive(self, pipe: Connection) -> Iterator[tuple[int, Result | Died]]:
        left = self._left[pipe]
        try:
            result: Result = pipe.recv()
        except (EOFError, OSError):
            yield from self._bury(pipe)
            return
        yield left.pop(0), result
        if not left:
            self._hand_out(pipe)

    def _bury(self, pipe: Connection) -> Iterator[tuple[int, Result | Died]]:
        """A worker is gone: at its end, or in the middle of an item; then another takes its place."""
        worker = self._running.pop(pipe)
        worker.process.join()
        pipe.close()
        left = self._left.pop(pipe)
        if left:
            yield left[0], Died(worker.process.exitcode)
            if left[1:]:
                self._waiting.appendleft(left[1:])
        if self._waiting:
            self._start()


def _context() -> Any:
    """A clean process to start workers from: a fork may copy a lock that a thread holds, and which method
    is the default changes with the version of Python."""
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOADED)
        return context
    return multiprocessing.get_context("spawn")


def _work(make: Callable[[], Callable[[Any], Any]], pipe: Connection, folder: str) -> None:
    """The life of a worker: chunks in, results out, until an empty chunk comes."""
    # Ctrl-C goes to the whole group of processes; the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The server starts its children where it was started itself.
    os.chdir(folder)

    def live() -> None:
        handle = make()
        gc.disable()  # what handles the items knows when there is garbage
        while chunk := pipe.recv():
            for item in chunk:
                pipe.send(handle(item))

    with contextlib.suppress(EOFError, BrokenPipeError):
        run_deep(live)
