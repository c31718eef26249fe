"""Data of the figures. Gaussian samples are drawn as many as the paper has and kept through what the loss depends on.

Where the outputs are linear in features of the input, the loss depends on the samples through the second moments of
these features only, so a table with as many rows as features gives exactly the same loss.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from theory.saddle_to_saddle.architectures import monomials

Array = NDArray[np.float64]
SAMPLES = 8192
TARGET = np.array([[2.0, 0.5], [0.5, 1.0]])
"""The target of Fig. 1B is not printed; this is ours."""

CONVOLUTION_TARGET = np.array([1.0, 1.0, -1.0, 1.0]) / np.sqrt(5.0)


def compressed(features: Array, targets: Array) -> tuple[Array, Array]:
    """A table with the same second moments of features and targets, whose loss is the same for linear readouts.

    >>> x, y = compressed(np.array([[1.0], [2.0], [2.0]]), np.array([[2.0], [4.0], [4.0]]))
    >>> round(float((x**2).mean()), 9), round(float((x * y).mean()), 9)
    (3.0, 6.0)
    """
    table = np.linalg.qr(np.hstack([features, targets]), mode="r")
    scaled = table * np.sqrt(len(table) / len(features))
    return scaled[:, : features.shape[1]], scaled[:, features.shape[1] :]


def linear(seed: int = 0) -> tuple[Array, Array]:
    """Fig. 1B: two inputs with the covariance [[1, 1], [1, 4]]."""
    root = np.linalg.cholesky(np.array([[1.0, 1.0], [1.0, 4.0]]))
    x = np.random.default_rng(seed).standard_normal((SAMPLES, 2)) @ root.T
    return compressed(x, x @ TARGET.T)


def convolution(seed: int = 0, *, outputs: int = 1) -> tuple[Array, Array]:
    """Fig. 1C: four inputs, the third with variance 2; two outputs split the target by kernel entry."""
    x = np.random.default_rng(seed).standard_normal((SAMPLES, 4)) * np.sqrt([1, 1, 2, 1])
    return compressed(x, _convolution_targets(x, outputs))


def orthogonal_convolution(*, outputs: int = 1) -> tuple[Array, Array]:
    """Fig. 1E: multiples of the four unit vectors."""
    x = np.diag([2, 2, 2 * np.sqrt(2.0), 2])
    return x, _convolution_targets(x, outputs)


def _convolution_targets(x: Array, outputs: int) -> Array:
    parts = x * CONVOLUTION_TARGET
    return parts.sum(axis=1, keepdims=True) if outputs == 1 else parts.reshape(len(x), 2, 2).sum(axis=1)


def relu() -> tuple[Array, Array]:
    """Fig. 1D: two points."""
    return np.array([[1.0, 0.5], [-1.0, 2.0]]), np.array([[1.0], [-1.0]])


def power_sum(degree: int, *, outputs: int = 1, seed: int = 0) -> tuple[Array, Array]:
    """Figs. 1G, 4G: x_1^degree + x_2^degree as a function of the products of the inputs; two outputs split the sum."""
    x = np.random.default_rng(seed).standard_normal((SAMPLES, 2))
    terms = monomials(degree, 2)
    features = np.stack([np.prod(x[:, list(term)], axis=1) for term in terms], axis=1)
    parts = x**degree
    return compressed(features, parts.sum(axis=1, keepdims=True) if outputs == 1 else parts)


def in_context(
    seed: int = 0, *, variances: Array | None = None, context: int = 32, with_query: bool = False
) -> tuple[Array, Array]:
    """Fig. 1F: products S_ab x_c of the second moments of the tokens with the query, and the query's target."""
    samples = SAMPLES
    chance = np.random.default_rng(seed)
    spread = np.ones(2) if variances is None else np.asarray(variances)
    size = len(spread)
    x, w = chance.standard_normal((samples, context, size)), chance.standard_normal((samples, size))
    x, query = x * np.sqrt(spread), chance.standard_normal((samples, size)) * np.sqrt(spread)
    tokens = np.concatenate([x, np.einsum("pnd,pd->pn", x, w)[..., None]], axis=2)
    last = np.hstack([query, np.zeros((samples, 1))])
    seen = np.einsum("pna,pnb->pab", tokens, tokens) + last[:, :, None] * last[:, None, :]
    features = np.einsum("pab,pc->pabc", seen, last).reshape(samples, -1)
    if with_query:
        features = np.hstack([features, last])
    return compressed(features, (query * w).sum(axis=1, keepdims=True))


def tokens(seed: int = 0, *, context: int = 8, samples: int = 256) -> tuple[Array, Array]:
    """Fig. 4A, smaller: the tokens of in-context regression themselves, the query last."""
    chance = np.random.default_rng(seed)
    x, w = chance.standard_normal((samples, context + 1, 2)), chance.standard_normal((samples, 2))
    labels = np.einsum("pnd,pd->pn", x, w)
    seen = np.concatenate([x, labels[..., None]], axis=2)
    seen[:, -1, 2] = 0
    return seen.reshape(samples, -1), labels[:, -1:]


def gaussian_grid(points: int) -> tuple[Array, Array]:
    """Nodes and shares of the product rule for two independent standard normal inputs."""
    nodes, shares = np.polynomial.hermite_e.hermegauss(points)
    shares = shares / shares.sum()
    pairs = np.array(list(product(nodes, repeat=2)))
    return pairs, np.array([a * b for a, b in product(shares, repeat=2)])
