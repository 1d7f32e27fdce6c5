from __future__ import annotations

import pytest

from devlint.selectors import Selection, means, narrowest, specificity, suggestion, unknown_selector
from tests.fakes import RULES

RULE = {rule.code: rule for rule in RULES}


def on(*selections: Selection) -> str:
    out = []
    for rule in RULES:
        enabled = rule.default
        for selection in selections:
            enabled = selection.decide(rule, enabled)
        if enabled:
            out.append(rule.code)
    return " ".join(out)


def test_all_prefix_code_and_name_get_narrower() -> None:
    selectors = ["ALL", "DEV", "DEV1", "DEV10", "DEV101"]
    found = [specificity(selector, RULE["DEV101"]) for selector in selectors]
    assert found == sorted(set(found))
    assert specificity("unassigned-move", RULE["DEV101"]) == found[-1]
    assert specificity("dev1", RULE["DEV101"]) == specificity("DEV1", RULE["DEV101"])


@pytest.mark.parametrize("selector", ["", "DEV3", "DEV1011", "unassigned", "EV1", "create-then-move"])
def test_means_no_other(selector: str) -> None:
    assert specificity(selector, RULE["DEV101"]) == -1
    assert not means([selector], RULE["DEV101"])


def test_narrowest_of_none_is_none() -> None:
    assert narrowest([], RULE["DEV101"]) == -1


def test_without_a_choice_the_defaults_are_on() -> None:
    assert on() == "DEV001 DEV002 DEV101 DEV104 DEV301"
    assert on(Selection()) == on()


def test_select_replaces_the_defaults_and_ignore_takes_away() -> None:
    assert on(Selection(select=("DEV1",))) == "DEV101 DEV104"
    assert on(Selection(select=("ALL",))) == "DEV001 DEV002 DEV101 DEV104 DEV301"
    assert on(Selection(select=())) == ""
    assert on(Selection(ignore=("DEV0", "unregistered-tensor"))) == "DEV101 DEV104"
    assert on(Selection(extend_select=("sync-in-loop",))) == "DEV001 DEV002 DEV101 DEV104 DEV301 DEV605"


def test_what_is_opt_in_is_turned_on_by_its_own_name_alone() -> None:
    assert on(Selection(select=("DEV6",))) == ""
    assert on(Selection(select=("ALL", "DEV605"))) == "DEV001 DEV002 DEV101 DEV104 DEV301 DEV605"
    assert on(Selection(select=("DEV605",)), Selection(extend_select=("DEV1",))) == "DEV101 DEV104 DEV605"
    assert on(Selection(select=("DEV605",)), Selection(ignore=("DEV6",))) == ""


def test_the_narrower_wins_and_ignore_wins_a_draw() -> None:
    assert on(Selection(select=("DEV1",), ignore=("DEV101",))) == "DEV104"
    assert on(Selection(select=("DEV101",), ignore=("DEV1",))) == "DEV101"
    assert on(Selection(select=("DEV101",), ignore=("unassigned-move",))) == ""
    assert on(Selection(select=("ALL",), ignore=("ALL",))) == ""


def test_a_later_select_forgets_what_was_chosen_before() -> None:
    before = Selection(select=("DEV1", "DEV3"), ignore=("DEV101",))
    assert on(before, Selection(select=("DEV1",))) == "DEV101 DEV104"
    assert on(before, Selection(extend_select=("DEV605",))) == "DEV104 DEV301 DEV605"
    assert on(before, Selection(ignore=("DEV3",))) == "DEV104"
    assert on(before, Selection(extend_select=("DEV101",))) == "DEV101 DEV104 DEV301"


def test_unknown_selectors_are_named_with_what_was_perhaps_meant() -> None:
    assert unknown_selector("DEV3", RULES) is None
    assert unknown_selector("all", RULES) is None
    assert unknown_selector("unregisterd-tensor", RULES) == (
        "unknown rule `unregisterd-tensor` (did you mean `unregistered-tensor`?)"
    )
    assert unknown_selector("", RULES) == "unknown rule ``"
    assert unknown_selector("E501!!", RULES) == "unknown rule `E501!!`"


def test_suggestion_ignores_case() -> None:
    assert suggestion("Dev101", ["DEV101", "DEV104"]) == " (did you mean `DEV101`?)"
