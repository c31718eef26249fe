"""Plateau levels agree with the exact losses of the embedded fixed points, and families are told apart."""

import numpy as np
import pytest

from proofs_check.experiments import run
from proofs_check.experiments.saddle_to_saddle import convolution, family, linear_data, rank, rays


def test_the_plateau_of_the_linear_panel_has_the_exact_rank_one_loss() -> None:
    found = run("saddle_to_saddle.panel", {"panel": "linear", "seed": 1})
    assert (found["plateau_width"], found["final_width"]) == (1, 2)
    assert found["level"] < 1e-4


def test_rank_one_loss_by_brute_force() -> None:
    """The least loss of v u^T over a grid of directions is the eigenvalue that the experiment uses."""
    from proofs_check.experiments.saddle_to_saddle import _rank_one_loss

    x, y = linear_data()
    best = np.inf
    for angle in np.linspace(0, np.pi, 721):
        seen = y @ np.array([np.cos(angle), np.sin(angle)])
        fitted, *_ = np.linalg.lstsq(x, seen, rcond=None)
        guess = np.outer(x @ fitted, [np.cos(angle), np.sin(angle)])
        best = min(best, float(((y - guess) ** 2).sum(axis=1).mean()))
    assert best == pytest.approx(_rank_one_loss(), rel=1e-4)


def test_families_of_synthetic_weights() -> None:
    coefficients = np.linspace(-1, 1, 20)[:, None]
    assert family(coefficients * np.array([[1.0, 2.0, 3.0]])) == 7
    assert family(np.abs(coefficients) * np.array([[1.0, 2.0, 3.0]])) == 6
    single = 1e-4 * np.ones((20, 3))
    single[4] = 1
    assert family(single) == 5
    assert (rank(coefficients * np.array([[1.0, 2.0]])), rays(coefficients * np.array([[1.0, 2.0]]))) == (1, 2)


def test_the_gradient_of_the_convolution_by_finite_differences() -> None:
    chance = np.random.default_rng(0)
    x, y = chance.standard_normal((5, 4)), chance.standard_normal(5)
    for rectified in (False, True):
        gradient, start = convolution(x, y, rectified=rectified, units=3, scale=1.0, seed=1)
        _, slopes = gradient(start)
        for part, slope in zip(start, slopes, strict=True):
            for place in np.ndindex(part.shape):
                kept = part[place]
                part[place] = kept + 1e-6
                above = gradient(start)[0]
                part[place] = kept - 1e-6
                below = gradient(start)[0]
                part[place] = kept
                assert (above - below) / 2e-6 == pytest.approx(slope[place], abs=1e-7)
