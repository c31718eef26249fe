"""The same procedures by another route: matrices instead of entries, whole numbers instead of balls, powers, not logs.

The printed map is W - eta (H W + W H), and gradient descent on U the congruence (1 - eta H) W (1 - eta H), both with
H = (W A + A W) / 2 - A; the runs of the figures are iterated in U itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import ceil
from typing import Any

from theory.enumerators import recount
from theory.fixed_point import (
    Ball,
    Matrix,
    Scale,
    difference,
    minus,
    plus,
    size,
    total,
    transposed,
)
from theory.swing_by.instances import Instance, named

BEYOND = 1 << 400
"""A run is over when an entry is larger: the claims about it are decided long before."""

FINE = 1000
"""(D.10) is raised to this power, so that rounding its exponents up costs little."""

Claim = Callable[[int, Matrix], bool]
"""Called at every time in turn: whether the claim is certainly violated."""


def scaled_pull(scale: Scale, signals: tuple[Fraction, ...], eta: Fraction) -> Callable[[Matrix], Matrix]:
    """W to eta H = eta (W A + A W) / 2 - eta A."""
    rates = [[eta * (a + b) / 2 for b in signals] for a in signals]
    ends = [[scale.of(eta * a) if i == j else (0, 0) for j in range(len(signals))] for i, a in enumerate(signals)]
    return lambda W: [
        [minus(scale.scaled(x, rate), end) for x, rate, end in zip(row, rate_row, end_row, strict=True)]
        for row, rate_row, end_row in zip(W, rates, ends, strict=True)
    ]


def states(scale: Scale, instance: Instance, dynamics: str, steps: int) -> Iterator[Matrix]:
    """W at times 0..steps."""
    pull = scaled_pull(scale, instance.signals, instance.eta)
    W = [[scale.of(entry * instance.omega) for entry in row] for row in instance.start]
    yield W
    for _ in range(steps):
        H = pull(W)
        half = scale.product(H, W)
        if dynamics == "printed":
            W = difference(difference(W, half), transposed(half))
        else:
            left = difference(W, half)
            W = difference(left, scale.product(left, H))
        yield W
        if any(abs(mid) >> scale.bits > BEYOND for row in W for mid, _ in row):
            return


def noise(i: Instance, scale: Scale) -> Claim:
    """Corollary D.1."""
    bound = scale.of(2 * i.P * i.gamma * i.alpha * i.dimension * (i.beta * i.omega) ** 2)
    a, every = i.signals, range(i.dimension)

    def violated(_t: int, W: Matrix) -> bool:
        for j in every:
            for k in every:
                others = [
                    scale.scaled(scale.times(W[m][j], W[m][k]), (a[j] + a[k]) / 2 + a[m])
                    for m in every
                    if m not in (j, k)
                ]
                if scale.below(bound, size(total(others))):
                    return True
        return False

    return violated


def upper_growth(i: Instance, scale: Scale) -> Claim:
    """Lemma D.1."""
    rates = [[scale.exp(i.eta * i.kappa * (a + b)) for b in i.signals] for a in i.signals]
    bounds: Matrix = []

    def violated(t: int, W: Matrix) -> bool:
        nonlocal bounds
        bounds = _grown(scale, bounds, rates) if t else [[size(entry) for entry in row] for row in W]
        return any(
            scale.below(bound, size(entry))
            for limits, row in zip(bounds, W, strict=True) for bound, entry in zip(limits, row, strict=True)
        )  # fmt: skip

    return violated


def _grown(scale: Scale, bounds: Matrix, rates: Matrix) -> Matrix:
    return [[scale.times(x, y) for x, y in zip(one, two, strict=True)] for one, two in zip(bounds, rates, strict=True)]


def diagonal_growth(i: Instance, scale: Scale) -> Claim:
    """Lemma D.3; t is at most T_1^(i) as long as w_ii(0) exp(2 eta t a_i kappa) is at most P beta omega."""
    edge = scale.of(i.boundary)
    slow = [scale.exp(2 * i.eta * a / i.kappa) for a in i.signals]
    fast = [scale.exp(2 * i.eta * a * i.kappa) for a in i.signals]
    low: list[Ball] = []
    high: list[Ball] = []

    def violated(t: int, W: Matrix) -> bool:
        for k in range(i.dimension):
            if t == 0:
                low.append(W[k][k])
                high.append(W[k][k])
                continue
            low[k], high[k] = scale.times(low[k], slow[k]), scale.times(high[k], fast[k])
            outside = scale.below(W[k][k], low[k]) or scale.below(edge, W[k][k])
            if scale.below(high[k], edge) and outside:
                return True
        return False

    return violated


def diagonal_bound(i: Instance, scale: Scale) -> Claim:
    """Lemma D.5."""
    top = scale.of(1 + 2 / i.K)
    return lambda _t, W: any(scale.below(W[k][k], (0, 0)) or scale.below(top, W[k][k]) for k in range(i.dimension))


def diagonal_step(i: Instance, scale: Scale) -> Claim:
    """Corollary D.2."""
    bound = scale.of(1 / i.K)
    before: list[Ball] = []

    def violated(_t: int, W: Matrix) -> bool:
        now = [W[k][k] for k in range(i.dimension)]
        moved = [size(minus(x, y)) for x, y in zip(now, before, strict=False)]
        before[:] = now
        return any(scale.below(bound, step) for step in moved)

    return violated


def stays_learned(i: Instance, scale: Scale) -> Claim:
    """Lemma D.6."""
    level = scale.of(1 - 2 / i.K)
    learned: set[int] = set()

    def violated(_t: int, W: Matrix) -> bool:
        fallen = any(scale.below(W[k][k], level) for k in learned)
        learned.update(k for k in range(i.dimension) if scale.below(level, W[k][k]))
        return fallen

    return violated


def suppressed(i: Instance, scale: Scale) -> Claim:
    """Lemma D.7: the least earlier max(|w_ij|, omega) since w_ii was above 0.8 is exceeded."""
    level, omega = scale.of(Fraction(4, 5)), scale.of(i.omega)
    least: dict[tuple[int, int], Ball] = {}

    def violated(_t: int, W: Matrix) -> bool:
        for strong in range(i.dimension):
            for weak in range(strong):
                entry, pair = size(W[strong][weak]), (strong, weak)
                if pair in least and scale.below(least[pair], entry):
                    return True
                if pair in least or scale.below(level, W[strong][strong]):
                    largest = omega if scale.below(entry, omega) else entry
                    least[pair] = min(least.get(pair, largest), largest, key=sum)
        return False

    return violated


def in_phase(i: Instance, scale: Scale) -> Claim:
    """Lemma D.8."""
    edge, pairs = scale.of(i.boundary), list(combinations(range(i.dimension), 2))
    return lambda _t, W: any(scale.below(edge, size(W[j][k])) for j, k in pairs)


CLAIMS: dict[str, Callable[[Instance, Scale], Claim]] = {
    "corollary-d.1": noise,
    "lemma-d.1": upper_growth,
    "lemma-d.3": diagonal_growth,
    "lemma-d.5": diagonal_bound,
    "corollary-d.2": diagonal_step,
    "lemma-d.6": stays_learned,
    "lemma-d.7": suppressed,
    "lemma-d.8": in_phase,
}
"""Those that some run violates; the others leave no certificate."""


@recount("swing_by.run")
def run(claim: str, instances: list[str], dynamics: str = "printed", steps: int = 80_000) -> dict[str, Any]:
    """How many instances certainly violate the claim."""
    if claim not in CLAIMS:
        return {}
    return {"violations": sum(claim in _violated(name, dynamics, steps) for name in instances)}


@cache
def _violated(name: str, dynamics: str, steps: int) -> frozenset[str]:
    """The claims that a run certainly violates: one pass for all, since several statements are about one run."""
    instance, scale = named(name), Scale(700 + steps // 28)
    asked = {claim: build(instance, scale) for claim, build in CLAIMS.items()}
    for t, W in enumerate(states(scale, instance, dynamics, steps)):
        asked = {claim: violated for claim, violated in asked.items() if not violated(t, W)}
    return frozenset(CLAIMS) - frozenset(asked)


@recount("swing_by.admissible")
def satisfied(instance: str) -> dict[str, Any]:
    """The five assumptions in whole numbers: (D.10) between powers, semidefiniteness by all principal minors."""
    i = named(instance)
    return {"all": all((_bounded(i), _small(i), _apart(i), _semidefinite(i.start)))}


def _bounded(i: Instance) -> bool:
    entries = [abs(entry) for row in i.start for entry in row]
    step = 9 * i.K * max(i.signals) * i.eta
    return i.beta > 1 and all(1 <= entry <= i.beta for entry in entries) and i.K >= 20 and step <= 1


def _small(i: Instance) -> bool:
    edge = i.P * i.omega * i.beta
    size_ = i.P * i.K * i.gamma * i.dimension * i.beta**2 * i.omega
    roots = size_ <= i.kappa - 1 and size_ < 1 and 1 / i.kappa <= (1 - size_) ** 2
    return edge <= Fraction(2, 5) and roots and 11 < 10 * i.kappa <= 10 + 5 * i.K / i.C and 2 * i.beta * i.omega**2 <= 1


def _apart(i: Instance) -> bool:
    """(D.10) as (1/edge)^(10 kappa^2 c) (P beta)^c <= P with c = (a_i + a_j) / (2 a_i), the exponents rounded up."""
    for strong in range(i.dimension):
        for weak in range(strong):
            a, b = i.signals[strong], i.signals[weak]
            share = (a + b) / (2 * a)
            left = (1 / i.boundary) ** ceil(FINE * 10 * i.kappa**2 * share) * (i.P * i.beta) ** ceil(FINE * share)
            if a - 3 * b < i.alpha / i.C or left > i.P**FINE:
                return False
    return i.C > 1


def _semidefinite(rows: tuple[tuple[Fraction, ...], ...]) -> bool:
    every = range(len(rows))
    chosen = [places for count in range(1, len(rows) + 1) for places in combinations(every, count)]
    return all(_determinant([[rows[j][k] for k in places] for j in places]) >= 0 for places in chosen)


def _determinant(rows: list[list[Fraction]]) -> Fraction:
    if not rows:
        return Fraction(1)
    first, rest = rows[0], rows[1:]
    return sum(
        ((-1) ** k * entry * _determinant([row[:k] + row[k + 1 :] for row in rest]) for k, entry in enumerate(first)),
        Fraction(0),
    )


@recount("swing_by.certified_descents")
def certified_descents(
    weights: list[list[str]], means: list[str], deviations: list[str], step: str, steps: int
) -> dict[str, Any]:
    """Falls of the test loss by more than a hundredth of its start, each after a rise by as much, along U itself."""
    mu, scale = [Fraction(value) for value in means], Scale(400 + steps // 2)
    signals = tuple(Fraction(s) ** 2 + m**2 / len(mu) for s, m in zip(deviations, mu, strict=True))
    pull = scaled_pull(scale, signals, Fraction(step))
    U = [[scale.of(Fraction(entry)) for entry in row] for row in weights]
    curve = []
    for _ in range(steps + 1):
        W = scale.product(U, transposed(U))
        rest = [
            minus(total([scale.scaled(x, m) for x, m in zip(row, mu, strict=True)]), scale.of(mu[k]))
            for k, row in enumerate(W)
        ]
        curve.append(scale.scaled(total([scale.times(x, x) for x in rest]), Fraction(1, 2)))
        U = difference(U, scale.product(pull(W), U))
    above = curve[-1][0] + curve[-1][1]
    return {"descents": _falls(curve, scale), "final_below": Fraction(-((-above * 1000) >> scale.bits), 1000)}


def _falls(curve: list[Ball], scale: Scale) -> int:
    least = scale.scaled(curve[0], Fraction(1, 100))
    falls, highest, lowest = 0, curve[0], curve[0]
    falling = False
    for value in curve:
        if falling:
            lowest = min(lowest, value)
            if scale.below(plus(lowest, least), value):
                falling, highest = False, value
        else:
            highest = max(highest, value)
            if scale.below(value, minus(highest, least)):
                falling, lowest, falls = True, value, falls + 1
    return falls
