"""How long `devlint --version` takes, against `python -c pass`, turn by turn: the least of many runs.

python benchmarks/startup.py [--runs 20] [--at-most 4]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path


def seconds(command: list[str]) -> float:
    """How long a command takes, from the outside."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--at-most", type=float, default=4.0, help="fail above this ratio (default: 4)")
    given = parser.parse_args()
    script = shutil.which("devlint", path=str(Path(sys.executable).parent))
    devlint = [script] if script else [sys.executable, "-m", "devlint"]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "devlint --version": [*devlint, "--version"],
    }
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(given.runs):
        for name, command in commands.items():
            best[name] = min(best[name], seconds(command))
    for name, least in best.items():
        print(f"{name:20} {1000 * least:6.1f} ms")
    ratio = best["devlint --version"] / best["python -c pass"]
    print(f"ratio {ratio:.2f} (at most {given.at_most:g})")
    return 0 if ratio <= given.at_most else 1


if __name__ == "__main__":
    sys.exit(main())
