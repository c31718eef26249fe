"""What is claimed of special functions is proved and the proof accepted, false twins never are, and gaps are told."""

from __future__ import annotations

import pytest
import sympy as sp
from sympy import Interval, Rational, S, Set, Symbol
from sympy.core.relational import Relational

from proofs_check import verify
from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.evidence.replay import check
from proofs_check.verdict import Outcome
from theory.statements import Statement

x, y = Symbol("x"), Symbol("y")
SMALL = Interval(0, Rational(1, 2))
TRUE: list[tuple[dict[Symbol, Set], Relational]] = [
    ({x: Interval(2, 3)}, sp.zeta(x) > -100),
    ({x: Interval(2, 3)}, sp.zeta(x) > 1),
    ({x: SMALL}, sp.polylog(2, x) <= Rational(3, 5)),
    ({x: Interval(1, 2), y: Interval(1, 2)}, sp.beta(x, y) <= 1),
    ({x: Interval(1, 2), y: Interval(-1, 1)}, sp.atan2(y, x) < 1),
    ({x: Interval(0, 5)}, sp.besselj(0, x) <= Rational(11, 10)),
    ({x: Interval(1, 5)}, sp.Si(x) < 2),
    ({x: Interval(1, 5)}, sp.polygamma(1, x) > 0),
    ({x: Interval(1, 5)}, sp.polygamma(0, x) < sp.log(x)),
    ({x: Interval(0, 2)}, sp.erfi(x) >= x),
    ({x: Interval(Rational(1, 10), 3)}, sp.csc(x) > 1 / x),
    ({x: Interval(Rational(1, 2), 5)}, sp.acot(x) < 2),
    ({x: Interval(-Rational(1, 4), -Rational(1, 5))}, sp.LambertW(x, -1) < -2),
    ({x: Interval(0, S.Infinity)}, sp.Chi(x + 1) > 0),
    ({x: Interval(0, S.Infinity)}, sp.acosh(x + 1) >= 0),
]
FALSE: list[tuple[dict[Symbol, Set], Relational]] = [
    ({x: Interval(2, 3)}, sp.zeta(x) > Rational(13, 10)),
    ({x: Interval(0, 3)}, sp.zeta(x) > -100),
    ({x: SMALL}, sp.polylog(2, x) <= Rational(58, 100)),
    ({x: Interval(0, 2)}, sp.polylog(2, x) <= 2),
    ({x: Interval(Rational(1, 2), 2), y: Interval(1, 2)}, sp.beta(x, y) <= 1),
    ({x: Interval(0, 1), y: Interval(-1, 1)}, sp.atan2(y, x) < 1),
    ({x: Interval(0, 5)}, sp.besselj(0, x) >= -Rational(2, 5)),
    ({x: Interval(-1, 5)}, sp.polygamma(1, x) > 0),
    ({x: Interval(0, 4)}, sp.csc(x) > 1 / x),
    ({x: Interval(-5, 5)}, sp.Mod(x, 2) < Rational(19, 10)),
    ({x: Interval(-Rational(1, 2), -Rational(1, 5))}, sp.LambertW(x, -1) < -2),
    ({x: Interval(-1, 1)}, sp.acot(x) > -1),
]


def decided(variables: dict[Symbol, Set], claim: Relational, *names: str) -> Outcome | None:
    statement = Statement(variables=variables, then=claim)
    for name in names:
        verdict = engine(name).decide(statement, Budget.of("quick").start())
        if verdict is not None and verdict.decided:
            assert check(statement, verdict.certificate)[0] == "accepted"
            return verdict.outcome
    return None


@pytest.mark.parametrize(("variables", "claim"), TRUE, ids=str)
def test_what_holds_is_proved_and_the_proof_accepted(variables: dict[Symbol, Set], claim: Relational) -> None:
    assert decided(variables, claim, "cover") is Outcome.PROVED


@pytest.mark.parametrize(("variables", "claim"), FALSE, ids=str)
def test_what_fails_or_has_no_value_somewhere_is_never_proved(variables: dict[Symbol, Set], claim: Relational) -> None:
    assert decided(variables, claim, "cover", "polynomial") is not Outcome.PROVED


def test_remainders_are_polynomials_and_a_whole_number() -> None:
    assert decided({x: Interval(-5, 5)}, sp.Mod(x, 2) < 2, "polynomial") is Outcome.PROVED
    assert decided({x: S.Reals}, sp.frac(x) >= 0, "polynomial") is Outcome.PROVED


def test_a_verdict_tells_which_functions_no_prover_can_bound() -> None:
    order = Symbol("n")
    claim = Statement(variables={order: Interval(1, 2), x: Interval(1, 2)}, then=sp.polygamma(order, x) > -100)
    verdict = verify(claim, effort="quick")
    assert not verdict.decided
    assert any("no prover can bound polygamma(n, x)" in note for note in verdict.notes)
