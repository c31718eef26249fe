"""Full-batch steps of a network with 100 tanh units, 10 inputs and 1000 samples on one core."""

from __future__ import annotations

from typing import Any

from measure import Contestant, interleave, result  # isort: skip  (sets the threads first)
import numpy as np
import sympy as sp

from numerics import UNIT, Network, Trainer, train


def run(quick: bool) -> list[dict[str, Any]]:
    steps = 200 if quick else 1000
    rng = np.random.default_rng(0)
    inputs, targets = rng.normal(size=(1000, 10)), rng.normal(size=(1000, 1))
    network = Network((10, 100, 1), sp.tanh(UNIT))
    trainer = Trainer(network, inputs, targets)
    start = network.random_weights(seed=0, scale=0.3)

    def in_numpy() -> None:
        W, a = (w.copy() for w in start)
        for _ in range(steps // 10):
            units = np.tanh(inputs @ W.T)
            rest = (units @ a.T - targets) / len(inputs)
            back = (rest @ a) * (1 - units**2)
            a -= 0.1 * rest.T @ units
            W -= 0.1 * back.T @ inputs

    contestants = {
        "ours": Contestant(lambda: train(trainer, start, steps, learning_rate=0.1), steps),
        "numpy": Contestant(in_numpy, steps // 10),
        "1000 steps a second": Contestant(lambda: None, 1.0),
    }
    interleave(contestants, 3)
    contestants["1000 steps a second"].seconds = [0.001]
    return [result("training", contestants, {"1000 steps a second": 1.0})]
