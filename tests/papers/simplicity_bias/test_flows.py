"""What is proved about flows is seen on flows: rates with their constants, mirrored starts, basins, balance."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from sympy import Rational, lambdify

from proofs_check.experiments import run
from proofs_check.experiments.confidence import clopper_pearson
from proofs_check.experiments.simplicity_bias.flows import ANGLES, WITNESS_SCALES, witness
from proofs_check.experiments.simplicity_bias.networks import AXES, RATE, Neurons, Smoothed, directions, xor
from theory.simplicity_bias.data import named
from theory.simplicity_bias.mirrored import MIRRORED, STATE, four_neuron_flow, p, q

Array = NDArray[np.float64]


@pytest.mark.parametrize("r", [1e-1, 1e-3, 1e-6])
def test_direction_errors_stay_below_the_proved_bound(r: float) -> None:
    """theorem-4.1.corrected#regular.e, with a = m (1 + xi)^2 / 4 and kappa = 1; the twin with half of Y_0 fails."""
    data = xor()
    after = data.run(witness(r, 1), np.log(1 / r) / RATE)
    k = 5 * (1 + data.width) ** 2 / 4 * WITNESS_SCALES.max() ** 2 / RATE
    for neuron in (0, 1):
        start, half = np.tan(abs(ANGLES[neuron]) / 2), np.linalg.norm(after.units[neuron] - AXES[0]) / 2
        reached = half / np.sqrt(1 - half**2)
        assert reached <= np.exp(k * r**2) * (start * r + k / 3 * r**2) * (1 + 1e-7)
        if r < 1e-5:
            assert reached > start / 2 * r


def test_log_norms_agree_with_plain_weights() -> None:
    """The same flow integrated as (u, v) by an independent classical Runge-Kutta scheme."""
    data, start = xor(), witness(0.3, 1)
    u, v = start.u.copy(), start.v.copy()

    def speed(u: Array, v: Array) -> tuple[Array, Array]:
        reach, size = v @ data.points.T, np.linalg.norm(v, axis=1)[:, None]
        c = np.clip(reach / (data.width * size), -1, 1)
        share, moment = (2 + 3 * c - c**3) / 4, 3 * (1 - c**2) ** 2 / 16
        value = reach * share + data.width * size * moment
        weight = data.labels / (1 + np.exp((u @ value) * data.labels)) / len(data.labels)
        pull = (share * weight) @ data.points + data.width * (moment @ weight)[:, None] * v / size
        return value @ weight, u[:, None] * pull

    h = 0.02
    for _ in range(500):
        k1 = speed(u, v)
        k2 = speed(u + h / 2 * k1[0], v + h / 2 * k1[1])
        k3 = speed(u + h / 2 * k2[0], v + h / 2 * k2[1])
        k4 = speed(u + h * k3[0], v + h * k3[1])
        u = u + h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        v = v + h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
    after = data.run(start, 10.0)
    assert np.abs(after.u - u).max() < 1e-8
    assert np.abs(after.v - v).max() < 1e-8
    assert np.abs(np.abs(u) - np.linalg.norm(v, axis=1)).max() < 1e-8


def test_mirrored_flow_is_the_gradient_of_the_loss_by_differences() -> None:
    """The derived velocity against central differences of the loss written with rectifiers, at a mirrored state."""
    flow, at = four_neuron_flow(), {p: Rational(19, 20), q: Rational(1, 10)}
    numbers = dict(zip("u x y s w".split(), (0.7, 0.69, 0.02, 0.6, 0.4), strict=True))
    weights = np.array([float(value.subs(numbers)) if hasattr(value, "subs") else value for value in MIRRORED.values()])
    derived = np.array(lambdify(STATE, [part.subs(at) for part in flow.velocity])(*weights), dtype=float)
    points = np.array([(e * a, f * b) for a, b in ((0.95, 0.1), (0.1, 0.95)) for e in (1, -1) for f in (1, -1)])
    labels = np.repeat([1.0, -1.0], 4)

    def loss(flat: Array) -> float:
        rows = flat.reshape(4, 3)
        outputs = rows[:, 0] @ np.maximum(rows[:, 1:] @ points.T, 0)
        return float(np.log1p(np.exp(-outputs * labels)).mean())

    steps = 1e-5 * np.eye(12)
    slopes = np.array([(loss(weights + step) - loss(weights - step)) / 2e-5 for step in steps])
    assert np.abs(derived + slopes).max() < 1e-9


def test_mirrored_starts_shift_the_limit() -> None:
    """lemma-5.5.e and f: s >= w and angles up to 0 give the proportions of a repeller at b > 0; s << w of b < 0."""
    assert _repeller(0.6) > _repeller(0.5) > 1e-5
    assert _repeller(0.3) < -1e-5


def _repeller(top: float) -> float:
    """tan(b/2) from the limiting ratio of two neurons at the angles 0 and -0.05, mirrored near -e_1."""
    angles = np.array([0.0, -0.05, np.pi, np.pi + 0.05, np.pi / 2, -np.pi / 2])
    u = 0.1 * np.array([0.4, 0.4, 0.4, 0.4, -top, -0.5])
    after = xor().run(Neurons.of(u, directions(angles)), 400.0, rescaled=True, top=6.0)
    ratio, n = float(np.sqrt(after.u[0] / after.u[1])), float(np.tan(-0.025))
    # limits are u (1 + cos(a - b)), so the root of their ratio is sqrt(1 + n^2) / (1 + n t)
    ratio /= float(np.sqrt(1 + n**2))
    return (1 - ratio) / (ratio * n)


def test_a_quarter_of_random_starts_reaches_each_extremum() -> None:
    """lemma-5.3.c by simulation of (6) with an exact binomial interval; on a lopsided data set the shares differ."""
    low, high = clopper_pearson(_hits(Smoothed.of(named("orbit"))), 300, 0.999)
    assert low <= 0.5 <= high
    points = np.array([[0.9, 0, 0], [-0.3, 0.2, 0]])
    low, high = clopper_pearson(_hits(Smoothed(points, np.array([1.0, 1.0]), 0.5)), 300, 0.999)
    assert not low <= 0.5 <= high


def _hits(data: Smoothed) -> int:
    """How many of 300 positive starts end with v^1 > 0: by symmetry half of them on the orbit."""
    at = np.random.default_rng(8).standard_normal((300, 3))
    at /= np.linalg.norm(at, axis=1)[:, None]
    weight = data.labels / (2 * len(data.labels))
    for _ in range(1500):
        _, share, moment = data.parts(at)
        pull = (share * weight) @ data.points + data.width * (moment @ weight)[:, None] * at
        at = at + 0.05 * (pull - (pull * at).sum(axis=1)[:, None] * at)
        at /= np.linalg.norm(at, axis=1)[:, None]
    return int((at[:, 0] > 0.5).sum())


def test_a_kink_violation_does_not_survive_refinement() -> None:
    found = run("simplicity_bias.kinks", {"scales": ["1", "-1/2", "1/2", "-1/10"], "step": "2"})
    assert found["coarse"] > 1 >= max(found["fine"], found["smooth"])
