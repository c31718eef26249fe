"""A conclusion without a value is said to have none, gaps between pieces included; a large number is a value."""

from __future__ import annotations

import pytest
from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Interval,
    LambertW,
    Le,
    Lt,
    Max,
    Piecewise,
    Rational,
    S,
    asin,
    exp,
    factorial,
    gamma,
    log,
    oo,
    sin,
    sqrt,
    symbols,
    tan,
)

from proofs_check import as_property_test, verify
from proofs_check.budget import Budget
from proofs_check.engines.falsify import search as falsify
from proofs_check.points.exact import has_no_value
from proofs_check.verdict import Outcome
from theory.statements import Statement

x, y = symbols("x y")
POSITIVE = Interval.open(0, oo)
THIRD = Rational(1, 3)


def about(claim, domain=S.Reals):
    return Statement(variables=dict.fromkeys(sorted(claim.free_symbols, key=str), domain), then=claim)


LARGE = {
    "gamma": about(Eq(gamma(x + 1), x * gamma(x)), POSITIVE),
    "Lambert": about(Eq(LambertW(x * exp(x)), x), Interval(0, oo)),
    "a tower": about(Gt(exp(exp(x)), 0, evaluate=False)),
    "a high tower": about(Ge(exp(exp(exp(x))), exp(x))),
    "a difference of towers": about(Ge(exp(2 * x) + exp(-2 * x), exp(x) + exp(-x) - 1)),
    "a factorial": about(Ge(factorial(x) + 1, x), Interval(1, oo)),
    "a power": about(Ge(x**1000 + 1, x), S.Reals),
    "a quotient of overflows": about(Le(exp(x) / (1 + exp(x)), 1)),
    "a logarithm of an overflow": about(Eq(log(exp(x)), x)),
    "a root of an overflow": about(Eq(sqrt(exp(2 * x)), exp(x))),
}


@pytest.mark.parametrize("name", LARGE)
def test_an_overflow_is_not_the_lack_of_a_value(name):
    verdict = falsify.decide(LARGE[name], Budget.of("quick"))
    assert verdict is None or not any("no value" in note for note in verdict.notes)


GAPS = {
    "a point": (about(Gt(Piecewise((1, x < 0), (2, x > 0)), 0, evaluate=False)), {x: 0}),
    "another point": (about(Le(Piecewise((x, x < THIRD), (-x, x > THIRD)), 1)), {x: THIRD}),
    "an irrational point": (about(Lt(Piecewise((x, x**2 < 2), (-Abs(x), x**2 > 2)), 2)), {x: sqrt(2)}),
    "an interval": (about(Le(Piecewise((x, x < 0), (-x, x > 1)), 0)), {x: THIRD}),
    "an identity": (about(Eq(Piecewise((x, x < 2), (x, x > 2), evaluate=False), x)), {x: 2}),
    "inside a function": (about(Le(sin(Piecewise((x, x < 0), (2 * x, x > 0))), 1)), {x: 0}),
    "inside a sum": (about(Ge(x**2 + Piecewise((1, x < 1), (x, x > 1)), 0)), {x: 1}),
    "on a line": (about(Le(Piecewise((-1, x < y), (-2, x > y)), x**2 + y**2)), {x: 1, y: 1}),
    "pieces within pieces": (
        about(Le(Piecewise((Piecewise((x, x < -1), (0, x > -1)), x < 0), (-x, True)), 0)), {x: -1}
    ),
    "beside a maximum": (about(Ge(Max(x, Piecewise((-x, x < 5), (1, x > 5))), 0)), {x: 5}),
    "one conjunct": (about((x**2 >= 0) & Le(Piecewise((-1, x < 0), (-2, x > 0)), x**2)), {x: 0}),
}  # fmt: skip
DOMAINS = {
    "a logarithm": (about(Le(log(x), x)), {x: -1}),
    "a root": (about(Ge(sqrt(x), -1)), {x: -1}),
    "a pole": (about(Ge(1 / x**2, -1)), {x: 0}),
    "an arcsine": (about(Le(asin(x), 2)), {x: 2}),
    "a pole of the tangent": (about(Ge(tan(x) ** 2, -1)), None),
}


@pytest.mark.parametrize("name", [*GAPS, *DOMAINS])
def test_a_point_without_a_value_is_noted_and_nothing_is_proved(name):
    statement, point = (GAPS | DOMAINS)[name]
    assert point is None or has_no_value(statement.then, {symbol: S(value) for symbol, value in point.items()})
    verdict = falsify.decide(statement, Budget.of("quick"))
    assert verdict.outcome is Outcome.SAMPLED
    assert point is None or any("has no value at" in note for note in verdict.notes)
    assert verify(statement, effort="quick").outcome is not Outcome.PROVED


@pytest.mark.parametrize("name", [*GAPS, *(name for name, (_, point) in DOMAINS.items() if point)])
def test_a_property_test_fails_where_there_is_no_value(name):
    with pytest.raises(AssertionError, match="has no value"):
        as_property_test((GAPS | DOMAINS)[name][0], max_examples=20)()


CLOSED = {
    "the pieces meet": about(Le(Piecewise((x, x < 0), (-x, x >= 0)), 0)),
    "a last piece": about(Le(Piecewise((x, x < 0), (-x, True)), 0)),
    "the gap is outside": about(Le(Piecewise((x, x < 0), (-x, x > 0)), 0), POSITIVE),
    "guarded": about(Le(Piecewise((-1 / x, x > 0), (0, True)), 0)),
    "a logarithm within its domain": about(Le(log(x), x), POSITIVE),
}


@pytest.mark.parametrize("name", CLOSED)
def test_where_every_point_has_a_value_nothing_is_said(name):
    verdict = falsify.decide(CLOSED[name], Budget.of("quick"))
    assert not any("no value" in note for note in verdict.notes)
    as_property_test(CLOSED[name], max_examples=20)()
