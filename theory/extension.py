"""Arithmetic with a root of an irreducible polynomial over Q(parameters), without ever writing the root down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from theory.linear import row_reduce
from theory.polynomials import Fraction, Polynomial, Ring


@dataclass(frozen=True, eq=False)
class Extension:
    """The field Q(parameters)[root] / modulus; an element is a Fraction whose denominator is free of the root.

    >>> t, K = sp.symbols("t K")
    >>> ring = Ring((t, K))
    >>> field = Extension(ring, t, ring.polynomial(t**2 - K))
    >>> field.reduce(ring.fraction(t**3)).expression
    K*t
    >>> field.reduce(ring.fraction(1 / t)).expression
    t/K
    """

    ring: Ring
    root: sp.Symbol
    modulus: Polynomial

    @property
    def degree(self) -> int:
        """How many conjugates the root has."""
        return self.ring.degree(self.modulus, self.root)

    def reduce(self, fraction: Fraction) -> Fraction:
        """The canonical form of an element; the root leaves the denominator."""
        if self.root in self.ring.symbols_in(fraction.denominator):
            denominator = self._remainder(fraction.denominator)
            return self.reduce(self.ring.as_fraction(fraction.numerator) * self.inverse(denominator))
        numerator = self._remainder(fraction.numerator)
        return numerator / self.ring.as_fraction(fraction.denominator)

    def _remainder(self, polynomial: Polynomial) -> Fraction:
        remainder, power = pseudo_remainder(self.ring, self.root, polynomial, self.modulus)
        lead = self.ring.coefficients(self.modulus, self.root)[-1]
        return Fraction.reduced(self.ring, remainder, lead**power)

    def multiply(self, left: Fraction, right: Fraction) -> Fraction:
        """The product of two elements."""
        return self.reduce(left * right)

    def evaluate(self, function: Fraction, values: dict[sp.Symbol, Fraction]) -> Fraction:
        """A rational function at elements; a denominator that is zero in the field raises ZeroDivisionError."""
        bottom = self.reduce(self.ring.as_fraction(function.denominator).substitute(values))
        if bottom.is_zero:
            raise ZeroDivisionError
        top = self.reduce(self.ring.as_fraction(function.numerator).substitute(values))
        return self.reduce(top / bottom)

    def at_root(self, polynomial: Polynomial, element: Fraction) -> Fraction:
        """A polynomial in the root at another element, by Horner's rule inside the field."""
        total = self.ring.zero
        for coefficient in reversed(self.ring.coefficients(polynomial, self.root)):
            total = self.reduce(total * element + self.ring.as_fraction(coefficient))
        return total

    def coordinates(self, element: Fraction) -> list[Fraction]:
        """The coefficients of 1, root, root^2, ..."""
        parts = self.ring.coefficients(element.numerator, self.root)
        parts += [self.ring.context.constant(0)] * (self.degree - len(parts))
        return [Fraction.reduced(self.ring, part, element.denominator) for part in parts]

    def inverse(self, element: Fraction) -> Fraction:
        """One over a nonzero element, by solving a linear system."""
        if element.is_zero:
            raise ZeroDivisionError
        root = self.ring.as_fraction(self.ring.generators[self.root])
        column, columns = element, []
        for _ in range(self.degree):
            columns.append(self.coordinates(column))
            column = self.reduce(column * root)
        return self.combination([root**k for k in range(self.degree)], self._solve(columns, self.ring.one))

    def _solve(self, columns: Sequence[Sequence[Fraction]], target: Fraction) -> list[Fraction]:
        solution = self.express(target, columns)
        if solution is None:
            raise ZeroDivisionError
        return solution

    def express(self, target: Fraction, columns: Sequence[Sequence[Fraction]]) -> list[Fraction] | None:
        """The coefficients with which the columns combine to the target, if they do."""
        goal = self.coordinates(target)
        rows = [[*(column[k] for column in columns), goal[k]] for k in range(self.degree)]
        reduced, pivots = row_reduce(rows)
        if len(columns) in pivots:
            return None
        answer = [self.ring.zero] * len(columns)
        for row, pivot in zip(reduced, pivots, strict=True):
            answer[pivot] = row[-1]
        return answer

    def combination(self, basis: Sequence[Fraction], weights: Sequence[Fraction]) -> Fraction:
        """The weighted sum of elements."""
        return sum((a * b for a, b in zip(basis, weights, strict=True)), self.ring.zero)

    def norm(self, element: Fraction) -> Polynomial:
        """The product over all conjugates, up to the denominator: zero exactly where some conjugate is zero."""
        return self.ring.resultant(self.modulus, element.numerator, self.root)

    def minimal_polynomial(self, element: Fraction, symbol: sp.Symbol) -> Polynomial:
        """The irreducible polynomial in ``symbol`` whose roots are the conjugates of the element."""
        unknown = self.ring.generators[symbol]
        eliminated = self.ring.resultant(self.modulus, element.denominator * unknown - element.numerator, self.root)
        return next(f for f, _ in self.ring.factors(eliminated) if self.ring.degree(f, symbol) > 0)


def pseudo_remainder(
    ring: Ring, symbol: sp.Symbol, polynomial: Polynomial, divisor: Polynomial
) -> tuple[Polynomial, int]:
    """What is left of ``lead**power * polynomial`` after division, and that power: nothing is ever divided by."""
    lower = ring.coefficients(divisor, symbol)
    lead, power = lower.pop(), 0
    left = ring.coefficients(polynomial, symbol)
    while len(left) > len(lower):
        top = left.pop()
        if top.is_zero():
            continue
        shift = len(left) - len(lower)
        left = [lead * c for c in left[:shift]] + [lead * c - top * d for c, d in zip(left[shift:], lower, strict=True)]
        power += 1
    return ring.assembled(left, symbol), power
