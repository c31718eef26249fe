"""Balls contain the true trajectory: what they decide agrees with exact iteration, and replays at higher precision."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Interval, Rational, Reals, symbols

from proofs_check.budget import Budget
from proofs_check.engines.enclosure.search import confirm_violation, decide
from proofs_check.engines.motion.orbit import precision
from proofs_check.engines.motion.trace import Trace
from proofs_check.engines.motion.trajectory import setting_of
from proofs_check.evidence.replay import check
from proofs_check.verdict import Outcome, Verdict
from theory.dynamics import Map
from theory.statements import Statement
from theory.temporal import After, Always, ConvergesTo, Decreasing, Eventually, HasPeriod, Until

x, y, x0, r, t = symbols("x y x0 r t")
THIRD = Rational(1, 3)


def logistic(rate: object, then: object, **more: object) -> Statement:
    return Statement(dynamics=Map((x,), (rate * x * (1 - x),)), start={x: more.pop("start", THIRD)}, then=then, **more)


def replays(statement: Statement, found: Verdict) -> bool:
    return check(statement, json.loads(json.dumps(found.certificate)))[0] == "accepted"


def decided(statement: Statement) -> Verdict:
    found = decide(statement, Budget.of("standard").start())
    assert found is not None
    return found


SINGLE = {
    "2-cycle": (logistic(Rational(16, 5), HasPeriod(2)), True),
    "no fixed point": (logistic(Rational(16, 5), HasPeriod(1)), False),
    "period three": (logistic(Rational(383, 100), HasPeriod(3)), True),
    "fixed point": (logistic(Rational(14, 5), ConvergesTo(x, Rational(9, 14))), True),
    "near the fixed point": (logistic(Rational(14, 5), ConvergesTo(x, Rational(9001, 14000))), False),
    "kept for ever": (logistic(Rational(16, 5), Always((x > Rational(1, 10)) & (x < Rational(9, 10)))), True),
    "left at once": (logistic(Rational(16, 5), Always(x < Rational(7, 10))), False),
    "reached": (logistic(4, Eventually(x > Rational(99, 100))), True),
    "never reached": (logistic(Rational(14, 5), Eventually(x > Rational(9, 10))), False),
    "until": (logistic(4, Until(x < Rational(99, 100), x > Rational(98, 100))), True),
    "not decreasing": (logistic(4, Decreasing(x)), False),
    "at a step": (logistic(4, After(1, x > Rational(8, 9) - Rational(1, 100))), True),
}


@pytest.mark.parametrize("name", SINGLE)
def test_statements_about_one_number_are_decided_and_replay(name: str) -> None:
    statement, holds = SINGLE[name]
    found = decided(statement)
    assert found.outcome is (Outcome.PROVED if holds else Outcome.REFUTED)
    assert replays(statement, found)


@settings(deadline=None, max_examples=40)
@given(st.fractions(0, 1, max_denominator=50), st.fractions(0, 4, max_denominator=20), st.integers(0, 7))
def test_balls_contain_the_exact_orbit(start: Fraction, rate: Fraction, steps: int) -> None:
    from flint import arb, fmpq

    first, factor = Rational(start.numerator, start.denominator), Rational(rate.numerator, rate.denominator)
    found = setting_of(logistic(factor, Always(x >= 0), start=first))
    assert found is not None
    with precision(64):
        state = Trace(found[0], {}, 10).state(steps)
    exact = start
    for _ in range(steps):
        exact = rate * exact * (1 - exact)
    assert state is not None
    assert state[0].contains(arb(fmpq(exact.numerator, exact.denominator)).mid()) or state[0].overlaps(
        arb(fmpq(exact.numerator, exact.denominator))
    )


def test_a_box_of_starts_and_rates_converges() -> None:
    box = {x0: Interval(Rational(1, 4), Rational(3, 4)), r: Interval(Rational(8, 5), Rational(11, 5))}
    statement = logistic(r, ConvergesTo(x, 1 - 1 / r), variables=box, start=x0)
    found = decided(statement)
    assert found.outcome is Outcome.PROVED
    assert replays(statement, found)
    data = json.loads(json.dumps(found.certificate))
    data["boxes"] = data["boxes"][:-1]
    assert check(statement, data)[0] == "rejected"
    wider = statement.but(variables={**box, r: Interval(Rational(8, 5), Rational(12, 5))})
    assert not replays(wider, found)


UNIT = {x0: Interval(0, 1)}


def test_a_violation_after_many_chaotic_steps_is_certified() -> None:
    statement = logistic(4, Always(x < Rational(999999, 1000000)), variables=UNIT, start=x0)
    found = confirm_violation(statement, {x0: THIRD}, 3000)
    assert found is not None
    assert found.outcome is Outcome.REFUTED
    assert replays(statement, found)
    step = int(dict(found.counterexample or {})["step"])
    with precision(8192):
        setting = setting_of(logistic(4, Always(x >= 0)))
        assert setting is not None
        trace = Trace(setting[0], {}, step)
        values = [trace.state(k) for k in range(step + 1)]
    assert all(value is not None and value[0] < 0.999999 for value in values[:-1])
    assert values[-1] is not None
    assert values[-1][0] > 0.9999989


def test_a_true_statement_is_never_confirmed_as_violated() -> None:
    inside = logistic(4, Always((x >= 0) & (x <= 1)), variables=UNIT, start=x0)
    assert confirm_violation(inside, {x0: THIRD}, 500) is None
    assert confirm_violation(inside, {x0: Rational(2)}, 500) is None, "outside the hypotheses"
    limit = logistic(r, ConvergesTo(x, 1 - 1 / r), variables={**UNIT, r: Interval(1, 4)}, start=x0)
    assert confirm_violation(limit, {x0: THIRD, r: Rational(5, 2)}, 500) is None


def test_other_attractors_and_escape_violate_a_limit() -> None:
    limit = logistic(r, ConvergesTo(x, 1 - 1 / r), variables={x0: Reals, r: Interval(1, 4)}, start=x0, almost_all=(x0,))
    cycle = confirm_violation(limit, {x0: Rational(1, 2), r: Rational(33, 10)}, 1000)
    assert cycle is not None
    assert "enters 2 boxes mapped into themselves" in cycle.notes[0]
    assert replays(limit, cycle)
    escape = confirm_violation(limit, {x0: Rational(3, 2), r: Rational(3)}, 1000)
    assert escape is not None
    assert "escapes" in escape.notes[0]
    assert replays(limit, escape)


def test_a_single_exceptional_start_does_not_refute_an_almost_all_statement() -> None:
    """From 0 the orbit stays at 0, but 0 is a null set."""
    almost = logistic(2, Eventually(x > Rational(1, 4)), variables=UNIT, start=x0, almost_all=(x0,))
    assert confirm_violation(almost, {x0: Rational(0)}, 100) is None
    assert confirm_violation(almost.but(almost_all=()), {x0: Rational(0)}, 100) is not None


def test_time_bounded_formulas_need_no_limit() -> None:
    from sympy import Implies

    counting = Map((x,), (x + 1,), t)
    bounded = Statement(dynamics=counting, start={x: Rational(0)}, then=Always(Implies(t <= 20, x <= 20)))
    assert decided(bounded).outcome is Outcome.PROVED
    assert decided(bounded.but(then=Always(Implies(t <= 21, x <= 20)))).outcome is Outcome.REFUTED
