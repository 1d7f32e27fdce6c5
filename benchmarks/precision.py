"""How many findings are right: what `devlint check` reports on real packages, and what a reader says of it.

    python -m benchmarks.precision FOLDER [PACKAGE ...]     a table: findings, how many were read, are right
    python -m benchmarks.precision FOLDER --sample 20       findings that nobody has read, evenly over rules
    python -m benchmarks.precision FOLDER --write           write the numbers into docs/precision.md

FOLDER holds a folder for each package of read.txt; what is missing there is downloaded. A judgement is a line
of verdicts.jsonl: a finding, known by its package, file, rule and the text of its line and of those around
it, and *right*, *wrong* or *doubtful*, with the reason. `--sample` prints the line to complete and to add.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from benchmarks.corpus import Checked, checked, packages_in, sample, show
from benchmarks.get import download_all, listed, wanted
from devlint.baseline import normalized
from devlint.diagnostic import Severity
from devlint.rules import all_rules

HERE = Path(__file__).resolve().parent
PACKAGES = HERE / "read.txt"
VERDICTS = HERE / "verdicts.jsonl"
PAGE = HERE.parent / "docs" / "precision.md"
NEIGHBOURS = 5
"""So many lines above and below tell findings on lines with the same text apart."""

Judgement = Literal["right", "doubtful", "wrong"]
JUDGEMENTS: tuple[Judgement, ...] = get_args(Judgement)


class Mark(NamedTuple):
    """What a finding is known by, whatever its line number is."""

    package: str
    path: str
    code: str
    line: str
    around: str


@dataclass(frozen=True)
class Verdict:
    """What a reader thought of a finding. The row is for people: it is no part of the mark."""

    package: str
    version: str
    path: str
    row: int
    code: str
    line: str
    around: str
    verdict: Judgement
    reason: str

    @property
    def mark(self) -> Mark:
        """What joins it with a finding."""
        return Mark(self.package, self.path, self.code, self.line, self.around)


@dataclass(frozen=True)
class Found:
    """A finding, and what was thought of it."""

    package: Path
    finding: dict[str, Any]
    mark: Mark
    verdict: Verdict | None = None


def verdicts(file: Path = VERDICTS) -> list[Verdict]:
    """All that was judged, in the order in which it was read.

    Raises:
        SystemExit: a line is no verdict.
    """
    read: list[Verdict] = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
        try:
            entry = Verdict(**json.loads(line))
        except (ValueError, TypeError) as error:
            raise SystemExit(f"{file.name}:{number}: {error}") from None
        if entry.verdict not in JUDGEMENTS or not entry.reason.strip():
            raise SystemExit(f"{file.name}:{number}: no verdict, or no reason")
        read.append(entry)
    return read


def mark_of(package: Path, finding: dict[str, Any]) -> Mark:
    """The mark of a finding, by the text of its file."""
    path = Path(finding["filename"])
    lines = (package / path).read_text("utf-8", errors="replace").splitlines()
    return marked(package.name, path.as_posix(), finding["code"], lines, finding["location"]["row"])


def marked(package: str, path: str, code: str, lines: list[str], row: int) -> Mark:
    """The mark of what is found in a row of a file."""
    near = [normalized(line) for line in lines[max(0, row - 1 - NEIGHBOURS) : row + NEIGHBOURS]]
    digest = hashlib.sha256("\n".join(near).encode("utf-8", "backslashreplace")).hexdigest()[:12]
    line = normalized(lines[row - 1]) if row <= len(lines) else ""
    return Mark(package, path, code, line, digest)


def joined(runs: Iterable[Checked], read: Iterable[Verdict]) -> list[Found]:
    """The findings with their verdicts. Of findings with the same mark, as many as were judged have one."""
    known: defaultdict[Mark, list[Verdict]] = defaultdict(list)
    for verdict in read:
        known[verdict.mark].append(verdict)
    found = []
    for run in runs:
        for finding in run.findings:
            if finding["cell"] is not None:  # a row of a cell is no row of the file
                continue
            mark = mark_of(run.package, finding)
            mine = known[mark].pop(0) if known[mark] else None
            found.append(Found(run.package, finding, mark, mine))
    return found


@dataclass
class Row:
    """The numbers of a rule."""

    findings: int = 0
    now: Counter[str] = field(default_factory=Counter)
    first: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Row) -> Row:
        return Row(self.findings + other.findings, self.now + other.now, self.first + other.first)


def by_rule(found: Iterable[Found], read: Iterable[Verdict]) -> dict[str, Row]:
    """The numbers, by code: of the findings of today, and of all that was read."""
    rows: defaultdict[str, Row] = defaultdict(Row)
    for each in found:
        rows[each.mark.code].findings += 1
        if each.verdict is not None:
            rows[each.mark.code].now[each.verdict.verdict] += 1
    for verdict in read:
        rows[verdict.code].first[verdict.verdict] += 1
    return dict(sorted(rows.items()))


def severities() -> dict[str, Severity]:
    """The rules' severities by code."""
    return {rule.code: rule.severity for rule in all_rules()}


