"""Refuters and searches keep to the time they are given, counted in what this process computes."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from sympy import Abs, And, Eq, Interval, Max, Piecewise, Rational, S, Symbol, expand, log, oo, sqrt, symbols, tanh

from numerics.robustness import Compiled
from proofs_check import clock
from proofs_check.budget import Budget
from proofs_check.engines.asymptotics import search as series
from proofs_check.engines.falsify import search as falsify
from proofs_check.points.arrays import Interpreted
from proofs_check.points.candidate_values import candidates, place
from proofs_check.points.search import Search
from proofs_check.points.witness import find_witness
from theory.statements import Statement
from theory.temporal import Scaling

x, y, z, w, e = symbols("x y z w e")
R, UNIT = S.Reals, Interval(0, 1)
SECONDS = 0.5
MOST = 2 * SECONDS + 0.5
"""Where the referee would interrupt an engine."""

STEP = x - y * (x**3 - x)
LONG = expand(STEP.subs(x, STEP))
HARD = {
    "a long polynomial": Statement(
        variables={x: UNIT, y: Interval(1, Rational(11, 10)), z: UNIT, w: UNIT},
        given=(z * w < LONG, sqrt(x + z) < 1 + w),
        then=LONG**2 + z * w * LONG <= 10 + x * LONG**2,
    ),
    "equations of high degree": Statement(
        variables={x: Interval(Rational(1, 2), 3)}, given=(Eq(x**9, Rational(1, 2)), Eq(x**4, 3)), then=x**4 <= -2 * x
    ),
    "nothing satisfies it": Statement(
        variables={x: Interval(-2, -Rational(1, 3)), y: Interval.Lopen(-3, 0), z: UNIT},
        given=(y + sqrt(y**2 + 1) >= 5,),
        then=log(tanh(x) ** Rational(3, 2)) < -3 * x / 2,
    ),
    "many candidates": Statement(
        variables={x: Interval.open(0, oo), y: Interval.open(0, 1)},
        given=(y**3 * (x + y) > -Rational(3, 2),),
        then=y**3 - 2 > -Rational(21, 10),
    ),
}


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    falsify.decide(Statement(variables={x: UNIT, y: UNIT}, then=x * y <= 1), Budget.of("quick").start())


def spent(run: object, *arguments: object) -> float:
    began = time.process_time()
    run(*arguments)  # type: ignore[operator]
    return time.process_time() - began


@pytest.mark.parametrize("name", HARD)
def test_a_refuter_stops(name: str) -> None:
    budget = replace(Budget.of("quick"), seconds=SECONDS).start()
    assert spent(falsify.decide, HARD[name], budget) < MOST


@pytest.mark.parametrize("name", HARD)
def test_the_search_for_a_witness_stops(name: str) -> None:
    budget = replace(Budget.of("quick"), seconds=SECONDS).start()
    assert spent(find_witness, HARD[name], budget) < MOST


def test_a_search_without_time_still_looks_at_simple_points() -> None:
    region = And(x > 0, y > x, x + y < 3)
    assert Search({x: R, y: R}, region, clock.now() - 1).find() is not None


def test_a_scaling_law_is_refuted_without_showing_that_something_vanishes() -> None:
    """Where all coefficients vanish the quantity is 0, which takes long to see; other points decide at once."""
    quantity: sp.Expr = e
    for _ in range(6):
        quantity = quantity + w * quantity**2 - w * quantity**3
    law = Statement(variables={w: R}, then=Scaling(quantity - e, e, 3))
    began = time.process_time()
    verdict = series.decide(law, replace(Budget.of("quick"), seconds=10.0).start())
    assert time.process_time() - began < MOST
    assert verdict is not None
    assert verdict.counterexample is not None


def test_nested_radicals_have_a_place_and_complex_ones_none() -> None:
    near = sqrt(2) + sqrt(3) - sqrt(5 + 2 * sqrt(6)) + Rational(1, 10**30)
    assert abs(place(near) * 10**30 - 1) < Rational(1, 10**6)
    assert place(sqrt(-1 - sqrt(2))) is None
    assert all(number.is_real for number in candidates(x, UNIT, [x**2 + 1 > sqrt(x - 2)]))


def test_values_without_a_compiler_are_those_of_the_compiled_kernel() -> None:
    a, b = Symbol("a"), Symbol("b")
    formula = And(
        a**2 * b > Rational(1, 10**40),
        sqrt(a) + log(b) < Max(a, b, 1) + Abs(a - b),
        Piecewise((a / b, a < b), (sp.tanh(a) ** 3, True)) >= 10**30 * sp.Min(a, 0),
    )
    points = np.random.default_rng(0).normal(size=(2, 400))
    ours, theirs = (kind((formula,), (a, b)).evaluate(points) for kind in (Interpreted, Compiled))
    assert np.array_equal(np.isnan(ours.values), np.isnan(theirs.values))
    assert np.allclose(ours.values, theirs.values, rtol=1e-12, atol=0, equal_nan=True)
