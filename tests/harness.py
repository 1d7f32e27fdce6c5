"""What is proven of every program in the documents (see `tests.blocks` for how they are written).

It talks to devlint as the command line does: files in a folder, `run_check`, `run_fix`.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from devlint import rules
from devlint.config import Settings, load
from devlint.diagnostic import Diagnostic
from devlint.discover import Found, Target
from devlint.lint import SYNTAX_ERROR, UNUSED_SUPPRESSION
from devlint.project import run_check
from devlint.rewrite import FixResult, run_fix
from devlint.rule import Rule
from devlint.rules import all_rules
from tests.blocks import Block, Case, read_cases

Finding = tuple[str, int, str]
"""A file, a row, and the code of a rule."""

ROOT = Path(__file__).parents[1]


def rule_codes() -> dict[str, str]:
    """The codes of all rules, by code and by name."""
    return {key: rule.code for rule in all_rules() for key in (rule.code, rule.name)}


def page_cases() -> list[Case]:
    """The programs in the docstrings of the rules."""
    return [case for rule in all_rules() for case in read_cases(rule.docs, _file_of(rule), rule_codes())]


def case_files() -> list[Path]:
    """The files of further cases, one for each rule."""
    return sorted((ROOT / "tests" / "rules").glob("*.md"))


def file_cases() -> list[Case]:
    """The programs in `tests/rules/*.md`."""
    return [
        case
        for file in case_files()
        for case in read_cases(file.read_text("utf-8"), _shown(file), rule_codes())
    ]


def _file_of(rule: Rule) -> str:
    return _shown(Path(rules.__file__).parent / f"{rule.name.replace('-', '_')}.py")


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def rule_of(case: Case) -> Rule | None:
    """The rule that a case's document is about, by the name of the document."""
    stem = Path(case.blocks[0].origin).stem.replace("_", "-")
    return next((rule for rule in all_rules() if rule.name == stem), None)


@dataclass(frozen=True)
class Bench:
    """A folder in which programs are checked, with the rules on that are on by default, and one more."""

    folder: Path
    settings: Settings

    @classmethod
    def of(cls, folder: Path, rule: Rule | None) -> Bench:
        """A bench for the cases of a rule."""
        chosen = {} if rule is None else {"extend-select": [rule.code]}
        settings = load(folder, all_rules(), isolated=True, overrides=chosen)
        return cls(folder, replace(settings, root=folder))

    def _found(self, files: Mapping[str, str | bytes]) -> Found:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Found(tuple(Target(name, name, self.settings) for name in sorted(files)))

    def diagnostics(self, files: Mapping[str, str | bytes]) -> list[Diagnostic]:
        """What is found in these files."""
        with _chdir(self.folder):
            results = run_check(self._found(files), jobs=1, cache=False).results
        failures = [result.failure for result in results if result.failure]
        assert not failures, failures
        return [diagnostic for result in results for diagnostic in result.diagnostics]

    def findings(self, files: Mapping[str, str | bytes]) -> list[Finding]:
        """What is found in these files: where, and by which rule."""
        return sorted(map(_finding, self.diagnostics(files)))

    def fix(self, files: Mapping[str, str | bytes]) -> list[FixResult]:
        """What all fixes make of these files."""
        with _chdir(self.folder):
            return run_fix(self._found(files), unsafe=True, jobs=1, cache=False)


