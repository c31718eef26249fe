"""A counter-based generator (Threefry 2x64, 20 rounds): the number at (seed, trajectory, step, slot) is a function.

Whatever the order, the batching, or the machine, the same place has the same number.
"""

from __future__ import annotations

from math import cos, log, pi, sqrt

import numpy as np
from numba import njit, uint64

OPTIONS = {"cache": True, "error_model": "numpy"}
ROTATIONS = (16, 42, 12, 31, 16, 32, 24, 21)
PARITY = np.uint64(0x1BD11BDAA9FC1A22)


@njit(**OPTIONS)
def _rotate(word: int, by: int) -> int:
    return (word << uint64(by)) | (word >> uint64(64 - by))


@njit(**OPTIONS)
def threefry(key0: int, key1: int, counter0: int, counter1: int) -> tuple[int, int]:
    """Two random 64-bit words.

    >>> tuple(hex(w) for w in threefry(0, 0, 0, 0))
    ('0xc2b6e3a8c2c69865', '0x6f81ed42f350084d')
    """
    k0, k1 = uint64(key0), uint64(key1)
    k2 = PARITY ^ k0 ^ k1
    x0, x1 = uint64(counter0) + k0, uint64(counter1) + k1
    for group in range(5):
        for j in range(4):
            x0 = x0 + x1
            x1 = _rotate(x1, ROTATIONS[(4 * group + j) % 8]) ^ x0
        first = group + 1
        x0 = x0 + (k0 if first % 3 == 0 else k1 if first % 3 == 1 else k2)
        second = first + 1
        x1 = x1 + (k0 if second % 3 == 0 else k1 if second % 3 == 1 else k2) + uint64(first)
    return x0, x1


@njit(**OPTIONS)
def uniform(seed: int, trajectory: int, step: int, slot: int) -> float:
    """A number in (0, 1), never 0 or 1."""
    word, _ = threefry(seed, trajectory, step, slot)
    return (float(word >> uint64(12)) + 0.5) * 2.0**-52


@njit(**OPTIONS)
def normal(seed: int, trajectory: int, step: int, slot: int) -> float:
    """A standard normal number."""
    first, second = threefry(seed, trajectory, step, slot)
    radius = sqrt(-2.0 * log((float(first >> uint64(12)) + 0.5) * 2.0**-52))
    return radius * cos(2.0 * pi * (float(second >> uint64(12)) + 0.5) * 2.0**-52)


@njit(**OPTIONS)
def index(seed: int, trajectory: int, step: int, slot: int, size: int) -> int:
    """A whole number from 0 to size - 1, as for drawing one sample of a data set."""
    return int(uniform(seed, trajectory, step, slot) * size)
