"""The experiments compute what they say: their ingredients agree with brute force and multiprecision differences."""

import mpmath
import numpy as np
import pytest

from proofs_check.experiments import run
from proofs_check.experiments.edge_of_stability.digits import Perceptron
from proofs_check.experiments.edge_of_stability.networks import Network, on_sphere, population_sharpness


def test_population_sharpness_against_a_large_sample() -> None:
    size, ratio = 4, 1.3
    points = on_sphere(400_000, size, 3)
    network = Network(points, np.maximum(points, 0).sum(axis=1))
    measured = network.sharpness(ratio**0.5 * np.eye(size), np.full(size, ratio**-0.5))
    assert population_sharpness(ratio, size) == pytest.approx(measured, rel=0.01)


def test_gradient_of_the_network_against_differences() -> None:
    points = on_sphere(200, 3, 0)
    network = Network(points, np.maximum(points[:, 0], 0))
    random = np.random.default_rng(1)
    inner, outer = random.standard_normal((2, 3)), random.standard_normal(2)
    slopes = network.gradient(inner, outer)

    def loss(a: np.ndarray, b: np.ndarray) -> float:
        return float(((np.maximum(points @ a.T, 0) @ b - network.labels) ** 2).mean())

    for place in np.ndindex(2, 3):
        shift = np.zeros((2, 3))
        shift[place] = 1e-6
        assert slopes[0][place] == pytest.approx(
            (loss(inner + shift, outer) - loss(inner - shift, outer)) / 2e-6, abs=1e-6
        )


def test_derivatives_along_a_line_against_multiprecision() -> None:
    random = np.random.default_rng(2)
    inputs, labels = random.standard_normal((5, 2)), random.standard_normal(5)
    network = Perceptron(inputs, labels, (2, 3, 3, 1))
    parameters, direction = network.start(0), random.standard_normal(network.start(0).size)
    derived = network.along(parameters, direction)
    gates = []
    values = inputs
    for weights, bias in network.unpack(parameters)[:-1]:
        gates.append(values @ weights + bias > 0)
        values = (values @ weights + bias) * gates[-1]

    def loss(t: mpmath.mpf) -> mpmath.mpf:
        moved = [mpmath.mpf(p) + t * mpmath.mpf(q) for p, q in zip(parameters, direction, strict=True)]
        layers = network.unpack(np.array(moved, dtype=object))
        current = inputs.astype(object)
        for gate, (weights, bias) in zip([*gates, np.ones((5, 1))], layers, strict=True):
            current = (current.dot(weights) + bias) * gate
        return sum((row[0] - label) ** 2 for row, label in zip(current, labels, strict=True)) / 5

    with mpmath.workdps(40):
        for order in range(1, 5):
            assert float(mpmath.diff(loss, 0, order)) == pytest.approx(derived[order], rel=1e-8, abs=1e-8)


def test_factors_swing_with_the_ratio_of_the_quartic_cycle() -> None:
    found = run("edge_of_stability.singular_values", {"seed": 1})
    K = 1.02
    expected = (np.sqrt(1 + 3 / K) + np.sqrt(1 - 1 / K)) / (np.sqrt(1 + 3 / K) - np.sqrt(1 - 1 / K))
    assert found["ratio"] == pytest.approx(expected, rel=1e-9)
    assert found["quasi"] < 1e-9