@contextlib.contextmanager
def _chdir(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _finding(diagnostic: Diagnostic) -> Finding:
    return (diagnostic.path, diagnostic.start.row, diagnostic.code)


def fixed_files(results: list[FixResult], files: Mapping[str, str]) -> dict[str, str]:
    """The files after a fix; those in which nothing was to do are as they were."""
    changed = {result.path: result.after for result in results if result.before != result.after}
    return {**files, **changed}


def prove_found(bench: Bench, case: Case) -> None:
    """Exactly what is marked is found."""
    assert bench.findings(case.files) == case.lines


# Texts that say the same otherwise: what they become, and where their rows go.


def crlf(text: str) -> tuple[str, Callable[[int], int]]:
    """With the line ends of Windows."""
    return text.replace("\n", "\r\n"), lambda row: row


def shifted(text: str) -> tuple[str, Callable[[int], int]]:
    """One line further down."""
    return "# a line above\n" + text, lambda row: row + 1


def commented(text: str) -> tuple[str, Callable[[int], int]]:
    """With a comment and an empty line before each statement of the top level."""
    try:
        starts = sorted(_first_row(statement) for statement in ast.parse(text).body)
    except SyntaxError:
        return shifted(text)
    out: list[str] = []
    for row, line in enumerate(text.splitlines(keepends=True), 1):
        out += ["# a comment\n", "\n"] * starts.count(row)
        out.append(line)
    return "".join(out), lambda row: row + 2 * sum(start <= row for start in starts)


def _first_row(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


VARIANTS = {"crlf": crlf, "shifted": shifted, "commented": commented}


def prove_variant(bench: Bench, case: Case, variant: str) -> None:
    """The same is found in a text that says the same, and the fixes make the same of it."""
    texts = {name: VARIANTS[variant](text) for name, text in case.files.items()}
    files = {name: text for name, (text, _) in texts.items()}
    assert bench.findings(files) == sorted(
        (name, texts[name][1](row), code) for name, row, code in case.lines
    )
    if case.fixed and variant == "crlf":
        want = {name: crlf(text)[0] for name, text in case.fixed_files.items()}
        assert fixed_files(bench.fix(files), files) == want


def prove_fixed(bench: Bench, case: Case) -> None:
    """The fixes give the fixed text; it parses, nothing more is to do, and nothing new is found."""
    results = bench.fix(case.files)
    after = fixed_files(results, case.files)
    if case.fixed:
        assert after == case.fixed_files
    dropped = [why for result in results for why in result.dropped]
    assert not dropped
    for name, text in after.items():
        if SYNTAX_ERROR not in {code for _, _, code in case.lines}:
            ast.parse(text, name)
    left = bench.findings(after)
    if case.fixed:
        assert left == case.lines_left
    fixed = Counter(diagnostic.code for result in results for diagnostic in result.fixed)
    assert Counter(code for *_, code in left) + fixed <= Counter(code for *_, code in case.lines)
    assert fixed_files(bench.fix(after), after) == after


COMMENTS = {"ignore": "# devlint: ignore[{}]", "noqa": "# noqa: {}"}


def prove_suppressed(bench: Bench, case: Case, comment: str) -> None:
    """A comment on the line of a finding silences it, and nothing else, and counts as used."""
    found = bench.diagnostics(case.files)
    for row_of in {(d.path, d.start.row) for d in found}:
        silenced = sorted({d.code for d in found if (d.path, d.start.row) == row_of})
        text = _with_comment(case.files[row_of[0]], row_of[1], COMMENTS[comment].format(", ".join(silenced)))
        if text is None:
            continue
        want = sorted(_finding(d) for d in found if (d.path, d.start.row) != row_of)
        assert bench.findings(case.files | {row_of[0]: text}) == want


def can_be_suppressed(case: Case) -> bool:
    """A file that does not parse has no comments, and the rule on comments speaks of them itself."""
    return bool(case.lines) and not {code for *_, code in case.lines} & {SYNTAX_ERROR, UNUSED_SUPPRESSION}


def _with_comment(text: str, row: int, comment: str) -> str | None:
    """The text with a comment at the end of a row; None if the row ends inside a string or in a backslash."""
    lines = text.splitlines()
    lines[row - 1] += f"  {comment}"
    changed = "\n".join(lines) + "\n"
    try:
        same = ast.dump(ast.parse(changed)) == ast.dump(ast.parse(text))
    except SyntaxError:
        return None
    return changed if same else None


# What the simulated machines say.

_ON_GPU = re.compile(r", device='cuda:\d+'")


@dataclass(frozen=True)
class Ran:
    """A program's run: whether it ended well, what it printed but for devices, and its error."""

    ok: bool
    printed: str
    error: str | None


def ran(files: Mapping[str, str], main: str, gpus: int, rank: int | None = None, world: int = 1) -> Ran:
    """Run a program on a machine with this many GPUs, if need be as one of several ranks."""
    from tests.sim import run

    outcome = run(files, gpus, main=main, rank=rank, world=world)
    return Ran(outcome.ok, _ON_GPU.sub("", outcome.stdout), outcome.error)


def prove_runs(files: Mapping[str, str], main: str) -> dict[int, Ran]:
    """A right program runs without and with a GPU, and prints the same."""
    runs = {gpus: ran(files, main, gpus) for gpus in (0, 1)}
    assert {gpus: run.error for gpus, run in runs.items() if not run.ok} == {}
    assert runs[0].printed == runs[1].printed
    return runs


def prove_judged(case: Case) -> None:
    """A faulty program does what its mark says; a right one, and what the fixes make of it, run."""
    main = case.main
    assert main is not None
    if main.ranks:
        _prove_ranks(case, main)
        return
    if main.fault is None:
        prove_runs(case.fixed_files, main.file)
        return
    bad = {gpus: ran(case.files, main.file, gpus) for gpus in (0, 1, 2)}
    told = {gpus: run.error for gpus, run in bad.items()}
    if main.fault == "crash":
        assert not bad[1].ok, "runs with a GPU"
    elif main.fault == "portability":
        assert not (bad[0].ok and bad[1].ok), "runs with and without a GPU"
        assert bad[1].ok or bad[2].ok, f"runs on no machine: {told}"
    else:
        assert bad[1].ok, told
    if case.fixed:
        good = prove_runs(case.fixed_files, main.file)
        if main.fault != "silent":
            same = {gpus: run.printed for gpus, run in good.items() if bad[gpus].ok}
            assert same == {gpus: bad[gpus].printed for gpus in same}


def _prove_ranks(case: Case, main: Block) -> None:
    """A faulty program fails as one of the ranks; a right one, and what the fixes make of it, as none."""

    def errors(files: Mapping[str, str]) -> dict[int, str]:
        runs = {rank: ran(files, main.file, 2, rank, main.ranks) for rank in range(main.ranks)}
        return {rank: str(run.error) for rank, run in runs.items() if not run.ok}

    if main.mark != "fixed":
        found = errors(case.files)
        assert bool(found) == (main.fault == "crash"), found
    if case.fixed:
        assert errors(case.fixed_files) == {}
