"""Periods, exponents, basins and bifurcation diagrams agree with what is known exactly."""

import math

import numpy as np
import pytest
import sympy as sp

from numerics import basins, bifurcation_diagram, lyapunov_exponents, periods
from theory.dynamics import Map

x, y, r, K = sp.symbols("x y r K")
LOGISTIC = Map((x,), (r * x * (1 - x),))
CUBIC = Map((x,), (x - K * (x**3 - x),))


def test_the_period_doubling_cascade_is_seen_and_its_multipliers_are_exact():
    gains = np.array([1.5, 2.9, 3.1, 3.4, 3.5, 3.56])
    found = periods(LOGISTIC, {x: 0.3}, parameters={r: gains})
    assert found.period.tolist() == [1, 1, 2, 2, 4, 8]
    assert found.multiplier[:2] == pytest.approx(np.abs(2 - gains[:2]), abs=1e-7)
    assert found.multiplier[2:4] == pytest.approx(np.abs(4 + 2 * gains[2:4] - gains[2:4] ** 2), abs=1e-6)


def test_slow_convergence_is_never_called_a_two_cycle():
    gains = np.linspace(0.97, 1.03, 61)
    found = periods(CUBIC, {x: 0.4}, parameters={K: gains}, transient=1000)
    # GD on the quartic: the fixed point attracts for K < 1, the 2-cycle beyond
    assert not (found.period[gains < 0.9999] == 2).any()
    assert not (found.period[gains > 1.0001] == 1).any()
    assert found.period[0] == 1
    assert found.period[-1] == 2
    assert (found.period == 0).any()


def test_the_exact_orbit_is_recognised():
    exact = [[(sp.Integer(1),)], [(sp.Integer(-1),)]]
    found = periods(CUBIC, {x: [0.5, -0.5]}, parameters={K: 0.4}, orbits=exact)
    assert found.orbit.tolist() == [0, 1]
    assert found.period.tolist() == [1, 1]


def test_exponents_of_the_full_logistic_map_and_of_a_linear_map():
    top = lyapunov_exponents(LOGISTIC, {x: [0.1, 0.37]}, parameters={r: 4.0}, steps=20000)
    assert top[0] == pytest.approx(math.log(2), abs=0.02)
    linear = lyapunov_exponents(Map((x, y), (x / 2 + y, y / 3)), {x: 1.0, y: 1.0}, steps=400, transient=0)
    assert linear[:, 0] == pytest.approx([math.log(1 / 2), math.log(1 / 3)], abs=0.02)


def test_basins_are_split_by_the_repelling_point():
    starts = np.linspace(-0.9, 0.9, 19)
    labels, points = basins(CUBIC, {x: starts}, parameters={K: 0.3})
    assert points[:, 0] == pytest.approx([-1, 0, 1], abs=1e-6)
    assert labels.tolist() == [0] * 9 + [1] + [2] * 9 or labels.tolist() == [0] * 9 + [-1] + [2] * 9


def test_a_two_cycle_is_one_attractor_from_both_its_points():
    labels, points = basins(LOGISTIC, {x: np.linspace(0.1, 0.9, 8)}, parameters={r: 3.2})
    assert set(labels.tolist()) == {0}
    assert points.shape == (1, 1)


def test_the_diagram_shows_nothing_where_the_map_diverges():
    values, states = bifurcation_diagram(LOGISTIC, r, np.array([2.0, 3.2, 4.5]), {x: 0.3}, shown=8)
    assert values.tolist() == [2.0, 3.2, 4.5]
    assert np.isnan(states[:, 0, 2]).all()
    assert len(np.unique(states[:, 0, 1].round(9))) == 2
