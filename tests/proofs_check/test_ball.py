"""True transcendental inequalities are proved on the whole domain, and an independent checker accepts each proof."""

import json
from dataclasses import replace

import pytest
from sympy import (
    Abs,
    E,
    Ei,
    Function,
    Implies,
    Interval,
    LambertW,
    Max,
    Ne,
    Or,
    Range,
    Rational,
    S,
    Symbol,
    acos,
    asin,
    betainc,
    cos,
    cosh,
    exp,
    log,
    oo,
    pi,
    sech,
    sin,
    sqrt,
    tan,
    tanh,
)

from proofs_check.budget import Budget
from proofs_check.engines.cover import search as ball
from proofs_check.kernel.kinds import accepted
from proofs_check.kernel.theorem import Sense, accept
from proofs_check.verdict import Outcome, Strength
from theory.statements import Statement

x, y, n = Symbol("x"), Symbol("y"), Symbol("n")
POSITIVE = Interval.open(0, oo)
UNIT = Interval(0, 1)
INSIDE = Interval.open(0, 1)

TRUE = [
    ({x: POSITIVE}, exp(x) > 1 + x + x**2 / 2),
    ({x: S.Reals}, exp(x) >= 1 + x),
    ({x: S.Reals - {0}}, exp(x) > 1 + x),
    ({x: S.Reals}, cosh(x) >= 1 + x**2 / 2),
    ({x: POSITIVE}, log(x) <= x - 1),
    ({x: Interval.Lopen(0, 1)}, sin(x) < x),
    ({x: Interval.open(0, pi / 2)}, sin(x) > 2 * x / pi),
    ({x: Interval.open(0, pi / 2)}, tan(x) > x),
    ({x: INSIDE}, x * log(x) < 0),
    ({x: INSIDE}, x * log(x) > -Rational(37, 100)),
    ({x: INSIDE}, sqrt(x) > x),
    ({x: Interval(-1, 1)}, acos(x) + asin(x) <= 2),
    ({x: POSITIVE}, tanh(x) < 1),
    ({x: S.Reals}, log(1 + exp(x)) > x),
    ({x: S.Reals}, log(1 + exp(x)) <= log(2) + Abs(x)),
    ({x: S.Reals}, -2 * sech(x) ** 6 - 20 * sech(x) ** 4 * tanh(x) ** 2 < 0),
    ({x: S.Reals}, exp(-(x**2)) <= 1 / (1 + x**2)),
    ({x: POSITIVE}, LambertW(x) < x),
    ({x: Interval(1, 3)}, Ei(x) >= log(x)),
    ({x: Interval(0, Rational(1, 2))}, betainc(2, 3, 0, x) <= Rational(6, 100)),
    ({x: Interval(0, 2)}, x**2 - 2 * sqrt(2) * x + 2 + sin(x - sqrt(2)) ** 2 >= 0),
    ({x: Interval(0, 2), y: Interval(0, 2)}, sin(x) * cos(y) + x * y / 10 <= Rational(6, 5)),
    ({x: UNIT, y: UNIT}, exp(x * y) <= 1 + x * y * (E - 1)),
    ({x: UNIT, y: UNIT}, sin(x + y) <= sin(x) + sin(y)),
    ({x: S.Reals, y: S.Reals}, (exp(x) + exp(y)) / 2 >= exp((x + y) / 2)),
    ({x: Interval(-3, 3)}, Or(sin(x) <= Rational(1, 2), cos(x) < Rational(9, 10))),
    ({x: Interval(-3, 3)}, Implies(Ne(x, 0), sin(x) / x < 1)),
    ({x: Interval(-3, 3)}, Max(exp(x), exp(-x)) >= 1 + Abs(x)),
    ({n: Range(1, 6), x: INSIDE}, x**n <= x),
    ({n: S.Naturals}, exp(n) > n**2),
]


@pytest.mark.parametrize(("variables", "claim"), TRUE, ids=str)
def test_true_inequalities_are_proved_and_the_proof_is_accepted(variables, claim):
    statement = Statement(variables=variables, then=claim)
    verdict = ball.decide(statement, replace(Budget.of("standard"), seconds=4.0))
    assert verdict is not None
    assert verdict.outcome is Outcome.PROVED
    theorem = accept(statement, Sense.HOLDS, json.loads(json.dumps(verdict.certificate)))
    assert theorem.strength is Strength.ENCLOSED


def test_hypotheses_are_used():
    claim = exp(x - y) <= 1
    assert ball.decide(Statement(variables={x: UNIT, y: UNIT}, given=(x <= y,), then=claim), Budget.of("quick")).decided
    without = ball.decide(Statement(variables={x: UNIT, y: UNIT}, then=claim), Budget.of("quick"))
    assert without.outcome is Outcome.REFUTED


def test_contradictory_hypotheses_are_found():
    impossible = Statement(variables={x: UNIT}, given=(exp(x) > 3,), then=x < 0)
    assert ball.decide(impossible, Budget.of("quick")).outcome is Outcome.PROVED


def test_the_budget_is_respected():
    import time

    hard = Statement(variables={x: S.Reals, y: S.Reals}, then=sin(x * y) ** 2 + sin(x + y**2) ** 2 < 2 + exp(-x * x))
    start = time.process_time()
    ball.decide(hard, Budget.of("quick"))
    assert time.process_time() - start < 8


def test_abstract_functions_are_left_to_others():
    phi = Function("phi")
    assert ball.decide(Statement(variables={x: UNIT}, then=phi(x) < 1), Budget.of("quick")) is None


@pytest.mark.parametrize("domain", [Interval(0, pi), Interval(0, 3)])
def test_a_counterexample_is_a_number_that_a_person_would_write(domain):
    verdict = ball.decide(Statement(variables={x: domain}, then=sin(x) >= x / 2), Budget.of("quick"))
    assert verdict.counterexample == {"x": "2"}
    assert accepted(Statement(variables={x: domain}, then=sin(x) >= x / 2), verdict.certificate)
