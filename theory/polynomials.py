"""The one thin layer over python-flint: exact polynomials and rational functions with SymPy at the borders.

Everything above this module speaks SymPy expressions or the two classes here; a float is refused, because
what follows is meant to be exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import mul
from typing import Any

import flint
import sympy as sp

from theory.errors import LemmascopeError

Polynomial = Any
"""A ``flint.fmpq_mpoly``; python-flint carries no types."""


class NotPolynomialError(LemmascopeError):
    """An expression is not a rational function of the symbols of the ring."""


@dataclass(frozen=True)
class Ring:
    """Polynomials with rational coefficients in named SymPy symbols.

    >>> x, K = sp.symbols("x K")
    >>> ring = Ring((x, K))
    >>> [ring.expression(factor) for factor, _ in ring.factors(ring.polynomial(x**2 - K**2))]
    [-K + x, K + x]
    """

    symbols: tuple[sp.Symbol, ...]

    @cached_property
    def context(self) -> Any:
        """The flint context; names are positions, so symbols with equal names stay distinct."""
        names = [f"v{place}" for place in range(len(self.symbols))]
        return flint.fmpq_mpoly_ctx.get(names, flint.Ordering.lex)

    @cached_property
    def generators(self) -> dict[sp.Symbol, Polynomial]:
        """The polynomial of each symbol."""
        return dict(zip(self.symbols, self.context.gens(), strict=True))

    def place(self, symbol: sp.Symbol) -> int:
        """The position of a symbol."""
        return self.symbols.index(symbol)

    def constant(self, number: Any) -> Polynomial:
        """A rational number as a polynomial."""
        return self.context.constant(flint.fmpq(int(sp.Rational(number).p), int(sp.Rational(number).q)))

    def fraction(self, expression: Any) -> Fraction:
        """The expression as a quotient of polynomials in lowest terms.

        >>> x = sp.Symbol("x")
        >>> Ring((x,)).fraction((x**2 - 1) / (x - 1)).expression
        x + 1
        """
        expression = sp.sympify(expression)
        if expression.is_Rational:
            return self.as_fraction(self.constant(expression))
        if expression.is_Symbol and expression in self.generators:
            return self.as_fraction(self.generators[expression])
        if expression.is_Add:
            return sum((self.fraction(part) for part in expression.args), self.zero)
        if expression.is_Mul:
            return reduce(mul, (self.fraction(part) for part in expression.args))
        if expression.is_Pow and expression.exp.is_Integer:
            return self.fraction(expression.base) ** int(expression.exp)
        if expression.is_Float:
            raise NotPolynomialError(f"the number {expression} is a float: write it as an exact Rational")
        raise NotPolynomialError(f"{expression} is not a rational function of {', '.join(map(str, self.symbols))}")

    def polynomial(self, expression: Any) -> Polynomial:
        """The expression as a polynomial; a denominator with symbols is refused."""
        fraction = self.fraction(expression)
        if not fraction.denominator.is_constant():
            raise NotPolynomialError(f"{expression} has a denominator, a polynomial was needed")
        return fraction.numerator / fraction.denominator.leading_coefficient()

    def as_fraction(self, polynomial: Polynomial) -> Fraction:
        """The polynomial over one."""
        return Fraction(self, polynomial, self.context.constant(1))

    @cached_property
    def zero(self) -> Fraction:
        """The fraction 0."""
        return self.as_fraction(self.context.constant(0))

    @cached_property
    def one(self) -> Fraction:
        """The fraction 1."""
        return self.as_fraction(self.context.constant(1))

    def expression(self, polynomial: Polynomial) -> sp.Expr:
        """The polynomial as an expanded SymPy expression."""
        return sp.Add(
            *(
                sp.Rational(int(number.p), int(number.q))
                * sp.Mul(*(symbol**power for symbol, power in zip(self.symbols, powers, strict=True)))
                for powers, number in polynomial.terms()
            )
        )

    def factored(self, polynomial: Polynomial) -> sp.Expr:
        """The polynomial as a product of its irreducible factors."""
        if polynomial.is_zero():
            return sp.S.Zero
        number, factors = polynomial.factor()
        content, parts = sp.Rational(int(number.p), int(number.q)), []
        for factor, power in factors:
            whole, scale = primitive(factor)
            content *= scale**power
            parts.append(self.expression(whole) ** power)
        return content * sp.Mul(*parts)

    def factors(self, polynomial: Polynomial) -> list[tuple[Polynomial, int]]:
        """The irreducible factors that are not numbers, with multiplicities."""
        return [(primitive(factor)[0], int(power)) for factor, power in polynomial.factor()[1]]

    def degree(self, polynomial: Polynomial, symbol: sp.Symbol) -> int:
        """The degree in one symbol (-1 for the zero polynomial)."""
        return -1 if polynomial.is_zero() else int(polynomial.degrees()[self.place(symbol)])

    def coefficients(self, polynomial: Polynomial, symbol: sp.Symbol) -> list[Polynomial]:
        """The coefficients in one symbol, lowest first."""
        place = self.place(symbol)
        parts: list[dict[tuple[int, ...], Any]] = [{} for _ in range(self.degree(polynomial, symbol) + 1)]
        for powers, number in polynomial.terms():
            rest = tuple(0 if position == place else power for position, power in enumerate(powers))
            parts[powers[place]][rest] = number
        return [self.context.from_dict(part) for part in parts]

    def assembled(self, coefficients: Sequence[Polynomial], symbol: sp.Symbol) -> Polynomial:
        """The polynomial with these coefficients in one symbol, lowest first."""
        place = self.place(symbol)
        total: dict[tuple[int, ...], Any] = {}
        for power, coefficient in enumerate(coefficients):
            for powers, number in coefficient.terms():
                total[(*powers[:place], power, *powers[place + 1 :])] = number
        return self.context.from_dict(total)

    def symbols_in(self, polynomial: Polynomial) -> set[sp.Symbol]:
        """The symbols that occur."""
        degrees = (0,) * len(self.symbols) if polynomial.is_zero() else polynomial.degrees()
        return {symbol for symbol, degree in zip(self.symbols, degrees, strict=True) if degree}

    def resultant(self, first: Polynomial, second: Polynomial, symbol: sp.Symbol) -> Polynomial:
        """The resultant with respect to one symbol."""
        return first.resultant(second, self.place(symbol))

    def discriminant(self, polynomial: Polynomial, symbol: sp.Symbol) -> Polynomial:
        """The discriminant with respect to one symbol."""
        return polynomial.discriminant(self.place(symbol))


def primitive(polynomial: Polynomial) -> tuple[Polynomial, sp.Rational]:
    """The polynomial with coprime integer coefficients, the leading one positive, and what it was divided by."""
    numbers = polynomial.coeffs()
    common = reduce(lambda a, b: a.gcd(b), (number.p for number in numbers))
    denominators = reduce(lambda a, b: a.lcm(b), (number.q for number in numbers))
    if polynomial.leading_coefficient() < 0:
        common = -common
    return polynomial * flint.fmpq(denominators, common), sp.Rational(int(common), int(denominators))


@dataclass(frozen=True, eq=False)
class Fraction:
    """A rational function in lowest terms; arithmetic is exact and equality is decidable."""

    ring: Ring
    numerator: Polynomial
    denominator: Polynomial

    @staticmethod
    def reduced(ring: Ring, numerator: Polynomial, denominator: Polynomial) -> Fraction:
        """The quotient in lowest terms with a denominator of leading coefficient one."""
        if denominator.is_zero():
            raise LemmascopeError("division by zero while eliminating: a denominator vanishes identically")
        if numerator.is_zero():
            return ring.zero
        if not denominator.is_constant():
            common = numerator.gcd(denominator)
            numerator, denominator = numerator / common, denominator / common
        lead = denominator.leading_coefficient()
        return Fraction(ring, numerator / lead, denominator / lead)

    @property
    def is_polynomial(self) -> bool:
        """Whether nothing stands below the line: in lowest terms its denominator is one."""
        return bool(self.denominator.is_one())

    def __add__(self, other: Fraction) -> Fraction:
        if self.is_polynomial and other.is_polynomial:
            return Fraction(self.ring, self.numerator + other.numerator, self.denominator)
        return Fraction.reduced(
            self.ring,
            self.numerator * other.denominator + other.numerator * self.denominator,
            self.denominator * other.denominator,
        )

    def __neg__(self) -> Fraction:
        return Fraction(self.ring, -self.numerator, self.denominator)

    def __sub__(self, other: Fraction) -> Fraction:
        return self + (-other)

    def __mul__(self, other: Fraction) -> Fraction:
        if self.is_polynomial and other.is_polynomial:
            return Fraction(self.ring, self.numerator * other.numerator, self.denominator)
        return Fraction.reduced(self.ring, self.numerator * other.numerator, self.denominator * other.denominator)

    def __rmul__(self, integer: int) -> Fraction:
        return self.ring.as_fraction(self.ring.constant(integer)) * self

    def __truediv__(self, other: Fraction) -> Fraction:
        return Fraction.reduced(self.ring, self.numerator * other.denominator, self.denominator * other.numerator)

    def __pow__(self, power: int) -> Fraction:
        if power >= 0:
            return Fraction(self.ring, self.numerator**power, self.denominator**power)
        return Fraction.reduced(self.ring, self.denominator**-power, self.numerator**-power)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Fraction) and self.numerator == other.numerator and self.denominator == other.denominator
        )

    def __hash__(self) -> int:
        return hash((str(self.numerator), str(self.denominator)))

    @property
    def is_zero(self) -> bool:
        """Whether this is identically zero."""
        return bool(self.numerator.is_zero())

    @property
    def expression(self) -> sp.Expr:
        """As a SymPy expression, expanded above and below the line."""
        return self.ring.expression(self.numerator) / self.ring.expression(self.denominator)

    @property
    def factored(self) -> sp.Expr:
        """As a SymPy expression, factored above and below the line."""
        return self.ring.factored(self.numerator) / self.ring.factored(self.denominator)

    def substitute(self, values: dict[sp.Symbol, Fraction]) -> Fraction:
        """The composition with other fractions of the same ring."""
        return _substituted(self.numerator, self.ring, values) / _substituted(self.denominator, self.ring, values)


def _substituted(polynomial: Polynomial, ring: Ring, values: dict[sp.Symbol, Fraction]) -> Fraction:
    """Horner-free substitution: common denominators first, one reduction at the end."""
    if polynomial.is_zero():
        return ring.zero
    degrees = polynomial.degrees()
    images, scale = [], ring.context.constant(1)
    for symbol, degree in zip(ring.symbols, degrees, strict=True):
        value = values.get(symbol, ring.as_fraction(ring.generators[symbol]))
        images.append([value.numerator**k * value.denominator ** (degree - k) for k in range(degree + 1)])
        scale *= value.denominator**degree
    total = ring.context.constant(0)
    for powers, number in polynomial.terms():
        total += reduce(mul, (images[place][power] for place, power in enumerate(powers)), number)
    return Fraction.reduced(ring, total, scale)
