"""What exact algebra cannot solve is certified by Krawczyk's test, re-checked with intervals, and never made up."""

from __future__ import annotations

import json

import pytest
from sympy import And, Eq, Implies, Interval, Ne, Rational, S, cos, exp, log, sin, symbols

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.evidence.replay import check
from proofs_check.points.zeros import some_zero
from theory import Exists, Statement

x, y = symbols("x y")
R, UNIT = S.Reals, Interval(0, 1)

ON_A_CURVE = {
    "fixed point of the cosine": Statement(variables={x: UNIT}, then=Ne(cos(x), x)),
    "omega constant": Statement(variables={x: UNIT}, then=Ne(x * exp(x), 1)),
    "circle and sine": Statement(variables={x: R, y: R}, then=Implies(Eq(x**2 + y**2, 1), Ne(y, sin(x)))),
    "hypothesis": Statement(variables={x: R}, given=(Eq(log(x), 1 / x),), then=x < 1),
}

EXISTS = {
    "one": Exists(x, UNIT, Eq(cos(x), x)),
    "two": Exists(x, UNIT, Exists(y, UNIT, And(Eq(x**2 + y**2, 1), Eq(y, sin(x))))),
}

ABSENT = {
    "outside": Exists(x, UNIT, Exists(y, UNIT, And(Eq(x**2 + y**2, 1), Eq(y, sin(x)), x > Rational(9, 10)))),
    "never": Exists(x, UNIT, Eq(exp(x), x)),
}


def replays(statement: Statement, certificate: object) -> bool:
    return check(statement, json.loads(json.dumps(certificate)))[0] == "accepted"


@pytest.mark.parametrize("name", ON_A_CURVE)
def test_violations_on_a_set_of_measure_zero_are_found_and_replay(name: str) -> None:
    statement = ON_A_CURVE[name]
    verdict = engine("falsify").decide(statement, Budget.of("standard").start())
    assert verdict.outcome == "refuted"
    assert replays(statement, verdict.certificate)


@pytest.mark.parametrize("name", EXISTS)
def test_what_exists_is_proved_and_replays(name: str) -> None:
    statement = Statement(then=EXISTS[name])
    verdict = engine("polynomial").decide(statement, Budget.of("standard").start())
    assert verdict.outcome == "proved"
    assert replays(statement, verdict.certificate)
    assert not replays(statement.but(then=ABSENT["outside"]), verdict.certificate)
    assert not replays(statement.but(then=ABSENT["never"]), verdict.certificate)


@pytest.mark.parametrize("name", ABSENT)
def test_what_does_not_exist_is_not_found(name: str) -> None:
    assert engine("polynomial").decide(Statement(then=ABSENT[name]), Budget.of("standard").start()) is None


def test_a_double_zero_is_not_certified_and_a_moved_box_is_rejected() -> None:
    assert some_zero({x: R}, Eq((x - 1) ** 2 * exp(x), 0), Budget.of("quick").start()) is None
    statement = ON_A_CURVE["fixed point of the cosine"]
    verdict = engine("falsify").decide(statement, Budget.of("standard").start())
    moved = {**verdict.certificate, "center": [[verdict.certificate["center"][0][0], "3/4"]]}
    assert not replays(statement, moved)
    assert not replays(statement.but(variables={x: Interval(Rational(3, 4), 1)}), verdict.certificate)
