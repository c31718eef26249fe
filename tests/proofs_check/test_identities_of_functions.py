"""Identities between functions: inverse functions by variation, logarithms of powers, and values one further on."""

import pytest
from sympy import (
    Abs,
    Eq,
    Interval,
    Ne,
    Rational,
    S,
    acos,
    asin,
    atan,
    erf,
    erfc,
    factorial,
    gamma,
    log,
    loggamma,
    oo,
    pi,
    symbols,
)
from sympy.logic.boolalg import Boolean

from proofs_check import verify
from proofs_check.budget import Budget
from proofs_check.engines.identity import search
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.verdict import Outcome
from theory import Statement
from theory.language.functions import entries

x, y = symbols("x y")
POSITIVE, NEGATIVE = Interval.open(0, oo), Interval.open(-oo, 0)

TRUE = [
    (Eq(atan(x) + atan(1 / x), pi / 2), {x: POSITIVE}, ()),
    (Eq(asin(x) + acos(x), pi / 2), {x: Interval(-1, 1)}, ()),
    (Eq(erf(x) + erfc(x), 1), {x: S.Reals}, ()),
    (Eq(log(x**2), 2 * log(Abs(x))), {x: S.Reals}, (Ne(x, 0),)),
    (Eq(log(x**2 * y**4), 2 * log(Abs(x)) + 4 * log(Abs(y))), {x: NEGATIVE, y: POSITIVE}, ()),
    (Eq(gamma(x + 2), x * (x + 1) * gamma(x)), {x: POSITIVE}, ()),
    (Eq(loggamma(x + 1) - loggamma(x), log(x)), {x: POSITIVE}, ()),
    (Eq(factorial(x + 2), (x + 1) * (x + 2) * factorial(x)), {x: POSITIVE}, ()),
]
FALSE = [
    (Eq(atan(x) + atan(1 / x), pi / 2), {x: S.Reals}, (Ne(x, 0),)),
    (Eq(log(x**2), 2 * log(Abs(x)) + Rational(1, 10**6)), {x: S.Reals}, (Ne(x, 0),)),
    (Eq(gamma(x + 2), x * (x + 2) * gamma(x)), {x: POSITIVE}, ()),
    (Eq(loggamma(x + 1) - loggamma(x), log(x + 1)), {x: POSITIVE}, ()),
]


def stated(then: Boolean, domains: dict, given: tuple) -> Statement:
    return Statement(variables=domains, given=given, then=then)


@pytest.mark.parametrize("case", TRUE, ids=str)
def test_true_identities_are_proved_and_their_proofs_prove_no_shifted_ones(case: tuple) -> None:
    statement = stated(*case)
    verdict = verify(statement, effort="standard")
    assert verdict.outcome == "proved"
    shifted = statement.but(then=Eq(case[0].lhs, case[0].rhs + 1))
    assert not isinstance(accept(shifted, Sense.HOLDS, verdict.certificate), Theorem)


@pytest.mark.parametrize("case", FALSE, ids=str)
def test_false_twins_are_not_proved(case: tuple) -> None:
    assert verify(stated(*case), effort="quick").outcome != "proved"


@pytest.mark.parametrize(
    "case",
    [
        (Eq(log(x**2), 2 * log(x)), {x: S.Reals}, (Ne(x, 0),)),
        (Eq(log(x**2), 2 * log(Abs(x))), {x: S.Reals}, ()),
        (Eq(log(x * y), log(Abs(x)) + log(Abs(y))), {x: S.Reals, y: POSITIVE}, (Ne(x, 0),)),
        (Eq(loggamma(x + 1) - loggamma(x), log(x)), {x: Interval.open(-1, oo)}, ()),
    ],
    ids=str,
)
def test_both_sides_must_have_values(case: tuple) -> None:
    evidence = search.decide(stated(*case), Budget.of("quick"))
    assert evidence is None or evidence.outcome is not Outcome.PROVED


def test_the_next_value_in_the_table_is_the_next_value() -> None:
    known = [entry for entry in entries() if entry.next_value is not None]
    assert {entry.name for entry in known} >= {"gamma", "loggamma", "factorial"}
    for entry in known:
        for place in (Rational(1, 3), Rational(5, 2)):
            here = entry.function(place)
            gap = entry.next_value(place, here) - entry.function(place + 1)
            assert abs(gap.evalf(30)) < 1e-20


if __name__ == "__main__":
    test_the_next_value_in_the_table_is_the_next_value()
