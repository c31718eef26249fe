"""False statements never come out proved: flipped, past the sharp constant by a hair, or without a hypothesis."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy import (
    Eq,
    Interval,
    Ne,
    Rational,
    S,
    Symbol,
    atan,
    cos,
    cosh,
    exp,
    false,
    log,
    oo,
    pi,
    sin,
    sqrt,
    tan,
    tanh,
    true,
)

from proofs_check.budget import Budget
from proofs_check.engines.cover import search as ball
from proofs_check.points.exact import holds
from proofs_check.verdict import Outcome
from theory.statements import Statement
from theory.temporal import Exists, negation

x, y, p = Symbol("x"), Symbol("y"), Symbol("p")
POSITIVE = Interval.open(0, oo)
HAIR = Rational(1, 10**40)
TINY = Rational(1, 10**400)

SHORT = replace(Budget.of("quick"), seconds=0.4)
"""A wrong proof is found early or never; the rest of the time only goes into smaller boxes."""

FALSE = [
    ({x: Interval(0, TINY), y: Interval(0, 1)}, x * (1 + y) >= TINY / 2),
    ({x: Interval(1, 1 + TINY), y: Interval(0, 1)}, (x - 1) * exp(y) >= TINY / 2),
    ({x: Interval(0, 1), y: Interval(1, 2)}, exp(y) * x * TINY <= 0),
    ({x: Interval(0, 1), y: Interval(1, 2)}, TINY * (x - Rational(1, 2)) * exp(y) + TINY / 4 <= 0),
    ({x: Interval(-1 / TINY, 1 / TINY), y: Interval(1, 2)}, x * y <= 1 / TINY),
    ({x: S.Reals}, exp(x) > 1 + x),
    ({x: Interval(0, 1)}, sin(x) < x),
    ({x: S.Reals}, exp(x) >= 1 + x + HAIR),
    ({x: Interval(-1, 1)}, exp(x) - 1 - x >= HAIR),
    ({x: POSITIVE}, sin(x) < x * (1 - HAIR)),
    ({x: S.Reals}, cosh(x) >= 1 + x**2 * (Rational(1, 2) + HAIR)),
    ({x: POSITIVE}, log(x) <= x - 1 - HAIR),
    ({x: Interval.open(0, pi / 2)}, sin(x) > 2 * x / pi + HAIR),
    ({x: Interval.open(0, pi / 2)}, tan(x) > x * (1 + HAIR)),
    ({x: POSITIVE}, tanh(x) < 1 - HAIR),
    ({x: POSITIVE}, exp(x) > x**10),
    ({x: POSITIVE}, exp(-x) > HAIR),
    ({x: Interval(-1, 1)}, atan(1 / x) < 2),
    ({x: Interval(-1, 1)}, 1 / x**2 > 0),
    ({x: Interval(-1, 1)}, (x**2 - 1) / (x - 1) > -3),
    ({x: Interval(-1, 1)}, log(x) < x),
    ({x: Interval(-2, 2)}, sqrt(x) >= 0),
    ({x: S.Reals, y: S.Reals}, Ne(sin(x), cos(y))),
    ({x: Interval(0, 1), y: Interval(0, 1)}, exp(x) + exp(y) > 2 + x + y),
    ({}, Exists(x, Interval(0, 1), Eq(x**2, 2))),
    ({}, Exists(x, Interval(-1, 1), Eq(1 / x, 0))),
    ({p: Interval(1, 4)}, Exists(x, Interval(0, 5), Eq(x**2, p) & (x >= Rational(3, 2)))),
]


@pytest.mark.parametrize(("variables", "claim"), FALSE, ids=str)
def test_false_statements_are_not_proved(variables, claim):
    verdict = ball.decide(Statement(variables=variables, then=claim), SHORT)
    assert verdict is None or verdict.outcome is Outcome.REFUTED


@pytest.mark.parametrize(
    ("variables", "claim"),
    [
        ({x: S.Reals}, exp(x) > 1 + x),
        ({x: Interval(-1, 1)}, exp(x) - 1 - x >= HAIR),
        ({x: POSITIVE}, exp(x) > x**10),
        ({x: Interval(0, 1)}, sin(x) < x),
        ({x: S.Reals}, cosh(x) >= 1 + x**2 * Rational(51, 100)),
    ],
    ids=str,
)
def test_refutations_carry_a_point_that_violates_exactly(variables, claim):
    verdict = ball.decide(Statement(variables=variables, then=claim), Budget.of("quick"))
    assert verdict.outcome is Outcome.REFUTED
    point = {symbol: S(verdict.counterexample[symbol.name]) for symbol in variables}
    assert holds(negation(claim), point) is True


functions = st.sampled_from([exp, sin, cos, tanh, atan, lambda u: u**2, lambda u: 1 / (1 + u**2)])
numbers = st.fractions(min_value=-3, max_value=3, max_denominator=8)


@settings(deadline=None, max_examples=15)
@given(functions, functions, numbers, numbers, st.fractions(min_value=-2, max_value=2, max_denominator=16))
def test_a_bound_that_fails_at_a_known_point_is_never_proved(f, g, a, b, at):
    expression = f(Rational(a) * x) * g(x) + Rational(b) * x
    value = expression.subs(x, Rational(at.numerator, at.denominator))
    assume((expression < value) not in (true, false))
    verdict = ball.decide(Statement(variables={x: Interval(-2, 2)}, then=expression < value), SHORT)
    assert verdict is None or verdict.outcome is Outcome.REFUTED