def names_of(found: Iterable[Found]) -> dict[str, str]:
    """The rules' names by code; of rules that find nothing any more as well."""
    names = {rule.code: rule.name for rule in all_rules()}
    return names | {each.mark.code: str(each.finding["name"]) for each in found}


def print_table(rows: dict[str, Row], names: dict[str, str]) -> None:
    """Print the numbers."""
    print(f"{'rule':36} {'findings':>8} {'read':>6} {'right':>6} {'doubtful':>8} {'wrong':>6}", flush=True)
    for title, row in [(f"{code} {names[code]}", row) for code, row in rows.items()] + [("all", total(rows))]:
        counts = [row.now[word] for word in JUDGEMENTS]
        print("{:36} {:8} {:6} {:6} {:8} {:6}".format(title, row.findings, sum(counts), *counts))


def total(rows: dict[str, Row]) -> Row:
    """The numbers of all rules."""
    return sum(rows.values(), Row())


def evenly(counts: Iterable[Counter[str]], size: int = 150) -> tuple[int, float]:
    """Of so many findings, with as many of each rule as there are, up to a number common to all: that
    number, and the share of right ones to expect."""
    rules = [rule for rule in counts if rule.total()]
    most = 1
    while sum(min(most, rule.total()) for rule in rules) < size and any(
        most < rule.total() for rule in rules
    ):
        most += 1
    taken = {id(rule): min(most, rule.total()) for rule in rules}
    right = sum(taken[id(rule)] * rule["right"] / rule.total() for rule in rules)
    return most, right / max(1, sum(taken.values()))


def ask(found: list[Found], size: int, seed: int, around: int, versions: dict[str, str]) -> None:
    """Print findings that nobody has judged, each with the line to complete."""
    unread: defaultdict[Path, list[dict[str, Any]]] = defaultdict(list)
    for each in found:
        if each.verdict is None:
            unread[each.package].append(each.finding)
    runs = [Checked(package, 1, findings, []) for package, findings in unread.items()]
    for package, finding in sample(runs, size, seed):
        show(package, finding, around)
        mark, row = mark_of(package, finding), finding["location"]["row"]
        version = versions.get(package.name, "")
        blank = {"verdict": "", "reason": ""}
        entry = {"package": mark.package, "version": version, "path": mark.path, "row": row}
        print(json.dumps(entry | mark._asdict() | blank, ensure_ascii=False))


