"""The experiments compute what they say: exact derivatives, honest confidence bounds, regular graphs."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.experiments import run
from proofs_check.experiments.confidence import clopper_pearson, hoeffding
from proofs_check.experiments.small_networks import Network
from theory.errors import LemmascopeError
from theory.graph_expressiveness.enumerators.collected import random_regular_graph, unexplained


def test_derivatives_agree_with_finite_differences() -> None:
    chance = np.random.default_rng(2)
    mixing = chance.normal(size=(6, 6))
    network = Network(["spread", 5, 4, "spread", 3], inputs=2, spread=lambda H: (mixing + mixing.T) @ H, seed=3)
    X, y = chance.normal(size=(6, 2)), chance.normal(size=6)
    slopes = network.gradients(X, lambda predicted: 2 * (predicted - y))
    for part, slope in zip(network.weights, slopes, strict=True):
        for place in np.ndindex(part.shape):
            kept, losses = part[place], []
            for shift in (1e-6, -1e-6):
                part[place] = kept + shift
                losses.append(np.sum((network.predict(X) - y) ** 2))
            part[place] = kept
            assert slope[place] == pytest.approx((losses[0] - losses[1]) / 2e-6, rel=1e-5, abs=1e-5)


def tail(p: float, trials: int, least: int) -> float:
    return sum(comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(least, trials + 1))


@given(st.integers(1, 40), st.data())
def test_binomial_bounds_are_where_the_tails_have_half_the_error(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, trials))
    low, high = clopper_pearson(successes, trials, 0.95)
    assert 0 <= low <= successes / trials <= high <= 1
    if successes:
        assert tail(low, trials, successes) == pytest.approx(0.025, rel=1e-6)
    if successes < trials:
        assert 1 - tail(high, trials, successes + 1) == pytest.approx(0.025, rel=1e-6)


def test_the_general_bound_is_wider_than_the_binomial_one() -> None:
    low, high = hoeffding(0.5, 1000)
    inner = clopper_pearson(500, 1000)
    assert low < inner[0] < inner[1] < high


def test_random_regular_graphs_are_regular_and_reproducible() -> None:
    graph = random_regular_graph(60, 6, 4)
    assert set(graph.degrees) == {6}
    assert graph == random_regular_graph(60, 6, 4)
    assert graph != random_regular_graph(60, 6, 5)


def test_unexplained_variance_is_none_for_finest_and_all_for_coarsest_classes() -> None:
    labels = [3, 1, 4, 1, 5, 9]
    assert unexplained(labels, list(range(6))) == 0
    assert unexplained(labels, ["same"] * 6) == 1


def test_unknown_experiments_are_refused() -> None:
    with pytest.raises(LemmascopeError, match="no experiment is called"):
        run("graph_expressiveness.none", {})
