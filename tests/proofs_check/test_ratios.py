"""Products of powers, factorials and binomials are compared by ratios; first numbers are looked at one by one."""

from __future__ import annotations

import copy
import json

import pytest
from sympy import E, Integer, Interval, Range, S, Symbol, binomial, exp, factorial, log, oo, sqrt
from sympy.logic.boolalg import Boolean

from proofs_check import derive
from proofs_check.budget import Budget
from proofs_check.engines.whole import search
from proofs_check.kernel.ratios import ratio_goals
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.verdict import Outcome
from theory import Statement

n, x = Symbol("n"), Symbol("x")
NATURALS = S.Naturals

TRUE = [
    factorial(n) <= n**n,
    factorial(n) >= (n / E) ** n,
    factorial(n) <= ((n + 1) / 2) ** n,
    binomial(2 * n, n) <= 4**n,
    binomial(2 * n, n) >= 4**n / (2 * n + 1),
    factorial(2 * n) >= 2**n * factorial(n) ** 2,
    (1 - 1 / n) ** n <= exp(-1),
]
FALSE = [
    factorial(n) >= 2**n,
    factorial(n) <= 5**n,
    factorial(n) >= (n / 2) ** n,
    binomial(2 * n, n) <= 3**n,
    (-3) ** n <= 2**n,
    (n - 3) ** 3 * 2**n <= 3**n,
]
"""Wrong at the first number, wrong ratios from some number on, and products that are not positive."""


def stated(claim: Boolean, domain: object = NATURALS) -> Statement:
    return Statement(variables={n: domain}, then=claim)


@pytest.mark.parametrize("claim", TRUE, ids=str)
def test_true_claims_are_proved_and_forged_proofs_are_refused(claim: Boolean) -> None:
    statement = stated(claim)
    evidence = search.decide(statement, Budget.of("standard"))
    assert evidence is not None
    assert evidence.outcome is Outcome.PROVED
    stored = json.loads(json.dumps(evidence.certificate))
    assert isinstance(accept(statement, Sense.HOLDS, stored), Theorem)
    for key, value in (("skipped", -1), ("skipped", 99), ("obligations", [])):
        forged = copy.deepcopy(stored)
        forged[key] = value
        assert not isinstance(accept(statement, Sense.HOLDS, forged), Theorem)
    for other in (
        stated(claim, S.Naturals0 - {0}),
        stated(claim, S.Integers),
        stated(claim.func(claim.rhs, claim.lhs)),
    ):
        if other.then != claim or other.variables[n] is S.Integers:
            assert not isinstance(accept(other, Sense.HOLDS, stored), Theorem)


@pytest.mark.parametrize("claim", FALSE, ids=str)
def test_false_claims_have_no_proof(claim: Boolean) -> None:
    evidence = search.decide(stated(claim), Budget.of("quick"))
    assert evidence is None or evidence.outcome is not Outcome.PROVED


def test_the_same_is_true_from_a_later_number_on() -> None:
    evidence = search.decide(stated(factorial(n) >= 2**n, Range(4, oo)), Budget.of("standard"))
    assert evidence is not None
    assert not isinstance(accept(stated(factorial(n) >= 2**n), Sense.HOLDS, evidence.certificate), Theorem)


def test_factorials_and_binomials_must_be_of_whole_numbers_in_range() -> None:
    assert ratio_goals(factorial(n / 2) <= 2**n, n, Integer(1)) is None
    assert ratio_goals(factorial(n - 3) <= 2**n, n, Integer(1)) is None
    assert ratio_goals(binomial(n, n + 1) <= 2**n, n, Integer(1)) is None
    assert ratio_goals(sqrt(factorial(n)) <= 2**n, n, Integer(1)) is None
    assert ratio_goals(log(factorial(n)) <= n, n, Integer(1)) is None


def test_another_variable_may_stand_in_the_base() -> None:
    statement = Statement(variables={n: NATURALS, x: Interval.open(0, 1)}, then=x**n * (n + 1) <= 2 * (n + 1))
    evidence = search.decide(statement, Budget.of("standard"))
    wider = Statement(variables={n: NATURALS, x: Interval.open(0, 3)}, then=x**n * (n + 1) <= 2 * (n + 1))
    assert evidence is None or not isinstance(accept(wider, Sense.HOLDS, evidence.certificate), Theorem)


@pytest.mark.parametrize("claim", [TRUE[1], TRUE[-1]], ids=str)
def test_a_derivation_tells_the_first_numbers_and_what_follows(claim: Boolean) -> None:
    written = derive(stated(claim)).markdown()
    assert "It holds at the start" in written
    assert "from each number to the next" in written or "for all real numbers from 2 on" in written


if __name__ == "__main__":
    test_factorials_and_binomials_must_be_of_whole_numbers_in_range()
