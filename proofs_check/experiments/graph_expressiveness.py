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


@experiment("graph_expressiveness.two_communities")
def two_communities(order: int, degrees: list[list[int]], repeats: int, seed: int) -> dict[str, Any]:
    """How well eigenvectors of three operators recover two communities of a sparse random graph, without training.

    `degrees` lists pairs of expected degrees inside and across communities. For every operator the eigenvector that
    power iterations reach after the leading one is cut at zero; the overlap is 0 for chance and 1 for recovery. The
    operators are A, the normalised A + I, and the Bethe Hessian at the square root of the mean degree.

    >>> sorted(two_communities(60, [[9, 1]], 1, 1))[:3]
    ['adjacency', 'bethe', 'cases']
    """
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import eigsh

    chance = np.random.default_rng(seed)
    start = chance.random(order)
    truth = np.repeat([1.0, -1.0], order // 2)
    total = {"adjacency": 0.0, "normalised": 0.0, "bethe": 0.0}
    for inside, across in degrees:
        for _ in range(repeats):
            probability = np.where(np.equal.outer(truth, truth), 2 * inside / order, 2 * across / order)
            upper = np.triu(chance.random((order, order)) < probability, 1)
            A = (upper + upper.T).astype(float)
            degree = A.sum(axis=1)
            scale = 1 / np.sqrt(degree + 1)
            radius = np.sqrt(degree.mean())
            operators = {
                "adjacency": A,
                "normalised": scale[:, None] * (A + np.eye(order)) * scale,
                "bethe": radius * A - np.diag(degree),
            }
            for name, operator in operators.items():
                values, vectors = eigsh(csr_array(operator), k=2, which="LA", v0=start)
                signs = np.sign(vectors[:, np.argmin(values)])
                total[name] += abs(float(np.mean(signs * truth))) / (repeats * len(degrees))
    return {
        **total,
        "cases": repeats * len(degrees),
        "coverage": f"{repeats} graphs with {order} nodes for each pair of expected degrees in {degrees}",
        "notes": ["no network was trained: the connectivities of the printed runs are not given"],
    }
