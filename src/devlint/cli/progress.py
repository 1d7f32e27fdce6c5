"""A progress bar: on terminals only, on stderr, and only in runs that take longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

PATIENCE: Final = 1.0
"""Seconds before a bar appears."""


@contextmanager
def progress(
    show: bool, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int, int], None] | None]:
    """What to tell of files done and files in all; None where nobody would see it."""
    if not show:
        yield None
        return
    start = clock()
    bar: Callable[[int, int], None] | None = None
    with ExitStack() as stack:

        def tell(done: int, total: int) -> None:
            nonlocal bar
            if bar is None and clock() - start > PATIENCE:
                bar = stack.enter_context(_bar())
            if bar is not None:
                bar(done, total)

        yield tell


@contextmanager
def _bar() -> Iterator[Callable[[int, int], None]]:
    """A bar that is gone when the run ends."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as shown:
        task = shown.add_task("checking")
        yield lambda done, total: shown.update(task, completed=done, total=total)
