from __future__ import annotations

import re
import sys
import types
from dataclasses import replace
from pathlib import Path

import pytest

from devlint import rules
from devlint.rule import Rule
from devlint.rules import all_rules, refuse_twins
from devlint.rules.syntax_error import RULE as SYNTAX_ERROR
from devlint.rules.unused_suppression import RULE as UNUSED

HEADINGS = ["What it does", "Why is this bad?", "Example", "Fix safety", "References"]


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_a_rule_is_what_its_file_is_called(rule: Rule) -> None:
    file = Path(rules.__file__).parent / f"{rule.name.replace('-', '_')}.py"
    assert file.is_file()
    assert re.fullmatch(r"DEV\d{3}", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name)
    assert rule.docs


def test_rules_come_sorted_and_are_found_once() -> None:
    codes = [rule.code for rule in all_rules()]
    assert codes == sorted(codes)
    assert {"DEV001", "DEV002"} < set(codes)
    assert all_rules() is all_rules()


@pytest.mark.parametrize("rule", [SYNTAX_ERROR, UNUSED])
def test_the_tools_own_rules_see_no_events(rule: Rule) -> None:
    assert (
        re.findall(r"^## (.+)$", rule.docs or sys.modules[rule.check.__module__].__doc__ or "", re.M)
        == HEADINGS
    )
    assert rule.on == ()
    assert list(rule.check(None)) == []


def test_twins_are_refused() -> None:
    with pytest.raises(ValueError, match="DEV001 is both syntax-error and other"):
        refuse_twins([SYNTAX_ERROR, replace(SYNTAX_ERROR, name="other")])
    with pytest.raises(ValueError, match="syntax-error is both"):
        refuse_twins([SYNTAX_ERROR, replace(SYNTAX_ERROR, code="DEV009")])


def test_a_rule_that_cannot_be_imported_is_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_rule.py").write_text("raise RuntimeError('broken')\n")
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    with pytest.raises(RuntimeError, match="broken"):
        all_rules.__wrapped__()


def test_a_module_without_a_rule_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "helper_of_rules.py").write_text("RULE = 1\n")
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    try:
        assert all_rules.__wrapped__() == all_rules()
        assert isinstance(sys.modules["devlint.rules.helper_of_rules"], types.ModuleType)
    finally:
        sys.modules.pop("devlint.rules.helper_of_rules", None)
