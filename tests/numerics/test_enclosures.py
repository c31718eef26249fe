"""Enclosures contain exact solutions and sampled trajectories, and say so when they cannot go on."""

import numpy as np
import pytest
import sympy as sp
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import enclose, enclose_map, integrate, iterate, precision
from numerics.taylor import TaylorSystem
from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError

x, y, a, t = sp.symbols("x y a t")
HALF = sp.Rational(1, 2)


@pytest.mark.parametrize(
    "formula",
    [x**5, 1 / x, sp.sqrt(x), x ** sp.Rational(2, 3), sp.exp(x), sp.log(x), sp.sin(x), sp.cos(x), sp.tan(x / 2),
     sp.sinh(x), sp.cosh(x), sp.tanh(x), sp.sech(x), sp.atan(x), 1 / (1 + sp.exp(-x)), sp.sqrt(2) * x * sp.pi],
)  # fmt: skip
def test_taylor_coefficients_are_those_of_repeated_differentiation(formula):
    order = 5
    derivative, expected = x, []
    for k in range(order + 1):
        expected.append(derivative.subs(x, sp.Rational(6, 5)) / sp.factorial(k))
        derivative = sp.diff(derivative, x) * formula
    ours = TaylorSystem([x], [formula]).coefficients([arb(6) / 5], order)[0]
    for ball, value in zip(ours, expected, strict=True):
        assert abs(ball - arb(str(sp.N(value, 30)))) < arb("1e-11") * (1 + abs(ball))


def test_known_solutions_lie_inside():
    circle = enclose(Flow((x, y), (y, -x)), {x: 1, y: 0}, 10)
    assert circle.complete
    with precision(128):
        assert circle.final[0].overlaps(arb(10).cos())
        assert circle.final[0].rad() < 1e-12
    forced = enclose(Flow((x,), (sp.cos(t),), t), {x: 0}, 2)
    assert forced.final[0].overlaps(arb(2).sin())


@given(u=st.floats(-1, 1), v=st.floats(-1, 1))
@settings(deadline=None, max_examples=20)
def test_every_start_of_a_box_stays_inside_at_all_times(enclosed, u, v):
    flow, enclosure = enclosed
    times = [float(s.end.mid()) for s in enclosure.steps]
    inside = integrate(flow, {x: 0.9 + 0.05 * u, y: 0.2 + 0.05 * v}, times[-1], times=times, relative=1e-12)
    for step, state in zip(enclosure.steps, inside.states[:, :, 0], strict=True):
        for ball, value in zip(step.box, state, strict=True):
            assert ball.overlaps(arb(value, 1e-9))
    middles = [float(((s.begin + s.end) / 2).mid()) for s in enclosure.steps[1:]]
    between = integrate(flow, {x: 0.9 + 0.05 * u, y: 0.2 + 0.05 * v}, times[-1], times=middles, relative=1e-12)
    for step, state in zip(enclosure.steps[1:], between.states[:, :, 0], strict=True):
        for ball, value in zip(step.tube, state, strict=True):
            assert ball.overlaps(arb(value, 1e-9))


@pytest.fixture(scope="module")
def enclosed():
    flow = Flow((x, y), (x * (1 - y**2), sp.tanh(y) - x * y))
    box = {x: (sp.Rational(85, 100), sp.Rational(95, 100)), y: (sp.Rational(15, 100), sp.Rational(25, 100))}
    enclosure = enclose(flow, box, 1)
    assert enclosure.complete
    return flow, enclosure


def test_rotation_does_not_blow_up_a_box():
    box = {x: (sp.Rational(9, 10), sp.Rational(11, 10)), y: (-sp.Rational(1, 10), sp.Rational(1, 10))}
    turned = enclose(Flow((x, y), (y, -x)), box, 30)
    assert turned.complete
    assert all(ball.rad() < 0.15 for ball in turned.final)


def test_uncertain_parameters_are_enclosed_too():
    growth = enclose(Flow((x,), (a * x,)), {x: 1}, 1, parameters={a: (1, sp.Rational(11, 10))})
    low, high = growth.final[0].lower(), growth.final[0].upper()
    assert low < arb(1).exp() < high
    assert high > (arb(11) / 10).exp()
    assert growth.final[0].rad() < 0.2


def test_a_blow_up_is_reported_and_not_crossed():
    blow_up = enclose(Flow((x,), (x**2,)), {x: 1}, 2)
    assert not blow_up.complete
    assert "blows up" in blow_up.reason
    assert blow_up.steps[-1].end < 1


