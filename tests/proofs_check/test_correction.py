"""A correction is proved, keeps a good part of the hypotheses, and comes in the order a reader would try."""

from __future__ import annotations

import pytest
from sympy import And, Eq, Interval, Rational, Reals, exp, symbols

from proofs_check.budget import Budget
from proofs_check.correction import find_correction
from proofs_check.engines import real
from proofs_check.engines.falsify import decide
from proofs_check.goals import goal_of
from proofs_check.obligations import discharge
from proofs_check.repairs import coefficients, hypotheses, is_conclusion, restrictions
from proofs_check.sharpen import sharpen
from proofs_check.verdict import Outcome, Verdict
from theory.dynamics import Map
from theory.statements import Constant, Statement
from theory.temporal import Always

x, y, a, c = symbols("x y a c")
STANDARD = Budget.of("standard")
PLANE = {x: Reals, y: Reals}

CASES = {
    "sign": (Statement(variables={x: Reals}, then=x**3 >= 0), "true for x >= 0"),
    "range": (Statement(variables={x: Interval(0, 2)}, then=x**2 <= x), "true for x <= 1"),
    "one point": (Statement(variables={x: Reals}, then=x**2 - 2 * x + 1 > 0), "true for x != 1"),
    "transcendental point": (Statement(variables={x: Reals}, then=exp(x) > 1 + x), "true for x != 0"),
    "order of two": (Statement(variables=PLANE, then=x**3 - y**3 >= 0), "true for x >= y"),
    "sign under a hypothesis": (Statement(variables=PLANE, given=(x < y,), then=x**2 < y**2), "true for x >= 0"),
    "coefficient": (
        Statement(variables=PLANE, then=Eq((x + y) ** 2, x**2 + x * y + y**2)),
        "true with (x + y)**2 = x**2 + 2*x*y + y**2 instead of (x + y)**2 = x**2 + x*y + y**2",
    ),
    "sign of a term": (
        Statement(variables=PLANE, then=Eq((x - y) * (x + y), x**2 + y**2)),
        "true with (x - y)*(x + y) = x**2 - y**2 instead of (x - y)*(x + y) = x**2 + y**2",
    ),
    "direction": (
        Statement(variables={x: Interval.open(0, 1)}, then=x**2 > x),
        "true with x**2 < x instead of x**2 > x",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_nearest_true_statement_is_named(name):
    statement, expected = CASES[name]
    verdict = decide(statement, STANDARD)
    assert verdict.outcome is Outcome.REFUTED
    assert find_correction(statement, verdict, STANDARD) == expected


def test_a_constant_is_changed_when_no_restriction_helps():
    claim = Statement(variables={x: Interval(1, 2)}, given=(x**2 < 3,), then=x**2 + x < c,
                      constants=(Constant(c, 1, best="smallest"),))  # fmt: skip
    text = find_correction(claim, decide(claim, STANDARD), STANDARD)
    assert text.startswith("true with c = ")
    assert "3" in text


def test_a_number_that_bounds_something_is_changed_though_nobody_marked_it():
    claim = Statement(variables={x: Interval(0, 1)}, then=x * (1 - x) <= Rational(1, 5))
    assert find_correction(claim, decide(claim, STANDARD), STANDARD) is not None
    found = sharpen(claim, budget=Budget.of("quick"))["bound"]
    assert (found["stated"], found["best"]) == ("1/5", "1/4")


def test_an_irrational_counterexample_is_read_from_the_certificate():
    claim = Statement(variables={x: Reals}, given=(Eq(x**4, 2 * x**2),), then=x >= 0)
    verdict = real.decide(claim, STANDARD)
    assert "sqrt" in verdict.counterexample["x"]
    assert find_correction(claim, verdict, STANDARD) == "true for x >= 0" or verdict.certificate["point"]
    strict = Statement(variables={x: Reals}, then=x**4 - 4 * x**2 + 4 > 0)
    assert find_correction(strict, real.decide(strict, STANDARD), STANDARD) is not None


def test_hypotheses_about_time_do_not_prevent_a_correction():
    halving = Map((x,), (x / 2,))
    claim = Statement(variables={a: Interval(-1, 1)}, dynamics=halving, start={x: a}, given=(Always(x < 2),),
                      then=Always(x >= 0))  # fmt: skip
    verdict = Verdict(Outcome.REFUTED, counterexample={"a": "-1", "step": "0"})
    assert find_correction(claim, verdict, STANDARD) == "true for a >= 0"


def test_an_added_hypothesis_never_repeats_the_conclusion():
    statement = Statement(variables={x: Reals}, then=2 * x > 2)
    assert is_conclusion(statement, x > 1)
    assert not is_conclusion(statement, x > 2)
    verdict = Verdict(Outcome.REFUTED, counterexample={"x": "0"})
    text = find_correction(statement, verdict, STANDARD)
    assert text not in ("true for x > 1", "true for x >= 1")


def test_every_restriction_excludes_the_counterexample():
    statement = Statement(variables=PLANE, then=x * y >= 0)
    point = {x: Rational(-1), y: Rational(2)}
    for repair in [*restrictions(statement, point), *hypotheses(statement, point)]:
        assert repair.added.subs(point) == False  # noqa: E712


def test_repairs_of_a_number_change_one_thing():
    texts = {str(repair.statement.then) for repair in coefficients(Statement(variables={x: Reals}, then=3 * x**2 < 7))}
    assert {"3*x**2 <= 7", "3*x**2 > 7", "3*x**3 < 7", "6*x**2 < 7", "3*x**2 < 14"} <= texts


def test_what_is_called_true_can_be_proved_again():
    statement = Statement(variables={x: Reals, y: Reals}, then=x * y <= (x**2 + y**2) / 3)
    text = find_correction(statement, decide(statement, STANDARD), STANDARD)
    assert text is not None
    added = {"true for x*y <= 0": x * y <= 0}[text]
    goal = goal_of(statement.but(given=(added,)))
    assert discharge(goal, STANDARD.start()).outcome is Outcome.PROVED


def test_a_claim_about_trajectories_is_restricted():
    claim = Statement(dynamics=Map((x,), (x / 2,)), start={x: a}, variables={a: Interval(-1, 1)}, then=Always(x >= 0))
    verdict = Verdict(Outcome.REFUTED, counterexample={"a": "-1", "step": "0"})
    assert find_correction(claim, verdict, STANDARD) == "true for a >= 0"


def test_nothing_is_invented_for_a_hopeless_statement():
    hopeless = Statement(variables={x: Reals}, given=(x > 5, x < 6), then=And(x > 6, x < 5))
    assert find_correction(hopeless, Verdict(Outcome.REFUTED, counterexample={"x": "11/2"}), Budget.of("quick")) is None


def test_a_variable_is_restricted_from_both_sides():
    false = Statement(variables={x: Reals}, then=x**2 <= x)
    found = find_correction(false, Verdict(Outcome.REFUTED, counterexample={"x": "-1"}), Budget.of("standard"))
    assert found == "true for 0 <= x <= 1"


def test_no_changed_number_makes_a_conclusion_that_says_nothing():
    changed = [repair.then for repair in coefficients(Statement(variables={x: Reals}, then=x**2 <= x))]
    assert changed
    assert not any((part.lhs - part.rhs).is_number for part in changed)
