"""The same numbers by other routes: forward recursions with the whole transition matrix, bounds in whole numbers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

from theory.associative_memory.printed_table import CASES
from theory.enumerators import recount
from theory.fixed_point import Scale, minus, plus, size

SCALE = Scale(128)


def transition(vocabulary: int, noise: Fraction, target: int) -> list[list[Fraction]]:
    """Token 0 is the trigger, token N the noise."""
    size = vocabulary + 1
    uniform = [Fraction(1, vocabulary)] * vocabulary + [Fraction(0)]
    rows = [list(uniform) for _ in range(size)]
    rows[0] = [Fraction(0)] * size
    rows[0][target] += 1 - noise
    rows[0][vocabulary] += noise
    return rows


@cache
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


def projected(
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


@recount("associative_memory.query_key")
def query_key(N: int, T: int, noise: str, rho: str, matrix: str) -> dict[str, Any]:
    """The three projections on current tokens; tokens are 0 for the trigger, 1.. for the ordinary ones, N for noise."""
    level, ratio = Fraction(noise), Fraction(rho)
    if matrix == "idealised":
        now = [[Fraction(int(row == column)) for column in range(N + 1)] for row in range(N)]
        before = [[ratio * entry for entry in row] for row in now]
    else:
        now, before = _trained(N, T, level, ratio)
    tokens = {"now_trigger": 0, "now_token": 1, "now_noise": N}
    return {name: projected(N, T, level, now, before, token) for name, token in tokens.items()}


def _trained(N: int, T: int, level: Fraction, ratio: Fraction) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """The value matrix that phases 1 and 2 make: weighted means of the counts, target by target."""
    now = [[Fraction(0)] * (N + 1) for _ in range(N)]
    before = [[Fraction(0)] * (N + 1) for _ in range(N)]
    for target in range(N):
        found = recursion(N, T, level, target)
        for row in range(N):
            hit = 1 - level if row == target else Fraction(0)
            weight = hit - Fraction(1, N + 1) + ratio * (hit - (1 - level) / N)
            for column in range(N + 1):
                now[row][column] += weight * found["mean"][column] / (N * T)
                before[row][column] += weight * found["before"]["mean"][column] / (N * T)
    return now, before


def _place(token: str, vocabulary: int) -> int:
    return {"trigger": 0, "j": 1, "k": 2, "noise": vocabulary}[token]


def moment(row: str, column: str, vocabulary: int, length: int, noise: Fraction, power: int) -> Fraction:
    """The mean of the gradient entry of one sample, or of its square, target by target."""
    j, k = _place(row, vocabulary), _place(column, vocabulary)
    total = Fraction(0)
    for target in range(vocabulary):
        # All targets but the trigger are alike: their chain is that of target 1 with two tokens renamed.
        found = recursion(vocabulary, length, noise, min(target, 1))
        at = {target: 1, 1: target}.get(k, k) if target else k
        count = found["mean"][at] if power == 1 else found["square"][at][at]
        hit = noise if j == vocabulary else 1 - noise if j == target else Fraction(0)
        guess = Fraction(1, vocabulary + 1)
        total += (hit * (guess - 1) ** power + (1 - hit) * guess**power) * count
    return total / vocabulary / length**power


@recount("associative_memory.reach")
def reach(row: str, column: str, vocabulary: int, noise: str, T: int) -> dict[str, Any]:
    """The longest runs in closed form: noise never opens and never follows itself, nor does the trigger."""
    mean, guess = moment(row, column, vocabulary, T, Fraction(noise), 1), Fraction(1, vocabulary + 1)
    worst = Fraction(0)
    for target in ("trigger", "j", "k", "another"):
        most = {"noise": (T - 1) // 2, "trigger": T if target == "trigger" else T // 2 + 1}.get(column, T - 1)
        for label in (target, "noise"):
            value = (guess - int(label == row)) * Fraction(most, T)
            worst = max(worst, abs(value - mean), abs(mean))
    return {"reach": worst}


def _radius(variance: Fraction, reach: Fraction, logarithm: tuple[int, int], m: int) -> tuple[int, int]:
    """sqrt(4 variance L / m) + 4 reach L / m."""
    return plus(SCALE.sqrt(SCALE.scaled(logarithm, 4 * variance / m)), SCALE.scaled(logarithm, 4 * reach / m))


@recount("associative_memory.feed_forward_bound")
def feed_forward_bound(vocabulary: int, noise: str, delta: str, mean: str, m: int) -> dict[str, Any]:
    """Only violations: the chance that the noise entry alone is certainly outside, summed in whole numbers."""
    level = Fraction(noise)
    logarithm = plus(SCALE.log(Fraction(vocabulary + 1)), SCALE.log(2 / Fraction(delta)))
    radius = _radius(level * (1 - level), max(level, 1 - level), logarithm, m)
    centre = level + (Fraction(1, vocabulary + 1) if mean == "printed" else 0)
    outside = [k for k in range(m + 1) if SCALE.below(radius, size(SCALE.of(Fraction(k, m) - centre)))]
    p, q = level.numerator, level.denominator
    chance = Fraction(sum(comb(m, k) * p**k * (q - p) ** (m - k) for k in outside), q**m)
    return {"holds": 0} if chance > Fraction(delta) else {}


@recount("associative_memory.attention_bound")
def attention_bound(vocabulary: int, length: int, noise: str, delta: str, mean: str, m: int) -> dict[str, Any]:
    """Only violations: some entry's mean is so far off that Chebyshev's inequality leaves at most 1 - delta."""
    level, allowed = Fraction(noise), 1 - Fraction(delta)
    logarithm = plus(SCALE.scaled(SCALE.log(Fraction(vocabulary + 1)), Fraction(2)), SCALE.log(2 / Fraction(delta)))
    at = {"alpha": level, "N": vocabulary, "T": length}
    for case in CASES if mean == "printed" else ():
        exact = moment(case.row, case.column, vocabulary, length, level, 1)
        variance = moment(case.row, case.column, vocabulary, length, level, 2) - exact**2
        printed, spread, most = (
            Fraction(*value.subs(at).as_numer_denom()) for value in (case.mean, case.variance, case.reach)
        )
        slack = minus(SCALE.of(abs(exact - printed)), _radius(spread, most, logarithm, m))
        if SCALE.below((0, 0), slack) and SCALE.below(SCALE.of(variance / m / allowed), SCALE.times(slack, slack)):
            return {"holds": 0}
    return {}
