"""Experiments of the associative-memory paper at the size of a processor: flows, truncations, a trained layer.

Pretrained language models are not run, and neither is the two-layer transformer of the figures; the one-layer model
of Eq. (4.2) in token coordinates shows the same quantities.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proofs_check.experiments import experiment

Array = NDArray[Any]


def _in_log_time(velocity: Any, start: list[float], time: float) -> Array:
    """The state at a late time, integrated in s = log(1 + t)."""
    from scipy.integrate import solve_ivp

    end = float(np.log1p(time))

    def moved(s: float, state: Array) -> Array:
        return np.exp(s) * np.asarray(velocity(state))

    solution = solve_ivp(moved, (0.0, end), start, method="Radau", rtol=1e-9, atol=1e-11)
    return np.asarray(solution.y[:, -1])


@experiment("associative_memory.log_time")
def log_time(flow: str, alpha: str, time: float) -> dict[str, Any]:
    """t e**a at a late time, along the printed flow of Lemma C.14 or the true one."""
    level = float(Fraction(alpha))
    g, h, s = (2.0, 10.0, 0.2) if flow == "printed" else (0.5, 1.0, 0.5)

    def velocity(state: Array) -> list[float]:
        x, y = np.exp(state)
        total = x + y + 1
        common = (level - 1) * y + level
        return [g * ((level - 2) * x + common) / total, h * ((level - s) * x + common) / total]

    a, b = _in_log_time(velocity, [0.0, 0.0], time)
    return {"product": float(time * np.exp(a)), "odds": float(np.exp(b)), "coverage": f"alpha = {alpha}, t = {time:g}"}


@experiment("associative_memory.truncated_memory")
def truncated_memory(n: int, alpha: str, time: float) -> dict[str, Any]:
    """The probability of noise of the full memory and of its truncation by one rank, late along the flow."""
    level = float(Fraction(alpha))

    def velocity(state: Array) -> list[float]:
        signal, noise = state
        logits = np.array([signal * (1 - 1 / n) + noise, -signal / n + noise, -n * noise])
        shares = np.exp(logits - logits.max())
        shares /= shares[0] + (n - 1) * shares[1] + shares[2]
        return [(1 - level - shares[0] + shares[1]) / n, (shares[2] - level) / n**2]

    signal, noise = _in_log_time(velocity, [0.0, 0.0], time)
    upper = signal * (np.eye(n) - np.ones((n, n)) / n) + noise * np.ones((n, n))
    matrix = np.vstack([upper, -n * noise * np.ones((1, n))])
    shares = [_probabilities(matrix), _probabilities(_truncated(matrix, n - 1))]
    found = {"noise": float(shares[0][n, 0]), "truncated": float(shares[1][n].max())}
    return {**found, "right": float(shares[1].diagonal().min()), "coverage": f"n = {n}, alpha = {alpha}, t = {time:g}"}


def _probabilities(logits: Array) -> Array:
    shares = np.exp(logits - logits.max(axis=-2, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-2, keepdims=True))


def _truncated(matrix: Array, rank: int) -> Array:
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray((left[..., :rank] * values[..., None, :rank]) @ right[..., :rank, :])


@experiment("associative_memory.memory_runs")
def memory_runs(n: int, d: int, alpha: str, runs: int, steps: int, rate: float, seed: int) -> dict[str, Any]:
    """Figure 4.5: pure-label losses of the trained memory and of its truncations, over random embeddings."""
    level, random = float(Fraction(alpha)), np.random.default_rng(seed)

    def sphere(count: int) -> Array:
        points = random.normal(size=(runs, count, d))
        return np.asarray(points / np.linalg.norm(points, axis=2, keepdims=True))

    inputs, outputs = sphere(n), sphere(n + 1)
    weights = random.normal(size=(runs, d, d)) / np.sqrt(d)
    goal = np.vstack([(1 - level) * np.eye(n), level * np.ones((1, n))])
    turned = inputs.transpose(0, 2, 1)
    for _ in range(steps):
        error = _probabilities(outputs @ weights @ turned) - goal
        weights -= rate * (outputs.transpose(0, 2, 1) @ error @ inputs) / n
    losses = []
    for rank in (1, 2, 3, 4, d):
        shares = _probabilities(outputs @ _truncated(weights, rank) @ turned)
        losses.append(-np.log(shares[:, range(n), range(n)]).mean(axis=1))
    full, second = losses[-1], losses[1]
    spread = np.quantile(second, 0.75) - np.quantile(second, 0.25)
    return {
        "full": float(np.median(full)),
        "rank_1": float(np.median(losses[0])),
        "rank_2": float(np.median(second)),
        "rank_3": float(np.median(losses[2])),
        "better": float((second < full).mean()),
        "spread": float(spread),
        "cases": runs,
        "coverage": f"{runs} runs of {steps} steps, n = {n}, d = {d}, alpha = {alpha}",
    }


class _Recall:
    """Noisy in-context recall with uniform laws; token 0 is the trigger, token N the noise."""

    def __init__(self, vocabulary: int, length: int, alpha: float, seed: int) -> None:
        self.vocabulary, self.length, self.alpha = vocabulary, length, alpha
        self.random = np.random.default_rng(seed)

    def batch(self, size: int) -> tuple[Array, Array, Array]:
        """Tokens, targets and labels."""
        n, random = self.vocabulary, self.random
        target = random.integers(0, n, size)
        tokens = np.empty((size, self.length), dtype=np.int64)
        tokens[:, 0] = random.integers(0, n, size)
        for t in range(1, self.length - 1):
            answer = np.where(random.random(size) < self.alpha, n, target)
            tokens[:, t] = np.where(tokens[:, t - 1] == 0, answer, random.integers(0, n, size))
        tokens[:, -1] = 0
        return tokens, target, np.where(random.random(size) < self.alpha, n, target)


class _Layer:
    """The model of Eq. (4.2) in token coordinates; the query is the trigger's row of the query-key matrix."""

    def __init__(self, vocabulary: int) -> None:
        k = vocabulary + 1
        self.value, self.value_before = np.zeros((k, k)), np.zeros((k, k))
        self.feed, self.feed_before = np.zeros(k), np.zeros((k, k))
        self.key, self.key_before = np.zeros(k), np.zeros(k)

    def forward(self, tokens: Array, *, feed: bool = True) -> tuple[Array, Array, Array, Array]:
        """Probabilities, attention, and what it gathers of current and previous tokens."""
        scores = self.key[tokens]
        scores[:, 1:] += self.key_before[tokens[:, :-1]]
        attention = np.exp(scores - scores.max(axis=1, keepdims=True))
        attention /= attention.sum(axis=1, keepdims=True)
        now, before = self._gather(tokens, attention), self._gather(tokens[:, :-1], attention[:, 1:])
        logits = now @ self.value.T + before @ self.value_before.T
        if feed:
            logits = logits + self.feed + self.feed_before[:, tokens[:, -2]].T
        return _probabilities(logits.T).T, attention, now, before

    def _gather(self, tokens: Array, weights: Array) -> Array:
        k, size = len(self.key), len(tokens)
        places = (np.arange(size)[:, None] * k + tokens).ravel()
        return np.bincount(places, weights.ravel(), size * k).reshape(size, k)

    def train(self, tokens: Array, labels: Array, rate: float) -> None:
        """One step of gradient descent on a batch."""
        shares, attention, now, before = self.forward(tokens)
        k, size = len(self.key), len(tokens)
        error = shares.copy()
        error[np.arange(size), labels] -= 1
        error /= size
        rows = np.arange(size)[:, None]
        pull = (error @ self.value)[rows, tokens]
        pull[:, 1:] += (error @ self.value_before)[rows, tokens[:, :-1]]
        slope = attention * (pull - (attention * pull).sum(axis=1, keepdims=True))
        one_hot = np.eye(k)[tokens[:, -2]]
        self.value -= rate * error.T @ now
        self.value_before -= rate * error.T @ before
        self.feed -= rate * error.sum(axis=0)
        self.feed_before -= rate * error.T @ one_hot
        self.key -= rate * np.bincount(tokens.ravel(), slope.ravel(), k)
        self.key_before -= rate * np.bincount(tokens[:, :-1].ravel(), slope[:, 1:].ravel(), k)


