"""Where values live, and whether two places agree."""

from __future__ import annotations

import pytest

from devlint.model.device import (
    CPU,
    UNKNOWN,
    Device,
    Like,
    Verdict,
    at,
    compare,
    equal_flag,
)
from devlint.model.value import Root

X, Y = Root("x", "param"), Root("y", "param")


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (CPU, CPU, Verdict.SAME),
        (CPU, at("cpu", 0), Verdict.SAME),
        (CPU, at("cuda"), Verdict.DIFFERENT),
        (CPU, at("mps"), Verdict.DIFFERENT),
        (at("cuda"), at("cuda", 0), Verdict.SAME),
        (at("cuda", 0), at("cuda", 1), Verdict.DIFFERENT),
        (at("cuda"), at("mps"), Verdict.UNSURE),  # no machine has both
        (at("meta"), CPU, Verdict.UNSURE),
        (CPU, Like(X), Verdict.FOLLOWS),
        (at("cuda"), Like(X), Verdict.UNSURE),
        (Like(X), Like(X), Verdict.SAME),
        (Like(X), Like(Y), Verdict.UNSURE),
        (Like(X), Like(X, named=True), Verdict.UNSURE),  # x.device, and the device that x names
        (UNKNOWN, CPU, Verdict.UNSURE),
        (UNKNOWN, Like(X), Verdict.UNSURE),
    ],
)
def test_comparison(left: Device, right: Device, verdict: Verdict) -> None:
    assert compare(left, right) is verdict
    assert compare(right, left) is verdict


def test_a_test_that_showed_them_equal_is_believed() -> None:
    assert compare(CPU, Like(X), {equal_flag(CPU, Like(X)): True}) is Verdict.SAME
    assert compare(CPU, Like(X), {equal_flag(CPU, Like(X)): False}) is Verdict.FOLLOWS


def test_what_is_known_to_be_off_the_accelerator_agrees_with_the_cpu() -> None:
    assert compare(CPU, Like(X), {("compare", X, "cuda"): False}) is Verdict.SAME
    assert compare(CPU, Like(X), {("compare", X, "cuda"): True}) is Verdict.FOLLOWS
