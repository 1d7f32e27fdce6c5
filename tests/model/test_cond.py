"""Decision trees, with plain values: no parser, no torch."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import product
from typing import Any

import pytest

from devlint.model.cond import (
    Cond,
    choose,
    each,
    implied,
    leaves,
    make,
    negate,
    pairs,
    restrict,
    same,
    size,
    tips,
)

FLAGS = ("a", "b", "c")
WORLDS: list[dict[Hashable, bool]] = [
    dict(zip(FLAGS, values, strict=True)) for values in product((True, False), repeat=3)
]


def at(tree: Any, world: dict[Hashable, bool]) -> Any:
    """The leaf of a tree in a world in which every flag is decided."""
    while type(tree) is Cond:
        tree = tree.then if world[tree.flag] else tree.other
    return tree


A, B = Cond("a", True, False), Cond("b", True, False)
BOTH = choose(A, B, False)
ANY = choose(A, True, B)
TREES = [1, Cond("a", 1, 2), Cond("a", Cond("b", 1, 2), 3), Cond("b", Cond("c", 1, 2), Cond("a", 3, 1))]
FORMULAS = [True, False, A, B, BOTH, ANY, negate(ANY)]


def test_equal_sides_are_no_choice() -> None:
    assert make("a", 1, 1) == 1
    assert make("a", Cond("b", 1, 2), Cond("b", 1, 2)) == Cond("b", 1, 2)


def test_a_tree_knows_its_leaves_and_flags() -> None:
    tree = Cond("a", Cond("b", 1, 2), 3)
    assert size(tree) == 3
    assert tree.flags == {"a", "b"}
    assert tips(tree) == [1, 2, 3]
    assert list(leaves(tree)) == [
        ({"a": True, "b": True}, 1),
        ({"a": True, "b": False}, 2),
        ({"a": False}, 3),
    ]


def test_leaves_of_other_types_differ_even_if_python_calls_them_equal() -> None:
    assert not same(1, True)
    assert make("a", 1, True) == Cond("a", 1, True)


@pytest.mark.parametrize("formula", FORMULAS, ids=repr)
@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_choose_takes_the_side_that_the_formula_says(formula: Any, world: dict[Hashable, bool]) -> None:
    for then, other in product(TREES, repeat=2):
        expected = at(then if at(formula, world) else other, world)
        assert at(choose(formula, then, other), world) == expected


@pytest.mark.parametrize("formula", FORMULAS, ids=repr)
@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_negate_holds_where_the_formula_does_not(formula: Any, world: dict[Hashable, bool]) -> None:
    assert at(negate(formula), world) is not at(formula, world)


@pytest.mark.parametrize("tree", TREES, ids=repr)
@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_restrict_keeps_what_the_assumption_leaves_open(tree: Any, world: dict[Hashable, bool]) -> None:
    for known_flags in ("", "a", "ac"):
        known: dict[Hashable, bool] = {flag: world[flag] for flag in known_flags}
        narrowed = restrict(tree, known)
        assert at(narrowed, world) == at(tree, world)
        assert not (type(narrowed) is Cond and narrowed.flags & known.keys())


def test_restrict_returns_the_same_tree_where_nothing_is_decided() -> None:
    tree = Cond("a", 1, 2)
    assert restrict(tree, {"b": True}) is tree


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_each_replaces_leaves_by_leaves_or_trees(world: dict[Hashable, bool]) -> None:
    for tree in TREES:
        doubled = each(tree, lambda leaf: Cond("c", leaf, leaf * 10))
        leaf = at(tree, world)
        assert at(doubled, world) == (leaf if world["c"] else leaf * 10)


def test_pairs_are_those_that_can_stand_together() -> None:
    met = {(a, b) for _, a, b in pairs(Cond("a", 1, 2), Cond("a", 10, 20))}
    assert met == {(1, 10), (2, 20)}
    met = {(a, b) for _, a, b in pairs(Cond("a", 1, 2), Cond("b", 10, 20), {"b": True})}
    assert met == {(1, 10), (2, 10)}


@pytest.mark.parametrize("formula", FORMULAS, ids=repr)
@pytest.mark.parametrize("value", [True, False])
def test_implied_flags_hold_wherever_the_formula_has_that_value(formula: Any, value: bool) -> None:
    certain = implied(formula, value)
    for world in WORLDS:
        if at(formula, world) is value:
            assert all(world[flag] is decided for flag, decided in certain.items())


def test_and_implies_both_or_implies_neither() -> None:
    assert implied(BOTH, True) == {"a": True, "b": True}
    assert implied(BOTH, False) == {}
    assert implied(ANY, False) == {"a": False, "b": False}
