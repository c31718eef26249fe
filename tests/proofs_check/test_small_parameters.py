"""Small parameters: nested roots, e log(1/e), iterated logarithms, sines that oscillate, and false scaling laws."""

from __future__ import annotations

import json

import pytest
from sympy import Abs, Eq, Expr, Interval, Rational, S, Symbol, cos, log, oo, sin, sqrt
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.asymptotics import search as series
from proofs_check.kernel import series as checker
from proofs_check.kernel.gauges import in_units
from proofs_check.kernel.oscillation import along
from proofs_check.verdict import Evidence, Outcome
from theory.statements import Statement
from theory.temporal import ForSmall, Scaling, negation

e, a, x = Symbol("e"), Symbol("a"), Symbol("x")
NESTED = sqrt(e + sqrt(e + sqrt(e)))


def asked(then: Boolean, **domains: object) -> tuple[Statement, Evidence | None]:
    statement = Statement(variables={Symbol(name): domain for name, domain in domains.items()}, then=then)
    return statement, series.decide(statement, Budget.of("standard"))


def stands(statement: Statement, evidence: Evidence | None, outcome: Outcome) -> bool:
    if evidence is None or evidence.outcome is not outcome:
        return False
    stored = json.loads(json.dumps(evidence.certificate))
    opposite = statement.but(then=ForSmall(e, negation(statement.then.body))) if statement.then.has(ForSmall) else None
    return checker.check(statement, stored) and (opposite is None or not checker.check(opposite, stored))


@pytest.mark.parametrize(
    "claim",
    [
        e * log(1 / e) <= sqrt(e),
        sqrt(e * log(1 / e)) < e ** Rational(1, 4),
        2 * e ** Rational(1, 8) >= NESTED,
        e / (e + sqrt(e)) < sqrt(e),
        log(log(1 / e)) < log(1 / e),
        log(log(1 / e)) ** 3 < log(1 / e),
        Abs(e * sin(1 / e)) <= e,
        e**2 * (2 + cos(1 / e)) < e,
        Abs(sin(1 / e) + cos(1 / e**2)) * e < 3 * e,
        sqrt(e) * cos(log(e)) <= 2 * sqrt(e),
    ],
    ids=str,
)
def test_true_for_all_small_values(claim: Boolean) -> None:
    assert stands(*asked(ForSmall(e, claim)), Outcome.PROVED)


@pytest.mark.parametrize(
    "claim",
    [
        e * log(1 / e) <= 1000 * e,
        e ** Rational(1, 8) >= NESTED,
        e * sin(1 / e) < e,
        e * sin(1 / e) >= -(e**2),
        e * cos(1 / e**2) + e**2 * sin(1 / e**2) <= e**2,
        log(log(1 / e)) > 1000,
    ],
    ids=str,
)
def test_false_ones_are_refuted_also_along_sequences(claim: Boolean) -> None:
    if claim == (log(log(1 / e)) > 1000):
        claim = negation(claim)
    assert stands(*asked(ForSmall(e, claim)), Outcome.REFUTED)


@pytest.mark.parametrize(
    "claim",
    [
        log((1 / a + 1) * e - e / a) < 0,
        e * sin(1 / (a * e)) <= 1,
        sqrt(a * e) / sqrt(a) < 1,
        e * sin(1 / e) * log(a) <= 1,
        sqrt(log(e)) >= 0,
        e * sin(1 / e) * log(-e) > 1,
    ],
    ids=str,
)
def test_a_term_without_a_value_for_some_parameter_is_not_hidden(claim: Boolean) -> None:
    statement, evidence = asked(ForSmall(e, claim), a=S.Reals)
    assert evidence is None or evidence.outcome is not Outcome.PROVED
    _, positive = asked(ForSmall(e, claim), a=Interval.open(0, oo))
    if positive is not None and positive.outcome is Outcome.PROVED:
        assert not checker.check(statement, json.loads(json.dumps(positive.certificate)))


LAWS: list[tuple[Expr, object, str, str | None]] = [
    (sqrt(e + sqrt(e)), Rational(1, 4), "equal", None),
    (sqrt(e + sqrt(e)), Rational(1, 2), "equal", "1/4"),
    (e * log(1 / e), 1, "equal", "1"),
    (e * log(1 / e), 1, "at least", None),
    (e * log(1 / e), 1, "at most", "1"),
    (e * log(1 / e), Rational(9, 10), "at most", None),
    (e / log(1 / e), 1, "at most", None),
    (e / log(1 / e), 1, "at least", "1"),
    (sqrt(e * log(1 / e)), Rational(1, 2), "at least", None),
]


@pytest.mark.parametrize(("quantity", "exponent", "sense", "true_order"), LAWS, ids=str)
def test_scaling_laws_with_logarithms_and_nested_roots(
    quantity: Expr, exponent: object, sense: str, true_order: str | None
) -> None:
    statement, evidence = asked(Scaling(quantity, e, exponent, sense))
    assert evidence is not None
    assert evidence.outcome is (Outcome.PROVED if true_order is None else Outcome.REFUTED)
    assert true_order is None or evidence.counterexample["order"] == true_order
    stored = json.loads(json.dumps(evidence.certificate))
    assert checker.check(statement, stored)
    other = statement.but(then=Scaling(quantity, e, exponent + 1 if sense == "at most" else exponent - 1, sense))
    if true_order is None and sense != "at least":
        assert not checker.check(statement.but(then=Scaling(quantity, e, 5, sense)), stored)
    elif sense == "equal":
        assert checker.check(other, stored)


def test_a_quantity_whose_largest_part_may_vanish_has_no_exponent() -> None:
    _, evidence = asked(Scaling(x * e * log(1 / e) + e, e, 1), x=S.Reals)
    assert evidence is not None
    assert evidence.outcome is Outcome.REFUTED
    _, vanishing = asked(Scaling(x * e * log(1 / e) + e, e, 1, "at least"), x=S.Reals)
    assert vanishing is None or vanishing.outcome is not Outcome.REFUTED


def test_roots_and_sequences_are_exact_changes_of_the_symbol() -> None:
    written, root = in_units(NESTED, e)
    for value in (Rational(1, 2), Rational(1, 7)):
        gap = written.subs(e, value) - NESTED.subs(e, value**root)
        assert abs(gap.evalf(40)) < 1e-30
    for quarter, sine in enumerate((0, 1, 0, -1)):
        moved = along(Eq(sin(3 / e**2), e), e, quarter)
        assert moved is not None
        assert moved.lhs == sine
        there = moved.rhs.subs(e, Rational(1, 4))
        assert abs(sin(3 / there**2).evalf(30) - sine) < 1e-20
    assert along(sin(1 / e) + sin(2 / e) > 1, e, 0) is None
    assert along(sin(a / e) > 1, e, 0) is None
    assert along(sin(-log(e)) > 1, e, 0) is None


if __name__ == "__main__":
    test_roots_and_sequences_are_exact_changes_of_the_symbol()
