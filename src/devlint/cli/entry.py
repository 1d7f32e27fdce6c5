"""Where the `devlint` program starts.

`--version` is answered before anything is imported: editors and hooks ask for it at every start.
"""

from __future__ import annotations

import sys


def main(argv: list[str] | None = None) -> int:
    """Run the program with these arguments (default: those of the process); the exit code."""
    args = sys.argv[1:] if argv is None else argv
    if args in (["--version"], ["-V"]):
        from devlint import __version__

        sys.stdout.write(f"devlint {__version__}\n")
        return 0
    from devlint.cli.app import run

    return run(args)
