"""Independent routes for the tests: forward recursions with the whole transition matrix, in rational arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest


def transition(vocabulary: int, noise: Fraction, target: int) -> list[list[Fraction]]:
    """Token 0 is the trigger, token N the noise."""
    size = vocabulary + 1
    uniform = [Fraction(1, vocabulary)] * vocabulary + [Fraction(0)]
    rows = [list(uniform) for _ in range(size)]
    rows[0] = [Fraction(0)] * size
    rows[0][target] += 1 - noise
    rows[0][vocabulary] += noise
    return rows


def recursion(vocabulary: int, length: int, noise: Fraction, target: int) -> dict[str, Any]:
    """Moments of the counts of a context that ends in the trigger, by running the chain forward.

    `joint[a][b]` is E[N_t(a) 1{z_t = b}], where N_t counts a among the first t tokens.
    """
    size = vocabulary + 1
    step = transition(vocabulary, noise, target)
    law = [Fraction(1, vocabulary)] * vocabulary + [Fraction(0)]
    joint = [[law[b] if a == b else Fraction(0) for b in range(size)] for a in range(size)]
    mean = list(law)
    square = [[law[a] if a == b else Fraction(0) for b in range(size)] for a in range(size)]
    pairs = [[Fraction(0)] * size for _ in range(size)]
    for t in range(2, length + 1):
        last = t == length
        rows = [[Fraction(int(b == 0)) for b in range(size)]] * size if last else step
        for a in range(size):
            for b in range(size):
                pairs[a][b] += law[a] * rows[a][b]
        if last:
            before = {"mean": list(mean), "square": [list(row) for row in square]}
        law = [sum((law[a] * rows[a][b] for a in range(size)), Fraction(0)) for b in range(size)]
        moved = [
            [sum((joint[a][s] * rows[s][b] for s in range(size)), Fraction(0)) for b in range(size)]
            for a in range(size)
        ]
        if last:
            mixed = [[square[a][b] + moved[a][b] for b in range(size)] for a in range(size)]
        for a in range(size):
            mean[a] += law[a]
            for b in range(size):
                square[a][b] += moved[a][b] + moved[b][a] + (law[a] if a == b else 0)
        joint = [[moved[a][b] + (law[b] if a == b else 0) for b in range(size)] for a in range(size)]
    return {"mean": mean, "square": square, "pairs": pairs, "before": before, "mixed": mixed}


def query_key(
    vocabulary: int, length: int, noise: Fraction, now: list[list[Fraction]], before: list[list[Fraction]], token: int
) -> Fraction:
    """The projection of minus the query-key gradient on a current token, when noise is predicted at its rate."""
    total = Fraction(0)
    for target in range(vocabulary):
        found = recursion(vocabulary, length, noise, target)
        for row in range(vocabulary):
            weight = (1 - noise) * (int(row == target) - Fraction(1, vocabulary))
            for a in range(vocabulary + 1):
                same = (found["mean"][token] if a == token else 0) - found["square"][a][token] / length
                shifted = found["pairs"][a][token] - found["mixed"][a][token] / length
                total += weight * (now[row][a] * same + before[row][a] * shifted)
    return total / vocabulary / length


@pytest.fixture(scope="session", name="recursion")
def recursion_fixture() -> Callable[..., dict[str, Any]]:
    """The forward recursion, for tests that compare with it."""
    return recursion


@pytest.fixture(scope="session", name="query_key")
def query_key_fixture() -> Callable[..., Fraction]:
    """The query-key gradient by forward recursion."""
    return query_key
