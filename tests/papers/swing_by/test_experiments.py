"""Measurements: the number of descents is counted right, and runs agree with an independent integration."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.experiments import run
from proofs_check.experiments.swing_by import descents, linear_layers, moments, symmetric_runs


@given(st.integers(1, 6), st.floats(0.05, 1.0))
@settings(deadline=None, max_examples=40)
def test_a_zigzag_has_as_many_descents_as_it_was_given(count, height):
    levels = [10.0]
    for _ in range(count):
        levels += [levels[-1] - 1.0 - height, levels[-1] - 1.0 - height + 0.5]
    curve = np.concatenate([np.linspace(a, b, 7) for a, b in pairwise(levels[:-1])])
    assert descents(curve) == count


def test_ripples_below_the_threshold_are_not_counted():
    falling = np.linspace(1, 0, 1000) + 0.004 * np.sin(np.arange(1000))
    assert descents(falling) == 1


def test_the_symmetric_run_is_that_of_a_plain_integration():
    from scipy.integrate import solve_ivp

    means, deviations = [1.0, 2.0], [0.05, 0.05]
    U = np.array([[0.15, 0.02], [0.7, 0.07]])
    times, W = symmetric_runs(means, deviations, U[None], 20.0, 50)
    A = np.diag(moments(means, deviations, 2))

    def speed(_t, flat):
        w = flat.reshape(2, 2)
        return (w @ A + A @ w - (A @ w @ w + w @ w @ A + 2 * w @ A @ w) / 2).ravel()

    done = solve_ivp(speed, (0, 20), (U @ U.T).ravel(), t_eval=times, rtol=1e-10, atol=1e-12, method="DOP853")
    assert np.allclose(done.y.T.reshape(-1, 2, 2), W[0], atol=1e-6)


def test_one_linear_layer_trained_by_descent_follows_the_closed_form():
    means, deviations, rate = [1.0, 2.0], [0.05, 0.05], 0.01
    path = linear_layers(1, 2, means, deviations, [4], 300, rate)[:, 0]
    start = np.random.default_rng(4).uniform(-1 / np.sqrt(2), 1 / np.sqrt(2), (2, 2))
    decay = (1 - rate * moments(means, deviations, 2)) ** 300
    closed = (np.eye(2) + (start - np.eye(2)) * decay) @ np.array(means)
    assert np.allclose(path[-1], closed, atol=1e-10)


def test_a_diagonal_start_shows_a_single_descent_and_a_nearly_singular_one_two():
    arguments = {"means": [1.0, 2.0], "deviations": [0.05, 0.05], "until": 60.0}
    single = run("swing_by.descents", {**arguments, "start": [[0.02, 0.0], [0.0, 0.5]]})
    double = run("swing_by.descents", {**arguments, "start": [[0.02246, 0.1111], [0.1111, 0.5498]]})
    assert (single["descents"], double["descents"]) == (1, 2)


def test_the_share_of_starts_with_positive_minor_entries_is_a_half_for_two_directions():
    found = run("swing_by.all_positive", {"s": 2, "width": 3, "trials": 20_000, "seed": 2})
    assert found["lower"] < 0.5 < found["upper"]


def test_a_start_of_rank_two_fails_and_full_rank_recovers():
    found = run(
        "swing_by.failure",
        {"means": [0.7, 1.7, 3.0], "deviations": [0.05] * 3, "scale": 0.1, "until": 200.0, "seed": 3},
    )
    assert found["deficient_loss"] > 0.1
    assert found["full_loss"] == pytest.approx(0, abs=1e-6)
