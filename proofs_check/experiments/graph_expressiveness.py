"""Random graphs: how often the quoted theorem's event happens at orders that can be drawn."""

from __future__ import annotations

from math import floor, log
from typing import Any

from proofs_check.experiments import experiment
from proofs_check.experiments.confidence import clopper_pearson


@experiment("graph_expressiveness.largest_degrees")
def largest_degrees(orders: list[int], trials: int, seed: int) -> dict[str, Any]:
    """The share of graphs G(n, 1/2) whose r largest degrees are distinct, r the integer part of 3 log n / log 2.

    `lower` and `upper` bound the probability at the last order with 99% confidence.

    >>> largest_degrees([12], 20, 1)["cases"]
    20
    """
    import numpy as np

    chance = np.random.default_rng(seed)
    shares, hits = [], 0
    for order in orders:
        top = min(order, floor(3 * log(order) / log(2)))
        hits = 0
        for _ in range(trials):
            upper = np.triu(chance.integers(0, 2, size=(order, order), dtype=np.int8), 1)
            degrees = np.sort(upper.sum(axis=0, dtype=np.int64) + upper.sum(axis=1, dtype=np.int64))[-top:]
            hits += int(np.unique(degrees).size == top)
        shares.append(f"n = {order}: {hits} of {trials} graphs have distinct largest {top} degrees")
    low, high = clopper_pearson(hits, trials)
    return {
        "lower": low,
        "upper": high,
        "cases": trials * len(orders),
        "coverage": f"{trials} random graphs for each n in {orders}, 99% confidence",
        "notes": shares,
    }
