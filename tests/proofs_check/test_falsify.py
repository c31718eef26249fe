"""False statements get an exact counterexample that violates them; true ones are never refuted, however tight."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import (
    Abs,
    And,
    Eq,
    Integers,
    Interval,
    Ne,
    Or,
    Rational,
    Reals,
    Symbol,
    cos,
    exp,
    expand,
    log,
    oo,
    prod,
    sin,
    sqrt,
    symbols,
    tanh,
)

from proofs_check import clock
from proofs_check.budget import Budget
from proofs_check.engines.falsify.points import openly
from proofs_check.engines.falsify.search import decide
from proofs_check.goals import Goal, goal_of
from proofs_check.kernel import existence, point
from proofs_check.points.exact import holds
from proofs_check.points.rationals import cost
from proofs_check.points.sampling import Sampler
from proofs_check.points.shrinking import plainer, sentence, shrink, with_room
from proofs_check.verdict import Outcome
from theory.statements import Statement
from theory.temporal import Exists, ForAll, negation
from theory.trees import encode

x, y, z, K = symbols("x y z K")
POSITIVE = Interval.open(0, oo)
STANDARD = Budget.of("standard")
PLANE = {x: Reals, y: Reals}
WILKINSON = prod([x - k for k in range(1, 9)])
TINY = Rational(1, 10**60)


def point_of(verdict, statement):
    from sympy import sympify

    return {symbol: sympify(verdict.counterexample[symbol.name]) for symbol in statement.variables}


FALSE = {
    "tangent, strict": Statement(variables={x: Reals}, then=x**2 - 2 * x + 1 > 0),
    "by a hair": Statement(variables={x: Reals}, then=x**4 - 2 * x**2 + 1 >= Rational(1, 10**9)),
    "in a gap of width 1e-5": Statement(
        variables={x: Interval(0, 1)}, then=(x - Rational(377, 610)) ** 2 >= Rational(1, 10**10)
    ),
    "only below 1e-40": Statement(variables={x: POSITIVE}, then=1 + x > 1 + Rational(1, 10**40)),
    "only below 1e-44, with rounding": Statement(variables={x: POSITIVE}, then=exp(x) - 1 - x > Rational(1, 10**90)),
    "on a curve": Statement(variables=PLANE, then=Ne(x**2 + y**3, 1)),
    "on a transcendental curve": Statement(variables=PLANE, given=(x > 0, y > 0), then=Ne(exp(x) * y, 3)),
    "Motzkin, strict": Statement(variables=PLANE, then=x**4 * y**2 + x**2 * y**4 + 1 - 3 * x**2 * y**2 > 0),
    "Motzkin past its constant": Statement(
        variables=PLANE, then=x**4 * y**2 + x**2 * y**4 + 1 - Rational(301, 100) * x**2 * y**2 >= 0
    ),
    "under equalities": Statement(
        variables={x: Reals, y: Reals, z: Reals},
        given=(Eq(x + y + z, 1), Eq(x**2 + y**2 + z**2, 1)),
        then=x * y * z >= 0,
    ),
    "over the integers": Statement(variables={x: Integers}, given=(x > 0,), then=x**2 + x + 41 < 1600),
    "at an end": Statement(variables={x: Interval(0, 1)}, then=sin(x) < x),
    "high degree at an end": Statement(variables={x: Interval(0, 1)}, then=exp(x) > (1 + x / 1000) ** 1000),
    "at the root of a quintic": Statement(variables={x: Reals}, then=Ne(x**5 - x, 1)),
    "with kinks": Statement(variables=PLANE, then=Abs(x + y) >= Abs(x) + Abs(y)),
    "a disjunction": Statement(variables=PLANE, then=Or(x > 0, y > 0, x + y < -1)),
    "for all of an inner variable": Statement(variables={x: Reals}, then=ForAll(y, Interval(0, 1), x * y <= 1)),
    "parameters included": Statement(
        variables={K: Interval.open(1, Rational(3, 2))},
        then=Rational(2, 3) * (1 + K) * (1 + K - Rational(4, 27) * (1 + K) ** 3) > 1,
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_refuted_by_an_exact_point(name):
    statement = FALSE[name]
    verdict = decide(statement, STANDARD)
    assert verdict is not None
    assert verdict.outcome is Outcome.REFUTED
    if isinstance(statement.then, ForAll):
        assert (
            holds(
                statement.then.body,
                {x: Rational(verdict.counterexample["x"]), y: Rational(verdict.counterexample["y"])},
            )
            is False
        )
        return
    goal = goal_of(statement)
    assert holds(goal.refutation, point_of(verdict, statement)) is True
    assert point.check(statement, json.loads(json.dumps(verdict.certificate)))
    assert " satisf" in verdict.notes[0]


TRUE = {
    "tangent": Statement(variables={x: Reals}, then=x**2 - 2 * x + 1 >= 0),
    "tangency at a cube": Statement(variables={x: POSITIVE}, then=sin(x) < x),
    "Motzkin": Statement(variables=PLANE, then=x**4 * y**2 + x**2 * y**4 + 1 - 3 * x**2 * y**2 >= 0),
    "an identity with cancellation": Statement(
        variables={x: Interval(0, 1)}, then=Eq(WILKINSON, expand(WILKINSON))
    ),
    "a trigonometric identity": Statement(variables={x: Interval(-3, 3)}, then=Eq(sin(x) ** 2 + cos(x) ** 2, 1)),
    "exponential": Statement(variables={x: Reals}, then=exp(x) >= 1 + x),
    "on a simplex": Statement(
        variables={x: Reals, y: Reals, z: Reals}, given=(Eq(x + y + z, 1), x > 0, y > 0, z > 0),
        then=x * y * z <= Rational(1, 27),
    ),
    "equality at 1e-60": Statement(variables={x: POSITIVE}, given=(x <= TINY,), then=x <= TINY),
    "almost everywhere": Statement(variables={x: Reals}, almost_all=(x,), then=Ne(x**2, 2)),
    "saturating": Statement(variables={x: POSITIVE}, then=tanh(x) < 1),
    "logarithm": Statement(variables={x: POSITIVE}, then=log(x) <= x - 1),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_is_only_sampled(name):
    verdict = decide(TRUE[name], STANDARD)
    assert verdict is not None
    assert verdict.outcome is Outcome.SAMPLED
    assert verdict.cases > 1000
    assert "double precision" in verdict.coverage
    assert "points of x" in verdict.coverage


def test_an_undefined_conclusion_is_reported_and_not_called_false():
    verdict = decide(Statement(variables={x: Interval(-1, 1)}, then=log(x) <= x - 1), STANDARD)
    assert verdict.outcome is Outcome.SAMPLED
    assert any("no value" in note for note in verdict.notes)


def test_almost_all_still_refutes_on_open_sets():
    verdict = decide(Statement(variables={x: Reals}, almost_all=(x,), then=x**2 > x), STANDARD)
    assert verdict.outcome is Outcome.REFUTED
    assert 0 < Rational(verdict.counterexample["x"]) < 1
    assert openly(Goal({x: Reals}, (Eq(x, 1),), x > 2), (x,)).hypotheses[0] == False  # noqa: E712


def test_existence_is_refuted_by_a_proof_of_absence():
    claim = Statement(variables={x: Interval(-1, 1)}, then=Exists(y, Reals, y**2 < x))
    verdict = decide(claim, STANDARD)
    assert verdict.outcome is Outcome.REFUTED
    assert Rational(verdict.counterexample["x"]) <= 0
    assert existence.check(claim, json.loads(json.dumps(verdict.certificate)))
    absent = Statement(variables={x: Reals}, then=Exists(y, Reals, Eq(x * y, 1)))
    assert decide(absent, Budget.of("quick")).notes == ("at x = 0 no y in Reals satisfies x*y = 1: proved by cover",)
    true_claim = Statement(variables={x: Interval(0, 1)}, then=Exists(y, Reals, Eq(y**2, x)))
    assert decide(true_claim, Budget.of("quick")) is None


def test_counterexamples_are_small_and_have_room():
    goal = Goal({x: Reals, y: Reals}, (x > 0, y > 0), x * y < 5)
    found = shrink(goal, [({x: 17.238172, y: 3.92131}, 62.6)], clock.now() + 10)
    assert found[x] * found[y] > 5
    assert sum(cost(value) for value in found.values()) < 20
    assert with_room(negation(goal.conclusion), Rational(1, 10)).subs(found) == True  # noqa: E712


def test_the_sentence_names_point_and_values():
    text = sentence(Goal({x: Reals}, (x > 0,), sqrt(x) <= x), {x: Rational(1, 4)})
    assert text == "x = 1/4 satisfies the hypotheses, but sqrt(x) = 1/2 is not <= x = 1/4"


@given(st.fractions(-50, 50, max_denominator=997), st.fractions(-50, 50, max_denominator=997))
@settings(deadline=None, max_examples=25)
def test_simplifying_keeps_the_violation_and_never_gets_worse(first, second):
    goal = Goal(PLANE, (), x**2 + y > 3)
    point = {x: Rational(first.numerator, first.denominator), y: Rational(second.numerator, second.denominator)}
    if holds(goal.refutation, point) is not True:
        return
    simpler = plainer(goal, point)
    assert holds(goal.refutation, simpler) is True
    assert all(cost(simpler[symbol]) <= cost(point[symbol]) for symbol in point)


@pytest.mark.parametrize(
    "hypotheses",
    [
        (x > 0, y > x, x + y < 1),
        (Eq(x + 2 * y, 1), x > 0, y > 0),
        (x**2 + y**2 < Rational(1, 10**6),),
        (Or(x > 1, y < -3),),
        (x > 0, x < Rational(1, 10**60), y > 0, y < x),
    ],
)
def test_points_are_drawn_inside_the_hypotheses(hypotheses):
    sampler = Sampler(PLANE, hypotheses)
    points = sampler.draw(500, np.random.default_rng(3))
    assert points.shape[1] >= 400
    exact = And(*[part for part in hypotheses if not isinstance(part, Eq)])
    for column in range(0, 400, 40):
        assert holds(exact, {x: Rational(points[0, column]), y: Rational(points[1, column])}) is True


def test_the_same_seed_gives_the_same_verdict():
    statement = Statement(variables={x: Reals}, then=exp(x) >= 1 + x)
    first, second = decide(statement, STANDARD), decide(statement, STANDARD)
    assert (first.outcome, first.cases) == (second.outcome, second.cases)


def test_a_symbol_may_carry_assumptions():
    n = Symbol("n", integer=True, positive=True)
    verdict = decide(Statement(then=n**2 < 50), STANDARD)
    assert verdict.counterexample == {"n": "8"}


def test_a_changed_certificate_is_rejected():
    statement = Statement(variables={x: Reals}, then=x**2 > x)
    certificate = dict(decide(statement, STANDARD).certificate)
    certificate["point"] = [[encode(x), encode(Rational(2))]]
    assert not point.check(statement, certificate)
