"""Claims about all times follow from one step: true ones are proved and replay, false twins never are."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sympy import Eq, Interval, Or, Piecewise, Rational, Reals, S, Symbol, floor, oo, sign, sqrt, symbols

from proofs_check.budget import Budget
from proofs_check.engines.motion.search import decide
from proofs_check.evidence.replay import check
from proofs_check.verdict import Outcome, Verdict
from theory.dynamics import Flow, Map, gradient_descent, gradient_flow
from theory.statements import Statement
from theory.temporal import After, Always, Decreasing, Eventually, Until

x, y, x0, y0, r, eta, mu, t = symbols("x y x0 y0 r eta mu t")
POSITIVE = Interval.open(0, oo)
LOGISTIC = Map((x,), (r * x * (1 - x),))
SIGN = Map((x,), (x - sign(x) / 10,))
CLIPPED = Map((x,), (x - Piecewise((1, x > 1), (-1, x < -1), (x, True)) / 2,))
BILINEAR = gradient_flow((x * y - 1) ** 2 / 2, (x, y))


def verdict(statement: Statement) -> Verdict | None:
    return decide(statement, replace(Budget.of("standard"), seconds=40.0).start())


def replays(statement: Statement, found: Verdict) -> bool:
    return check(statement, json.loads(json.dumps(found.certificate)))[0] == "accepted"


def one(dynamics: Map | Flow, domain: object, then: object, **more: object) -> Statement:
    variables = {x0: domain, **more.pop("variables", {})}
    return Statement(dynamics=dynamics, start={x: x0}, variables=variables, then=then, **more)


def two(then: object, given: tuple = (), domain: object = Reals) -> Statement:
    return Statement(
        dynamics=BILINEAR, start={x: x0, y: y0}, variables={x0: domain, y0: domain}, given=given, then=then
    )


TRUE = {
    "interval": one(LOGISTIC, Interval(0, 1), Always((x >= 0) & (x <= 1)), variables={r: Interval(0, 4)}),
    "strengthened by the start": one(Map((x,), (x**2,)), Interval(0, 1), Always(x <= 2)),
    "time as a state": Statement(
        dynamics=Map((x,), (x + 2 * t + 1,), t), start={x: S.Zero}, then=Always(Eq(x, t**2)), variables={}
    ),
    "numbers that were seen": one(
        gradient_descent((x**2 - mu) ** 2 / 4, x, r / mu),
        POSITIVE,
        Always(x > 0),
        variables={r: Interval.open(1, Rational(1121, 1000)), mu: POSITIVE},
        given=(x0 < sqrt(mu), x0 > sqrt(mu) / 2),
    ),
    "steps that jump": one(SIGN, Interval(1, 2), Always(x > -Rational(1, 10))),
    "clipped steps": one(CLIPPED, POSITIVE, Decreasing(x)),
    "two steps back": one(Map((x,), (-x,)), Interval(1, 2), Always(x**2 >= 1)),
    "after": one(Map((x,), (x / 2,)), Interval(0, 4), After(2, Always(x <= 1))),
    "eventually by ranking": one(Map((x,), (x - 1,)), POSITIVE, Eventually(x <= 0)),
    "until": one(Map((x,), (x - 1,)), Interval(1, oo), Until(x > 0, x <= 0)),
    "descent": one(gradient_descent(x**2 / 2, x, Rational(1, 2)), POSITIVE, Decreasing(x**2)),
    "conserved": two(Always(Eq(x**2 - y**2, x0**2 - y0**2))),
    "barrier": two(Always(x * y < 1), (x0 * y0 < 1,)),
    "loss falls": two(Decreasing((x * y - 1) ** 2), (x0 * y0 < 1,), POSITIVE),
    "strict side": one(Flow((x,), (x * (1 - x),)), Interval.open(0, 1), Always((x > 0) & (x < 1))),
}
FALSE = {
    "interval": one(LOGISTIC, Interval(0, 1), Always(x <= 1), variables={r: Interval(0, Rational(41, 10))}),
    "first step": one(Map((x,), (x**2,)), Interval(0, Rational(3, 2)), Always(x <= 2)),
    "time as a state": Statement(
        dynamics=Map((x,), (x + 2 * t + 1,), t), start={x: S.Zero}, then=Always(x < t**2 + t), variables={}
    ),
    "after": one(Map((x,), (x / 2,)), Interval(0, 5), After(2, x <= 1)),
    "at rest": one(gradient_descent(x**2 / 2, x, Rational(1, 2)), Interval(0, oo), Decreasing(x**2)),
    "loss at rest": two(Decreasing((x * y - 1) ** 2), (x0 * y0 < 1,)),
    "stuck": one(Map((x,), (x**2,)), Interval(0, 1), Eventually(x < Rational(1, 2))),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved_and_the_certificate_replays(name: str) -> None:
    found = verdict(TRUE[name])
    assert found is not None
    assert found.outcome is Outcome.PROVED
    assert replays(TRUE[name], found)


@pytest.mark.parametrize("name", FALSE)
def test_false_twins_are_refuted_at_an_exact_point_that_replays(name: str) -> None:
    found = verdict(FALSE[name])
    assert found is not None
    assert found.outcome is Outcome.REFUTED
    assert replays(FALSE[name], found)


NOT_PROVABLE = {
    "a jump too far": one(SIGN, Interval(1, 2), Always(x >= -Rational(9, 100))),
    # Along a flow a quantity that jumps has no rate that says how it changes.
    "a jump along a flow": one(Flow((x,), (-x,)), POSITIVE, Decreasing(x + floor(x))),
    "pieces with a hole": one(Map((x,), (Piecewise((x / 2, x > 0)),)), Interval(0, 1), Always(x >= 0)),
    "a piece without a value": one(
        Map((x,), (Piecewise((x / 2, x > 0), (1 / x, True)),)), Interval(0, 1), Always(x >= 0)
    ),
    # The boundary x = 1 is crossed: the velocity there is positive.
    "open barrier": one(Flow((x,), (2 - x,)), Interval.open(0, 1), Always(x < 1)),
    # Zero velocity on the boundary is not enough where the gradient of the gap vanishes.
    "degenerate gap": one(Flow((x,), (S.One,)), Interval(-1, -1 + S.Half), Always(-(x**3) >= 0)),
    # The step from 0 is undefined, so nothing may be said of the trajectory that starts there.
    "undefined step": one(Map((x,), (1 / x,)), Interval(0, 1), Always(x >= 0)),
    # The candidate bound sqrt(r - 5) does not exist for the parameters allowed.
    "undefined bound": one(Map((x,), (x + 1,)), Interval(0, 1), Always(x < sqrt(r - 5)), variables={r: Interval(0, 1)}),
    "false alternative": one(Map((x,), (-2 * x,)), Interval(1, 2), Or(Always(x > 0), Always(x < 0))),
    "undefined root": one(Map((x,), (x - 1,)), Interval(2, 3), Always(sqrt(x) >= 0)),
}


@pytest.mark.parametrize("name", NOT_PROVABLE)
def test_what_does_not_hold_is_never_proved(name: str) -> None:
    found = decide(NOT_PROVABLE[name], Budget.of("standard").start())
    assert found is None or found.outcome is Outcome.REFUTED


def test_a_certificate_does_not_fit_another_statement() -> None:
    found = verdict(TRUE["interval"])
    assert found is not None
    assert not replays(FALSE["interval"], found)
    assert not replays(TRUE["interval"].but(variables={x0: Interval(0, 2), r: Interval(0, 4)}), found)


def test_a_damaged_certificate_is_rejected() -> None:
    found = verdict(TRUE["barrier"])
    assert found is not None
    data = json.loads(json.dumps(found.certificate))
    barrier = data["argument"]
    while barrier["rule"] != "barrier":
        barrier = barrier["parts"][0]
    barrier["obligations"] = [item for item in barrier["obligations"] if item["name"] not in ("darboux", "growth")]
    assert check(TRUE["barrier"], data)[0] == "rejected"
    assert check(TRUE["barrier"], {"kind": "induction"})[0] == "rejected"


def test_a_state_symbol_that_is_also_a_variable_means_the_start_in_hypotheses() -> None:
    lemma = Statement(dynamics=Map((x,), (x + 1,)), start={x: x}, variables={x: Interval(0, 1)}, then=Always(x >= 0))
    assert (found := verdict(lemma)) is not None
    assert found.outcome is Outcome.PROVED
    shrinking = lemma.but(then=Always(x <= 1))
    assert (found := verdict(shrinking)) is not None
    assert found.outcome is Outcome.REFUTED


def test_the_symbol_of_the_statement_stays_fixed_along_the_trajectory() -> None:
    a = Symbol("a")
    lemma = Statement(dynamics=Map((x,), (x / 2,)), start={x: a}, variables={a: POSITIVE}, then=Always(x <= a))
    assert (found := verdict(lemma)) is not None
    assert found.outcome is Outcome.PROVED
    assert (found := verdict(lemma.but(then=Always(x < a)))) is not None
    assert found.outcome is Outcome.REFUTED
