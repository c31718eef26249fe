"""Maps in extended range agree with ball iteration at high precision where float64 has long underflowed."""

import numpy as np
import pytest
import sympy as sp
from flint import arb

from numerics import Status, compile_ball, iterate, iterate_extended, precision
from theory.dynamics import Map
from theory.errors import LemmascopeError

x, y, n = sp.symbols("x y n")


def test_a_decaying_orbit_is_followed_far_below_float64():
    shrinking = Map((x, y), (x * (1 - x) / 3 + y**2, y / 2 - x * y))
    extended = iterate_extended(shrinking, {x: ["0.1"], y: [sp.Rational(1, 7)]}, 2000)
    update = compile_ball(shrinking.update, shrinking.state)
    with precision(3000):
        exact = (arb(1) / 10, arb(1) / 7)
        for _ in range(2000):
            exact = update(*exact)
    for ours, ball in zip(extended, exact, strict=True):
        assert float((abs(ball).log() / arb(10).log()).mid()) == pytest.approx(ours.log10()[0], rel=1e-9)
    assert extended[0].log10()[0] < -900
    assert Status(iterate(shrinking, {x: 0.1, y: 1 / 7}, 2000).status[0]) == Status.UNDERFLOWED


def test_many_starts_and_schedules():
    slowing = Map((x,), (x / (n + 1),), time=n)
    result = iterate_extended(slowing, {x: ["1e-400", "-1"]}, 5)[0]
    assert result.log10() == pytest.approx(np.array([-400, 0]) - np.log10(120))
    assert result.sign.tolist() == [1.0, -1.0]
    with pytest.raises(LemmascopeError, match="x has no value"):
        iterate_extended(slowing, {}, 3)
