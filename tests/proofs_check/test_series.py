"""Local statements are decided by exact leading coefficients, uniformly in inner variables; derivatives agree."""

import json

import pytest
from sympy import (
    And,
    Eq,
    Interval,
    Ne,
    Rational,
    S,
    Symbol,
    asin,
    atan,
    cos,
    exp,
    factorial,
    log,
    oo,
    sin,
    sqrt,
    tan,
    tanh,
)

from proofs_check.budget import Budget
from proofs_check.checkers import series as checker
from proofs_check.engines import series
from proofs_check.local.series import expansion
from proofs_check.verdict import Outcome
from theory.statements import Statement
from theory.temporal import Exists, ForAll, ForSmall, Scaling

e, a, x = Symbol("e"), Symbol("a"), Symbol("x")
POSITIVE = Interval.open(0, oo)

TRUE = [
    ({}, ForSmall(e, sin(e) < e)),
    ({}, ForSmall(e, And(tan(e) > e, tanh(e) < e, Ne(cos(e), 1)))),
    ({a: POSITIVE}, ForSmall(e, exp(a * e) > 1 + a * e)),
    ({a: S.Reals}, ForSmall(e, exp(a * e) >= 1 + a * e)),
    ({}, ForSmall(e, ForAll(x, Interval.open(0, 1), sin(e * x) < e * x))),
    ({}, ForSmall(e, ForAll(x, Interval(0, 1), sin(e * x) <= e * x * (1 + e)))),
    ({}, Exists(e, Interval.open(0, 1), ForAll(x, Interval(1, 2), sin(e * x) < e * x))),
    ({a: POSITIVE}, ForSmall(e, Exists(x, Interval.open(0, 2 * e), Eq(x + a * x**2 * e, e)))),
    ({}, Scaling(e - sin(e), e, 3)),
    ({}, Scaling(e - sin(e), e, 2, "at most")),
    ({}, Scaling(sqrt(e) + e, e, Rational(1, 2))),
    ({}, Scaling(1 / (e - sin(e)), e, -3)),
    ({a: POSITIVE}, Scaling(exp(a * e) - 1, e, 1)),
    ({a: POSITIVE}, Scaling(exp(a * e) - 1, e, 2, "at least")),
]

FALSE = [
    ({}, ForSmall(e, sin(e) > e)),
    ({}, ForSmall(e, sin(e) < e - e**3 / 6)),
    ({a: S.Reals}, ForSmall(e, exp(a * e) > 1 + a * e)),
    ({a: POSITIVE}, ForSmall(e, a * e > e**2 + e / 10**40)),
    ({}, ForSmall(e, ForAll(x, Interval.open(0, 1), e**2 < x))),
    ({}, ForSmall(e, ForAll(x, Interval.open(0, 1), sin(e * x) < e * x - e**2))),
    ({}, ForSmall(e, ForAll(x, Interval(0, 1), sin(e * x) < e * x))),
    ({}, ForSmall(e, Exists(x, Interval(0, e), Eq(x, 1)))),
    ({}, Scaling(e - sin(e), e, 2)),
    ({}, Scaling(e - sin(e), e, 4, "at most")),
    ({a: S.Reals}, Scaling(exp(a * e) - 1, e, 1)),
    ({a: S.Reals}, Scaling(a * e + e**2, e, 2, "at most")),
]


@pytest.mark.parametrize(("variables", "claim"), TRUE, ids=str)
def test_true_local_statements_are_proved_and_accepted(variables, claim):
    statement = Statement(variables=variables, then=claim)
    verdict = series.decide(statement, Budget.of("standard"))
    assert verdict.outcome is Outcome.PROVED
    assert checker.check(statement, json.loads(json.dumps(verdict.certificate)))


@pytest.mark.parametrize(("variables", "claim"), FALSE, ids=str)
def test_false_local_statements_are_not_proved_by_either_route(variables, claim):
    statement = Statement(variables=variables, then=claim)
    verdict = series.decide(statement, Budget.of("standard"))
    assert verdict is None or verdict.outcome is Outcome.REFUTED
    assert not checker.check(statement, {"kind": "series"})


@pytest.mark.parametrize("claim", [FALSE[0][1], FALSE[1][1], FALSE[8][1], FALSE[9][1]], ids=str)
def test_wrong_orders_and_signs_are_refuted(claim):
    assert series.decide(Statement(then=claim), Budget.of("standard")).outcome is Outcome.REFUTED


@pytest.mark.parametrize(
    "function",
    [sin(e), tan(e), log(1 + e), atan(1 + e), sqrt(4 + e), asin(e / 2), exp(sin(e)), (1 + e) ** a, 1 / (2 + cos(e))],
    ids=str,
)
def test_power_series_agree_with_derivatives(function):
    found, _ = expansion(function, e, 6)
    for place, coefficient in enumerate(found.coefficients):
        order = found.valuation + place
        by_derivative = function.diff(e, order).subs(e, 0) if order else function.subs(e, 0)
        assert (coefficient * factorial(order) - by_derivative).expand() == 0
