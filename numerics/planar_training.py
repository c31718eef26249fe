"""Gradient descent for wide rectified networks in the plane: sums over half-planes from sorted angles.

A rectifier is active on an arc of the points sorted by angle. Every neuron remembers its arc, which hardly moves in a
step; sums over arcs are differences of partial sums. So a step costs about as many operations as there are neurons and
points together, not as many as there are pairs.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Plane = NDArray[np.complex128]
    Places = NDArray[np.int64]

OPTIONS = {"cache": True, "error_model": "numpy", "nogil": True}


@njit(**OPTIONS)
def _is_active(x: Plane, weight: complex, place: int) -> bool:
    point = x[place % len(x)]
    return bool(weight.real * point.real + weight.imag * point.imag > 0)


@njit(**OPTIONS)
def _follow(x: Plane, inner: Plane, firsts: Places, lengths: Places) -> None:
    """Move the ends of every arc to where they are now; an arc that is gone is looked for."""
    count = len(x)
    for k in range(len(inner)):
        weight, first, length = inner[k], firsts[k], lengths[k]
        while length > 0 and not _is_active(x, weight, first):
            first, length = first + 1, length - 1
        while length > 0 and not _is_active(x, weight, first + length - 1):
            length -= 1
        for place in range(count):
            if length > 0:
                break
            if _is_active(x, weight, place):
                first, length = place, 1
        while 0 < length < count and _is_active(x, weight, first - 1):
            first, length = first - 1, length + 1
        while 0 < length < count and _is_active(x, weight, first + length):
            length += 1
        firsts[k], lengths[k] = first % count, length


@njit(**OPTIONS)
def _descend(x: Plane, labels: Array, inner: Plane, outer: Array, steps: int, rate: float) -> None:
    """The points are sorted by angle; arcs that pass the last point go on through a second turn."""
    width, count = len(outer), len(labels)
    firsts, lengths = np.zeros(width, dtype=np.int64), np.zeros(width, dtype=np.int64)
    turns, pulls = np.zeros(2 * count + 1, dtype=np.complex128), np.zeros(count, dtype=np.complex128)
    for _ in range(steps):
        _follow(x, inner, firsts, lengths)
        turns[:] = 0
        for k in range(width):
            turns[firsts[k]] += outer[k] * inner[k]
            turns[firsts[k] + lengths[k]] -= outer[k] * inner[k]
        for place in range(1, 2 * count):
            turns[place] += turns[place - 1]
        for i in range(count):
            reached = turns[i] + turns[i + count]
            margin = labels[i] * (x[i].real * reached.real + x[i].imag * reached.imag)
            pulls[i] = labels[i] / (1 + exp(margin)) / count * x[i]
        turns[0] = 0
        for place in range(2 * count):
            turns[place + 1] = turns[place] + pulls[place % count]
        for k in range(width):
            seen = turns[firsts[k] + lengths[k]] - turns[firsts[k]]
            gain = inner[k].real * seen.real + inner[k].imag * seen.imag
            inner[k] += rate * outer[k] * seen
            outer[k] += rate * gain


def train_in_the_plane(
    points: Array, labels: Array, inner: Array, outer: Array, steps: int, *, rate: float
) -> tuple[Array, Array]:
    """Both layers of rectifiers in the plane after steps of gradient descent on the mean logistic loss.

    points: (samples, 2); labels: 1 or -1; inner: (width, 2); outer: (width,).

    >>> start = np.array([[2.0, 0.0], [-1.0, 0.0]]), np.array([0.0, 1.0])
    >>> train_in_the_plane(np.array([[1.0, 0.0]]), np.array([1.0]), *start, 1, rate=0.5)[1].tolist()
    [0.5, 1.0]
    """
    x, weights = (np.asarray(part, dtype=np.float64) @ np.array([1, 1j]) for part in (points, inner))
    second = np.array(outer, dtype=np.float64)
    around = np.argsort(np.angle(x))
    _descend(x[around], labels[around], weights, second, steps, rate)
    return np.stack([weights.real, weights.imag], axis=1), second
