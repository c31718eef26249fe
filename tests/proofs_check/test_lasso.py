"""Maps that return exactly to an earlier state: every claim about all of time is decided, and replays in fractions."""

from __future__ import annotations

import json

import pytest
from sympy import Abs, Eq, Interval, Min, Mod, Piecewise, Rational, Symbol, sign, sqrt
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.enclosure import search as enclosure
from proofs_check.evidence.replay import check
from proofs_check.verdict import Outcome
from theory import After, Always, ConvergesTo, Eventually, HasPeriod, Map, Statement

x, a = Symbol("x"), Symbol("a")
SIGN = Map((x,), (x - sign(x) / 10,))
TENT = Map((x,), (Min(2 * x, 2 - 2 * x),))
COLLATZ = Map((x,), (Piecewise((x / 2, Eq(Mod(x, 2), 0)), (3 * x + 1, True)),))
OFF_GRID = Rational(21, 20)

TRUE = [
    (SIGN, 1, ConvergesTo(x, 0)),
    (SIGN, OFF_GRID, HasPeriod(2)),
    (SIGN, OFF_GRID, Always(x >= -Rational(1, 20))),
    (SIGN, OFF_GRID, After(10, Always(Abs(x) < Rational(1, 10)))),
    (TENT, Rational(2, 7), Always(Eventually(x > Rational(4, 5)))),
    (COLLATZ, 27, Eventually(Eq(x, 1))),
    (COLLATZ, 27, Always(x < 9233)),
    (COLLATZ, 27, ConvergesTo(Min(x, 1), 1)),
]
FALSE = [
    (SIGN, OFF_GRID, ConvergesTo(x, 0)),
    (SIGN, OFF_GRID, ConvergesTo(x, sqrt(2) / 20, -sqrt(2) / 20)),
    (SIGN, 1, ConvergesTo(x, sqrt(2) - 1)),
    (SIGN, OFF_GRID, Eventually(Abs(x) < Rational(1, 100))),
    (SIGN, 1, HasPeriod(2)),
    (TENT, Rational(1, 7), Eventually(Always(x < Rational(4, 5)))),
    (TENT, Rational(1, 7), After(4, x > Rational(1, 3)) | Eventually(Eq(x, 1))),
    (COLLATZ, 27, Always(x < 9232)),
    (COLLATZ, 27, ConvergesTo(x, 4, 2, 7)),
]


def decided(map_: Map, start: object, then: Boolean) -> tuple[Statement, object]:
    statement = Statement(dynamics=map_, start={x: start}, then=then)
    return statement, enclosure.decide(statement, Budget.of("standard").start())


@pytest.mark.parametrize(
    ("map_", "start", "then", "is_true"), [(*case, True) for case in TRUE] + [(*case, False) for case in FALSE]
)
def test_a_returning_orbit_decides_and_replays(map_: Map, start: object, then: Boolean, is_true: bool) -> None:
    statement, verdict = decided(map_, start, then)
    assert verdict.outcome is (Outcome.PROVED if is_true else Outcome.REFUTED)
    stored = json.loads(json.dumps(verdict.certificate))
    assert check(statement, stored)[0] == "accepted"
    assert check(statement, stored | {"truth": not is_true})[0] == "rejected"


def test_one_start_refutes_but_does_not_prove_a_claim_about_many() -> None:
    many = Statement(variables={a: Interval(1, 2)}, dynamics=SIGN, start={x: a}, then=Eventually(Eq(x, 0)))
    verdict = enclosure.confirm_violation(many, {a: OFF_GRID}, 100)
    assert verdict.counterexample == {"a": "21/20"}
    assert check(many, verdict.certificate)[0] == "accepted"
    assert check(many.but(variables={a: Interval(1, OFF_GRID, right_open=True)}), verdict.certificate)[0] == "rejected"
    grid = {"kind": "lasso", "truth": True, "point": verdict.certificate["point"]}
    assert check(many.but(then=HasPeriod(2)), grid)[0] == "rejected"
