"""Intervals in whole numbers: a midpoint and a radius in units of 2^-bits, rounded outwards; no library is trusted.

The radii of a long run grow exponentially, so the unit is chosen so small that they stay far below what is compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt

Ball = tuple[int, int]
Matrix = list[list[Ball]]


@dataclass(frozen=True)
class Scale:
    """Arithmetic in units of 2^-bits.

    >>> scale = Scale(64)
    >>> scale.below(scale.exp(Fraction(1, 2)), scale.of(Fraction(165, 100)))
    True
    """

    bits: int

    def of(self, value: Fraction) -> Ball:
        """A rational number."""
        return (value.numerator << self.bits) // value.denominator, 1

    def times(self, left: Ball, right: Ball) -> Ball:
        """The product."""
        (a, r), (b, s) = left, right
        return (a * b) >> self.bits, ((abs(a) * s + abs(b) * r + r * s) >> self.bits) + 2

    def scaled(self, ball: Ball, factor: Fraction) -> Ball:
        """A rational multiple."""
        p, q = factor.numerator, factor.denominator
        return ball[0] * p // q, ball[1] * abs(p) // q + 2

    def product(self, left: Matrix, right: Matrix) -> Matrix:
        """The product of two matrices."""
        columns = list(zip(*right, strict=True))
        return [
            [total([self.times(x, y) for x, y in zip(row, column, strict=True)]) for column in columns] for row in left
        ]

    def exp(self, value: Fraction) -> Ball:
        """The exponential of a rational between 0 and 1, from its series; the rest is below its last term."""
        term, found, k = self.of(Fraction(1)), self.of(Fraction(1)), 0
        while term[0] > 0:
            k += 1
            term = self.scaled(term, value / k)
            found = plus(found, term)
        return found[0], found[1] + term[1] + 2

    def log(self, value: Fraction) -> Ball:
        """The logarithm of a rational above 1, from the series of the inverse hyperbolic tangent.

        >>> scale = Scale(64)
        >>> scale.below(scale.log(Fraction(2)), scale.of(Fraction(70, 100)))
        True
        """
        z = (value - 1) / (value + 1)
        term, found, k = self.of(2 * z), self.of(2 * z), 1
        while term[0] > 1:
            term = self.scaled(term, z * z)
            k += 2
            found = plus(found, self.scaled(term, Fraction(1, k)))
        left_out = ceil(2 * term[0] / (1 - z * z)) + term[1]
        return found[0], found[1] + left_out + 2

    def sqrt(self, ball: Ball) -> Ball:
        """The square root of a number that is certainly positive."""
        low, high = (isqrt(max(0, ball[0] + sign * ball[1]) << self.bits) for sign in (-1, 1))
        return (low + high) // 2, (high - low) // 2 + 2

    def below(self, left: Ball, right: Ball) -> bool:
        """Whether left is certainly smaller than right."""
        return left[0] + left[1] < right[0] - right[1]


def plus(left: Ball, right: Ball) -> Ball:
    """The sum."""
    return left[0] + right[0], left[1] + right[1]


def minus(left: Ball, right: Ball) -> Ball:
    """The difference."""
    return left[0] - right[0], left[1] + right[1]


def total(parts: list[Ball]) -> Ball:
    """The sum of some."""
    return sum(mid for mid, _ in parts), sum(radius for _, radius in parts)


def size(ball: Ball) -> Ball:
    """The absolute value."""
    return abs(ball[0]), ball[1]


def difference(left: Matrix, right: Matrix) -> Matrix:
    """The difference of two matrices."""
    return [[minus(x, y) for x, y in zip(one, two, strict=True)] for one, two in zip(left, right, strict=True)]


def transposed(matrix: Matrix) -> Matrix:
    """The transposed matrix."""
    return [list(column) for column in zip(*matrix, strict=True)]
