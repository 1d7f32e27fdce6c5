"""Run `devlint check` over a folder of packages: findings by rule and package, and what went wrong.

    python benchmarks/corpus.py FOLDER                          the counts
    python benchmarks/corpus.py FOLDER --sample 100 [--seed 1]  so many findings to read, evenly over rules

Exits with 1 if a run ended with anything but 0 or 1, or devlint failed on a file by its own fault.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

CHECK = [sys.executable, "-m", "devlint", "check", ".", "--isolated", "--no-cache", "--jobs", "1"]


@dataclass(frozen=True)
class Checked:
    """What a run over one package gave."""

    package: Path
    code: int
    findings: list[dict[str, Any]]
    complaints: list[str]

    @property
    def faults(self) -> list[str]:
        """What is devlint's own fault."""
        lines = [line for line in self.complaints if "internal error" in line or "Traceback" in line]
        return lines if self.code in (0, 1) or lines else [f"exit code {self.code}", *self.complaints]


def checked(package: Path, timeout: float, options: list[str]) -> Checked:
    """Check one package from inside its folder."""
    command = [*CHECK, "--output-format", "json", *options]
    try:
        ended = subprocess.run(
            command, cwd=package, capture_output=True, text=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        return Checked(package, -1, [], [f"no end after {timeout:g} s"])
    findings = json.loads(ended.stdout) if ended.stdout.strip() else []
    return Checked(package, ended.returncode, findings, ended.stderr.splitlines())


def packages_in(folder: Path, names: list[str]) -> list[Path]:
    """The packages of a folder; all, or those named."""
    return sorted(path for path in folder.iterdir() if path.is_dir() and (not names or path.name in names))


def tables(runs: Iterable[Checked]) -> None:
    """Print findings by package and by rule."""
    rules: Counter[str] = Counter()
    spread: defaultdict[str, set[str]] = defaultdict(set)
    print(f"{'package':32} {'code':>4} {'findings':>8}")
    for run in runs:
        print(f"{run.package.name:32} {run.code:4} {len(run.findings):8}", flush=True)
        for fault in run.faults:
            print(f"    {fault}")
        for finding in run.findings:
            rules[f"{finding['code']} {finding['name']}"] += 1
            spread[f"{finding['code']} {finding['name']}"].add(run.package.name)
    print(f"\n{'rule':40} {'findings':>8} {'packages':>8}")
    for rule, number in sorted(rules.items()):
        print(f"{rule:40} {number:8} {len(spread[rule]):8}")
    print(f"{'all':40} {rules.total():8}")


def sample(runs: Iterable[Checked], size: int, seed: int) -> list[tuple[Path, dict[str, Any]]]:
    """Findings, drawn in turn from each rule, and within a rule in turn from each package."""
    chance = random.Random(seed)
    piles: defaultdict[str, defaultdict[Path, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        for finding in run.findings:
            piles[finding["code"]][run.package].append(finding)
    by_rule = {code: iter(list(_in_turn(piles[code], chance))) for code in sorted(piles)}
    drawn: list[tuple[Path, dict[str, Any]]] = []
    while by_rule and len(drawn) < size:
        for code in list(by_rule):
            found = next(by_rule[code], None)
            if found is None:
                del by_rule[code]
            elif len(drawn) < size:
                drawn.append(found)
    return sorted(drawn, key=lambda pair: pair[1]["code"])


def _in_turn(
    piles: dict[Path, list[dict[str, Any]]], chance: random.Random
) -> Iterable[tuple[Path, dict[str, Any]]]:
    left = {package: chance.sample(found, len(found)) for package, found in piles.items()}
    order = chance.sample(sorted(left), len(left))
    for package in islice(cycle(order), len(order) * max(map(len, left.values()), default=0)):
        if left[package]:
            yield package, left[package].pop()


def show(package: Path, finding: dict[str, Any], around: int) -> None:
    """Print a finding with the lines around it."""
    path = package / finding["filename"]
    row, end = finding["location"]["row"], finding["end_location"]["row"]
    print(f"\n{path}:{row}:{finding['location']['column']} {finding['code']} {finding['name']}")
    print(f"    {finding['message']}")
    for note in finding["notes"]:
        print(f"    note {note.get('filename', '')}:{note['location']['row']}: {note['message']}")
    if finding["fix"]:
        print(f"    fix ({finding['fix']['applicability']}): {finding['fix']['message']}")
    lines = path.read_text("utf-8", errors="replace").splitlines()
    for number in range(max(1, row - around), min(len(lines), end + around) + 1):
        print(f"  {'>' if row <= number <= end else ' '} {number:5} {lines[number - 1]}")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="PACKAGE")
    parser.add_argument("--sample", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--around", type=int, default=8, help="lines of context (default: 8)")
    parser.add_argument("--select", help="only these rules")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for a package (default: 600)")
    given = parser.parse_args()
    options = ["--select", given.select] if given.select else []
    runs = (checked(package, given.timeout, options) for package in packages_in(given.folder, given.names))
    if given.sample:
        done = list(runs)
        for package, finding in sample(done, given.sample, given.seed):
            show(package, finding, given.around)
    else:
        done = []
        tables(done.append(run) or run for run in runs)  # type: ignore[func-returns-value]
    return 1 if any(run.faults for run in done) else 0


if __name__ == "__main__":
    sys.exit(main())
