"""Training runs on the identity mapping task: descents of the test loss, order of learning, failure, ReLU networks.

Gradients are those of the population unless samples are asked for. The symmetric model is integrated in U, which keeps
W positive semidefinite. The image model of the paper is not run; only its analogue in concept space is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import numerics
from proofs_check.experiments import experiment
from proofs_check.experiments.confidence import clopper_pearson
from theory.dynamics import Flow
from theory.swing_by.model import signals, weight_flow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Values = NDArray[np.float64]

PROMINENCE = 0.01
"""A rise or fall of the test loss counts when it is at least this share of the loss at the start."""


def moments(means: Sequence[float], deviations: Sequence[float], dimension: int) -> Values:
    """The diagonal of the second-moment matrix, zero beyond the clusters."""
    a = np.zeros(dimension)
    a[: len(means)] = np.asarray(deviations) ** 2 + np.asarray(means) ** 2 / len(means)
    return a


def descents(curve: Values, share: float = PROMINENCE) -> int:
    """How many falls a curve has, counting only falls and rises of at least a share of its start.

    >>> descents(np.array([1.0, 0.5, 0.8, 0.1]))
    2
    >>> descents(np.array([1.0, 0.5, 0.505, 0.1]))
    1
    """
    least = share * abs(curve[0])
    count, falling = 0, False
    low = high = curve[0]
    for value in curve:
        if falling:
            low = min(low, value)
            if value > low + least:
                falling, high = False, value
        else:
            high = max(high, value)
            if value < high - least:
                falling, low, count = True, value, count + 1
    return count


def symmetric_runs(
    means: Sequence[float], deviations: Sequence[float], weights: Values, until: float, points: int = 600
) -> tuple[Values, Values]:
    """Times on a log scale and W = U U^T there, (start, time, row, column), along the flow (4.3), integrated in U."""

    count, d, width = weights.shape
    exact = weight_flow(d, width)
    flow = Flow(exact.state, tuple(speed / 2 for speed in exact.velocity))
    times = np.concatenate([[0.0], np.geomspace(until * 1e-4, until, points)])
    rates = dict(zip(signals(d), moments(means, deviations, d), strict=True))
    done = numerics.integrate(flow, weights.reshape(count, -1).T, until, parameters=rates, times=times, relative=1e-10)
    U = done.states.transpose(2, 0, 1).reshape(count, -1, d, width)
    return times, U @ U.transpose(0, 1, 3, 2)


def losses_at(W: Values, means: Sequence[float]) -> Values:
    """The test loss of each Jacobian of a trajectory."""
    point = np.zeros(W.shape[-1])
    point[: len(means)] = means
    rest = W @ point - point
    return 0.5 * np.sum(rest**2, axis=-1)


def _root(start: Sequence[Sequence[float]]) -> Values:
    return np.asarray(np.linalg.cholesky(np.asarray(start)))


@experiment("swing_by.descents")
def count_descents(
    means: list[float], deviations: list[float], start: list[list[float]], until: float = 400.0
) -> dict[str, Any]:
    """Descents of the test loss of the symmetric model from a positive definite W(0), and what happens between them.

    >>> count_descents([1.0, 2.0], [0.05, 0.05], [[0.02, 0.0], [0.0, 0.02]], 60.0)["descents"]
    1
    """
    times, runs = symmetric_runs(means, deviations, _root(start)[None], until)
    W = runs[0]
    loss = losses_at(W, means)
    training = 0.5 * np.einsum("tij,j->t", (W - np.eye(len(means))) ** 2, moments(means, deviations, len(means)))
    minor = np.abs(W[:, 0, 1])
    turn = int(np.argmax(minor))
    return {
        "descents": descents(loss),
        "final": float(loss[-1]),
        "training_rise": float(np.max(np.diff(training[training > 1e-9]))),
        "peak_of_minor": float(times[turn]),
        "strong_at_peak": float(W[turn, -1, -1]),
        "weak_at_peak": float(W[turn, 0, 0]),
        "coverage": f"one run to time {until:g}, relative tolerance 1e-10",
    }


def nearly_parallel(count: int, dimension: int, scale: float, spread: float, seed: int) -> Values:
    """Starts U(0) whose rows have various lengths and almost one direction, (start, row, column)."""
    chance = np.random.default_rng(seed)
    direction = chance.normal(size=(count, 1, dimension))
    direction /= np.linalg.norm(direction, axis=2, keepdims=True)
    lengths = np.exp(1.2 * chance.normal(size=(count, dimension, 1)))
    return np.asarray(scale * lengths * (direction + spread * chance.normal(size=(count, dimension, dimension))))


@experiment("swing_by.search_descents")
def search_descents(
    means: list[float],
    deviations: list[float],
    scale: float,
    spread: float,
    count: int,
    seed: int,
    until: float = 150.0,
) -> dict[str, Any]:
    """The most descents of the test loss over random, nearly parallel starts, and the start that shows them."""
    starts = nearly_parallel(count, len(means), scale, spread, seed)
    _, W = symmetric_runs(means, deviations, starts, until)
    counts = np.array([descents(losses_at(run, means)) for run in W])
    best = int(np.argmax(counts))
    shown = np.array2string(starts[best], precision=4, separator=", ").replace("\n", "")
    return {
        "most": int(counts[best]),
        "share_with_two": float(np.mean(counts >= 2)),
        "cases": count,
        "coverage": f"{count} random starts",
        "notes": [f"U(0) = {shown}"],
    }


@experiment("swing_by.failure")
def failure(means: list[float], deviations: list[float], scale: float, until: float, seed: int) -> dict[str, Any]:
    """Long runs from a start of rank d - 1 and from the same start with full rank."""
    d = len(means)
    full = scale * np.random.default_rng(seed).normal(size=(d, d))
    deficient = full.copy()
    deficient[:, -1] = 0.0
    _, W = symmetric_runs(means, deviations, np.stack([deficient, full]), until)
    losses = [float(losses_at(run, means)[-1]) for run in W]
    return {
        "deficient_loss": losses[0],
        "deficient_weak": float(W[0, -1, 0, 0]),
        "full_loss": losses[1],
        "cases": 2,
        "coverage": f"two runs to time {until:g}",
    }


@experiment("swing_by.definite")
def definite(means: list[float], count: int, until: float, seed: int) -> dict[str, Any]:
    """How far from the identity W is at the end, at worst, over Gaussian starts of full rank.

    >>> definite([1.0, 2.0], 3, 100.0, 1)["distance"] < 1e-3
    True
    """
    d = len(means)
    starts = np.random.default_rng(seed).normal(size=(count, d, d))
    _, W = symmetric_runs(means, [0.0] * d, starts, until, points=2)
    return {
        "distance": float(np.max(np.abs(W[:, -1] - np.eye(d)))),
        "cases": count,
        "coverage": f"{count} Gaussian starts to time {until:g}",
    }


def linear_layers(
    depth: int,
    dimension: int,
    means: Sequence[float],
    deviations: Sequence[float],
    seeds: Sequence[int],
    steps: int,
    rate: float,
) -> Values:
    """The outputs at the test point, (step, seed, coordinate), of gradient descent on deep linear networks.

    The loss is that of the population; the networks of all seeds are trained side by side.
    """
    bound = 1 / np.sqrt(dimension)
    starts = [np.random.default_rng(seed).uniform(-bound, bound, (depth, dimension, dimension)) for seed in seeds]
    layers = list(np.stack(starts, axis=1))
    a = moments(means, deviations, dimension)
    point = np.zeros(dimension)
    point[: len(means)] = means
    outputs = np.empty((steps + 1, len(seeds), dimension))
    for step in range(steps + 1):
        after = [np.broadcast_to(np.eye(dimension), layers[0].shape)]
        for layer in layers:
            after.append(layer @ after[-1])
        outputs[step] = after[-1] @ point
        back = (after[-1] - np.eye(dimension)) * a
        for place in range(depth - 1, -1, -1):
            slope = back @ after[place].transpose(0, 2, 1)
            back = layers[place].transpose(0, 2, 1) @ back
            layers[place] = layers[place] - rate * slope
    return outputs


@experiment("swing_by.depth")
def depth_effect(depth: int, dimensions: list[int], seeds: list[int], quantity: str) -> dict[str, Any]:
    """Deep linear networks in two dimensions: the share of runs with two descents, or the mean detour of the output.

    The detour is the length of the path of the output over its distance, in the plane of the two means (1, 2).
    """
    means, deviations = [1.0, 2.0], [0.05, 0.05]
    found = []
    for dimension in dict.fromkeys(dimensions):
        paths = linear_layers(depth, dimension, means, deviations, seeds, 1500, 0.1)
        measure = _has_two_descents if quantity == "descents" else _detour
        found.append(float(np.mean([measure(paths[:, place], means) for place in range(len(seeds))])))
    return {
        "low": found[0],
        "high": found[-1],
        "cases": len(seeds) * len(found),
        "coverage": f"{len(seeds)} seeds for each d in {sorted(set(dimensions))}, uniform starts, step 0.1",
    }


def _has_two_descents(path: Values, means: Sequence[float]) -> bool:
    target = np.zeros(path.shape[1])
    target[: len(means)] = means
    return descents(0.5 * np.sum((path - target) ** 2, axis=1)) >= 2


def _detour(path: Values, means: Sequence[float]) -> float:
    plane = path[:, : len(means)]
    length = np.sum(np.linalg.norm(np.diff(plane, axis=0), axis=1))
    return float(length / np.linalg.norm(plane[-1] - plane[0]))


class Perceptron:
    """Two layers without bias, trained by stochastic gradient descent on samples."""

    def __init__(self, dimension: int, hidden: int, relu: bool, seed: int) -> None:
        self.chance = np.random.default_rng(seed)
        self.relu = relu
        self.first = self.chance.uniform(-1, 1, (hidden, dimension)) / np.sqrt(dimension)
        self.second = self.chance.uniform(-1, 1, (dimension, hidden)) / np.sqrt(hidden)

    def output(self, points: Values) -> Values:
        """The outputs of rows of inputs."""
        inside = points @ self.first.T
        return np.asarray((np.maximum(inside, 0) if self.relu else inside) @ self.second.T)

    def epoch(self, data: Values, rate: float, batch: int = 128) -> None:
        """One pass over the data, which are in random order."""
        for start in range(0, len(data), batch):
            points = data[start : start + batch]
            inside = points @ self.first.T
            active = np.maximum(inside, 0) if self.relu else inside
            rest = (active @ self.second.T - points) / len(points)
            back = rest @ self.second
            if self.relu:
                back = back * (inside > 0)
            self.second = self.second - rate * rest.T @ active
            self.first = self.first - rate * back.T @ points


def clusters(means: Sequence[float], deviations: Sequence[float], dimension: int, samples: int, seed: int) -> Values:
    """Samples of the clusters, shuffled."""
    chance = np.random.default_rng(seed)
    sigma = np.zeros(dimension)
    sigma[: len(deviations)] = deviations
    data = np.concatenate([
        np.eye(dimension)[p] * mean + sigma * chance.normal(size=(samples, dimension)) for p, mean in enumerate(means)
    ])  # fmt: skip
    return np.asarray(chance.permutation(data))


@experiment("swing_by.layers")
def layers(activation: str, depth: int, dimension: int, means: list[float], seed: int) -> dict[str, Any]:
    """When a two-layer network reaches half of each mean at the test point, in batches of 128."""
    data = clusters(means, [0.05] * len(means), dimension, 1000, seed)
    network = Perceptron(dimension, 32 * (depth - 1), activation == "relu", seed)
    point = np.zeros((1, dimension))
    point[0, : len(means)] = means
    reached = [float("inf")] * len(means)
    for batch in range(1, 400):
        network.epoch(data[network.chance.integers(len(data), size=128)], 0.1)
        output = network.output(point)[0]
        for p, mean in enumerate(means):
            if output[p] >= mean / 2:
                reached[p] = min(reached[p], float(batch))
    return {
        "strong_time": reached[-1],
        "weak_time": min(reached[0], 1000.0),
        "coverage": f"one seed, {activation}, 400 batches",
    }


@experiment("swing_by.relu_order")
def relu_order(seed: int) -> dict[str, Any]:
    """Comparable pairs of the 16 test points whose losses are in the wrong order after epochs 1, 3 and 5."""
    from itertools import product

    means, dimension = [1.0, 2.0, 3.0, 4.0], 64
    data = clusters(means, [0.5] * 4, dimension, 5000, seed)
    network = Perceptron(dimension, 64, relu=True, seed=seed)
    choices = list(product((0, 1), repeat=4))
    points = np.zeros((16, dimension))
    points[:, :4] = np.array(choices) * means
    pairs = [
        (u, v) for u in range(16) for v in range(16)
        if u != v and all(x <= y for x, y in zip(choices[u], choices[v], strict=True))
    ]  # fmt: skip
    wrong = 0
    for epoch in range(1, 6):
        network.epoch(data, 0.1)
        if epoch in (1, 3, 5):
            loss = np.minimum(1.0, 0.5 * np.sum((network.output(points) - points) ** 2, axis=1))
            wrong += sum(int(loss[u] > loss[v] + 1e-12) for u, v in pairs)
    return {
        "violations": wrong,
        "cases": 3 * len(pairs),
        "coverage": f"{len(pairs)} comparable pairs after epochs 1, 3 and 5, losses cut at 1",
    }


@experiment("swing_by.nearest")
def nearest(means: list[float], deviations: list[float], samples: int, seed: int) -> dict[str, Any]:
    """The least distance of a training point from the test point, in units of the least mean."""
    data = clusters(means, deviations, len(means), samples, seed)
    distance = np.linalg.norm(data - np.array(means), axis=1)
    return {"nearest": float(distance.min() / min(means)), "cases": len(data), "coverage": f"{len(data)} samples"}


@experiment("swing_by.all_positive")
def all_positive(s: int, width: int, trials: int, seed: int) -> dict[str, Any]:
    """How often all off-diagonal entries of a Gaussian start are positive, with a 99% confidence interval."""

    U = np.random.default_rng(seed).normal(size=(trials, s, width))
    W = U @ U.transpose(0, 2, 1)
    hits = int(np.sum(np.all(W[:, *np.triu_indices(s, 1)] > 0, axis=1)))
    low, high = clopper_pearson(hits, trials)
    return {"lower": low, "upper": high, "cases": trials, "coverage": f"{trials} random starts, 99% confidence"}
