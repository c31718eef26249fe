"""Lemma C.14: both flows converge; in x and u = -E a Lyapunov function shows it, and no other limit is proved."""

from __future__ import annotations

import pytest
from sympy import Rational

from proofs_check import verify
from proofs_check.verdict import Outcome
from theory.associative_memory._paper import ALPHA
from theory.associative_memory.long_time import AS_PRINTED, TRUE, Reduced, U, X, Y
from theory.library import find
from theory.temporal import ConvergesTo


@pytest.mark.parametrize("flow", [AS_PRINTED, TRUE])
def test_the_change_of_coordinates_by_the_chain_rule(flow: Reduced) -> None:
    at = {ALPHA: Rational(3, 10), X: Rational(2, 7), Y: Rational(5, 11)}
    fast = dict(zip((X, Y), (part.subs(at) for part in flow.flow.velocity), strict=True))
    step = Rational(1, 10**9)
    moved = {**at, X: at[X] + step * fast[X], Y: at[Y] + step * fast[Y]}
    there = {**at, U: -flow.e.subs(at)}
    x_velocity, u_velocity = (part.subs(there) for part in flow.from_the_line.velocity)
    assert x_velocity == fast[X]
    assert u_velocity == (flow.e.subs(at) - flow.e.subs(moved)) / step  # E is linear, so the quotient is exact
    assert flow.height.subs(there) == (1 - at[ALPHA]) * at[Y]


@pytest.mark.slow
def test_the_gradient_flow_converges_and_to_nothing_else() -> None:
    stated = find("associative_memory/lemma-c.14#limit.true-flow")[0].statement()
    found = verify(stated, effort="standard")
    assert found.outcome is Outcome.PROVED
    assert any("LaSalle" in note for note in found.notes)
    elsewhere = stated.but(then=ConvergesTo((X, U), (0, 1)))
    assert verify(elsewhere, effort="quick").outcome is not Outcome.PROVED
