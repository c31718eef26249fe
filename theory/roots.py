"""Roots that can be written down: radicals over the parameters, isolated real algebraic numbers without them."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from theory.polynomials import Fraction, Polynomial, Ring


@dataclass(frozen=True)
class Root:
    """A root and the conditions on the parameters under which it is real."""

    value: sp.Expr
    conditions: tuple[sp.Basic, ...] = ()


def explicit_roots(ring: Ring, polynomial: Polynomial, symbol: sp.Symbol) -> list[Root] | None:
    """All real roots of an irreducible polynomial in one symbol, or None when they have no short formula.

    >>> x, K = sp.symbols("x K", positive=True)
    >>> ring = Ring((x, K))
    >>> [root.value for root in explicit_roots(ring, ring.polynomial(K * x**2 - K - 2), x)]
    [sqrt(K + 2)/sqrt(K), -sqrt(K + 2)/sqrt(K)]
    """
    if not ring.symbols_in(polynomial) - {symbol}:
        return [Root(value) for value in real_roots(ring.expression(polynomial), symbol)]
    coefficients = [ring.as_fraction(c) for c in ring.coefficients(polynomial, symbol)]
    degree = len(coefficients) - 1
    if degree == 1:
        return [Root((-coefficients[0] / coefficients[1]).factored)]
    if degree == 2:
        return quadratic_roots(*reversed(coefficients))
    if degree % 2 == 0 and all(c.is_zero for c in coefficients[1::2]):
        halved = sum(
            (c.numerator * ring.generators[symbol] ** k for k, c in enumerate(coefficients[::2])),
            ring.context.constant(0),
        )
        squares = explicit_roots(ring, halved, symbol)
        return None if squares is None else [root for square in squares for root in _square_roots(square)]
    return None


def real_roots(expression: sp.Expr, symbol: sp.Symbol) -> list[sp.Expr]:
    """The distinct real roots of a polynomial with rational coefficients, in increasing order.

    >>> x = sp.Symbol("x")
    >>> real_roots(x**2 - 2*x - 5, x)
    [1 - sqrt(6), 1 + sqrt(6)]
    """
    polynomial = sp.Poly(expression, symbol, domain=sp.QQ)
    return [] if polynomial.degree() < 1 else polynomial.sqf_part().real_roots()


def quadratic_roots(a: Fraction, b: Fraction, c: Fraction) -> list[Root]:
    """The two roots of ``a*z**2 + b*z + c`` over the rational functions."""
    four = a.ring.as_fraction(a.ring.constant(4))
    middle = -b / (a + a)
    inside = middle * middle - four * a * c / (four * a * a)
    radical = sp.sqrt(short_form(inside))
    return [
        Root(middle.factored + sign * radical, _known((nonnegative(inside),)))
        for sign in (1, -1)
        if nonnegative(inside) is not sp.false
    ]


def short_form(fraction: Fraction) -> sp.Expr:
    """The shorter of the factored form and the quotient divided out term by term."""
    return min((fraction.factored, sp.expand(fraction.expression)), key=sp.count_ops)


def nonnegative(fraction: Fraction) -> sp.Basic:
    """The condition that a rational function is at least zero, with factors of known sign left out."""
    return sp.Ge(signed_part(fraction), 0)


def signed_part(fraction: Fraction) -> sp.Expr:
    """A product with the same sign: positive factors are dropped, even powers become squares."""
    ring, sign, kept = fraction.ring, sp.S.One, []
    if fraction.is_zero:
        return sp.S.Zero
    for polynomial in (fraction.numerator, fraction.denominator):
        if polynomial.leading_coefficient() < 0:
            sign = -sign
        for factor, power in ring.factors(polynomial):
            base = ring.expression(factor)
            if base.is_nonzero and power % 2 == 0:
                continue
            if base.is_negative:
                sign = -sign
            elif not base.is_positive:
                kept.append(base ** (2 - power % 2))
    if len(kept) == 1 and sign < 0:
        return sp.expand(-kept[0])
    return sign * sp.Mul(*kept)


def _square_roots(square: Root) -> list[Root]:
    condition = sp.Ge(square.value, 0)
    if condition is sp.false:
        return []
    return [Root(sign * sp.sqrt(square.value), (*square.conditions, *_known((condition,)))) for sign in (1, -1)]


def _known(conditions: tuple[sp.Basic, ...]) -> tuple[sp.Basic, ...]:
    return tuple(condition for condition in conditions if condition is not sp.true)
