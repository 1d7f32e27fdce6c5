"""Run `devlint fix --write --unsafe-fixes` over a copy of a folder of packages, and look at what it did.

    python benchmarks/fixcorpus.py FOLDER [PACKAGE ...] [--keep COPY]

For each package: how many findings there were, how many are left, and how many fixes could not be
defended; files that no longer compile; whether a second run changes anything; and rows that changed
although no fix spoke of them. Exits with 1 on any of the last three.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DEVLINT = [sys.executable, "-m", "devlint"]
COMMON = [".", "--isolated", "--no-cache", "--jobs", "1", "--unsafe-fixes"]
Texts = dict[Path, bytes]


def run(command: str, package: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a command of devlint's in a package's folder."""
    ended = subprocess.run(
        [*DEVLINT, command, *COMMON, *options], cwd=package, capture_output=True, text=True, check=False
    )
    if ended.returncode not in (0, 1):
        raise SystemExit(f"{package.name}: devlint {command} ended with {ended.returncode}\n{ended.stderr}")
    return ended


def found(package: Path) -> list[dict[str, Any]]:
    """The findings in a package."""
    report = run("check", package, "--output-format", "json").stdout
    findings: list[dict[str, Any]] = json.loads(report or "[]")
    return findings


def texts(package: Path) -> Texts:
    """The bytes of all Python files in a folder."""
    return {path.relative_to(package): path.read_bytes() for path in sorted(package.rglob("*.py"))}


def compiles(text: bytes) -> bool:
    """Whether Python can compile it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<file>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def spoken_of(findings: list[dict[str, Any]]) -> dict[Path, set[int]]:
    """The rows that fixes say they change, by file, with those around insertions."""
    rows: dict[Path, set[int]] = {}
    for finding in findings:
        for edit in (finding["fix"] or {}).get("edits", ()):
            path = Path(edit.get("filename") or finding["filename"])
            first, last = edit["location"]["row"], edit["end_location"]["row"]
            rows.setdefault(path, set()).update(range(first - 1, last + 2))
    return rows


def strays(before: bytes, after: bytes, spoken: set[int]) -> Iterator[str]:
    """The runs of rows of which no fix spoke that are not there any more, or in another order."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    silent = [row for row in range(1, len(old) + 1) if row not in spoken]
    at = 0
    for _, run in itertools.groupby(enumerate(silent), lambda pair: pair[1] - pair[0]):
        rows = [row for _, row in run]
        lines = old[rows[0] - 1 : rows[-1]]
        there = (i for i in range(at, len(new) - len(lines) + 1) if new[i : i + len(lines)] == lines)
        found = next(there, None)
        if found is None:
            yield f"{rows[0]}-{rows[-1]}"
        else:
            at = found + len(lines)


@dataclass
class Look:
    """What the fixes did to one package."""

    package: str
    findings: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    changed: int = 0
    refused: int = 0
    broken: list[str] = field(default_factory=list)
    unstable: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """All that is wrong, in words."""
        kinds = (
            ("no longer compiles", self.broken),
            ("changed again by a second run", self.unstable),
            ("changed where no fix spoke of it", self.strange),
        )
        return [f"{where}: {words}" for words, places in kinds for where in places]


def look(package: Path) -> Look:
    """Fix a package, and see what became of it."""
    before, findings = texts(package), found(package)
    said = run("fix", package, "--write").stderr
    after, left = texts(package), found(package)
    run("fix", package, "--write")
    again = texts(package)
    result = Look(package.name, refused=said.count(" is left out: "))
    result.findings.update(finding["code"] for finding in findings)
    result.left.update(finding["code"] for finding in left)
    rows = spoken_of(findings)
    for path, text in before.items():
        if after[path] != again[path]:
            result.unstable.append(str(path))
        if after[path] == text:
            continue
        result.changed += 1
        if compiles(text) and not compiles(after[path]):
            result.broken.append(str(path))
        result.strange += [f"{path}:{run}" for run in strays(text, after[path], rows.get(path, set()))]
    return result


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="PACKAGE")
    parser.add_argument(
        "--keep", type=Path, help="make the copy here, and leave it (default: a scratch folder)"
    )
    given = parser.parse_args()
    looks: list[Look] = []
    with tempfile.TemporaryDirectory() as scratch:
        copies = given.keep or Path(scratch)
        print(f"{'package':32} {'findings':>8} {'left':>6} {'refused':>7} {'files':>6}")
        for package in sorted(path for path in given.folder.iterdir() if path.is_dir()):
            if given.names and package.name not in given.names:
                continue
            shutil.copytree(package, copies / package.name, ignore=shutil.ignore_patterns("__pycache__"))
            looks.append(look(copies / package.name))
            report(looks[-1])
    all_found: Counter[str] = sum((each.findings for each in looks), Counter())
    all_left: Counter[str] = sum((each.left for each in looks), Counter())
    print(f"\n{'rule':8} {'findings':>8} {'fixed':>6}")
    for code in sorted(all_found):
        print(f"{code:8} {all_found[code]:8} {all_found[code] - all_left[code]:6}")
    print(f"{'all':8} {all_found.total():8} {all_found.total() - all_left.total():6}")
    return 1 if any(each.faults for each in looks) else 0


def report(each: Look) -> None:
    """Print the row of one package."""
    left = f"{each.left.total():6} {each.refused:7}"
    print(f"{each.package:32} {each.findings.total():8} {left} {each.changed:6}", flush=True)
    for fault in each.faults:
        print(f"    {fault}")


if __name__ == "__main__":
    sys.exit(main())
