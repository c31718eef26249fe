"""Admissible instances of Appendix D, by construction, and ball arithmetic to decide that they are admissible.

The hypotheses are linear in logarithms: with x = log P and l = log(1 / (P beta omega)), (D.9) bounds l from below and
(D.10) then bounds x from below. The numbers that come out are as small as 10^-80, and exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from theory.errors import LemmascopeError

if TYPE_CHECKING:
    from flint import arb

Numbers = tuple[Fraction, ...]

ASSUMPTIONS = ("d.1", "d.2", "d.3", "d.4", "d.5")


@dataclass(frozen=True)
class Instance:
    """The numbers of one instance; `start` is W(0) in units of omega."""

    signals: Numbers
    start: tuple[Numbers, ...]
    beta: Fraction
    boundary: Fraction
    decades: int
    K: Fraction = Fraction(20)
    kappa: Fraction = Fraction(111, 100)
    C: Fraction = Fraction(90)

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.signals)

    @property
    def alpha(self) -> Fraction:
        """The smallest signal."""
        return min(self.signals)

    @property
    def gamma(self) -> Fraction:
        """The ratio of the largest signal to the smallest."""
        return max(self.signals) / self.alpha

    @property
    def P(self) -> Fraction:
        """The width of the initial phase."""
        return Fraction(10) ** self.decades

    @property
    def omega(self) -> Fraction:
        """The size of the start; `boundary` is P beta omega, where the initial phase ends."""
        return self.boundary / (self.P * self.beta)

    @property
    def eta(self) -> Fraction:
        """The largest admissible step."""
        return 1 / (9 * self.K * self.gamma * self.alpha)

    def told(self) -> dict[str, str]:
        """The instance in words that can be read back."""
        rows = "; ".join(" ".join(map(str, row)) for row in self.start)
        return {
            "a": ", ".join(map(str, self.signals)),
            "W(0) / omega": rows,
            "beta": str(self.beta),
            "P": f"10^{self.decades}",
            "P beta omega": str(self.boundary),
            "K": str(self.K),
            "kappa": str(self.kappa),
            "C": str(self.C),
            "eta": str(self.eta),
        }


@contextmanager
def bits(number: int) -> Iterator[None]:
    """Ball arithmetic with so many bits inside the block."""
    from flint import ctx

    before = ctx.prec
    ctx.prec = number
    try:
        yield
    finally:
        ctx.prec = before


def exact_ball(value: Fraction) -> arb:
    """The rational as a ball.

    >>> exact_ball(Fraction(1, 4)) * 4 == 1
    True
    """
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator))


def admissible(instance: Instance) -> dict[str, bool]:
    """Which of the five assumptions hold, positive semidefiniteness of the start included; certain in both directions.

    >>> all(admissible(named("pair")).values())
    True
    """
    i, rows = instance, instance.start
    d = i.dimension
    entries = [abs(entry) for row in rows for entry in row]
    symmetric = all(rows[j][k] == rows[k][j] for j in range(d) for k in range(d))
    ordered = [(i.signals[k], i.signals[j]) for k in range(d) for j in range(k)]
    return {
        "semidefinite": symmetric and _semidefinite(rows),
        "d.1": i.gamma > 1 and i.beta > 1 and min(entries) >= 1 and max(entries) <= i.beta,
        "d.2": i.K >= 20 and i.eta * 9 * i.K * i.gamma * i.alpha <= 1,
        "d.3": 5 * i.boundary <= 2,
        "d.4": _small_start(i),
        "d.5": i.C > 1 and all(a - 3 * b >= i.alpha / i.C for a, b in ordered) and _distinct(i),
    }


def _small_start(i: Instance) -> bool:
    """(D.9) in the form P K gamma d beta^2 omega = boundary K gamma d beta <= min(kappa - 1, 1 - kappa^(-1/2))."""
    size = i.boundary * i.K * i.gamma * i.dimension * i.beta
    root = size < 1 and (1 - size) ** 2 * i.kappa >= 1
    second = 2 * i.beta * i.omega**2 <= 1
    return bool(
        i.kappa * 10 > 11 and i.kappa <= 1 + i.K / (2 * i.C) and i.P >= 2 and size <= i.kappa - 1 and root and second
    )


def _distinct(i: Instance) -> bool:
    """(D.10) for every pair."""
    with bits(192):
        x, outside = exact_ball(i.P).log(), -exact_ball(i.boundary).log()
        bound = x / (10 * exact_ball(i.kappa) ** 2 * outside + x + exact_ball(i.beta).log())
        worst = max((i.signals[k] + i.signals[j]) / (2 * i.signals[k]) for k in range(i.dimension) for j in range(k))
        margin = bound - exact_ball(worst)
        if margin > 0:
            return True
        if margin < 0:
            return False
    raise LemmascopeError("(D.10) holds with equality as far as 192 bits can tell: move the instance a little")


def _semidefinite(rows: tuple[Numbers, ...]) -> bool:
    """Exact elimination without pivoting: a zero pivot of a semidefinite matrix has a zero row."""
    matrix = [list(row) for row in rows]
    for k in range(len(matrix)):
        pivot = matrix[k][k]
        if pivot < 0 or (pivot == 0 and any(matrix[k][k:])):
            return False
        if pivot == 0:
            continue
        for r in range(k + 1, len(matrix)):
            factor = matrix[r][k] / pivot
            matrix[r] = [left - factor * right for left, right in zip(matrix[r], matrix[k], strict=True)]
    return True


def _rows(*rows: tuple[int | str, ...]) -> tuple[Numbers, ...]:
    return tuple(tuple(Fraction(entry) for entry in row) for row in rows)


_PAIR = {"signals": (Fraction(1), Fraction(4)), "beta": Fraction(2), "boundary": Fraction(1, 6400), "decades": 79}
_TRIPLE = {
    "signals": (Fraction(1), Fraction(19, 6), Fraction(10)),
    "beta": Fraction(3),
    "boundary": Fraction(1, 40_000),
    "decades": 112,
}

INSTANCES: dict[str, Instance] = {
    "pair": Instance(start=_rows((2, 1), (1, 2)), **_PAIR),  # type: ignore[arg-type]
    "pair, opposite signs": Instance(start=_rows((2, -1), (-1, 2)), **_PAIR),  # type: ignore[arg-type]
    "pair, rank one": Instance(start=_rows((1, 1), (1, 1)), **_PAIR),  # type: ignore[arg-type]
    "pair, nearly singular": Instance(start=_rows((2, "19/10"), ("19/10", 2)), **_PAIR),  # type: ignore[arg-type]
    "triple": Instance(start=_rows((2, 1, 1), (1, 2, 1), (1, 1, 2)), **_TRIPLE),  # type: ignore[arg-type]
    "triple, mixed signs": Instance(start=_rows((3, 1, 1), (1, 3, -1), (1, -1, 3)), **_TRIPLE),  # type: ignore[arg-type]
    "triple, rank one": Instance(start=_rows((1, 1, 1), (1, 1, 1), (1, 1, 1)), **_TRIPLE),  # type: ignore[arg-type]
}


def named(name: str) -> Instance:
    """The instance of a name."""
    if name not in INSTANCES:
        raise LemmascopeError(f"no instance is called {name}: choose one of {', '.join(INSTANCES)}")
    return INSTANCES[name]
