"""Every program in the rules' pages and case files, and what is proven of it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from devlint.rule import Rule
from devlint.rules import all_rules
from tests import harness
from tests.blocks import Case
from tests.harness import Bench

PAGES = harness.page_cases()
CASES = [*PAGES, *harness.file_cases()]
BAD = [case for case in CASES if case.mark == "bad"]
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="the simulated GPUs need PyTorch")


@pytest.fixture
def bench(case: Case, tmp_path: Path) -> Bench:
    return Bench.of(tmp_path, harness.rule_of(case))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_exactly_what_is_marked_is_found(case: Case, bench: Bench) -> None:
    harness.prove_found(bench, case)


@pytest.mark.parametrize("variant", harness.VARIANTS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_same_is_found_in_a_text_that_says_the_same(case: Case, bench: Bench, variant: str) -> None:
    harness.prove_variant(bench, case, variant)


@pytest.mark.parametrize("case", BAD, ids=str)
def test_fixes_give_what_is_shown_and_are_proven(case: Case, bench: Bench) -> None:
    harness.prove_fixed(bench, case)


@pytest.mark.parametrize("comment", harness.COMMENTS)
@pytest.mark.parametrize("case", [case for case in BAD if harness.can_be_suppressed(case)], ids=str)
def test_a_comment_silences_what_is_found_on_its_line(case: Case, bench: Bench, comment: str) -> None:
    harness.prove_suppressed(bench, case, comment)


@needs_torch
@pytest.mark.parametrize("case", [case for case in CASES if case.main], ids=str)
def test_programs_run_or_fail_on_simulated_gpus(case: Case) -> None:
    harness.prove_judged(case)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_a_page_shows_the_fault_the_right_way_and_the_fix(rule: Rule) -> None:
    own = [case for case in PAGES if harness.rule_of(case) == rule]
    assert any(rule.code in {code for *_, code in case.lines} for case in own if case.mark == "bad")
    assert any(case.mark == "good" for case in own)
    assert any(case.fixed for case in own) == bool(rule.safeties)


def test_case_files_are_about_rules() -> None:
    names = {rule.name for rule in all_rules()}
    assert {file.stem for file in harness.case_files()} <= names
