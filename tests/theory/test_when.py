"""A conclusion about a state that moves says when it holds: at all times, at the start, or as another operator says."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Eq, Implies, Interval, S, symbols

from numerics.robustness import TemporalRobustness, Trajectories
from proofs_check import verify
from proofs_check.verdict import Outcome
from theory import Always, AtStart, Eventually, Flow, LemmascopeError, Map, Statement, gradient_descent
from theory.temporal import begun

x, y, x0, eta = symbols("x y x0 eta")
DESCENT = {
    "variables": {x0: Interval(1, 2), eta: Interval(0, 5)},
    "dynamics": gradient_descent(x**2 / 2, x, eta),
    "start": {x: x0},
}
ANY = {"variables": {x: S.Reals, y: S.Reals}, "dynamics": Map((x,), (y * x,)), "start": {x: x}}


@pytest.mark.parametrize("said", [x**2 <= x0**2, Eq(x, x0), Always(x > 0) | (x > 5), Implies(x > 1, Always(x > 0))])
def test_a_bare_state_is_refused_with_the_cure(said: object) -> None:
    with pytest.raises(LemmascopeError, match=r"but not when.*write Always\(.*or AtStart\("):
        Statement(**DESCENT, then=said)


def test_a_bare_state_is_refused_where_a_variable_has_its_name() -> None:
    with pytest.raises(LemmascopeError, match="but not when"):
        Statement(**ANY, then=x <= y)


@pytest.mark.parametrize("said", [x0**2 <= 4, Always(x > 0) | (x0 > 5), Implies(x0 > 1, Eventually(x < 1))])
def test_variables_need_no_time(said: object) -> None:
    assert Statement(**DESCENT, then=said).then == said


def test_the_start_and_all_times_are_told_apart() -> None:
    assert verify(Statement(**DESCENT, then=AtStart(x**2 <= x0**2)), effort="quick").outcome is Outcome.PROVED
    assert verify(Statement(**DESCENT, then=Always(x**2 <= x0**2)), effort="quick").outcome is Outcome.REFUTED
    assert verify(Statement(**DESCENT, then=AtStart(x**2 < x0**2)), effort="quick").outcome is Outcome.REFUTED


def test_the_start_joins_other_times() -> None:
    halving = {"variables": {x0: S.Reals}, "dynamics": Map((x,), (x / 2,)), "start": {x: x0}}
    kept = Statement(**halving, then=Implies(AtStart(x > 0), Always(x > 0)))
    assert verify(kept, effort="quick").outcome is Outcome.PROVED
    lost = Statement(**halving, then=Implies(AtStart(x > 0), Always(x > 1)))
    assert verify(lost, effort="quick").outcome.objects


def test_a_flow_at_its_start() -> None:
    growing = {"variables": {x0: Interval(1, 2)}, "dynamics": Flow((x,), (x,)), "start": {x: x0}}
    assert verify(Statement(**growing, then=AtStart(x <= 2)), effort="quick").outcome is Outcome.PROVED
    assert verify(Statement(**growing, then=AtStart(x <= 1)), effort="quick").outcome is Outcome.REFUTED


def test_its_robustness_is_the_margin_at_the_start() -> None:
    runs = Trajectories((x,), np.array([[[1.0, 4.0]], [[-0.5, 2.0]]]), np.arange(2.0), {})
    assert TemporalRobustness(AtStart(x > 2), (x,)).over(runs).tolist() == [[-1.0, 2.0], [-1.0, 2.0]]


def test_without_the_word_the_formula_is_the_same() -> None:
    assert begun(Implies(AtStart(x > 0), Always(x > 0))) == Implies(x > 0, Always(x > 0))
    assert begun(~AtStart(x > 0)) == (x <= 0)