def _shares(layer: _Layer, data: _Recall, *, feed: bool = True) -> dict[str, float]:
    """Mean probabilities of noise and target on noisy contexts, and the attention on (q, target) and (q, noise)."""
    tokens, target, _ = data.batch(512)
    shares, attention, _, _ = layer.forward(tokens, feed=feed)
    after = np.zeros_like(tokens, dtype=bool)
    after[:, 1:] = tokens[:, :-1] == 0
    seen = (after & (tokens == target[:, None])).any(axis=1) & (target != 0)
    right = (attention * (after & (tokens == target[:, None]))).sum(axis=1)
    wrong = (attention * (after & (tokens == data.vocabulary))).sum(axis=1)
    both = seen & (after & (tokens == data.vocabulary)).any(axis=1)
    return {
        "noise": float(shares[:, -1].mean()),
        "target": float(shares[np.arange(512), target][seen].mean()),
        "to_target": float(right[both].mean()),
        "to_noise": float(wrong[both].mean()),
    }


@cache
def _trained(
    vocabulary: int, length: int, alpha: str, steps: int, rate: float, seed: int, clean: int
) -> tuple[_Layer, _Recall, dict[str, float]]:
    """A trained layer, after `clean` steps without noise first; with what was seen in the early steps."""
    level = float(Fraction(alpha))
    layer, data = _Layer(vocabulary), _Recall(vocabulary, length, level, seed)
    pure = _Recall(vocabulary, length, 0.0, seed + 1)
    early: dict[str, float] = {"peak": 0.0, "margin": -1.0}
    for _ in range(clean):
        tokens, _, labels = pure.batch(128)
        layer.train(tokens, labels, rate)
    for step in range(steps):
        tokens, _, labels = data.batch(128)
        layer.train(tokens, labels, rate)
        if step < 10:
            early["peak"] = max(early["peak"], _shares(layer, data)["noise"])
            if step == 2:
                early["margin"] = float(layer.feed[-1] - layer.feed[:-1].max())
    return layer, data, early


