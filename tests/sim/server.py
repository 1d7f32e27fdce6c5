"""A warm process: it has imported torch, and forks one child for each program that it is sent.

Requests and replies are lines of JSON on standard input and output.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from tests.sim import program


def serve() -> None:
    """Answer requests until standard input ends."""
    torch.set_num_threads(1)  # a pool of threads does not survive a fork
    replies = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        request = json.loads(line)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            reply = _in_child(request, Path(folder))
        print(json.dumps(reply), file=replies, flush=True)


def _in_child(request: dict[str, Any], folder: Path) -> dict[str, Any]:
    out, err, result = folder / ".stdout", folder / ".stderr", folder / ".result"
    for name, text in request["files"].items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    pid = os.fork()
    if pid == 0:
        _child(request, folder, out, err, result)
    finished = _wait(pid, time.monotonic() + request["timeout"])
    _kill_group(pid)
    if not finished:
        os.waitpid(pid, 0)
        error: str | None = f"TimeoutError: no end after {request['timeout']} s"
    elif result.exists():
        error = json.loads(result.read_text())
    else:
        error = "ProcessError: the program ended its process"
    return {"error": error, "stdout": _text(out), "stderr": _text(err)}


def _child(request: dict[str, Any], folder: Path, out: Path, err: Path, result: Path) -> None:
    """Run the program and end the process, whatever it left behind."""
    status = 1
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number, path in ((1, out), (2, err)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
        error = program.execute(
            folder / request["main"],
            gpus=request["gpus"],
            rank=request["rank"],
            world=request["world"],
            argv=request["argv"],
        )
        sys.stdout.flush()
        sys.stderr.flush()
        result.write_text(json.dumps(error))
        status = 0
    finally:
        os._exit(status)


def _wait(pid: int, deadline: float) -> bool:
    while time.monotonic() < deadline:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return True
        time.sleep(0.002)
    return False


def _kill_group(pid: int) -> None:
    """End the child, and the worker processes that it left."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


if __name__ == "__main__":
    serve()
