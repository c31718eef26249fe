"""With high probability, decided: exact binomial tails, Bernstein's and Chebyshev's inequality, balls for the rest.

The bounds of Lemmas C.1 and C.2 contain logarithms and roots; they are enclosed in balls of 200 bits, and every
comparison must be certain. Probabilities are then sums of rationals or consequences of a named inequality.
"""

from __future__ import annotations

from math import comb
from typing import Any

from flint import arb, ctx, fmpq
from sympy import Expr, Rational

from theory.associative_memory._paper import ALPHA, N, T
from theory.associative_memory.gradients import Data
from theory.associative_memory.printed_table import CASES, Case

BITS = 200


def _ball(number: Expr) -> arb:
    value = Rational(number)
    return arb(fmpq(int(value.p), int(value.q)))


def printed_bound(variance: Expr, reach: Expr, logarithm: arb, samples: int) -> arb:
    """sqrt(4 variance L / m) + 4 reach L / m."""
    return (4 * _ball(variance) * logarithm / samples).sqrt() + 4 * _ball(reach) * logarithm / samples


def _outside(chance: Rational, samples: int, centre: Expr, radius: arb) -> tuple[Rational, Rational]:
    """Lower and upper bounds of P(|X/m - centre| > radius) for a binomial X, from certain comparisons."""
    surely, perhaps = Rational(0), Rational(0)
    p, q = int(chance.p), int(chance.q)
    numerators = {}
    for count in range(samples + 1):
        distance = abs(_ball(Rational(count, samples) - centre))
        if distance < radius:
            continue
        numerators[count] = (comb(samples, count) * p**count * (q - p) ** (samples - count), distance > radius)
    scale = q**samples
    perhaps = Rational(sum(weight for weight, _ in numerators.values()), scale)
    surely = Rational(sum(weight for weight, certain in numerators.values() if certain), scale)
    return surely, perhaps


def feed_forward_holds(vocabulary: int, noise: Rational, delta: Rational, m: int, *, printed: bool) -> dict[str, Any]:
    """Lemma C.1 at given sizes: 1 when the union of the exact tails is at most delta, 0 when one alone exceeds it.

    With `printed` the mean of the noise entry is -alpha, as in the lemma; otherwise the exact 1/(N+1) - alpha.
    """
    with ctx.workprec(BITS):
        logarithm = _ball(Rational(vocabulary + 1)).log() + _ball(2 / delta).log()
        shift = Rational(1, vocabulary + 1) if printed else Rational(0)
        radius = printed_bound(noise * (1 - noise), max(noise, 1 - noise), logarithm, m)
        low, high = _outside(noise, m, noise + shift, radius)
        chance = (1 - noise) / vocabulary
        ordinary = _outside(chance, m, chance, printed_bound(chance, Rational(1), logarithm, m))[1]
    union = high + vocabulary * ordinary
    told = {"coverage": f"N = {vocabulary}, alpha = {noise}, delta = {delta}, exact binomial tails"}
    if low > delta:
        return {"holds": 0, "counterexample": {"probability of failure at least": _short(low)}, **told}
    if union <= delta:
        return {"holds": 1, **told}
    return {"missing": "the exact tails neither exceed delta alone nor sum up to less"}


def _short(number: Rational) -> str:
    return str(Rational(int(number * 10**6), 10**6))


def attention_holds(data: Data, delta: Rational, m: int, *, printed: bool) -> dict[str, Any]:
    """Lemma C.2 at given sizes, by Bernstein's inequality with exact variances, or refuted by Chebyshev's.

    With `printed` the means are the table's leading orders; otherwise the exact ones.
    """
    n = data.vocabulary
    failure, told = Rational(0), {"coverage": f"N = {n}, T = {data.length}, alpha = {data.noise}, delta = {delta}"}
    with ctx.workprec(BITS):
        logarithm = 2 * _ball(n + 1).log() + _ball(2 / delta).log()
        total = arb(0)
        for number, case in enumerate(CASES, start=1):
            exact, variance = data.entry(case.row, case.column), data.variance(case.row, case.column)
            bias = abs(exact - _at(case.mean, data)) if printed else Rational(0)
            radius = printed_bound(_at(case.variance, data), case.reach, logarithm, m)
            slack = _ball(bias) - radius
            if slack > 0 and _ball(variance) / (m * slack**2) < _ball(1 - delta):
                failure = 1 - delta
                shown = {"row": number, "printed mean": str(_at(case.mean, data)), "exact mean": str(exact)}
                return {"holds": 0, "counterexample": shown, **told}
            room = -slack
            if not room > 0:
                return {"missing": f"row {number}: the deviation is too close to the bound at m = {m}"}
            exponent = m * room**2 / (2 * (_ball(variance) + room / 3))
            total += 2 * (-exponent).exp() * _multiplicity(case, int(n))
        if total < _ball(delta):
            return {"holds": 1, **told}
    return {"missing": f"Bernstein's inequality gives no answer at m = {m}, failure {failure}"}


def _at(value: Expr, data: Data) -> Rational:
    return Rational(value.subs({ALPHA: data.noise, N: data.vocabulary, T: data.length}))


def _multiplicity(case: Case, n: int) -> int:
    rows = n - 1 if case.row == "j" else 1
    columns = {"k": n - 2 if case.row == "j" else n - 1}.get(case.column, 1)
    return rows * columns
