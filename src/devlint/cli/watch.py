"""`devlint check --watch`: again, whenever a file changes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping

PAUSE = 0.5
"""Seconds between two looks at the files."""

Stamps = Mapping[str, tuple[int, int] | None]


def stamps(paths: Iterable[str]) -> Stamps:
    """What tells a changed file from an unchanged one; None for a file that is not there."""
    return {path: _stamp(path) for path in paths}


def watch(
    run: Callable[[], object], look: Callable[[], Stamps], sleep: Callable[[float], object] = time.sleep
) -> None:
    """Run now, and whenever a look at the files differs from the one before. Ends with an interrupt."""
    seen: Stamps | None = None
    while True:
        # Looked at before the run, so that a change during it is not missed.
        now = look()
        if now != seen:
            run()
            seen = now
        sleep(PAUSE)


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
