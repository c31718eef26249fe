"""ReLU networks with one hidden layer that learn ReLU teachers on the sphere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from proofs_check.experiments import experiment

Array = NDArray[np.float64]
NEURONS = 16


def on_sphere(count: int, dimension: int, seed: int) -> Array:
    """Points drawn uniformly from the unit sphere."""
    points = np.random.default_rng(seed).standard_normal((count, dimension))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


@dataclass
class Network:
    """sum_i v_i relu(w_i . x) with its mean squared error against fixed labels; weights are rows of `inner`."""

    inputs: Array
    labels: Array

    def gradient(self, inner: Array, outer: Array) -> tuple[Array, Array]:
        """The derivatives of the loss with respect to both layers."""
        active = self.inputs @ inner.T
        hidden = np.maximum(active, 0)
        error = 2 * (hidden @ outer - self.labels) / len(self.labels)
        return ((error[:, None] * outer * (active > 0)).T @ self.inputs), hidden.T @ error

    def train(self, inner: Array, outer: Array, rate: float, epochs: int) -> tuple[Array, Array]:
        """Full-batch gradient descent."""
        for _ in range(epochs):
            slopes = self.gradient(inner, outer)
            inner, outer = inner - rate * slopes[0], outer - rate * slopes[1]
        return inner, outer

    def sharpness(self, inner: Array, outer: Array) -> float:
        """The leading eigenvalue of the Gauss-Newton part of the Hessian, which is all of it at a minimum."""
        active = self.inputs @ inner.T
        features = [np.maximum(active, 0)]
        gates = (active > 0) * outer
        features.append((gates[:, :, None] * self.inputs[:, None, :]).reshape(len(self.inputs), -1))
        stacked = np.concatenate(features, axis=1)
        return float(np.linalg.eigvalsh(2 * stacked.T @ stacked / len(self.inputs))[-1])


@experiment("edge_of_stability.teacher_student")
def teacher_student(seed: int) -> dict[str, Any]:
    """Figure 3.5: sixteen neurons start at unequal ratios k_i^2; rates 0.5 and 2.6 for 100 epochs, then 0.5 for 20.

    `lowest` and `highest` bound the ratios |w_i| / v_i after the large rate has decayed, `kept` is the largest relative
    change of a ratio under the small rate.
    """
    points = on_sphere(10_000, NEURONS, seed)
    network = Network(points, np.maximum(points, 0).sum(axis=1))
    scales = 1 + 0.0625 * np.arange(NEURONS)
    noise = np.random.default_rng(seed + 1).standard_normal((NEURONS, NEURONS))
    inner, outer = scales[:, None] * (np.eye(NEURONS) + 0.01 * noise), 1 / scales
    small = network.train(inner, outer, 0.5, 120)
    large = network.train(*network.train(inner, outer, 2.6, 100), 0.5, 20)
    ratios = [np.linalg.norm(part[0], axis=1) / part[1] for part in (small, large)]
    return {
        "lowest": float(ratios[1].min()),
        "highest": float(ratios[1].max()),
        "kept": float(np.abs(ratios[0] / scales**2 - 1).max()),
        "sharpness_small": network.sharpness(*small),
        "sharpness_decayed": network.sharpness(*large),
        "cases": 2,
        "coverage": "10000 points of the sphere in 16 dimensions, one draw of points and noise",
    }


def population_sharpness(ratio: float, neurons: int = NEURONS) -> float:
    """The leading Hessian eigenvalue at w_i = k e_i, v_i = 1/k with k^2 = ratio, from exact means over the sphere."""
    d, k = neurons, np.sqrt(ratio)
    eye, ones = np.eye(d), np.ones((d, d))
    outer = k**2 * (eye / (2 * d) + (ones - eye) / (2 * np.pi * d))
    mixed = np.zeros((d, d, d))
    inner = np.zeros((d, d, d, d))
    for i in range(d):
        for j in range(d):
            mixed[i, j, i] = 1 / (4 * d) if i != j else 1 / (2 * d)
            inner[i, :, j, :] = eye / (2 * d) if i == j else eye / (4 * d)
            if i != j:
                mixed[i, j, j] = 1 / (2 * np.pi * d)
                inner[i, i, j, j] = inner[i, j, j, i] = 1 / (2 * np.pi * d)
    flat = mixed.reshape(d, d * d)
    gram = np.block([[outer, flat], [flat.T, inner.reshape(d * d, d * d) / k**2]])
    return float(2 * np.linalg.eigvalsh(gram)[-1])


@experiment("edge_of_stability.flattest")
def flattest() -> dict[str, Any]:
    """Figure 3.5 (e, f): the common ratio k^2 at which the minimum is flattest, and the edge of stability there."""
    best = minimize_scalar(population_sharpness, bounds=(0.5, 2.5), method="bounded", options={"xatol": 1e-6})
    return {
        "flattest": float(best.x),
        "edge": 2 / float(best.fun),
        "cases": 1,
        "coverage": "the population loss of 16 neurons in 16 dimensions, by its exact Gram matrix",
    }


@experiment("edge_of_stability.single_neuron")
def single_neuron(seed: int) -> dict[str, Any]:
    """Figure B.2: one neuron on 1000 points of the circle, eta = 2.2, starting orthogonal to its teacher."""
    points = on_sphere(1000, 2, seed)
    network = Network(points, np.maximum(points[:, 0], 0))
    state = (np.array([[0.0, 0.1]]), np.array([0.1]))
    state = network.train(*state, 2.2, 400)
    after = network.train(*state, 2.2, 1)
    return {
        "across": float(max(abs(state[0][0, 1]), abs(after[0][0, 1]))),
        "imbalance": float(max(abs(state[1][0] - state[0][0, 0]), abs(after[1][0] - after[0][0, 0]))),
        "swing": float(abs(state[1][0] - after[1][0])),
        "cases": 1,
        "coverage": "one draw of 1000 points, 400 steps",
    }
