"""Run `devlint fix --write --unsafe-fixes` over a copy of a folder of packages, and look at what it did.

    python benchmarks/fixcorpus.py FOLDER [PACKAGE ...] [--keep COPY]

For each package: how many findings there were and how many are left; files that no longer compile; whether
a second run changes anything; and rows that changed although no fix spoke of them. Exits with 1 on any.
"""

from __future__ import annotations

import argparse
import difflib
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


def run(command: str, package: Path, *options: str) -> str:
    """Run a command of devlint's in a package's folder."""
    ended = subprocess.run(
        [*DEVLINT, command, *COMMON, *options], cwd=package, capture_output=True, text=True, check=False
    )
    if ended.returncode not in (0, 1):
        raise SystemExit(f"{package.name}: devlint {command} ended with {ended.returncode}\n{ended.stderr}")
    return ended.stdout


def found(package: Path) -> list[dict[str, Any]]:
    """The findings in a package."""
    findings: list[dict[str, Any]] = json.loads(run("check", package, "--output-format", "json") or "[]")
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


def touched(before: bytes, after: bytes) -> Iterator[int]:
    """The rows of the text before that are not the same after, byte for byte."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for kind, first, last, _, _ in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from range(first + 1, max(last, first + 1) + 1)


@dataclass
class Look:
    """What the fixes did to one package."""

    package: str
    findings: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    changed: int = 0
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
    run("fix", package, "--write")
    after, left = texts(package), found(package)
    run("fix", package, "--write")
    again = texts(package)
    result = Look(package.name)
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
        strange = set(touched(text, after[path])) - rows.get(path, set())
        result.strange += [f"{path}:{row}" for row in sorted(strange)]
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
        print(f"{'package':32} {'findings':>8} {'left':>6} {'files':>6}")
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
    print(f"{each.package:32} {each.findings.total():8} {each.left.total():6} {each.changed:6}", flush=True)
    for fault in each.faults:
        print(f"    {fault}")


if __name__ == "__main__":
    sys.exit(main())
