"""How a composite argument splits into rational multiples of independent parts: 2*x - y/3 -> {x: 2, y: -1/3}."""

from __future__ import annotations

from functools import reduce

from sympy import Add, Expr, Mul, Rational, S, igcd, ilcm

from theory.polynomials import NotPolynomialError, Ring


def linear_parts(argument: Expr) -> dict[Expr, Rational]:
    """The argument as a rational combination of monomials (over one common denominator), keyed canonically.

    >>> from sympy import Symbol
    >>> x, y = Symbol("x"), Symbol("y")
    >>> linear_parts((x + y)**2 - x**2)
    {x*y: 2, y**2: 1}
    """
    if argument.is_Rational:
        return {S.One: argument} if argument else {}
    try:
        parts = _canonical_terms(argument)
    except NotPolynomialError:
        parts = [term.as_coeff_Mul(rational=True) for term in Add.make_args(argument.expand())]
    total: dict[Expr, Rational] = {}
    for coefficient, monomial in parts:
        total[monomial] = total.get(monomial, S.Zero) + coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def _canonical_terms(argument: Expr) -> list[tuple[Rational, Expr]]:
    ring = Ring(tuple(sorted(argument.free_symbols, key=str)))
    fraction = ring.fraction(argument)
    below = ring.expression(fraction.denominator)
    return [
        (
            Rational(int(number.p), int(number.q)),
            Mul(*(symbol**power for symbol, power in zip(ring.symbols, powers, strict=True))) / below,
        )
        for powers, number in fraction.numerator.terms()
    ]


def canonical(argument: Expr) -> Expr:
    """A form that equal rational functions share; other expressions are returned as they are.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> canonical((x**2 - 1)/(x - 1)) == canonical(x + 1)
    True
    """
    try:
        return Ring(tuple(sorted(argument.free_symbols, key=str))).fraction(argument).expression
    except NotPolynomialError:
        return argument


def common_unit(coefficients: list[Rational]) -> Rational:
    """The largest positive number of which all coefficients are whole multiples.

    >>> common_unit([Rational(1, 2), Rational(2, 3)])
    1/6
    """
    return Rational(reduce(igcd, (abs(c.p) for c in coefficients)), reduce(ilcm, (c.q for c in coefficients), 1))
