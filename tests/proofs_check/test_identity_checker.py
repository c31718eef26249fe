"""Identities are re-checked as rational functions over another ring, and a combination of foreign relations is not."""

from __future__ import annotations

import pytest
from sympy import Abs, Eq, Expr, Function, Interval, Ne, S, cos, gamma, log, loggamma, oo, sin, sqrt, symbols

from proofs_check.budget import Budget
from proofs_check.engines.identity import search as identity
from proofs_check.evidence.replay import check
from proofs_check.kernel import fields
from proofs_check.kernel import identity as checker
from proofs_check.referee.judge import verify
from theory import Statement
from theory.trees import encode

x, y, mu, eta = symbols("x y mu eta")
f = Function("f")
POSITIVE = Interval.open(0, oo)


def descent(value: object) -> object:
    return value - eta * value * (value**2 - mu)


def test_a_large_consequence_of_a_hypothesis_is_accepted_without_solvers() -> None:
    twice = descent(descent(x))
    statement = Statement(
        variables={x: S.Reals, mu: POSITIVE, eta: POSITIVE}, given=(Eq(twice, x),), then=Eq(descent(twice), descent(x))
    )
    certificate = identity.decide(statement, Budget.of("standard").start()).certificate
    assert checker.check(statement, certificate)
    assert not checker.check(statement.but(given=()), certificate)
    assert not checker.check(statement.but(then=Eq(descent(twice), x)), certificate)


def test_generators_that_are_no_hypotheses_are_refused() -> None:
    statement = Statement(variables={x: S.Reals}, then=Eq(x**2, x))
    forged = {"target": encode(x**2 - x), "generators": [encode(x - 1)], "cofactors": [encode(x)], "origins": {}}
    assert not checker.check(statement, {"kind": "identity", "combinations": [forged]})


def test_roots_are_reduced_and_denominators_must_not_vanish() -> None:
    left = (sqrt(x) + sqrt(y)) * (sqrt(x) - sqrt(y))
    assert fields.Fractions([left, x, y]).vanishes(left - x + y)
    assert not fields.Fractions([left, x, y]).vanishes(left - x - y)
    nothing = {"target": encode(S.Zero), "generators": [], "cofactors": [], "origins": {}}
    statement = Statement(variables={x: S.Reals}, then=Eq((x**2 - 1) / (x - 1), x + 1))
    assert not checker.check(statement, {"kind": "identity", "combinations": [nothing]})
    assert not checker.check(
        statement.but(variables={x: Interval(2, 3)}), {"kind": "identity", "combinations": [nothing]}
    )
    assert checker.check(statement.but(given=(Ne(x - 1, 0),)), {"kind": "identity", "combinations": [nothing]})


@pytest.mark.parametrize(
    ("given", "claim"),
    [
        ((), Eq(f(x**2 - 1), f((x - 1) * (x + 1)))),
        ((), Eq(x * f(eta * (x + 1)), x * f(eta * x + eta))),
        ((Eq(x - y, eta),), Eq(f(x), f(y + eta))),
        ((), Eq(f(sin(x) ** 2), f(1 - cos(x) ** 2))),
        ((Ne(eta, 0), Eq(eta * x, eta * y)), Eq(x, y)),
        ((x > 1,), Eq(sqrt((x - 1) / x), sqrt(x - 1) / sqrt(x))),
        ((x > 1,), Eq(sqrt(x + 2 * sqrt(x - 1)), 1 + sqrt(x - 1))),
    ],
    ids=str,
)
def test_congruence_radicals_and_cancellation_are_proved_and_re_checked(given: tuple[object, ...], claim: Eq) -> None:
    statement = Statement(id="equal", variables={x: S.Reals, y: S.Reals, eta: S.Reals}, given=given, then=claim)
    verdict = verify(statement, effort="quick")
    assert verdict.outcome == "proved"
    assert check(statement, verdict.certificate)[0] == "accepted"


def test_a_root_among_the_generators_is_known_by_what_it_stands_for() -> None:
    w = symbols("w0")
    statement = Statement(
        variables={x: Interval(0, sqrt(2)), w: S.Reals}, given=(Eq(w**2, w),), then=Eq(x * w**3, x * w)
    )
    certificate = identity.decide(statement, Budget.of("standard").start()).certificate
    assert checker.check(statement, certificate)


EQUAL = [
    (log(x * y), log(Abs(x)) + log(Abs(y))),
    (log(x**2 - y**2), log(x - y) + log(x + y)),
    (log(8 * x**3 / 3), 3 * log(2 * x) - log(3)),
    (log(sqrt(x)), log(Abs(x)) / 2),
    (log(log(x) ** 2), 2 * log(Abs(log(x)))),
    (gamma(2 * (x + 1)), 2 * x * (2 * x + 1) * gamma(2 * x)),
    (sin(gamma(x + 1)), sin(x * gamma(x))),
    (log(gamma(x + 1)), log(x) + log(gamma(x))),
    (loggamma(1 + sqrt(x)), log(x) / 2 + loggamma(sqrt(x))),
]


@pytest.mark.parametrize(("left", "right"), EQUAL, ids=str)
def test_logarithms_of_sizes_and_next_values_are_equal_and_not_shifted(left: Expr, right: Expr) -> None:
    field = fields.Fractions([left, right])
    assert field.vanishes(left - right)
    assert not field.vanishes(left - right - 1)
    assert not field.vanishes(left - 2 * right)


@pytest.mark.parametrize("one", [log(x**2), log(x * y), gamma(x + 2) / gamma(x), 1 / log(x**2 * y)], ids=str)
def test_what_is_written_back_keeps_its_places_without_a_value(one: Expr) -> None:
    assert fields.normal(one) == one