def page(text: str, rows: dict[str, Row], names: dict[str, str], alive: set[int], read: list[Verdict]) -> str:
    """docs/precision.md, with what lies between its marks as it is now."""
    sums, versions = total(rows), listed(PACKAGES)
    totals = [
        f"- As first read: {_share(sums.first)}.",
        f"- Of these, {len(read) - len(alive)} are no longer reported.",
        f"- Now: {sums.findings} findings, {sums.now.total()} of them read: {_share(sums.now)}.",
    ]
    (_, before), (most, now) = evenly(x.first for x in rows.values()), evenly(x.now for x in rows.values())
    totals.append(
        f"- Of 150 findings, evenly over the rules (now at most {most} of each): first {before:.1%} right, "
        f"now {now:.1%}."
    )
    for severity in Severity:
        some = total({code: row for code, row in rows.items() if severities()[code] is severity})
        totals.append(
            f"- {severity.value.capitalize()}s: first {_share(some.first)}; now {_share(some.now)}."
        )
    text = between(text, "totals", "\n".join(totals))
    text = between(text, "rules", "\n".join(_table(rows, names)))
    text = between(text, "faults", "\n".join(_faults(read, alive, names)) or "None.")
    return between(text, "packages", ", ".join(f"{name} {version}" for name, version in versions.items()))


def between(text: str, name: str, new: str) -> str:
    """The text with another part between the marks of this name."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    head, rest = text.split(begin)
    return f"{head}{begin}\n{new}\n\n{end}{rest.split(end)[1]}"


def _share(counts: Counter[str]) -> str:
    """The numbers of verdicts, in words."""
    share = 100 * counts["right"] / max(1, counts.total())
    rest = f"{counts['doubtful']} doubtful, {counts['wrong']} wrong"
    return f"{counts['right']} of {counts.total()} right ({share:.1f} %), {rest}"


def _table(rows: dict[str, Row], names: dict[str, str]) -> Iterator[str]:
    yield "| rule | first read | right | doubtful | wrong | findings now | read | right |"
    yield "| --- | --: | --: | --: | --: | --: | --: | --: |"
    titles = [(f"[{code}](rules/{names[code]}.md) {names[code]}", row) for code, row in rows.items()]
    for title, row in [*titles, ("all", total(rows))]:
        first = [row.first.total(), *(row.first[word] for word in JUDGEMENTS)]
        cells = [*first, row.findings, row.now.total(), row.now["right"]]
        yield f"| {title} | {' | '.join(map(str, cells))} |"


def _faults(read: list[Verdict], alive: set[int], names: dict[str, str]) -> Iterator[str]:
    """What was not judged right, by rule and reason."""
    groups: defaultdict[tuple[str, Judgement, str], list[Verdict]] = defaultdict(list)
    for each in read:
        if each.verdict != "right":
            groups[each.code, each.verdict, each.reason].append(each)
    for (code, judgement, reason), found in sorted(groups.items()):
        left = sum(id(each) in alive for each in found)
        state = (
            "no longer reported" if not left else "still reported" if left == len(found) else f"{left} left"
        )
        places = ", ".join(f"{each.package} `{each.path}:{each.row}`" for each in found)
        yield f"- **{code} {names[code]}**, {judgement}, {state}: {reason}. ({places})"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="PACKAGE")
    parser.add_argument(
        "--sample", type=int, default=0, metavar="N", help="show so many that nobody has read"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--around", type=int, default=12, help="lines of context (default: 12)")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.parent.name}/{PAGE.name}")
    parser.add_argument("--timeout", type=float, default=900, help="seconds for a package (default: 900)")
    given = parser.parse_args()
    if given.write and given.names:
        parser.error("--write is for all packages")
    versions = wanted(given.names, PACKAGES)
    if missing := download_all(given.folder, versions):
        raise SystemExit(f"not downloaded: {', '.join(missing)}")
    chosen = packages_in(given.folder, list(versions))
    runs = [checked(package, given.timeout, []) for package in chosen]
    read = [each for each in verdicts() if each.package in versions]
    found = joined(runs, read)
    names, rows = names_of(found), by_rule(found, read)
    if given.sample:
        ask(found, given.sample, given.seed, given.around, versions)
    elif given.write:
        alive = {id(each.verdict) for each in found if each.verdict is not None}
        PAGE.write_text(page(PAGE.read_text("utf-8"), rows, names, alive, read), encoding="utf-8")
    else:
        print_table(rows, names)
    faults = [f"{run.package.name}: {fault}" for run in runs for fault in run.faults]
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
