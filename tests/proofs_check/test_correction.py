"""A correction is proved, keeps a good part of the hypotheses, and comes in the order a reader would try."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sympy import (
    And,
    Eq,
    Gt,
    Interval,
    Max,
    Min,
    Naturals,
    Ne,
    Rational,
    Reals,
    cos,
    cosh,
    exp,
    log,
    oo,
    pi,
    sin,
    sinh,
    sqrt,
    symbols,
)

from proofs_check.budget import Budget
from proofs_check.engines.discharge import discharge
from proofs_check.engines.falsify.search import decide
from proofs_check.engines.polynomial import search as real
from proofs_check.goals import goal_of
from proofs_check.points.exact import holds
from proofs_check.referee.judge import verify
from proofs_check.repair.correction import find_correction
from proofs_check.repair.quick_test import Plausibility
from proofs_check.repair.repairs import hypotheses, is_conclusion, ranges
from proofs_check.repair.sharpen import sharpen
from proofs_check.repair.single_edits import changed_lines, says_something
from proofs_check.repair.thresholds import thresholds
from proofs_check.verdict import Outcome, Verdict
from theory.dynamics import Flow, Map
from theory.library import premised
from theory.statements import Constant, Statement
from theory.temporal import Always, ConvergesTo, Exists, is_plain

x, y, z, a, c, n, r, eta, mu = symbols("x y z a c n r eta mu")
x_1, x_2, x_3 = symbols("x_1 x_2 x_3")
STANDARD = replace(Budget.of("standard"), seconds=8.0)  # however busy the machine is
LINE, PLANE = {x: Reals}, {x: Reals, y: Reals}
POSITIVE = Interval.open(0, oo)

CASES = {
    "sign": (Statement(variables=LINE, then=x**3 >= 0), {"x": "-1"}, "true for x >= 0"),
    "range": (Statement(variables={x: Interval(0, 2)}, then=x**2 <= x), {"x": "2"}, "true for x <= 1"),
    "both sides": (Statement(variables=LINE, then=x**2 <= x), {"x": "-1"}, "true for 0 <= x <= 1"),
    "the claim, solved": (Statement(variables=LINE, then=x <= 0), {"x": "1"}, "true for x <= 0"),
    "an irrational end": (
        Statement(variables={x: Interval(0, 2)}, then=x**2 <= 3),
        {"x": "2"},
        "true for x <= sqrt(3)",
    ),
    "a root that nobody can read": (
        Statement(variables=LINE, then=(1 + x) ** 5 >= 1 + 5 * x),
        {"x": "-4"},
        "true for x >= -13/5",
    ),
    "a transcendental root": (
        Statement(variables=LINE, then=1 / (1 + exp(-x)) <= Rational(3, 4)),
        {"x": "2"},
        "true for x <= log(3)",
    ),
    "whole numbers from some on": (
        Statement(variables={n: Naturals}, then=2**n > n**2),
        {"n": "2"},
        "true for n > 4",
    ),
    "a pole": (Statement(variables=LINE, then=1 / x <= 1), {"x": "3/4"}, "true for x < 0 or x >= 1"),
    "two rays": (Statement(variables=LINE, then=x**2 >= 2 * x), {"x": "1"}, "true for x <= 0 or x >= 2"),
    "two rays that end at no readable number": (
        Statement(variables={x: Interval.open(0, oo)}, then=log(x) <= x / 3),
        {"x": "2"},
        "true for x <= 11/6 or x >= 23/5",
    ),
    "existence but for one value": (
        Statement(variables={a: Reals}, then=Exists(x, Reals, Eq(a * x, 1))),
        {"a": "0"},
        "true for a != 0",
    ),
    "existence for a sign": (
        Statement(variables={a: Reals}, then=Exists(x, Reals, Eq(x**2, a))),
        {"a": "-1"},
        "true for a >= 0",
    ),
    "no constant that empties the range": (
        Statement(variables={x: Interval.open(0, c)}, constants=(Constant(c, 3, best="largest"),), then=x < 0),
        {"x": "1"},
        "true with x > 0 instead of x < 0",
    ),
    "a map up to the edge of its target": (
        Statement(
            variables={r: Interval(0, 4), a: Interval(0, 1)},
            dynamics=Map((x,), (r * x * (1 - x),)),
            start={x: a},
            then=ConvergesTo(x, 0),
        ),
        {"r": "2", "a": "1/2"},
        "true for r <= 1",
    ),
    "one point": (Statement(variables=LINE, then=x**2 - 2 * x + 1 > 0), {"x": "1"}, "true for x != 1"),
    "both ends": (
        Statement(variables={eta: Interval(0, 2)}, then=(1 - eta) ** 2 < 1),
        {"eta": "0"},
        "true for 0 < eta < 2",
    ),
    "transcendental ends": (
        Statement(variables={x: Interval(0, pi / 2)}, then=sin(x) > 2 * x / pi),
        {"x": "0"},
        "true for 0 < x < pi/2",
    ),
    "two points": (
        Statement(variables={x: Interval(-2, 2)}, then=x**3 - 3 * x + 2 > 0),
        {"x": "-2"},
        "true for x > -2 and x != 1",
    ),
    "a curve": (
        Statement(variables=PLANE, then=(x**2 + y**2 - 1) ** 2 > 0),
        {"x": "0", "y": "-1"},
        "true for x**2 + y**2 != 1",
    ),
    "equality allowed": (
        Statement(variables=PLANE, then=x**4 * y**2 + x**2 * y**4 + 1 - 3 * x**2 * y**2 > 0),
        {"x": "-1", "y": "-1"},
        "true with x**4*y**2 + x**2*y**4 - 3*x**2*y**2 + 1 >= 0 instead of x**4*y**2 + x**2*y**4 - 3*x**2*y**2 + 1 > 0",
    ),
    "order of two": (Statement(variables=PLANE, then=x**3 - y**3 >= 0), {"x": "0", "y": "1"}, "true for x >= y"),
    "order of two, piecewise": (
        Statement(variables=PLANE, then=Eq(Max(x, y) - Min(x, y), x - y)),
        {"x": "1", "y": "2"},
        "true for x >= y",
    ),
    "sign under a hypothesis": (
        Statement(variables=PLANE, given=(x < y,), then=x**2 < y**2),
        {"x": "-1", "y": "0"},
        "true for x >= 0",
    ),
    "a discriminant": (
        Statement(variables={a: Reals, c: Reals, x: Reals}, then=x**2 + 2 * a * x + c >= 0),
        {"a": "1", "c": "0", "x": "-1"},
        "true for a**2 - c <= 0",
    ),
    "the best number": (
        Statement(variables={x: POSITIVE, y: POSITIVE}, then=(x + y) ** 2 >= 5 * x * y),
        {"x": "1", "y": "1"},
        "true with (x + y)**2 >= 4*x*y instead of (x + y)**2 >= 5*x*y",
    ),
    "direction": (
        Statement(variables={x: Interval.open(0, 1)}, then=x**2 > x),
        {"x": "1/2"},
        "true with x**2 < x instead of x**2 > x",
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.sampled(2)
def test_the_nearest_true_statement_is_named(name):
    statement, point, expected = CASES[name]
    if is_plain(statement.conclusion):
        assert holds(statement.conclusion, {s: Rational(point[s.name]) for s in statement.variables}) is False
    assert find_correction(statement, Verdict(Outcome.REFUTED, counterexample=point), STANDARD) == expected


STEPS = {
    "sign": (Eq((x - y) ** 2, x**2 + 2 * x * y + y**2), "(x - y)**2 = x**2 - 2*x*y + y**2"),
    "factor": (Eq((x + y) ** 2, x**2 + x * y + y**2), "(x + y)**2 = x**2 + 2*x*y + y**2"),
    "a number that is no small multiple": (
        Eq((x + 1) ** 5, x**5 + 5 * x**4 + 10 * x**3 + 7 * x**2 + 5 * x + 1),
        "10*x**2",
    ),
    "nested sign": (Eq(x**3 + y**3, (x + y) * (x**2 + x * y + y**2)), "(x + y)*(x**2 - x*y + y**2)"),
    "sign of a function": (Eq(cosh(x) ** 2 + sinh(x) ** 2, 1), "-sinh(x)**2 + cosh(x)**2 = 1"),
    "index": (Eq((x_1 - x_2) * (x_1 + x_2), x_1**2 - x_3**2), "(x_1 - x_2)*(x_1 + x_2) = x_1**2 - x_2**2"),
    "exponent": (Eq((x**3 - 1) / (x - 1), x**3 + x + 1), "(x**3 - 1)/(x - 1) = x**2 + x + 1"),
    "missing exponent": (Eq(1 - sin(x) ** 2, cos(x)), "1 - sin(x)**2 = cos(x)**2"),
    "missing factor": (Eq((x * mu + mu**2) / mu, x * mu + mu), "(mu**2 + mu*x)/mu = mu + x"),
    "argument": (Eq(2 * sin(x) * cos(x), sin(x)), "2*sin(x)*cos(x) = sin(2*x)"),
    "a derived side": (Eq(x**3 - x, x**3 - 2 * x), "true with x**3 - x instead of x**3 - 2*x"),
    "strictness": (x**2 + y**2 > 2 * x * y, "x**2 + y**2 >= 2*x*y"),
    "swapped": (2 * x * y >= x**2 + y**2, "2*x*y <= x**2 + y**2"),
    "constant": (x**2 + y**2 >= 4 * x * y, "x**2 + y**2 >= 2*x*y"),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_false_line_of_a_proof_is_repaired_by_one_change(name):
    then, expected = STEPS[name]
    domains = {symbol: POSITIVE if symbol == mu else Reals for symbol in then.free_symbols}
    given = (x > 1,) if name == "exponent" else ()
    step = Statement(id="mine/lemma#1", variables=domains, given=given, then=then)
    verdict = decide(step, STANDARD)
    assert verdict.outcome is Outcome.REFUTED
    assert expected in find_correction(step, verdict, STANDARD)


def test_a_missing_hypothesis_of_a_step_is_named_rather_than_a_trivial_line():
    step = Statement(id="mine/lemma#1", variables={x: POSITIVE}, then=1 / x <= 1)
    assert find_correction(step, Verdict(Outcome.REFUTED, counterexample={"x": "3/4"}), STANDARD) == "true for x >= 1"


LOGISTIC = Map((x,), (r * x * (1 - x),))
MOVING = {
    "range of a parameter": (
        Statement(
            dynamics=LOGISTIC,
            start={x: a},
            variables={r: Interval(0, 5), a: Interval(0, 1)},
            then=Always((x >= 0) & (x <= 1)),
        ),
        {"r": "5", "a": "1/2", "step": "1"},
        "true for r <= 4",
    ),
    "both ends of a rate": (
        Statement(
            dynamics=Map((x,), (x - eta * x,)),
            start={x: a},
            variables={eta: Interval(0, 2), a: Interval(1, 2)},
            then=ConvergesTo(x, 0),
        ),
        {"eta": "0", "a": "1"},
        "true for 0 < eta < 2",
    ),
    "a bound": (
        Statement(
            dynamics=Map((x,), (x / 2 + 1 / x,)),
            start={x: a},
            variables={a: Interval(2, 3)},
            then=Always(x > Rational(3, 2)),
        ),
        {"a": "2", "step": "1"},
        "true with x > sqrt(2) instead of x > 3/2",
    ),
    "another limit": (
        Statement(dynamics=Flow((x,), (x - x**2,)), start={x: a}, variables={a: POSITIVE}, then=ConvergesTo(x, 0)),
        {"a": "1"},
        "true with 1 as its limit instead of 0",
    ),
}


@pytest.mark.parametrize("name", MOVING)
def test_a_claim_about_trajectories_is_corrected(name):
    claim, point, expected = MOVING[name]
    assert find_correction(claim, Verdict(Outcome.REFUTED, counterexample=point), STANDARD) == expected


def test_the_product_of_rate_and_curvature_is_bounded():
    """Gradient descent on L x^2 / 2 with eta L < 3: it converges for eta L < 2."""
    claim = Statement(dynamics=Map((x,), (x - eta * mu * x,)), start={x: a}, given=(eta * mu < 3,),
                      variables={eta: POSITIVE, mu: POSITIVE, a: Reals}, then=ConvergesTo(x, 0))  # fmt: skip
    found = find_correction(
        claim, Verdict(Outcome.REFUTED, counterexample={"eta": "1", "mu": "5/2", "a": "1"}), STANDARD
    )
    assert found == "true for eta*mu < 2"


def test_a_constant_is_changed_when_no_restriction_helps():
    claim = Statement(variables={x: Interval(1, 2)}, given=(x**2 < 3,), then=x**2 + x < c,
                      constants=(Constant(c, 1, best="smallest"),))  # fmt: skip
    text = find_correction(claim, decide(claim, STANDARD), STANDARD)
    assert text == "true with c = sqrt(3) + 3 instead of 1"


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
    assert find_correction(strict, real.decide(strict, STANDARD), STANDARD) == "true for x != -sqrt(2) and x != sqrt(2)"


def test_hypotheses_about_time_do_not_prevent_a_correction():
    halving = Map((x,), (x / 2,))
    claim = Statement(dynamics=halving, start={x: a}, variables={a: Interval(-1, 1)}, given=(Always(x < 2),),
                      then=Always(x >= 0))  # fmt: skip
    verdict = Verdict(Outcome.REFUTED, counterexample={"a": "-1", "step": "0"})
    assert find_correction(claim, verdict, STANDARD) == "true for a >= 0"


def test_an_added_hypothesis_between_variables_never_repeats_the_conclusion():
    statement = Statement(variables=PLANE, then=2 * x > 2 * y)
    assert is_conclusion(statement, x > y)
    assert not is_conclusion(statement, x > 2 * y)
    text = find_correction(statement, Verdict(Outcome.REFUTED, counterexample={"x": "0", "y": "0"}), STANDARD)
    assert text not in ("true for x > y", "true for x >= y")


def test_a_range_that_is_one_point_is_no_correction():
    """x <= 9/10 for ever on [0, 1] is true for the start 0, which nobody wants to know."""
    claim = Statement(dynamics=LOGISTIC, start={x: a}, variables={r: Interval(0, 4), a: Interval(0, 1)},
                      then=Always(x <= Rational(9, 10)))  # fmt: skip
    look = Plausibility(claim, {r: Rational(0), a: Rational(1)}, 0.2)
    assert look.share(a <= 0) == 0
    assert look.share(a <= Rational(1, 2)) > 0


def test_a_counterexample_to_one_change_dismisses_others():
    look = Plausibility(Statement(variables=LINE, then=x**2 > 1), {x: Rational(0)}, 0.2)
    (repair,) = [repair for repair in ranges(look.statement, {x: [Rational(1)]}) if repair.words == "for x >= 1"]
    look.wrong = [{x: Rational(0)}]
    before = len(look.wrong)
    look.learn({x: Rational(1)})
    assert len(look.wrong) == before + 1
    assert not look.allows(repair)


def test_ranges_end_where_elimination_says():
    claim = Statement(
        dynamics=LOGISTIC, start={x: a}, variables={r: Interval(0, 5), a: Interval(0, 1)}, then=Always(x <= 1)
    )
    assert 4 in thresholds(claim, r, 1.0)
    assert sqrt(7) in thresholds(Statement(variables=LINE, then=x**2 <= 7), x, 1.0)


def test_repairs_of_a_number_change_one_thing():
    statement = Statement(variables=LINE, then=3 * x**2 < 7)
    texts = {str(repair.statement.then) for repair in changed_lines(statement, np.empty((1, 0)))}
    assert {"3*x**2 > 7", "3*x**3 < 7", "6*x**2 < 7", "3*x**2 < 14"} <= texts


def test_no_change_makes_a_line_that_says_nothing():
    changed = [repair.then for repair in changed_lines(Statement(variables=LINE, then=x**2 <= x), np.empty((1, 0)))]
    assert changed
    assert all(says_something(line) for line in changed)
    assert not says_something(Gt(x + 1, x, evaluate=False))


def test_what_is_called_true_can_be_proved_again():
    statement = Statement(variables=PLANE, then=x * y <= (x**2 + y**2) / 3)
    text = find_correction(statement, decide(statement, STANDARD), STANDARD)
    added = {f"true for {repair.added}": repair.added for repair in hypotheses(statement) if not repair.added.has(Ne)}[
        text
    ]
    goal = goal_of(statement.but(given=(added,)))
    assert discharge(goal, STANDARD.start()).outcome is Outcome.PROVED


def test_nothing_is_invented_for_a_hopeless_statement():
    hopeless = Statement(variables=LINE, given=(x > 5, x < 6), then=And(x > 6, x < 5))
    assert find_correction(hopeless, Verdict(Outcome.REFUTED, counterexample={"x": "11/2"}), Budget.of("quick")) is None


@pytest.mark.parametrize("id_", ["edge_of_stability/theorem-3.3#q1.a", "edge_of_stability/theorem-3.3#q3.a"])
def test_the_repair_of_a_printed_line_is_the_correction_that_the_library_states(id_):
    step, corrected = premised(id_), premised(f"{id_}.corrected")
    text = find_correction(step, verify(step, effort="quick"), STANDARD)
    assert text == f"true with {corrected.then} instead of {step.then}"