def test_maps_are_enclosed_along_a_chaotic_orbit():
    logistic = Map((x,), (4 * x * (1 - x),))
    enclosure = enclose_map(logistic, {x: sp.Rational(1, 3)}, 60, bits=256)
    value = sp.Rational(1, 3)
    for _ in range(8):
        value = 4 * value * (1 - value)
    with precision(256):
        assert enclosure.steps[8].box[0].overlaps(arb(int(value.p)) / int(value.q))
    assert enclosure.final[0].rad() < 1e-40
    box = enclose_map(Map((x, y), (y / 2, -x / 2)), {x: (0, 1), y: (0, 1)}, 10)
    samples = iterate(Map((x, y), (y / 2, -x / 2)), np.random.default_rng(0).uniform(0, 1, (2, 50)), 10).final
    for ball, values in zip(box.final, samples, strict=True):
        assert all(ball.contains(arb(v)) for v in values)
        assert ball.rad() < 0.51 / 2**10


def test_what_cannot_be_enclosed_is_refused_in_one_sentence():
    with pytest.raises(LemmascopeError, match="no Taylor rule"):
        enclose(Flow((x,), (sp.Max(x, 0),)), {x: 1}, 1)
    with pytest.raises(LemmascopeError, match="a has no value"):
        enclose(Flow((x,), (a * x,)), {x: 1}, 1)
    assert not enclose_map(Map((x,), (sp.log(x),)), {x: HALF}, 3).complete


THIRD = sp.Rational(1, 3)
BROKEN = {
    "a jump": sp.Piecewise((x / 2, x < 0), (x / 2 + 1, True)),
    "a jump after the first step": sp.Piecewise((-x, x < THIRD), (x + 5, True)),
    "a jump down": sp.Piecewise((x, x <= 0), (x - 3, True)),
    "three pieces": sp.Piecewise((x - 4, x < -HALF), (x, x < HALF), (x + 4, True)),
    "a single point apart": sp.Piecewise((7, sp.Eq(x, 0)), (x / 2, True)),
    "a joint condition": sp.Piecewise((x + 9, sp.And(x > -HALF, x < HALF)), (x / 3, True)),
    "a sign": x / 2 + 3 * sp.sign(x),
    "a floor": sp.floor(2 * x) + x / 4,
    "a ceiling": sp.ceiling(x + THIRD) - x,
    "a step": 2 * sp.Heaviside(x) - x / 2,
    "a kink": sp.Abs(x - THIRD) - 1,
    "a sign of a kink": sp.sign(sp.Abs(x) - HALF) + x / 5,
    "a largest": sp.Max(x, 1 - 2 * x, HALF) - 1,
    "a smallest": sp.Min(-x, 3 * x) + 1,
    "an angle that jumps": sp.atan2(x, -1),
    "a jump inside a smooth function": sp.sin(sp.Piecewise((x, x < 0), (x + 1, True))),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_a_box_across_a_jump_or_a_kink_holds_every_image(name, steps):
    formula = BROKEN[name]
    found = enclose_map(Map((x,), (formula,)), {x: (-1, 1)}, steps)
    assert found.complete
    for start in [sp.Rational(k, 12) for k in range(-12, 13)]:
        value = start
        for step in found.steps[1:]:
            value = formula.subs(x, value)
            assert step.box[0].overlaps(arb(str(sp.N(value, 25)), 1e-20))


def test_between_the_jumps_slopes_are_still_used():
    pieces = sp.Piecewise((-5, x < -3), (x - x / 2, x < 3), (5, True))
    wide = enclose_map(Map((x,), (pieces + sp.floor(x / 9 + HALF) + 0 * sp.sign(x + 7),)), {x: (-1, 1)}, 20)
    assert wide.complete
    assert wide.final[0].rad() < 1e-5
    kept = enclose_map(Map((x, y), (sp.Abs(x + 9) - 9 + y, y - x)), {x: (-HALF, HALF), y: (-HALF, HALF)}, 3)
    plain = enclose_map(Map((x, y), (x + y, y - x)), {x: (-HALF, HALF), y: (-HALF, HALF)}, 3)
    assert abs(kept.final[0].rad() - plain.final[0].rad()) < 1e-6


def test_where_no_piece_applies_the_enclosure_ends():
    gap = enclose_map(Map((x,), (sp.Piecewise((1, x < 0), (2, x > 0)),)), {x: (-1, 1)}, 1)
    assert not gap.complete
