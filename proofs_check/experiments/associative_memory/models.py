"""Noisy in-context recall, the one-layer model of Eq. (4.2) and a small two-layer model, trained by hand."""

from __future__ import annotations

import numpy as np

from proofs_check.experiments.associative_memory.arrays import Array, probabilities


class Recall:
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


class Layer:
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
        return probabilities(logits.T).T, attention, now, before

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


class TwoLayer:
    """The two-layer model (4.1) reduced: position scores in the first layer, whose fixed values land apart."""

    def __init__(self, vocabulary: int, length: int) -> None:
        k = vocabulary + 1
        self.positions, self.causal = np.zeros((length, length)), np.tril(np.ones((length, length), dtype=bool))
        self.value, self.value_first = np.zeros((k, k)), np.zeros((k, k))
        self.key, self.key_first, self.feed = np.zeros(k), np.zeros(k), np.zeros(k)

    @property
    def first(self) -> Array:
        """The first layer's attention from each position to the earlier ones."""
        scores = np.where(self.causal, self.positions, -np.inf)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def forward(self, tokens: Array, *, feed: bool = True) -> tuple[Array, Array, Array, Array]:
        """Probabilities, second attention, one-hot tokens, and the first layer's output."""
        one_hot = np.eye(len(self.key))[tokens]
        hidden = np.einsum("ts,bsk->btk", self.first, one_hot)
        scores = self.key[tokens] + hidden @ self.key_first
        attention = np.exp(scores - scores.max(axis=1, keepdims=True))
        attention /= attention.sum(axis=1, keepdims=True)
        logits = np.einsum("bt,btk->bk", attention, one_hot) @ self.value.T
        logits += np.einsum("bt,btk->bk", attention, hidden) @ self.value_first.T
        return probabilities((logits + self.feed if feed else logits).T).T, attention, one_hot, hidden

    def train(self, tokens: Array, labels: Array, rate: float) -> None:
        """One step of gradient descent on a batch."""
        shares, attention, one_hot, hidden = self.forward(tokens)
        first, error = self.first, shares.copy()
        error[np.arange(len(tokens)), labels] -= 1
        error /= len(tokens)
        now, before = error @ self.value, error @ self.value_first
        pull = np.einsum("bk,btk->bt", now, one_hot) + np.einsum("bk,btk->bt", before, hidden)
        slope = attention * (pull - (attention * pull).sum(axis=1, keepdims=True))
        on_hidden = attention[:, :, None] * before[:, None, :] + slope[:, :, None] * self.key_first
        on_first = np.einsum("btk,bsk->ts", on_hidden, one_hot)
        self.positions -= rate * first * (on_first - (first * on_first).sum(axis=1, keepdims=True))
        self.value -= rate * error.T @ np.einsum("bt,btk->bk", attention, one_hot)
        self.value_first -= rate * error.T @ np.einsum("bt,btk->bk", attention, hidden)
        self.feed -= rate * error.sum(axis=0)
        self.key -= rate * np.bincount(tokens.ravel(), slope.ravel(), len(self.key))
        self.key_first -= rate * np.einsum("bt,btk->k", slope, hidden)
