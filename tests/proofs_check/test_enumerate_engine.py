"""The enumerate engine proves only what it counted whole and exactly, and refutes a false count by its case."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from sympy import (
    Eq,
    FiniteSet,
    Integer,
    Interval,
    Range,
    Rational,
    Reals,
    Sum,
    Symbol,
    Union,
    binomial,
    cos,
    factorial,
    gamma,
    oo,
    sin,
)

from proofs_check.budget import Budget
from proofs_check.engines.enumerate.search import decide
from proofs_check.experiments import experiment
from proofs_check.kernel.enumerate import check
from proofs_check.verdict import Outcome, Verdict
from theory.enumerators import enumerate_exactly, enumerator, recount, recount_exactly
from theory.errors import LemmascopeError
from theory.statements import Computation, Statement
from theory.trees import encode

n, k, count, share, p = (Symbol(name) for name in ("n", "k", "count", "share", "p"))
TO_FOUR = [1, 2, 3, 4]


@enumerator("test.subsets")
def subsets(n: int, k: int = 2) -> dict[str, Any]:
    found = [mask for mask in range(2**n) if mask.bit_count() == k]
    return {"count": len(found), "share": Fraction(len(found), 2**n), "cases": 2**n, "counterexample": {"masks": found}}


@recount("test.subsets")
def subsets_by_formula(n: int, k: int = 2) -> dict[str, Any]:
    return {"count": comb(n, k)}


@enumerator("test.bernoulli")
def bernoulli(n: int) -> dict[str, Any]:
    return {"variance": n * p * (1 - p)}


@enumerator("test.absent")
def absent() -> dict[str, Any]:
    return {"missing": "put the file somewhere"}


@experiment("test.measured")
def measured(value: float) -> Mapping[str, Any]:
    return {"value": value, "cases": 7, "coverage": "seven runs"}


def decided(statement: Statement) -> Verdict:
    verdict = decide(statement, Budget.of("standard").start())
    assert verdict is not None
    return verdict


def subsets_claim(domain: Any, then: Any, **arguments: Any) -> Statement:
    computation = Computation("test.subsets", {"n": TO_FOUR, **arguments}, yields=("count", "share"))
    return Statement(variables={n: domain}, then=then, computed=computation)


def test_a_finite_domain_that_is_counted_whole_is_proved_and_replays() -> None:
    statement = subsets_claim(Range(1, 5), Eq(count, binomial(n, 2)))
    verdict = decided(statement)
    assert (verdict.outcome, verdict.cases, verdict.coverage) == (Outcome.PROVED, 30, "n = 1..4")
    assert check(statement, verdict.certificate or {})


def test_an_infinite_domain_is_only_sampled() -> None:
    verdict = decided(subsets_claim(Range(1, oo), Eq(count, binomial(n, 2))))
    assert (verdict.outcome, verdict.coverage) == (Outcome.SAMPLED, "n = 1..4")


def test_a_domain_larger_than_the_grid_is_only_sampled() -> None:
    assert decided(subsets_claim(Range(1, 6), Eq(count, binomial(n, 2)))).outcome is Outcome.SAMPLED


def test_a_false_count_is_refuted_by_its_case() -> None:
    statement = subsets_claim(Range(1, oo), count <= 3)
    verdict = decided(statement)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.counterexample == {
        "n": "4", "count": "6", "share": "3/8", "masks": "[3, 5, 6, 9, 10, 12]",
    }  # fmt: skip
    assert check(statement, verdict.certificate or {})


def test_hypotheses_choose_the_cases() -> None:
    statement = subsets_claim(FiniteSet(1, 2, 3, 4), count <= 3).but(given=(n <= 3,))
    assert decided(statement).outcome is Outcome.PROVED


def test_a_forged_certificate_does_not_replay() -> None:
    statement = subsets_claim(Range(1, 5), Eq(count, binomial(n, 2)))
    certificate = dict(decided(statement).certificate or {})
    assert not check(statement, {**certificate, "rows": certificate["rows"][:-1]})
    assert not check(statement.but(then=count <= 3), certificate)
    assert not check(statement, {**certificate, "claim": "false"})


def test_symbols_that_are_left_go_to_the_provers() -> None:
    variance = Symbol("variance")
    computation = Computation("test.bernoulli", {"n": TO_FOUR}, yields=("variance",))
    claim = Statement(variables={n: Range(1, 5), p: Interval(0, 1)}, then=variance <= n / 4, computed=computation)
    verdict = decided(claim)
    assert verdict.outcome is Outcome.PROVED
    assert check(claim, verdict.certificate or {})
    false_claim = decided(claim.but(then=variance < n / 4))
    assert false_claim.outcome is Outcome.REFUTED
    assert (false_claim.counterexample or {})["p"] == "1/2"


HYPOTHESES = {
    "about the value": ((count >= 3,), count >= 2, count >= 4),
    "about the value and what is left": ((p > count, count >= 3), p > 2, p > 4),
    "about what is left": ((p**2 < n - 3,), count >= 5, count >= 7),
}


@pytest.mark.parametrize("name", HYPOTHESES)
def test_a_case_that_the_hypotheses_exclude_refutes_nothing(name: str) -> None:
    given, right, wrong = HYPOTHESES[name]
    computation = Computation("test.subsets", {"n": TO_FOUR}, yields=("count",))
    claim = Statement(variables={n: Range(1, 5), p: Reals}, given=given, then=right, computed=computation)
    verdict = decided(claim)
    assert verdict.outcome is Outcome.PROVED
    assert check(claim, verdict.certificate or {})
    false_claim = claim.but(then=wrong)
    refuted = decided(false_claim)
    assert refuted.outcome is Outcome.REFUTED
    assert check(false_claim, refuted.certificate or {})
    excluded = {"point": {"n": "1"}, "values": {"count": encode(Integer(0))}}
    assert not check(false_claim, {"kind": "enumerate", "claim": "false", "rows": [excluded]})


def test_what_is_absent_is_said_and_nothing_is_claimed() -> None:
    verdict = decided(Statement(then=count > 0, computed=Computation("test.absent", {}, yields=("count",))))
    assert (verdict.outcome, verdict.notes) == (Outcome.OPEN, ("put the file somewhere",))


@pytest.mark.parametrize(
    ("value", "outcome"), [(0.5, Outcome.SAMPLED), (2.0, Outcome.OPEN), (float("nan"), Outcome.OPEN)]
)
def test_measurements_support_or_leave_open_but_never_decide(value: float, outcome: Outcome) -> None:
    computation = Computation("test.measured", {"value": value}, yields=("value",), exact=False)
    verdict = decided(Statement(then=Symbol("value") < 1, computed=computation))
    assert verdict.outcome is outcome
    assert not verdict.decided


def test_two_routes_count_the_same() -> None:
    for size in range(9):
        again = recount_exactly("test.subsets", {"n": size})
        assert again is not None
        assert again["count"] == enumerate_exactly("test.subsets", {"n": size})["count"]


def test_inexact_values_and_unknown_names_are_refused() -> None:
    @enumerator("test.float")
    def float_value() -> dict[str, Any]:
        return {"count": 0.5}

    with pytest.raises(LemmascopeError, match="not exact"):
        enumerate_exactly("test.float", {})
    with pytest.raises(LemmascopeError, match="no enumerator is called"):
        enumerate_exactly("test.none", {})
    with pytest.raises(LemmascopeError, match="does not yield"):
        decided(Statement(then=Symbol("other") > 0, computed=Computation("test.subsets", {"n": 2}, ("other",))))


FEW = {
    "sum": ({n: Range(1, 7)}, (), Sum(1 / k**2, (k, 1, n)) < Rational(8, 5)),
    "factorial": ({n: Range(0, 9)}, (), factorial(n) >= n),
    "signs": ({n: Range(-3, 4), k: Range(-3, 4)}, (1 / (n - k) > 0,), (-1) ** n * (n - k) ** 3 <= 216),
    "fractions": ({p: FiniteSet(0, Rational(1, 2), 2)}, (p > 0,), gamma(2 * p) <= 6),
}


@pytest.mark.parametrize("name", FEW)
def test_few_cases_are_gone_through_without_a_procedure(name: str) -> None:
    variables, given, then = FEW[name]
    statement = Statement(variables=variables, given=given, then=then)
    verdict = decided(statement)
    assert verdict.outcome is Outcome.PROVED
    assert check(statement, verdict.certificate or {})
    larger = statement.but(variables={symbol: Union(domain, FiniteSet(9)) for symbol, domain in variables.items()})
    assert not check(larger, verdict.certificate or {})


def test_a_hypothesis_that_cannot_be_decided_excludes_no_case() -> None:
    hard = cos(n) ** 2 + sin(n) ** 2 > 1 - Rational(1, 10**3000)
    statement = Statement(variables={n: Range(1, 4)}, given=(hard,), then=gamma(n) >= 5)
    verdict = decide(statement, Budget.of("quick").start())
    assert verdict is None or not verdict.decided
