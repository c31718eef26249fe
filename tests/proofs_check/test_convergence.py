"""Convergence is proved by classical theorems whose hypotheses are all checked, and false limits are refuted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from sympy import Eq, Interval, Rational, Reals, S, Symbol, oo, sqrt, symbols

from proofs_check.budget import Budget
from proofs_check.engines.motion.search import decide
from proofs_check.evidence.replay import check
from proofs_check.verdict import Outcome, Verdict
from theory.dynamics import Flow, Map, gradient_descent, gradient_flow, heavy_ball
from theory.statements import Statement
from theory.temporal import ConvergesTo, Eventually, HasPeriod

x, y, x0, y0, r, eta, mu, K, beta = symbols("x y x0 y0 r eta mu K beta")
POSITIVE = Interval.open(0, oo)
LOGISTIC = Map((x,), (r * x * (1 - x),))
QUARTIC = gradient_descent((x**2 - mu) ** 2 / 4, x, eta)
BOUND = sqrt(Rational(9, 2)) - 1
SMALLER, LARGER = (sqrt(mu) * (sqrt(1 + 3 / K) + sign * sqrt(1 - 1 / K)) / 2 for sign in (-1, 1))


def verdict(statement: Statement, seconds: float = 60.0) -> Verdict | None:
    return decide(statement, replace(Budget.of("standard"), seconds=seconds).start())


def replays(statement: Statement, found: Verdict) -> bool:
    return check(statement, json.loads(json.dumps(found.certificate)))[0] == "accepted"


def logistic(rates: Interval, starts: Interval, then: object, *exceptions: Symbol) -> Statement:
    return Statement(
        dynamics=LOGISTIC, start={x: x0}, variables={r: rates, x0: starts}, then=then, almost_all=exceptions
    )


def quartic(largest: object, then: object, *exceptions: Symbol) -> Statement:
    """Theorem 3.3 of the edge-of-stability chapter, with another end of the range or another conclusion."""
    return Statement(
        dynamics=QUARTIC,
        start={x: x0},
        variables={mu: POSITIVE, eta: POSITIVE, K: Interval.open(1, largest), x0: Interval.open(0, sqrt(mu))},
        given=(Eq(eta, K / mu),),
        then=then,
        almost_all=exceptions,
    )


def ball(then: object, bound: object) -> Statement:
    previous = Symbol("x_prev")
    return Statement(
        dynamics=heavy_ball(mu * x**2 / 2, x, eta, beta),
        start={x: x0, previous: y0},
        variables={x0: Reals, y0: Reals, mu: POSITIVE, eta: POSITIVE, beta: Interval.Ropen(0, 1)},
        given=(eta * mu < bound,),
        then=then,
    )


UNIT = Interval.open(0, 1)
TRUE = {
    "gradient descent on a parabola": Statement(
        dynamics=gradient_descent(mu * x**2 / 2, x, eta), start={x: x0}, then=ConvergesTo(x, 0),
        variables={x0: Reals, mu: POSITIVE, eta: POSITIVE}, given=(eta * mu < 2,),
    ),
    "heavy ball": ball(ConvergesTo(x, 0), 2 * (1 + beta)),
    "linear flow": Statement(
        dynamics=Flow((x, y), (y, -x - r * y)), start={x: x0, y: y0}, then=ConvergesTo((x, y), (0, 0)),
        variables={x0: Reals, y0: Reals, r: POSITIVE},
    ),
    "logistic map before the first bifurcation": logistic(Interval.open(1, 3), UNIT, ConvergesTo(x, 1 - 1 / r)),
    "all starts, the ends excepted": logistic(Interval.open(1, 3), Interval(0, 1), ConvergesTo(x, 1 - 1 / r), x0),
    "scalar flow from both sides": Statement(
        dynamics=gradient_flow((x**2 - mu) ** 2 / 4, x), start={x: x0}, variables={x0: POSITIVE, mu: POSITIVE},
        then=ConvergesTo(x, sqrt(mu)),
    ),
    "LaSalle in the plane": Statement(
        dynamics=Flow((x, y), (-x + y**2 / 4, -y - x * y / 4)), start={x: x0, y: y0}, variables={x0: Reals, y0: Reals},
        then=ConvergesTo((x, y), (0, 0)),
    ),
    "in the limit": logistic(Interval.open(2, 3), UNIT, Eventually(x > Rational(2, 5))),
}  # fmt: skip
FALSE = {
    "too large a step": ball(ConvergesTo(x, 0), 2 * (1 + beta) + Rational(1, 10)),
    "beyond the first bifurcation": logistic(Interval.open(1, Rational(31, 10)), UNIT, ConvergesTo(x, 1 - 1 / r), x0),
    "not a fixed point": logistic(Interval.open(1, 3), UNIT, ConvergesTo(x, Rational(1, 2)), x0),
    "starts at the unstable end": logistic(Interval.open(1, 3), Interval(0, 1), ConvergesTo(x, 1 - 1 / r)),
    "unstable equilibrium": Statement(
        dynamics=gradient_flow((x**2 - mu) ** 2 / 4, x), start={x: x0}, variables={x0: POSITIVE, mu: POSITIVE},
        then=ConvergesTo(x, 0),
    ),
    "another period": logistic(Interval.open(1, 3), Interval(0, 1), HasPeriod(2)),
}  # fmt: skip
NEVER_PROVED = {"too large a step"}


@pytest.mark.parametrize("name", TRUE)
def test_true_limits_are_proved_and_replay(name: str) -> None:
    found = verdict(TRUE[name], 8.0)
    assert found is not None
    assert found.outcome is Outcome.PROVED
    assert replays(TRUE[name], found)


@pytest.mark.parametrize("name", FALSE)
def test_false_limits_are_never_proved_and_mostly_refuted(name: str) -> None:
    found = verdict(FALSE[name], 15.0)
    if name in NEVER_PROVED:
        assert found is None or found.outcome is Outcome.REFUTED
        return
    assert found is not None
    assert found.outcome is Outcome.REFUTED
    assert replays(FALSE[name], found)


@cache
def theorem_3_3() -> tuple[Statement, Verdict]:
    theorem = quartic(BOUND, ConvergesTo(x, SMALLER, LARGER), x0)
    found = verdict(theorem)
    assert found is not None
    return theorem, found


def test_theorem_3_3_is_proved_for_almost_every_start() -> None:
    theorem, found = theorem_3_3()
    assert found.outcome is Outcome.PROVED
    assert any("second iterate increases" in note for note in found.notes)
    assert replays(theorem, found)


def test_theorem_3_3_holds_up_to_the_next_bifurcation_and_not_beyond() -> None:
    theorem = quartic(sqrt(5) - 1, HasPeriod(2), x0)
    assert (found := verdict(theorem)) is not None
    assert found.outcome is Outcome.PROVED
    assert any("Singer" in note for note in found.notes)
    assert not replays(theorem.but(then=HasPeriod(4)), found)
    beyond = quartic(sqrt(5) - 1 + Rational(1, 20), ConvergesTo(x, SMALLER, LARGER), x0)
    assert (found := verdict(beyond)) is not None
    assert found.outcome is Outcome.REFUTED
    assert replays(beyond, found)


def test_theorem_3_3_without_exceptions_fails_at_a_start_that_lands_on_the_minimum() -> None:
    everywhere = quartic(BOUND, ConvergesTo(x, SMALLER, LARGER))
    found = verdict(everywhere)
    assert found is not None
    assert found.outcome is Outcome.REFUTED
    assert replays(everywhere, found)
    point = {name: Rational(value) for name, value in dict(found.counterexample or {}).items() if name != "step"}
    state, landed = point["x0"], []
    for _ in range(3):
        state = state + point["eta"] * (point["mu"] - state**2) * state
        landed.append(state**2 == point["mu"])
    assert any(landed)


def test_the_cycle_of_theorem_3_3_is_not_found_by_a_wrong_formula() -> None:
    wrong = quartic(BOUND, ConvergesTo(x, SMALLER, LARGER + sqrt(mu) / 100), x0)
    found = verdict(wrong, 15.0)
    assert found is None or found.outcome is Outcome.REFUTED


def test_exceptional_starts_must_be_allowed_where_others_repel() -> None:
    theorem, found = theorem_3_3()
    assert found.outcome is Outcome.PROVED
    assert not replays(theorem.but(almost_all=()), found)


def test_units_are_only_chosen_when_the_statement_is_homogeneous() -> None:
    shifted = Statement(
        dynamics=Flow((x,), (mu - x,)), start={x: x0}, variables={x0: POSITIVE, mu: POSITIVE},
        given=(mu < 2,), then=ConvergesTo(x, S.One),
    )  # fmt: skip
    found = verdict(shifted, 15.0)
    assert found is not None
    assert found.outcome is Outcome.REFUTED


def test_affine_rules_are_stable_factor_by_factor() -> None:
    """The criterion is asked of each factor; one that is left out, repeated or changed is no proof."""
    held = Statement(
        dynamics=Map((x, y), (x / 2 + y, -mu * y)), start={x: x0, y: y0},
        variables={x0: Reals, y0: Reals, mu: Interval.open(-1, 1)}, then=ConvergesTo(x, 0),
    )  # fmt: skip
    found = verdict(held)
    assert found is not None
    assert found.outcome is Outcome.PROVED
    assert replays(held, found)
    certificate = json.loads(json.dumps(found.certificate))
    (node,) = [part for part in nodes(certificate) if part.get("rule") == "affine"]
    right = node["facts"]["factors"]
    assert len(right) == 2
    for wrong in ([right[0]], [right[0], right[0]], [right[1], right[1]], [*right, right[0]], [], [[]]):
        node["facts"]["factors"] = wrong
        assert check(held, certificate)[0] == "rejected"
    wider = held.but(variables=held.variables | {mu: Interval(-1, 1)})
    refuted = verdict(wider)
    assert refuted is not None
    assert refuted.outcome is Outcome.REFUTED


def nodes(data: object) -> Iterator[dict[str, Any]]:
    """Every record in a certificate."""
    if isinstance(data, dict):
        yield data
        for part in data.values():
            yield from nodes(part)
    elif isinstance(data, list):
        for part in data:
            yield from nodes(part)
