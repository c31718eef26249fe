"""Local statements are decided by exact leading coefficients, uniformly in inner variables; derivatives agree."""

import json

import pytest
from sympy import (
    Abs,
    And,
    E,
    Eq,
    Function,
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
    pi,
    sin,
    sqrt,
    tan,
    tanh,
)

from proofs_check.budget import Budget
from proofs_check.engines.asymptotics import search as series
from proofs_check.engines.asymptotics.series import expansion
from proofs_check.kernel import series as checker
from proofs_check.verdict import Outcome
from theory.statements import Statement
from theory.temporal import Exists, ForAll, ForSmall, Scaling

e, a, x = Symbol("e"), Symbol("a"), Symbol("x")
f = Function("f")
POSITIVE = Interval.open(0, oo)

TINY = ForSmall(e, a * e > e**2 + e / 10**40)

TRUE = [
    ({}, ForSmall(e, e > e**2 * f(e))),
    ({}, ForSmall(e, ForAll(x, Interval(0, 1), e + e**2 * f(e * x - e**2 * f(x * e)) > 0))),
    ({}, ForSmall(e, Exists(x, Interval.open(0, 2 * e), Eq(x + x**2 * f(x), e)))),
    ({a: S.Reals}, Scaling(sin(e) - e + e**3 * f(a + e), e, 3, "at most")),
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
    ({a: Interval(0, oo)}, ForSmall(e, Abs(a + e) > Abs(a))),
    ({a: POSITIVE}, ForSmall(e, (1 + a * e) ** (1 / e) < exp(a))),
    ({}, Scaling(E - (1 + e) ** (1 / e), e, 1)),
]

FALSE = [
    ({}, ForSmall(e, sin(e) > e)),
    ({}, ForSmall(e, sin(e) < e - e**3 / 6)),
    ({a: S.Reals}, ForSmall(e, exp(a * e) > 1 + a * e)),
    ({a: POSITIVE}, TINY),
    ({}, ForSmall(e, ForAll(x, Interval.open(0, 1), e**2 < x))),
    ({}, ForSmall(e, ForAll(x, Interval.open(0, 1), sin(e * x) < e * x - e**2))),
    ({}, ForSmall(e, ForAll(x, Interval(0, 1), sin(e * x) < e * x))),
    ({}, ForSmall(e, Exists(x, Interval(0, e), Eq(x, 1)))),
    ({}, ForSmall(e, (1 + e) ** (1 / e) > E)),
    ({}, Scaling(E - (1 + e) ** (1 / e), e, 2)),
    ({a: S.Reals}, ForSmall(e, Abs(a + e) > Abs(a))),
    ({}, Scaling(e - sin(e), e, 2)),
    ({}, Scaling(e - sin(e), e, 4, "at most")),
    ({a: S.Reals}, Scaling(exp(a * e) - 1, e, 1)),
    ({a: S.Reals}, Scaling(a * e + e**2, e, 2, "at most")),
    ({a: Interval(0, 9)}, Scaling((a**2 - 3) * e + e**2, e, 1)),
    ({a: Interval(0, 9)}, ForSmall(e, (a - pi) ** 2 * e > e**2)),
    ({a: Interval(0, 9)}, And(Scaling(e, e, 1), ForSmall(e, And(e > 0, a * e > e**2)))),
]

OF_ANY_FUNCTION = [
    ForSmall(e, f(e) > 0),
    ForSmall(e, e**2 + e * f(e) > 0),
    ForSmall(e, f(e) >= f(0)),
    ForSmall(e, e + e**2 * f(1 / e) > 0),
    ForSmall(e, e + e**2 * Abs(f(log(e))) > e**2 * f(log(e)) + e / 2),
    ForSmall(e, Exists(x, Interval.open(0, 2 * e), Eq(x + x * f(x), e))),
    Scaling(sin(e) - e + e**2 * f(e), e, 3, "at most"),
]
"""True of some functions, false of others, or beyond where a function is known to be bounded."""

UNDEFINED = [
    ForSmall(e, ForAll(x, Interval(0, 1), e / x >= 0)),
    ForSmall(e, ForAll(x, Interval(0, 1), e / (1 - x) ** 3 >= 0)),
    ForSmall(e, ForAll(x, Interval(0, 1), e * log(x) <= 0)),
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


@pytest.mark.parametrize(("variables", "claim"), [pair for pair in FALSE if pair[1] != TINY], ids=str)
def test_wrong_orders_and_signs_are_refuted_and_the_refutation_replays(variables, claim):
    statement = Statement(variables=variables, then=claim)
    verdict = series.decide(statement, Budget.of("standard"))
    assert verdict.outcome is Outcome.REFUTED
    assert checker.check(statement, json.loads(json.dumps(verdict.certificate)))


def test_a_refutation_does_not_replay_for_a_true_statement():
    false = Statement(variables={a: S.Reals}, then=ForSmall(e, exp(a * e) > 1 + a * e))
    stored = series.decide(false, Budget.of("standard")).certificate
    assert checker.check(false, stored)
    assert not checker.check(false.but(variables={a: POSITIVE}), stored)
    assert not checker.check(false.but(then=ForSmall(e, exp(a * e) >= 1 + a * e)), stored)


@pytest.mark.parametrize("claim", OF_ANY_FUNCTION, ids=str)
def test_what_holds_for_some_functions_is_not_proved_for_any(claim):
    verdict = series.decide(Statement(then=claim), Budget.of("standard"))
    assert verdict is None or verdict.outcome is not Outcome.PROVED
    assert not checker.check(Statement(then=claim), {"kind": "series"})


@pytest.mark.parametrize("claim", UNDEFINED, ids=str)
def test_what_is_undefined_somewhere_is_neither_proved_nor_refuted(claim):
    statement = Statement(then=claim)
    assert series.decide(statement, Budget.of("standard")) is None
    assert not checker.check(statement, {"kind": "series"})


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
