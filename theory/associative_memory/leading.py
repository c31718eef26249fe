"""Leading orders for large N with T = c N: Laurent series in e = 1/N whose coefficients are exact.

The closed forms of the chain are evaluated on series instead of symbols. Everything that is divided by there starts
with a monomial, so coefficients are Laurent polynomials in alpha, c and the other names: sums of rationals times
integer powers. The powers r**T of the eigenvalues are smaller than every power of e, so they are 0 here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from flint import fmpq
from sympy import Add, Expr, Mul, Rational, Symbol

from theory.associative_memory._paper import ALPHA, C
from theory.associative_memory.gradients import Data
from theory.errors import LemmascopeError

NAMES = (ALPHA, C, *(Symbol(name) for name in ("beta_1", "beta_2", "p", "x", "f")))
TERMS = 5

Monomial = tuple[int, ...]
Coefficient = dict[Monomial, fmpq]

CONSTANT: Monomial = (0,) * len(NAMES)


def _sum(parts: Iterable[Coefficient]) -> Coefficient:
    total: Coefficient = {}
    for part in parts:
        for monomial, number in part.items():
            total[monomial] = total.get(monomial, fmpq(0)) + number
    return {monomial: number for monomial, number in total.items() if number}


def _times(left: Coefficient, right: Coefficient) -> Coefficient:
    return _sum(
        {tuple(i + j for i, j in zip(one, two, strict=True)): a * b}
        for one, a in left.items()
        for two, b in right.items()
    )


def _scaled(value: Coefficient, factor: int) -> Coefficient:
    return {monomial: factor * number for monomial, number in value.items()}


def _expression(value: Coefficient) -> Expr:
    terms = [
        Mul(Rational(int(number.p), int(number.q)), *[s**k for s, k in zip(NAMES, monomial, strict=True)])
        for monomial, number in sorted(value.items())
    ]
    return Add(*terms)


@dataclass(frozen=True, eq=False)
class Laurent:
    """sum of coefficients[i] e**(start + i), known up to the last coefficient that is kept."""

    start: int
    coefficients: tuple[Coefficient, ...]

    @classmethod
    def of(cls, value: Any) -> Laurent:
        """A number, a symbol of NAMES, or a series, as a series.

        >>> (1 / (Laurent.of(1) + SMALL)).coefficient(3)
        -1
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, Symbol):
            place = NAMES.index(value)
            lead = {tuple(int(k == place) for k in range(len(NAMES))): fmpq(1)}
        else:
            number = Rational(value)
            lead = _sum([{CONSTANT: fmpq(int(number.p), int(number.q))}])
        return cls(0, (lead, *[{} for _ in range(2 * TERMS)]))

    @property
    def end(self) -> int:
        """The first order that is not known."""
        return self.start + len(self.coefficients)

    def kept(self, order: int) -> Coefficient:
        """The coefficient of one order as it is stored, empty outside the kept range."""
        inside = 0 <= order - self.start < len(self.coefficients)
        return self.coefficients[order - self.start] if inside else {}

    def trimmed(self) -> Laurent:
        """Without leading zeros, and with no more terms than are needed."""
        lead = next((i for i, value in enumerate(self.coefficients) if value), 0)
        return Laurent(self.start + lead, self.coefficients[lead : lead + TERMS])

    def __add__(self, other: Any) -> Laurent:
        right = Laurent.of(other)
        start, end = min(self.start, right.start), min(self.end, right.end)
        return Laurent(start, tuple(_sum([self.kept(k), right.kept(k)]) for k in range(start, end)))

    __radd__ = __add__

    def __neg__(self) -> Laurent:
        return Laurent(self.start, tuple(_scaled(value, -1) for value in self.coefficients))

    def __sub__(self, other: Any) -> Laurent:
        return self + (-Laurent.of(other))

    def __rsub__(self, other: Any) -> Laurent:
        return Laurent.of(other) + (-self)

    def __mul__(self, other: Any) -> Laurent:
        left, right = self.trimmed(), Laurent.of(other).trimmed()
        size = min(len(left.coefficients), len(right.coefficients))
        terms = [
            _sum(_times(left.coefficients[i], right.coefficients[k - i]) for i in range(k + 1)) for k in range(size)
        ]
        return Laurent(left.start + right.start, tuple(terms))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Laurent:
        return self * Laurent.of(other).inverse()

    def __rtruediv__(self, other: Any) -> Laurent:
        return Laurent.of(other) * self.inverse()

    def __pow__(self, power: int) -> Laurent:
        result = Laurent.of(1)
        for _ in range(power):
            result = result * self
        return result

    def inverse(self) -> Laurent:
        """1 over the series, whose leading coefficient must be a monomial."""
        base = self.trimmed()
        if len(base.coefficients[0]) != 1:
            raise LemmascopeError("only a series that starts with a monomial can be inverted here")
        ((monomial, number),) = base.coefficients[0].items()
        unit = {tuple(-k for k in monomial): 1 / number}
        found = [unit]
        for k in range(1, len(base.coefficients)):
            known = _sum(_times(base.coefficients[i], found[k - i]) for i in range(1, k + 1))
            found.append(_scaled(_times(known, unit), -1))
        return Laurent(-base.start, tuple(found))

    @property
    def leading(self) -> tuple[int, Expr]:
        """The order in e and the coefficient of the first term that is not zero.

        >>> (SMALL**2 * 3).leading
        (2, 3)
        """
        first = self.trimmed()
        if not first.coefficients or not first.coefficients[0]:
            raise LemmascopeError("the series is zero as far as it is known: keep more terms")
        return first.start, _expression(first.coefficients[0])

    def coefficient(self, order: int) -> Expr:
        """The coefficient of one order, zero or not.

        >>> SMALL.coefficient(0)
        0
        """
        if order >= self.end:
            raise LemmascopeError(f"order {order} is not known: keep more terms")
        return _expression(self.kept(order))


SMALL = Laurent(1, ({CONSTANT: fmpq(1)}, *[{} for _ in range(2 * TERMS)]))
"""e = 1/N."""

NOTHING = Laurent.of(0)


@cache
def large_data(*, forced: bool = True, long: bool = False) -> Data:
    """The law of the data for large N: T = c N, or T = N**2 when `long`.

    >>> large_data().entry("noise", "k").leading
    (1, -alpha)
    """
    length = 1 / SMALL**2 if long else Laurent.of(C) / SMALL
    return replace(
        Data(forced=forced),
        length=length,
        vocabulary=1 / SMALL,
        noise=Laurent.of(ALPHA),
        powers=(NOTHING, NOTHING),
    )
