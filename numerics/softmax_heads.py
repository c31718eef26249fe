"""Loss and gradient of softmax attention heads of rank one at a query, compiled for any heads, tokens and samples.

The average of the tokens under a head and its slopes need only the first two moments of the tokens under the weights
of the head, so one exponential for each token and head is enough; a loop over the heads is vectorised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from numerics.elementary import exponential

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

OPTIONS = {"cache": True, "error_model": "numpy", "nogil": True, "fastmath": {"contract", "reassoc"}}


@njit(**OPTIONS)
def _moments(tokens: Array, keys: Array, asked: Array, sums: Array) -> None:
    """Total weight, first and second moments of the tokens of one sample for every head; tokens have three entries."""
    sums[:] = 0.0
    for n in range(len(tokens)):
        a, b, c = tokens[n, 0], tokens[n, 1], tokens[n, 2]
        for h in range(len(asked)):
            weight = exponential(asked[h] * (keys[0, h] * a + keys[1, h] * b + keys[2, h] * c))
            sums[0, h] += weight
            sums[1, h] += weight * a
            sums[2, h] += weight * b
            sums[3, h] += weight * c
            sums[4, h] += weight * a * a
            sums[5, h] += weight * a * b
            sums[6, h] += weight * a * c
            sums[7, h] += weight * b * b
            sums[8, h] += weight * b * c
            sums[9, h] += weight * c * c


@njit(**OPTIONS)
def _gradient(tokens: Array, targets: Array, second: Array, first: Array, of_second: Array, of_first: Array) -> float:
    """Adds the slopes to the last two tables; all weights have one column for each head."""
    heads, samples = second.shape[1], len(tokens)
    keys, queries = first[:3], first[3:]
    asked, sums, pulled = np.empty(heads), np.empty((10, heads)), np.empty((3, heads))
    loss = 0.0
    for p in range(samples):
        last = tokens[p, -1]
        for h in range(heads):
            asked[h] = queries[0, h] * last[0] + queries[1, h] * last[1] + queries[2, h] * last[2]
        _moments(tokens[p], keys, asked, sums)
        output = 0.0
        for h in range(heads):
            part = 1.0 / sums[0, h]
            x, y, z = sums[1, h] * part, sums[2, h] * part, sums[3, h] * part
            a, b, c = second[0, h], second[1, h], second[2, h]
            along = a * x + b * y + c * z
            output += along
            # the covariance of the tokens under the head, times its second weights
            pulled[0, h] = (sums[4, h] * a + sums[5, h] * b + sums[6, h] * c) * part - along * x
            pulled[1, h] = (sums[5, h] * a + sums[7, h] * b + sums[8, h] * c) * part - along * y
            pulled[2, h] = (sums[6, h] * a + sums[8, h] * b + sums[9, h] * c) * part - along * z
            sums[1, h], sums[2, h], sums[3, h] = x, y, z
        error = output - targets[p]
        loss += error * error
        slope = 2.0 * error / samples
        for h in range(heads):
            turned = keys[0, h] * pulled[0, h] + keys[1, h] * pulled[1, h] + keys[2, h] * pulled[2, h]
            for k in range(3):
                of_second[k, h] += slope * sums[1 + k, h]
                of_first[k, h] += slope * asked[h] * pulled[k, h]
                of_first[3 + k, h] += slope * turned * last[k]
    return loss / samples


def softmax_gradient(tokens: Array, targets: Array, second: Array, first: Array) -> tuple[float, Array, Array]:
    """Mean squared error and its slopes in the second weights (heads, 3) and the first (heads, 6): key, then query.

    >>> one = np.ones((1, 3))
    >>> softmax_gradient(np.ones((1, 2, 3)), np.array([1.0]), one, np.zeros((1, 6)))[:2]
    (4.0, array([[4., 4., 4.]]))
    """
    of_second, of_first = np.zeros(second.shape[::-1]), np.zeros(first.shape[::-1])
    columns = np.ascontiguousarray(second.T), np.ascontiguousarray(first.T)
    loss = float(_gradient(tokens, targets, *columns, of_second, of_first))
    return loss, of_second.T, of_first.T
