"""The three stages of Theorem 3.5 describe what simulated neurons do, and add up to the bound of the theorem."""

import math

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray

from theory.edge_of_stability.quartic import K
from theory.edge_of_stability.relu_alignment import D, image
from theory.edge_of_stability.relu_neuron import wy
from theory.edge_of_stability.relu_stage_one import m

Array = NDArray[np.float64]
STARTS = 4000


def _step(rate: Array, v: Array, x: Array, y: Array) -> tuple[Array, Array, Array]:
    """One step of gradient descent, written anew from the printed gradient."""
    square, angle = x**2 + y**2, np.arctan2(y, x)
    across = np.sqrt(square)
    slope_v = v * square - across / np.pi * (np.sin(angle) + (np.pi - angle) * np.cos(angle))
    slope_x = v**2 * x - v / np.pi * (np.pi - angle + np.sin(2 * angle) / 2)
    slope_y = v**2 * y - v / np.pi * (1 - np.cos(2 * angle)) / 2
    return v - rate * slope_v, x - rate * slope_x, np.abs(y - rate * slope_y)


def _starts() -> tuple[Array, Array, Array, Array, Array]:
    generator = np.random.default_rng(7)
    rate = 1 + 0.1 * generator.random(STARTS)
    small = 10.0 ** (-1 - 4 * generator.random(STARTS) * (generator.random(STARTS) < 0.7))
    angle = np.pi / 2 * np.where(generator.random(STARTS) < 0.2, 1, generator.random(STARTS))
    return rate, small, small.copy(), small * np.cos(angle), small * np.sin(angle)


def _in_stage_one(v: Array, x: Array, y: Array) -> NDArray[np.bool_]:
    r, theta = y / x, (v**2 - x**2 - y**2) / x**2
    shape = (r <= 2.7) & (r**3 * v * x <= 0.125)
    return shape & (theta >= -0.45 - r**2 / 10) & (theta <= 0.1)


def _in_basin(v: Array, x: Array, y: Array) -> NDArray[np.bool_]:
    product, excess = v * x, v**2 - x**2 - y**2
    kept = (product >= 0.46) & (product <= 1.34) & (y <= 0.1)
    return kept & (excess - 6 * y**2 >= -0.7) & (excess <= 0.03)


def test_trajectories_pass_through_the_stages_in_time() -> None:
    rate, small, v, x, y = _starts()
    beta = (1 + 1.1 / math.pi) * small
    length = np.ceil(np.log(1.35 / (math.pi * beta**2)) / math.log(2.56))
    left = np.full(STARTS, -1)
    arrived = np.zeros(STARTS, dtype=bool)
    for time in range(1, 40):
        early = (v * x <= 0.153) if time > 1 else np.ones(STARTS, dtype=bool)
        before = v * x
        v, x, y = _step(rate, v, x, y)
        if time > 1:
            assert np.all(v[early] * x[early] >= 2.56 * before[early])
        inside = v * x <= 0.153
        assert np.all(_in_stage_one(v, x, y)[inside & (left < 0)])
        left = np.where((left < 0) & ~inside, time, left)
        due = (left >= 0) & (time >= left + 3)
        assert np.all(_in_basin(v, x, y)[due])
        assert np.all(_in_basin(v, x, y)[arrived]), "the basin is kept"
        arrived |= _in_basin(v, x, y) & (left >= 0)
        late = time - length - 4
        assert np.all((y < 0.1 * (1 - 0.03 * rate) ** late)[late >= 0])
    assert np.all((left >= 1) & (left <= length + 1))


@pytest.mark.parametrize(("rate", "product", "excess", "across"), [(1.07, 0.5, -0.2, 0.3), (1.0, 1.2, 0.02, 0.05)])
def test_reduced_image_is_a_gradient_step(rate: float, product: float, excess: float, across: float) -> None:
    """v w_x and D after a step: from the formulas of the proof, and from differences of the loss in multiprecision."""
    mean = (excess + across**2) / 2
    root = math.hypot(mean, product)
    state = [mpmath.sqrt(root + mean), mpmath.sqrt(root - mean), mpmath.mpf(across)]

    def loss(v: mpmath.mpf, x: mpmath.mpf, y: mpmath.mpf) -> mpmath.mpf:
        size, angle = mpmath.hypot(x, y), mpmath.atan2(y, x)
        overlap = (mpmath.sin(angle) + (mpmath.pi - angle) * mpmath.cos(angle)) / (2 * mpmath.pi)
        return v**2 * size**2 / 2 - 2 * v * size * overlap

    with mpmath.workdps(30):
        slopes = [mpmath.diff(loss, tuple(state), order) for order in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
        moved = [entry - rate * slope for entry, slope in zip(state, slopes, strict=True)]
    expected = (moved[0] * moved[1], moved[0] ** 2 - moved[1] ** 2 - moved[2] ** 2, moved[2])
    point = {K: rate, m: product, D: excess, wy: across}
    for formula, value in zip(image(), expected, strict=True):
        assert float(formula.subs(point)) == pytest.approx(float(value), abs=1e-12)
