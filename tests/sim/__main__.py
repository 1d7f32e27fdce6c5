"""Run a program on a simulated machine: exit 0, or 1 with the error as the last line."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--gpus", type=int, default=1, help="how many GPUs the machine has (default: 1)")
    parser.add_argument("--rank", type=int, help="run as this rank, as torchrun would")
    parser.add_argument("--world", type=int, default=1, help="of so many ranks (default: 1)")
    parser.add_argument("program", type=Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    os.environ["CUDA_VISIBLE_DEVICES"] = ""  # read when torch is imported
    from tests.sim.program import execute

    error = execute(
        given.program.resolve(), gpus=given.gpus, rank=given.rank, world=given.world, argv=given.arguments
    )
    if error is None:
        return 0
    print(error, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
