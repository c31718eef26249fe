"""Sums over sorted half-planes train a rectified network as sums over all pairs do."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from numerics import PREDICTION, TARGET, UNIT, Network, Trainer, train
from numerics.planar_training import train_in_the_plane


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("steps", [1, 40])
def test_the_weights_are_those_of_the_plain_trainer(seed: int, steps: int) -> None:
    chance = np.random.default_rng(seed)
    points, labels = chance.normal(size=(23, 2)), chance.choice([-1.0, 1.0], 23)
    inner, outer = chance.normal(size=(31, 2)), chance.normal(size=31)
    network = Network((2, 31, 1), sp.Max(UNIT, 0), sp.log(1 + sp.exp(-PREDICTION * TARGET)))
    plain = train(Trainer(network, points, labels[:, None]), [inner, outer[None]], steps, learning_rate=0.3).weights
    first, second = train_in_the_plane(points, labels, inner, outer, steps, rate=0.3)
    assert np.abs(first - plain[0]).max() < 1e-11
    assert np.abs(second - plain[1][0]).max() < 1e-11
    assert np.abs(first - inner).max() > 1e-4


def test_half_planes_across_the_cut_of_the_angle() -> None:
    """Points on both sides of the negative axis, where the angle jumps by a turn."""
    points, labels = np.array([[-1.0, 0.1], [-1.0, -0.1], [1.0, 0.0]]), np.array([1.0, 1.0, -1.0])
    inner, outer = np.array([[-1.0, 0.01], [-1.0, -0.01]]), np.array([0.0, 0.0])
    _, second = train_in_the_plane(points, labels, inner, outer, 1, rate=1.0)
    assert second == pytest.approx([1 / 3, 1 / 3], abs=1e-15)
