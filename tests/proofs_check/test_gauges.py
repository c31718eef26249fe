"""Local statements with logarithms, roots, kinks and flat functions: decided by the largest product, or left open."""

from __future__ import annotations

import json

import mpmath
import pytest
from sympy import (
    Abs,
    And,
    Implies,
    Interval,
    Max,
    Min,
    Rational,
    S,
    Symbol,
    cos,
    exp,
    lambdify,
    log,
    oo,
    sin,
    sqrt,
)
from sympy.core.relational import Relational

from proofs_check.budget import Budget
from proofs_check.engines.asymptotics import search as series
from proofs_check.kernel import series as checker
from proofs_check.verdict import Outcome
from theory.statements import Statement
from theory.temporal import ForAll, ForSmall, negation

e, a, x = Symbol("e"), Symbol("a"), Symbol("x")
R, POSITIVE = S.Reals, Interval.open(0, oo)

TRUE = [
    e * log(e) < 0,
    -log(e) < 1 / e,
    sqrt(e) > e,
    e * log(e) ** 2 < sqrt(e),
    log(e) ** 3 + 1000 * log(e) ** 2 < 0,
    exp(-1 / e) < e**5,
    exp(-1 / e) > 0,
    exp(1 / e) > 1 / e**7,
    exp(-1 / e) * log(e) ** 10 < e,
    exp(-2 / e) < exp(-1 / e) * e**3,
    exp(-1 / sqrt(e)) < e**2,
    log(2 * e + e**2) < log(3 * e),
    sqrt(e**2 + e**3) > e,
    sqrt(e + e**2) < sqrt(e) + e,
    Abs(sin(e)) <= e,
    Abs(log(e)) > 100,
    Max(e, e**2) <= e,
    Min(sqrt(e), -e * log(e)) > e,
    1 / log(e) < -e,
    log(e) / (1 + log(e)) > 1,
    And(e ** Rational(1, 3) > e ** Rational(1, 2), Implies(e > 0, log(e) < -5)),
    exp(-1 / e + e) < exp(-1 / e) * (1 + 2 * e),
    cos(e) - 1 > e**2 * log(e),
]

TRUE_FOR_POSITIVE = [a * e * log(e) < 0, log(a * e) < -a, sqrt(a * e) > e * a, exp(-1 / e) < a * e**3]

LEFT_OPEN = [
    sqrt(-e) >= 0,
    log(-e) < 0,
    log(a * e) < 1,
    sqrt(a * e) >= 0,
    e + exp(-1 / e) * log(a) > 0,
    e + exp(-1 / e) / a > 0,
]
"""Without a value for some a, or for all: neither proved nor refuted."""


def asked(claim: Relational, variables: dict[Symbol, object]) -> tuple[Statement, object]:
    statement = Statement(variables=variables, then=ForSmall(e, claim))
    return statement, series.decide(statement, Budget.of("standard"))


@pytest.mark.parametrize("claim", TRUE, ids=str)
def test_what_is_true_is_proved_and_its_opposite_is_refuted_and_both_replay(claim: Relational) -> None:
    for part, expected in ((claim, Outcome.PROVED), (negation(claim), Outcome.REFUTED)):
        if expected is Outcome.REFUTED and isinstance(claim, And):
            continue
        statement, verdict = asked(part, {})
        assert verdict is not None
        assert verdict.outcome is expected
        assert checker.check(statement, json.loads(json.dumps(verdict.certificate)))
        other = statement.but(then=ForSmall(e, negation(part)))
        assert not checker.check(other, json.loads(json.dumps(verdict.certificate)))


@pytest.mark.parametrize("claim", [part for part in TRUE if isinstance(part, Relational)], ids=str)
def test_mpmath_agrees_at_tiny_values(claim: Relational) -> None:
    function = lambdify(e, [claim.lhs, claim.rhs], modules="mpmath")
    with mpmath.workdps(2600):
        for power in (500, 650, 800):
            left, right = function(mpmath.mpf(10) ** -power)
            shown = {">": left > right, "<": left < right, ">=": left >= right, "<=": left <= right}
            assert shown[claim.rel_op]


@pytest.mark.parametrize("claim", TRUE_FOR_POSITIVE, ids=str)
def test_parameters_must_have_the_right_sign(claim: Relational) -> None:
    statement, verdict = asked(claim, {a: POSITIVE})
    assert verdict.outcome is Outcome.PROVED
    assert checker.check(statement, json.loads(json.dumps(verdict.certificate)))
    for domain in (R, Interval(0, 1)):
        other, otherwise = asked(claim, {a: domain})
        assert otherwise is None or otherwise.outcome is not Outcome.PROVED
        assert not checker.check(other, json.loads(json.dumps(verdict.certificate)))


@pytest.mark.parametrize("claim", LEFT_OPEN, ids=str)
def test_what_has_no_value_is_left_open_by_both_routes(claim: Relational) -> None:
    statement, verdict = asked(claim, {a: R})
    assert verdict is None
    assert not checker.check(statement, {"kind": "series"})


def test_other_scales_are_left_open() -> None:
    for claim in (exp(-1 / e**2) < exp(-1 / e), e**e < 1, log(-log(e)) > 0, sin(1 / e) <= 1):
        _, verdict = asked(claim, {})
        assert verdict is None or verdict.outcome is Outcome.PROVED


def test_inner_variables_are_not_treated_pointwise() -> None:
    """x log(e) tends to minus infinity for each x > 0, but not uniformly."""
    claim = ForAll(x, Interval.open(0, 1), x * log(e) < -1)
    statement, verdict = asked(claim, {})
    assert verdict is None or verdict.outcome is not Outcome.PROVED
    assert not checker.check(statement, {"kind": "series"})


def test_a_chart_does_not_hide_a_missing_value() -> None:
    """On [0, a] the quotient y/a is s, but for a = 0 it has no value."""
    claim = ForAll(x, Interval(0, a), x / a <= 2 + e)
    statement, verdict = asked(claim, {a: R})
    assert verdict is None
    assert not checker.check(statement, {"kind": "series"})
    assert asked(claim, {a: POSITIVE})[1].outcome is Outcome.PROVED
