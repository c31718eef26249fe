"""Sums of squares are found with rational certificates that a second program accepts and that no change survives."""

from __future__ import annotations

import copy
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from proofs_check.checkers.sos import check_goal, contradicts
from sympy import Rational, S, Symbol, symbols

from proofs_check.checkers.formulas import Sign, all_of
from proofs_check.engines.polynomial.positivstellensatz import contradiction
from proofs_check.goals import Goal
from theory.polynomials import Ring

x, y, z = symbols("x y z")

motzkin = x**4 * y**2 + x**2 * y**4 - 3 * x**2 * y**2 + 1
motzkin_form = x**4 * y**2 + x**2 * y**4 - 3 * x**2 * y**2 * z**2 + z**6
robinson = (
    x**6 + y**6 + z**6 + 3 * x**2 * y**2 * z**2
    - (x**4 * y**2 + x**2 * y**4 + x**4 * z**2 + x**2 * z**4 + y**4 * z**2 + y**2 * z**4)
)  # fmt: skip
choi_lam = 1 + x**2 * y**2 + y**2 * z**2 + z**2 * x**2 - 4 * x * y * z

IMPOSSIBLE = {
    "quartic": [(-(x**4 + y**4 + z**4 - x * y * z + x**2 - x + 1), ">=")],
    "tangent quartic": [(-((x**2 - 2) ** 2), ">")],
    "Motzkin": [(-motzkin, ">")],
    "Motzkin's form": [(-motzkin_form, ">")],
    "Robinson": [(-robinson, ">")],
    "Choi and Lam": [(-choi_lam, ">")],
    "rearrangement": [(x * y + y * z + z * x - x**2 - y**2 - z**2, ">")],
    "disc": [(1 - x**2 - y**2, ">="), (x + y - Rational(3, 2), ">")],
    "circle": [(x**2 + y**2 - 1, "="), (x * y - Rational(1, 2), ">")],
    "half-line": [(x, ">"), (3 * x - 2 - x**3, ">")],
}


def certificates(conditions, seconds=10):
    ring = Ring(tuple(sorted(set().union(*(value.free_symbols for value, _ in conditions)), key=str)))
    formula = all_of(Sign(ring.polynomial(value), op) for value, op in conditions)
    return ring, contradiction(ring, formula, seconds)


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_conditions_have_a_certificate(name):
    ring, found = certificates(IMPOSSIBLE[name])
    assert found is not None
    assert all(contradicts(branch, len(ring.symbols)) for branch in found)


@pytest.mark.parametrize("value", [-motzkin + Rational(1, 10**6), 1 - x**2, -(x**2) * y**2 + x + 1, x**3])
def test_possible_conditions_have_none(value):
    assert certificates([(value, ">")], 3)[1] is None


quadratics = st.lists(st.integers(-3, 3), min_size=6, max_size=6).map(
    lambda c: c[0] * x**2 + c[1] * x * y + c[2] * y**2 + c[3] * x + c[4] * y + c[5]
)


@settings(max_examples=25)
@given(st.lists(quadratics, min_size=1, max_size=3), st.fractions(Rational(1, 8), 2, max_denominator=8))
def test_a_sum_of_squares_plus_a_positive_number_is_found(parts, margin):
    total = sum(part**2 for part in parts) + Rational(margin) * (1 + x**2 + y**2 + x**4 + y**4)
    ring, found = certificates([(-total, ">=")])
    assert found is not None
    assert all(contradicts(branch, len(ring.symbols)) for branch in found)


def certified_goal():
    goal = Goal({x: S.Reals, y: S.Reals}, (x**2 + y**2 <= 1,), 2 * x * y <= 1)
    ring, found = certificates([(1 - x**2 - y**2, ">="), (2 * x * y - 1, ">")])
    return goal, {"kind": "sos", "symbols": [str(s) for s in ring.symbols], "origins": {}, "branches": found}


def test_the_checker_accepts_the_goal_and_only_it():
    goal, certificate = certified_goal()
    assert check_goal(goal, certificate)
    assert not check_goal(Goal(goal.variables, goal.hypotheses, 2 * x * y <= Rational(99, 100)), certificate)
    assert not check_goal(Goal(goal.variables, (), goal.conclusion), certificate)
    assert not check_goal(Goal({Symbol("a"): S.Reals}, (), Symbol("a") > 0), certificate)


def test_no_changed_number_survives():
    goal, certificate = certified_goal()
    branch = certificate["branches"][0]
    for part, piece in enumerate(branch["sums"]):
        for k in range(len(piece["squares"])):
            changed = copy.deepcopy(certificate)
            square = changed["branches"][0]["sums"][part]["squares"][k]
            square[0] = str(Rational(square[0]) + Rational(1, 7))
            assert not check_goal(goal, changed)
    negative = copy.deepcopy(certificate)
    for piece in negative["branches"][0]["sums"]:
        piece["squares"] = [["-" + weight, terms] for weight, terms in piece["squares"]]
    assert not check_goal(goal, negative)
    assert not check_goal(goal, {**certificate, "branches": []})


def test_a_strictly_positive_quartic_in_three_variables_is_quick():
    quartic = IMPOSSIBLE["quartic"]
    certificates(quartic)
    began = time.perf_counter()
    certificates(quartic)
    assert time.perf_counter() - began < 0.3


def test_a_condition_that_says_nothing_proves_nothing():
    goal = Goal({x: S.Reals}, ((x + 1) ** 2 - x**2 - 2 * x - 1 >= 0,), x > 0)
    nothing = {"conditions": [[[[[0], "-1"]], ">="]], "strict": None, "radius": [1, 0], "cofactors": []}
    branch = {**nothing, "sums": [{"product": [0], "squares": [["1", [[[0], "1"]]]]}]}
    assert contradicts(branch, 1)  # -1 >= 0 is absurd, but it is no hypothesis
    assert not check_goal(goal, {"symbols": ["x"], "origins": {}, "branches": [branch]})
