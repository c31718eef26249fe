"""The experiments measure what they say: equivariance of the memory, order of learning, transposed mechanisms."""

import numpy as np
import pytest

from proofs_check.experiments import run
from proofs_check.experiments.associative_memory.models import Layer, Recall, TwoLayer


def test_rank_two_forgets_the_noise() -> None:
    found = run(
        "associative_memory.memory_runs",
        {"n": 3, "d": 12, "alpha": "3/100", "runs": 6, "steps": 1500, "rate": 1.0, "seed": 1},
    )
    assert found["rank_2"] < found["full"] < found["rank_1"]


def test_without_noise_there_is_nothing_to_forget() -> None:
    found = run(
        "associative_memory.memory_runs",
        {"n": 3, "d": 12, "alpha": "0", "runs": 6, "steps": 1500, "rate": 1.0, "seed": 1},
    )
    assert found["rank_2"] > found["full"]


def test_layer_gradient_by_finite_differences() -> None:
    """The hand-written step moves each weight against the slope of the loss."""
    data, layer = Recall(4, 8, 0.3, 5), Layer(4)
    random = np.random.default_rng(2)
    layer.value, layer.value_before = random.normal(size=(5, 5)), random.normal(size=(5, 5))
    layer.key, layer.key_before = random.normal(size=5), random.normal(size=5)
    tokens, _, labels = data.batch(64)

    def loss() -> float:
        return float(-np.log(layer.forward(tokens)[0][np.arange(64), labels]).mean())

    slopes = []
    for table, place in ((layer.key, 4), (layer.key_before, 0), (layer.value[1], 2), (layer.feed, 4)):
        table[place] += 1e-6
        above = loss()
        table[place] -= 2e-6
        below = loss()
        table[place] += 1e-6
        slopes.append((above - below) / 2e-6)
    before = [layer.key[4], layer.key_before[0], layer.value[1, 2], layer.feed[4]]
    layer.train(tokens, labels, 1.0)
    after = [layer.key[4], layer.key_before[0], layer.value[1, 2], layer.feed[4]]
    assert np.subtract(before, after) == pytest.approx(slopes, abs=1e-6)


def test_two_layer_gradient_by_finite_differences() -> None:
    data, model = Recall(4, 8, 0.3, 5), TwoLayer(4, 8)
    random = np.random.default_rng(3)
    for table in (model.positions, model.value, model.value_first, model.key, model.key_first):
        table[...] = random.normal(size=table.shape)
    tokens, _, labels = data.batch(64)

    def loss() -> float:
        return float(-np.log(model.forward(tokens)[0][np.arange(64), labels]).mean())

    chosen = [(model.positions[5], 2), (model.value_first[1], 2), (model.key_first, 0), (model.key, 4), (model.feed, 1)]
    slopes = []
    for table, place in chosen:
        table[place] += 1e-6
        above = loss()
        table[place] -= 2e-6
        slopes.append((above - loss()) / 2e-6)
        table[place] += 1e-6
    before = [table[place] for table, place in chosen]
    model.train(tokens, labels, 1.0)
    assert np.subtract(before, [table[place] for table, place in chosen]) == pytest.approx(slopes, abs=1e-6)


def test_only_the_transposed_mechanism_works() -> None:
    settings = {"vocabulary": 8, "length": 30, "alpha": "1/2", "seed": 3}
    printed = run("associative_memory.mechanism", {**settings, "orientation": "printed"})
    transposed = run("associative_memory.mechanism", {**settings, "orientation": "transposed"})
    assert printed["dropped_target"] < 0.1
    assert transposed["dropped_target"] > 0.9
