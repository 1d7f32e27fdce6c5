"""Asking the warm process to run programs."""

from __future__ import annotations

import atexit
import functools
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Outcome:
    """What became of a program: `error` is what a machine with these GPUs raises, in one line."""

    ok: bool
    error: str | None
    stdout: str


class Judge:
    """A process that has imported torch, and forks for each program (importing it takes seconds)."""

    def __init__(self) -> None:
        # No real GPU may be seen, and no pool of threads may be there to be lost in a fork.
        environment = os.environ | {
            "CUDA_VISIBLE_DEVICES": "",
            "OMP_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.sim.server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=_ROOT,
            env=environment,
            text=True,
        )

    def run(self, request: Mapping[str, Any]) -> Outcome:
        """Run one program.

        Raises:
            RuntimeError: the process has died.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the judge has died with code {self._process.wait()}")
        reply = json.loads(line)
        return Outcome(reply["error"] is None, reply["error"], reply["stdout"])

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)


@functools.cache
def _judge() -> Judge:
    judge = Judge()
    atexit.register(judge.close)
    return judge


def run(
    source: str | Mapping[str, str],
    gpus: int,
    *,
    main: str = "program.py",
    rank: int | None = None,
    world: int = 1,
    argv: Sequence[str] = (),
    timeout: float = 60,
) -> Outcome:
    """Run a program as a machine with this many GPUs would.

    `source` is its text, or its files by name, of which `main` is run. With a `rank` it runs as torchrun
    starts it, as one of `world` processes.
    """
    files = {main: source} if isinstance(source, str) else dict(source)
    return _judge().run(
        {
            "files": files,
            "main": main,
            "gpus": gpus,
            "rank": rank,
            "world": world,
            "argv": list(argv),
            "timeout": timeout,
        }
    )
