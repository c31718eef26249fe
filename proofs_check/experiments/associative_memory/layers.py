"""Trained layers: order of learning, attention, what dropping the feed-forward layer does, explicit weights."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from proofs_check.experiments import experiment
from proofs_check.experiments.associative_memory.arrays import probabilities
from proofs_check.experiments.associative_memory.models import Layer, Recall, TwoLayer


def _shares(layer: Layer | TwoLayer, data: Recall, *, feed: bool = True) -> dict[str, float]:
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
) -> tuple[Layer, Recall, dict[str, float]]:
    """A trained layer, after `clean` steps without noise first; with what was seen in the early steps."""
    level = float(Fraction(alpha))
    layer, data = Layer(vocabulary), Recall(vocabulary, length, level, seed)
    pure = Recall(vocabulary, length, 0.0, seed + 1)
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
    data = Recall(vocabulary, length, level, seed)
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
    plain, noisy = probabilities(logits.T).T, probabilities(with_noise.T).T
    places = np.arange(len(tokens))
    return {
        "dropped_target": float(plain[places, target][seen].mean()),
        "full_noise": float(noisy[seen, -1].mean()),
        "full_target": float(noisy[places, target][seen].mean()),
        "cases": int(seen.sum()),
        "coverage": f"two-layer model with explicit weights, N = {vocabulary}, T = {length}",
    }


@experiment("associative_memory.two_layer")
def two_layer(vocabulary: int, length: int, alpha: str, steps: int, rate: float, seed: int) -> dict[str, Any]:
    """Figures 4.3, 4.4 and 4.6 on the small two-layer model."""
    data = Recall(vocabulary, length, float(Fraction(alpha)), seed)
    model, early = TwoLayer(vocabulary, length), -1.0
    for step in range(steps):
        tokens, _, labels = data.batch(128)
        model.train(tokens, labels, rate)
        if step == 2:
            early = float(model.feed[-1] - model.feed[:-1].max())
    full, dropped = _shares(model, data), _shares(model, data, feed=False)
    first = model.first
    return {
        "noise": full["noise"],
        "full_target": full["target"],
        "dropped_target": dropped["target"],
        "to_target": full["to_target"],
        "to_noise": full["to_noise"],
        "previous": float(np.mean([first[t, t - 1] for t in range(1, length)])),
        "early_margin": early,
        "feed_margin": float(model.feed[-1] - model.feed[:-1].max()),
        "coverage": f"small two-layer model, N = {vocabulary}, T = {length}, alpha = {alpha}, {steps} steps",
    }
