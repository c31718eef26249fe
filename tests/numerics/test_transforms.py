"""Stiff, tiny and endless trajectories: each special route agrees with an exact solution or another integrator."""

import math

import numpy as np
import pytest
import sympy as sp

from numerics import (
    LOG_NORM,
    Status,
    direction_and_log_norm,
    integrate,
    integrate_with_heyoka,
    rescaled_time,
    to_direction_and_log_norm,
)
from theory.dynamics import Flow, gradient_flow
from theory.errors import LemmascopeError

x, y, a, t = sp.symbols("x y a t", real=True)


def test_a_stiff_trajectory_is_detected_and_finished_by_the_implicit_method():
    flow = Flow((x, y), (-a * (x - sp.cos(y)), sp.Integer(1)))
    result = integrate(flow, {x: 0.0, y: 0.0}, 10.0, parameters={a: [1e4, 1.0]}, relative=1e-6, times=[1.0, 9.0])
    assert [Status(s) for s in result.status] == [Status.FINISHED, Status.FINISHED]
    assert result.implicit.tolist() == [True, False]

    def exact(gain, time):
        steady = (gain**2 * math.cos(time) + gain * math.sin(time)) / (1 + gain**2)
        return steady - gain**2 / (1 + gain**2) * math.exp(-gain * time)

    for column, gain in enumerate([1e4, 1.0]):
        assert result.final[0, column] == pytest.approx(exact(gain, 10.0), abs=1e-4)
        assert result.states[:, 0, column] == pytest.approx([exact(gain, 1.0), exact(gain, 9.0)], abs=1e-4)


def test_a_very_stiff_trajectory_stays_within_a_hundred_tolerances():
    flow = Flow((x, y), (-a * (x - sp.cos(y)), sp.Integer(1)))
    gain = 1e6
    for relative in (1e-4, 1e-7):
        result = integrate(flow, {x: 2.0, y: 0.0}, 3.0, parameters={a: gain}, relative=relative)
        assert result.implicit.tolist() == [True]
        exact = (gain**2 * math.cos(3.0) + gain * math.sin(3.0)) / (1 + gain**2)
        assert abs(result.final[0, 0] - exact) < 100 * relative
    alone = integrate(flow, {x: 2.0, y: 0.0}, 3.0, parameters={a: gain}, relative=1e-4, take_over=False)
    assert Status(alone.status[0]) == Status.STIFF
    assert "Trajectory 0 is stiff; let the implicit method take over at time" in alone.faults()[0]


def test_a_stiff_gradient_flow_of_two_scales_ends_in_its_minimum():
    loss = sp.Integer(10) ** 6 * (x - y**2) ** 2 / 2 + (y - 1) ** 2 / 2
    result = integrate(gradient_flow(loss, (x, y)), {x: 2.0, y: 0.5}, 200.0, relative=1e-6)
    assert result.implicit.tolist() == [True]
    assert result.final[:, 0] == pytest.approx([1.0, 1.0], abs=1e-4)


def test_time_without_end_is_reached_in_rescaled_time():
    endless = rescaled_time(Flow((x,), (-(x**3),)))
    result = integrate(endless, {x: 1.0}, 0.999, relative=1e-10)
    time = 0.999 / 0.001
    assert result.final[0, 0] == pytest.approx(1 / math.sqrt(1 + 2 * time), rel=1e-8)
    forced = rescaled_time(Flow((x,), (sp.exp(-t),), t))
    assert integrate(forced, {x: 0.0}, 0.99).final[0, 0] == pytest.approx(1 - math.exp(-99), abs=1e-7)


def test_log_norms_carry_a_start_far_below_the_smallest_float():
    saddle = Flow((x, y), (x * (1 - x**2 - y**2), y * (sp.Rational(1, 2) - x**2 - y**2)))
    polar = direction_and_log_norm(saddle)
    starts = to_direction_and_log_norm(np.array([-2000.0]), np.array([[1.0], [1.0]]))
    early = integrate(polar, starts, 1500.0, relative=1e-10)
    assert early.final[2, 0] == pytest.approx(-2000 + 1500 - 0.5 * math.log(2), abs=1e-5)
    late = integrate(polar, starts, 2100.0, relative=1e-10)
    assert late.final[:, 0] == pytest.approx([1.0, 0.0, 0.0], abs=1e-6)
    plain = integrate(saddle, {x: 0.01, y: 0.02}, 3.0, relative=1e-11).final[:, 0]
    norm = math.hypot(0.01, 0.02)
    both = integrate(polar, {x: 0.01 / norm, y: 0.02 / norm, LOG_NORM: math.log(norm)}, 3.0, relative=1e-11).final[:, 0]
    assert both[:2] * math.exp(both[2]) == pytest.approx(plain, rel=1e-8)
    with pytest.raises(LemmascopeError, match="vanishes at 0"):
        direction_and_log_norm(Flow((x,), (1 + x,)))


@pytest.mark.parametrize(
    "flow",
    [
        Flow((x, y), (y, -sp.sin(x))),
        gradient_flow((x * y - 1) ** 2 / 2, (x, y)),
        Flow((x, y), (-sp.tanh(x) + sp.exp(-y) / 3, sp.cos(t) - y), t),
        Flow((x, y), (1 / (1 + sp.exp(-y)) - x / 3, sp.sech(x) - y)),
    ],
)
def test_the_error_stays_within_a_hundred_tolerances_of_heyoka(flow):
    pytest.importorskip("heyoka")
    starts = np.random.default_rng(0).uniform(-1.2, 1.2, size=(2, 30))
    reference = integrate_with_heyoka(flow, starts, 4.0)
    for relative in (1e-6, 1e-9, 1e-12):
        ours = integrate(flow, starts, 4.0, relative=relative).final
        assert np.abs(ours - reference).max() < 100 * relative