@experiment("associative_memory.one_layer")
def one_layer(
    vocabulary: int, length: int, alpha: str, steps: int, rate: float, seed: int, clean: int = 0
) -> dict[str, Any]:
    """Figures 4.3, 4.4, 4.6 and 4.7 on the one-layer model."""
    layer, data, early = _trained(vocabulary, length, alpha, steps, rate, seed, clean)
    full, dropped = _shares(layer, data), _shares(layer, data, feed=False)
    diagonal = layer.value.diagonal()[:-1]
    off = layer.value[:-1, :-1] - np.diag(diagonal)
    return {
        "noise": full["noise"],
        "dropped_target": dropped["target"],
        "full_target": full["target"],
        "dropped_noise": dropped["noise"],
        "to_target": full["to_target"],
        "to_noise": full["to_noise"],
        "peak": early["peak"],
        "early_margin": early["margin"],
        "feed_margin": float(layer.feed[-1] - layer.feed[:-1].max()),
        "diagonal": float(diagonal[1:].min()),
        "off_diagonal": float(off[1:, 1:].max()),
        "noise_diagonal": float(layer.value[-1, -1]),
        "cases": 1,
        "coverage": f"one-layer model, N = {vocabulary}, T = {length}, alpha = {alpha}, {steps} steps",
    }


@experiment("associative_memory.mechanism")
def mechanism(vocabulary: int, length: int, alpha: str, orientation: str, seed: int) -> dict[str, Any]:
    """The explicit weights of Section 4.4.4.2 in the two-layer model (4.1), with and without the feed-forward layer.

    `printed` multiplies the query from the left of the printed matrices, as (4.1) does; `transposed` the other way.
    Embeddings are orthonormal and the inverse temperature is large.
    """
    level = float(Fraction(alpha))
    data = _Recall(vocabulary, length, level, seed)
    tokens, target, _ = data.batch(256)
    k, sharp, scale = vocabulary + 1, 40.0, 12.0
    one_hot = np.eye(k)[tokens]
    before = np.zeros_like(one_hot)
    if orientation == "transposed":
        before[:, 1:] = one_hot[:, :-1]
        scores = before[:, :, 0] - 2 * one_hot[:, :, -1]
    else:
        before = np.cumsum(one_hot, axis=1) / np.arange(1, length + 1)[None, :, None]
        scores = (before[:, -1:, 0] - 2 * one_hot[:, -1:, -1]) * one_hot[:, :, 0]
    attention = np.exp(sharp * (scores - scores.max(axis=1, keepdims=True)))
    attention /= attention.sum(axis=1, keepdims=True)
    gathered = np.einsum("bt,btk->bk", attention, one_hot)
    gathered[:, -1] = 0
    logits = scale * gathered
    with_noise = logits.copy()
    with_noise[:, -1] += scale + np.log(level / (1 - level))
    after = np.zeros_like(tokens, dtype=bool)
    after[:, 1:] = tokens[:, :-1] == 0
    seen = (after & (tokens == target[:, None])).any(axis=1) & (target != 0)
    plain, noisy = _probabilities(logits.T).T, _probabilities(with_noise.T).T
    places = np.arange(len(tokens))
    return {
        "dropped_target": float(plain[places, target][seen].mean()),
        "full_noise": float(noisy[seen, -1].mean()),
        "full_target": float(noisy[places, target][seen].mean()),
        "cases": int(seen.sum()),
        "coverage": f"two-layer model with explicit weights, N = {vocabulary}, T = {length}",
    }


@experiment("associative_memory.memory_stability")
def memory_stability(n: int, alpha: str, runs: int, steps: int, rate: float, seed: int) -> dict[str, Any]:
    """The spread of the rank-two loss over random embeddings in twelve and in eight dimensions."""
    found = {d: memory_runs(n, d, alpha, runs, steps, rate, seed) for d in (12, 8)}
    return {
        "wide": found[12]["spread"],
        "narrow": found[8]["spread"],
        "cases": 2 * runs,
        "coverage": f"{runs} runs of {steps} steps each in 12 and 8 dimensions",
    }


@experiment("associative_memory.not_run")
def not_run(what: str) -> dict[str, Any]:
    """What a processor cannot repeat, said as such."""
    return {"missing": f"not run: {what}"}
