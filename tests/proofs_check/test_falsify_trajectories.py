"""False claims about trajectories are refuted by starts that ball arithmetic certifies; faults are reported."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sympy import Interval, Rational, Reals, symbols

from proofs_check.budget import Budget
from proofs_check.engines.falsify.search import decide
from proofs_check.verdict import Outcome
from theory.dynamics import Flow, Map, gradient_descent, gradient_flow
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo, Decreasing

x, y, a, b, K, r = symbols("x y a b K r")
STANDARD = replace(Budget.of("standard"), seconds=4.0)
LOGISTIC = Map((x,), (r * x * (1 - x),))
QUARTIC = gradient_descent((x**2 - 1) ** 2 / 4, (x,), K)
UNIT = Interval.open(0, 1)


def exact_orbit(rule, start, steps):
    """An independent route: the orbit in plain rational arithmetic."""
    state = start
    for _ in range(steps):
        state = rule(state)
    return state


def test_an_invariant_that_fails_names_start_and_step():
    claim = Statement(dynamics=LOGISTIC, start={x: a}, variables={a: UNIT, r: Interval(0, 4)},
                      then=Always(x <= Rational(9, 10)))  # fmt: skip
    verdict = decide(claim, STANDARD)
    assert verdict.outcome is Outcome.REFUTED
    start, rate = Rational(verdict.counterexample["a"]), Rational(verdict.counterexample["r"])
    reached = exact_orbit(lambda s: rate * s * (1 - s), start, int(verdict.counterexample["step"]))
    assert reached > Rational(9, 10)
    assert "violates the claim at step" in " ".join(verdict.notes)


def test_an_invariant_that_holds_with_equality_is_not_refuted():
    claim = Statement(dynamics=LOGISTIC, start={x: a}, variables={a: Interval(0, 1), r: Interval(0, 4)},
                      then=Always(x <= 1))  # fmt: skip
    verdict = decide(claim, STANDARD)
    assert verdict.outcome is Outcome.SAMPLED
    assert "trajectories of up to" in verdict.coverage
    assert verdict.cases > 1000


def test_convergence_for_almost_all_starts_is_refuted_on_an_open_set():
    claim = Statement(dynamics=QUARTIC, start={x: a}, variables={a: UNIT, K: Interval.open(0, Rational(6, 5))},
                      then=ConvergesTo(x, 1), almost_all=(a,))  # fmt: skip
    verdict = decide(claim, STANDARD)
    assert verdict.outcome is Outcome.REFUTED
    assert Rational(verdict.counterexample["K"]) > 1


def test_convergence_with_countably_many_exceptions_is_not_refuted():
    """For K < 1 every start in (0, 1) converges."""
    claim = Statement(dynamics=QUARTIC, start={x: a}, variables={a: UNIT, K: Interval(Rational(1, 2), Rational(9, 10))},
                      then=ConvergesTo(x, 1), almost_all=(a,))  # fmt: skip
    assert decide(claim, STANDARD).outcome is Outcome.SAMPLED


def test_a_quantity_that_grows_once_is_not_decreasing():
    claim = Statement(dynamics=gradient_descent(x**4 / 4, (x,), K), start={x: a},
                      variables={a: Interval(-2, 2), K: UNIT}, then=Decreasing(x**2))  # fmt: skip
    verdict = decide(claim, STANDARD)
    assert verdict.outcome is Outcome.REFUTED


@pytest.mark.slow
def test_a_violation_after_a_hundred_thousand_steps_is_found():
    claim = Statement(dynamics=Map((y,), (y + Rational(1, 10**5),)), start={y: a},
                      variables={a: Interval(0, Rational(1, 2))}, then=Always(y < Rational(3, 2)))  # fmt: skip
    verdict = decide(claim, Budget.of("standard"))
    assert verdict.outcome is Outcome.REFUTED
    assert int(verdict.counterexample["step"]) >= 100_000


def test_overflow_and_undefined_values_are_reported_not_hidden():
    escape = Statement(dynamics=Map((x,), (x**2,)), start={x: a}, variables={a: Interval(0, 2)}, then=Always(x >= 0))
    verdict = decide(escape, STANDARD)
    assert verdict.outcome is Outcome.SAMPLED
    note = next(text for text in verdict.notes if "ended early" in text)
    assert "a = " in note
    assert "at step" in note


def test_flows_are_sampled_with_two_tolerances():
    flow = gradient_flow((x * y - 1) ** 2 / 2, (x, y))
    claim = Statement(dynamics=flow, start={x: a, y: b}, variables={a: Interval(0, 2), b: Interval(0, 2)},
                      then=Always(x >= 0))  # fmt: skip
    verdict = decide(claim, STANDARD)
    assert verdict.outcome is Outcome.SAMPLED
    assert "which agree" in verdict.coverage


def test_a_blow_up_of_a_flow_is_reported():
    claim = Statement(dynamics=Flow((x,), (x**2,)), start={x: a}, variables={a: Interval(1, 2)}, then=Always(x > 0))
    verdict = decide(claim, STANDARD)
    assert verdict.outcome is Outcome.SAMPLED
    assert any("ended early" in text and "at time" in text for text in verdict.notes)


def test_a_claim_without_free_variables():
    claim = Statement(dynamics=Map((x,), (2 * x,)), start={x: Rational(1)}, then=Always(x < 1000))
    verdict = decide(claim, STANDARD)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.counterexample == {"step": "10"}


def test_plain_hypotheses_restrict_the_starts():
    claim = Statement(dynamics=Map((x,), (x / 2,)), start={x: a}, variables={a: Reals}, given=(a > 1, a < 3),
                      then=Always(x < 3))  # fmt: skip
    assert decide(claim, STANDARD).outcome is Outcome.SAMPLED
