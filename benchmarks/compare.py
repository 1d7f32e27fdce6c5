"""devlint, torchfix, hotpath-ai and ruff on the same files in the same run: what each finds, and its time.

    python -m benchmarks.compare                  the programs of the rules' documents, and examples/
    python -m benchmarks.compare FOLDER ...       folders of real code as well: findings and time only
    python -m benchmarks.compare --write          write the tables into docs/comparison.md

The other tools are installed from PyPI, in an environment of their own (`--env FOLDER` keeps it). Each tool
runs in one process and without a cache, in turn; its time is the least of several runs, with its start.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.get import listed
from benchmarks.precision import PACKAGES, between
from devlint import __version__
from tests.blocks import Case
from tests.harness import file_cases, page_cases

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "comparison.md"
OTHERS = ("torchfix", "hotpath-ai", "ruff")
FAULTY, RIGHT, EXAMPLES = "faulty", "right", "examples"
TORCHFIX = re.compile(r"^(?P<path>[^\n:]+):(?P<row>\d+):\d+: (?P<code>TOR\d+) ", re.MULTILINE)


class Hit(NamedTuple):
    """A finding of any tool. The path is that in the folder that was checked."""

    path: str
    row: int
    code: str


Row = tuple[str, int]


@dataclass(frozen=True)
class Tool:
    """A tool with a selection of its rules."""

    name: str
    rules: str
    command: tuple[str, ...]
    read: Callable[[str], Iterable[Hit]]


@dataclass
class Measured:
    """What a tool found in a folder, and the CPU time that it took."""

    hits: list[Hit]
    seconds: float


def ruff_like(text: str) -> Iterator[Hit]:
    """The JSON of ruff and of devlint."""
    for each in json.loads(text):
        yield Hit(each["filename"], each["location"]["row"], each["code"] or "")


def torchfix(text: str) -> Iterator[Hit]:
    """The lines of torchfix, between the fixes that it shows."""
    for match in TORCHFIX.finditer(text):
        yield Hit(match["path"], int(match["row"]), match["code"])


def hotpath(text: str, *, unsure: bool = False) -> Iterator[Hit]:
    """The JSON of hotpath-ai; it holds the unsure findings, too, which its report hides by default."""
    for file in json.loads(text)["files"]:
        for each in file["findings"]:
            if unsure or each["confidence"] != "heuristic":
                yield Hit(file["path"], each["line"], each["rule_id"])


def tools(programs: Path) -> list[Tool]:
    """What is compared; devlint's default rules come first."""
    report = ("--output-format", "json")
    own = (sys.executable, "-m", "devlint", "check", ".", "--isolated", "--no-cache", "--jobs", "1", *report)
    fix = (str(programs / "torchfix"), "-j", "1", ".")
    hot = (str(programs / "hotpath"), "analyze", ".", "--format", "json")
    style = (str(programs / "ruff"), "check", ".", "--isolated", "--no-cache", *report)
    return [
        Tool("devlint", "default", own, ruff_like),
        Tool("devlint", "all", (*own, "--extend-select", "sync-in-loop"), ruff_like),
        Tool("torchfix", "default", fix, torchfix),
        Tool("torchfix", "all", (*fix, "--select", "ALL"), torchfix),
        Tool("hotpath-ai", "default", hot, hotpath),
        Tool("hotpath-ai", "all", (*hot, "--include-heuristics"), partial(hotpath, unsure=True)),
        Tool("ruff", "default", style, ruff_like),
        Tool("ruff", "all", (*style, "--select", "ALL"), ruff_like),
    ]


