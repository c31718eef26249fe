"""Random graphs: how often the quoted theorem's event happens at orders that can be drawn."""

from __future__ import annotations

from math import floor, log
from typing import Any

from proofs_check.experiments import experiment
from proofs_check.experiments.confidence import clopper_pearson
from proofs_check.experiments.small_networks import Array, Network
from theory.graph_expressiveness.enumerators.collected import random_regular_graph
from theory.graph_expressiveness.walks import attributed_walk_counts


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


@experiment("graph_expressiveness.trained_walk_counts")
def trained_walk_counts(
    order: int, degree: int, length: int, seen: int, steps: int, seeds: list[int]
) -> dict[str, Any]:
    """Mean test errors, divided by the label variance, of models trained to count all-blue walks on regular graphs.

    The network sums over neighbours `length` times with two rectified layers after each sum; the other models are
    rectified layers on the powers of A up to the length, and up to twice the length, applied to the colours.

    >>> sorted(trained_walk_counts(20, 4, 2, 10, 2, [1]))[:3]
    ['cases', 'coverage', 'double_error']
    """
    total = {"network_error": 0.0, "power_error": 0.0, "double_error": 0.0}
    for seed in seeds:
        for name, error in _trained_errors(order, degree, length, seen, steps, seed).items():
            total[name] += error / len(seeds)
    coverage = (
        f"{len(seeds)} random {degree}-regular graphs with {order} nodes, walks of length {length}, {steps} steps"
    )
    return {**total, "cases": len(seeds) * (order - seen), "coverage": coverage}


def _trained_errors(order: int, degree: int, length: int, seen: int, steps: int, seed: int) -> dict[str, float]:
    import numpy as np
    from scipy.sparse import csr_array

    graph = random_regular_graph(order, degree, seed).with_features(i % 2 for i in range(order))
    A = csr_array(np.array(graph.adjacency(), dtype=float))
    colours = np.eye(2)[np.array(graph.features)]
    labels = np.array(attributed_walk_counts(graph, (0,) * length), dtype=float)
    y = (labels - labels.mean()) / labels.std()
    chosen = np.random.default_rng(seed).permutation(order) < seen

    def spread(H: Array) -> Array:
        # A heavy weight on the node itself keeps its own colour legible in the sum, as the constant of GIN does.
        return H + A @ H / (degree + 1)

    def powers(most: int) -> Array:
        parts = [colours]
        for _ in range(most):
            parts.append(A @ parts[-1])
        stacked = np.hstack(parts)
        return (stacked - stacked.mean(axis=0)) / (stacked.std(axis=0) + 1e-12)

    def error(layers: list[int | str], X: Array) -> float:
        network = Network(layers, inputs=X.shape[1], spread=spread, seed=seed)
        network.train(X, y, chosen, steps=steps, rate=0.01)
        return float(np.mean((network.predict(X) - y)[~chosen] ** 2))

    return {
        "network_error": error(["spread", 20, 20] * length, colours),
        "power_error": error([20, 20], powers(length)),
        "double_error": error([20, 20], powers(2 * length)),
    }
