"""The exact set of parameters for which an inequality holds is found, and it is the one that calculus gives."""

from __future__ import annotations

import pytest
from sympy import Interval, Ne, Rational, S, cancel, oo, root, sqrt, symbols

from proofs_check.budget import Budget
from proofs_check.conditions import condition, condition_formula
from proofs_check.goals import Goal
from proofs_check.solvers import qepcad

x, y, a, b, K = symbols("x y a b K")
step = x - K * x * (x**2 - 1)
two_cycle = cancel((step.subs(x, step) - x) / (step - x))

CASES = {
    "open discriminant": ((x,), (), x**2 + K * x + 1 > 0, Interval.open(-2, 2)),
    "closed discriminant": ((x,), (), x**2 + K * x + 1 >= 0, Interval(-2, 2)),
    "cubic on a half-line": ((x,), (x >= 0,), x**3 - K * x + 2 >= 0, Interval(-oo, 3)),
    "quartic": ((x,), (), x**4 + K * x + 1 > 0, Interval.open(-4 * root(3, 4) / 3, 4 * root(3, 4) / 3)),
    "form": ((x, y), (), x**2 + y**2 + K * x * y >= 0, Interval(-2, 2)),
    "first flip of the quartic": ((x,), (x > 0, x < 1), Ne(two_cycle, 0), None),
    "radical": ((x,), (x > 0,), sqrt(x) <= K + x, Interval(Rational(1, 4), oo)),
}


@pytest.mark.parametrize("name", CASES)
def test_one_parameter(name):
    free, given, claim, expected = CASES[name]
    goal = Goal({**dict.fromkeys(free, S.Reals), K: S.Reals}, given, claim)
    found = condition(goal, K, Budget.of("standard"))
    assert found.undecided is S.EmptySet
    if expected is None:
        assert found.holds.contains(1) == True  # noqa: E712 - SymPy's true
        assert found.holds.contains(Rational(101, 100)) == False  # noqa: E712
    else:
        assert found.holds == expected


@pytest.mark.skipif(qepcad.missing() is not None, reason="qepcad is not installed")
def test_two_parameters_by_qepcad():
    goal = Goal(dict.fromkeys((x, a, b), S.Reals), (), x**2 + a * x + b > 0)
    formula = condition_formula(goal, (a, b), Budget.of("standard"))
    for point, holds in (((0, 1), True), ((2, 1), False), ((1, 1), True), ((3, 2), False)):
        assert bool(formula.subs(dict(zip((a, b), point, strict=True)))) is holds


def test_too_many_variables_are_refused():
    goal = Goal(dict.fromkeys((*symbols("u v w"), K), S.Reals), (), sum(symbols("u v w")) ** 2 + K >= 0)
    assert condition(goal, K, Budget.of("quick")) is None