def installed(folder: Path) -> dict[str, str]:
    """The versions of the other tools, after they have been installed into an environment in this folder."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *OTHERS], check=True)
    ask = f"from importlib.metadata import version\nfor name in {OTHERS}: print(version(name))"
    told = subprocess.run([python, "-c", ask], check=True, capture_output=True, text=True).stdout
    return {"devlint": __version__, **dict(zip(OTHERS, told.split(), strict=True))}


def chosen(cases: Iterable[Case]) -> tuple[list[Case], list[dict[str, str]]]:
    """The faulty programs, and the files of the right ones (the fixed ones, too, if nothing is left in them).

    Those that are about devlint's own comments or files that do not parse are left out.
    """
    faulty, right = [], []
    for case in cases:
        if any(code.startswith("DEV0") for _, _, code in (*case.lines, *case.lines_left)):
            continue
        if case.mark == "bad":
            faulty.append(case)
        if case.mark == "good":
            right.append(case.files)
        elif case.mark == "bad" and case.fixed and not case.lines_left:
            right.append(case.fixed_files)
    return faulty, right


def lay_out(folder: Path, programs: Iterable[dict[str, str]]) -> None:
    """Write programs into folders of their own."""
    for number, files in enumerate(programs):
        for name, text in files.items():
            path = folder / f"p{number:04}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def marked_rows(faulty: Iterable[Case]) -> set[Row]:
    """The rows that are marked as faulty, as `lay_out` names the files."""
    return {
        (f"p{number:04}/{file}", row) for number, case in enumerate(faulty) for file, row, _ in case.lines
    }


def run(tool: Tool, folder: Path) -> Measured:
    """Run a tool in a folder."""
    before = children_seconds()
    one = {**os.environ, "RAYON_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(tool.command, cwd=folder, env=one, capture_output=True, text=True, check=False)
    seconds = children_seconds() - before
    if ended.returncode not in (0, 1):
        raise SystemExit(f"{tool.name} ended with {ended.returncode}: {ended.stderr[-2000:]}")
    hits = [hit._replace(path=os.path.relpath(folder / hit.path, folder)) for hit in tool.read(ended.stdout)]
    return Measured(hits, seconds)


def children_seconds() -> float:
    """The CPU time of all programs that have been run."""
    import resource  # there is none on Windows

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(chosen_tools: list[Tool], folder: Path, runs: int) -> list[Measured]:
    """All tools in a folder, turn by turn."""
    turns = [[run(tool, folder) for tool in chosen_tools] for _ in range(runs)]
    return [Measured(each[0].hits, min(one.seconds for one in each)) for each in zip(*turns, strict=True)]


def row(cells: Iterable[object]) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def program_table(
    chosen_tools: list[Tool], results: dict[str, list[Measured]], marks: set[Row]
) -> Iterator[str]:
    """What each tool reports on the programs of the documents."""
    yield row(
        [
            "tool",
            "rules",
            f"reports on, of {len(marks)} faulty lines",
            "findings on other lines of faulty programs",
            "findings in right programs",
            "CPU time",
        ]
    )
    yield row(["---", "---", *["--:"] * 4])
    times = [a.seconds + b.seconds for a, b in zip(results[FAULTY], results[RIGHT], strict=True)]
    for number, tool in enumerate(chosen_tools):
        hits, right = results[FAULTY][number].hits, results[RIGHT][number].hits
        on = {hit[:2] for hit in hits} & marks
        beside = sum(hit[:2] not in marks for hit in hits)
        ratio = f"{times[number] / times[0]:.2f}"
        yield row([tool.name, tool.rules, len(on), beside, len(right), ratio])


def count_table(chosen_tools: list[Tool], results: dict[str, list[Measured]]) -> Iterator[str]:
    """How many findings each tool has in folders of which nobody has said what is faulty."""
    heads = [head for name in results for head in (f"{name}: findings", "CPU time")]
    yield row(["tool", "rules", *heads])
    yield row(["---", "---", *["--:"] * len(heads)])
    for number, tool in enumerate(chosen_tools):
        cells: list[object] = []
        for columns in results.values():
            cells += [len(columns[number].hits), f"{columns[number].seconds / columns[0].seconds:.2f}"]
        yield row([tool.name, tool.rules, *cells])


def codes(
    chosen_tools: list[Tool], results: dict[str, list[Measured]], marks: set[Row], most: int = 6
) -> Iterator[str]:
    """Which rules of the other tools report most, on the faulty lines of the programs and elsewhere."""
    for number, tool in enumerate(chosen_tools):
        if tool.name == "devlint":
            continue
        on: Counter[str] = Counter()
        beside: Counter[str] = Counter()
        for name, columns in results.items():
            for hit in columns[number].hits:
                (on if name == FAULTY and hit[:2] in marks else beside)[hit.code] += 1
        places = f"{counted_codes(on, most)}; elsewhere {counted_codes(beside, most)}"
        yield f"- {tool.name}, {tool.rules}: {places}"


def counted_codes(counts: Counter[str], most: int) -> str:
    """The most frequent codes."""
    told = ", ".join(f"{code} {count}" for code, count in counts.most_common(most)) or "nothing"
    return f"{told}, and {len(counts) - most} more rules" if len(counts) > most else told


def title(folder: Path) -> str:
    """The name of a folder, with the version if it is in the list of packages."""
    return f"{folder.name} {listed(PACKAGES).get(folder.name, '')}".strip()


def compare(folders: list[Path], env: Path, runs: int) -> str:
    """The tables."""
    versions = installed(env)
    compared = tools(env / "bin")
    faulty, right = chosen([*page_cases(), *file_cases()])
    with tempfile.TemporaryDirectory() as scratch:
        layout = {name: Path(scratch).resolve() / name for name in (FAULTY, RIGHT, EXAMPLES)}
        lay_out(layout[FAULTY], (case.files for case in faulty))
        lay_out(layout[RIGHT], right)
        layout[EXAMPLES].mkdir()
        for example in sorted((ROOT / "examples").glob("*.py")):
            shutil.copy(example, layout[EXAMPLES])
        programs = {name: measured(compared, layout[name], runs) for name in (FAULTY, RIGHT)}
        counted = {"`examples/`": measured(compared, layout[EXAMPLES], runs)}
    counted |= {title(folder): measured(compared, folder, runs) for folder in folders}
    marks = marked_rows(faulty)
    return "\n".join(
        [
            f"{', '.join(f'{name} {version}' for name, version in versions.items())}; "
            f"{len(faulty)} faulty and {len(right)} right programs.",
            "",
            *program_table(compared, programs, marks),
            "",
            *count_table(compared, counted),
            "",
            "The others' rules that report most, on the faulty lines, and elsewhere in all of these files:",
            "",
            *codes(compared, programs | counted, marks),
        ]
    )


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--env", type=Path, help="the environment of the other tools (default: a temporary one)"
    )
    parser.add_argument("--runs", type=int, default=3, help="how often each tool runs (default: 3)")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.parent.name}/{PAGE.name}")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        env = (given.env or Path(scratch, "env")).absolute()
        told = compare([folder.absolute() for folder in given.folders], env, max(1, given.runs))
    if given.write:
        PAGE.write_text(between(PAGE.read_text("utf-8"), "measured", told), encoding="utf-8")
    else:
        print(told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
