"""Logarithms, roots and flat functions of a small symbol, for the checker of local statements.

An expression is taken apart node by node into products of exp(-u/e^k) and |log e| with coefficients; no expansion by
SymPy is used. Roots of the symbol are removed by counting its powers in units of a common fraction.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any

from sympy import Add, Basic, Expr, I, Integer, Mul, Pow, Rational, Symbol, exp, log, sympify

from proofs_check.kernel.fields import expanded

Products = dict[tuple[Fraction, Fraction], Expr]
"""(power of the flat function, power of |log e|) to coefficient."""

_HIGHEST = 12


class NoProductsError(Exception):
    """The expression is no polynomial in the logarithm and the flat function."""


def in_units(formula: Any, small: Symbol) -> tuple[Any, int]:
    """A formula or expression with e = t^n, written with the same symbol for t, and the least n that makes all powers
    of e whole. Logarithms and powers of sums are split: for e > 0, (e^k w)^r = e^(k r) w^r and log(e^k w) = k log(e) +
    log(w), with values for the same w. Iterated logarithms are plain ones in 1/|log e|, which tends to 0 as well.

    >>> e = Symbol("e")
    >>> in_units(e ** Rational(1, 2) + log(e), e)
    (e + 2*log(e), 2)
    >>> in_units((e + e ** Rational(1, 2)) ** Rational(1, 2), e)
    (e*sqrt(e**2 + 1), 4)
    >>> in_units(log(-log(e)) + e, e)[0]
    -log(e) + exp(-1/e)
    """
    formula = _split(formula, small)
    if any(use.args[0].has(log(small)) for use in formula.atoms(log)):
        formula = _split(_slowly(formula, small), small)
    powers = [part.exp for part in formula.atoms(Pow) if part.base == small and part.exp.is_Rational]
    root = lcm(1, *[int(power.q) for power in powers])
    return _rooted(formula, small, root), root


def _split(part: Any, small: Symbol) -> Any:
    if not isinstance(part, Basic) or not part.args or not part.has(small):
        return part
    args = [_split(one, small) for one in part.args]
    whole = isinstance(part, Pow) and part.exp.is_Integer and args[0].is_polynomial(small)  # it has no root of e
    if isinstance(part, log) or (isinstance(part, Pow) and part.exp.is_Rational and args[0] != small and not whole):
        inside = expanded(args[0])
        order = _least_power(inside, small)
        if order and (isinstance(part, log) or not part.exp.is_Integer or not order.is_Integer):
            rest = Add(*[term / small**order for term in Add.make_args(inside)])
            inner = log(rest) if isinstance(part, log) else rest**part.exp
            if inner.has(I):
                raise NoProductsError
            return order * log(small) + inner if isinstance(part, log) else small ** (order * part.exp) * inner
    return part.func(*args)


def _least_power(expression: Expr, small: Symbol) -> Rational:
    """The lowest power of e that stands before a term of a sum; 0 where there is none."""
    powers = [sympify(term.as_powers_dict()[small]) for term in Add.make_args(expression)]
    return min(powers) if all(power.is_Rational for power in powers) else Integer(0)


def _rooted(part: Any, small: Symbol, root: int) -> Any:
    """e as t^root, node by node, and log(e) as root log(t)."""
    if root == 1 or not isinstance(part, Basic) or not part.has(small):
        return part
    if part == small:
        return small**root
    if isinstance(part, Pow) and part.base == small and part.exp.is_Rational:
        return small ** (part.exp * root)
    if part == log(small):
        return root * log(small)
    return part.func(*[_rooted(one, small, root) for one in part.args])


def _slowly(part: Any, small: Symbol) -> Any:
    """e as exp(-1/t): e tends to 0 from above exactly when t does."""
    if not isinstance(part, Basic) or not part.has(small):
        return part
    if part == small:
        return exp(-1 / small)
    if part == log(small):
        return -1 / small
    if isinstance(part, Pow) and part.base == small and part.exp.is_Rational:
        return exp(-part.exp / small)
    return part.func(*[_slowly(one, small) for one in part.args])


def is_gauged(expression: Expr, small: Symbol) -> bool:
    """Whether the logarithm of e or a flat function of it occurs."""
    return expression.has(log(small)) or any(_pole(use.args[0], small) for use in expression.atoms(exp))


def _pole(argument: Expr, small: Symbol) -> tuple[Fraction, int, Expr] | None:
    """c, k and the rest of an exponent c/e^k + rest with one term that blows up; None where there is none."""
    polar: list[Expr] = []
    rest: list[Expr] = []
    for term in Add.make_args(expanded(argument)):
        power = sympify(term.as_powers_dict()[small])
        (polar if power.is_Integer and power.is_negative else rest).append(term)
    if len(polar) != 1:
        return None
    order = int(polar[0].as_powers_dict()[small])
    number = polar[0] / small**order
    if not isinstance(number, Rational):
        return None
    return Fraction(int(number.p), int(number.q)), -order, Add(*rest)


def products(expression: Expr, small: Symbol) -> Products:
    """The products of an expression; raises where it is no polynomial in them.

    >>> e = Symbol("e")
    >>> products(e * log(e) ** 2 + exp(-1 / e), e)
    {(Fraction(0, 1), Fraction(2, 1)): e, (Fraction(1, 1), Fraction(0, 1)): 1}
    """
    poles = {pole[1] for use in expression.atoms(exp) if (pole := _pole(use.args[0], small)) is not None}
    if len(poles) > 1:
        raise NoProductsError
    return _products(expression, small)


def _products(part: Expr, small: Symbol) -> Products:
    if part == log(small):
        return {(Fraction(0), Fraction(1)): Integer(-1)}
    if not is_gauged(part, small):
        return {(Fraction(0), Fraction(0)): part}
    if isinstance(part, exp):
        pole = _pole(part.args[0], small)
        if pole is None or is_gauged(pole[2], small):
            raise NoProductsError
        return {(-pole[0], Fraction(0)): exp(pole[2])}
    if isinstance(part, Add):
        total: Products = {}
        for term in part.args:
            for key, value in _products(term, small).items():
                total[key] = total.get(key, Integer(0)) + value
        return total
    if isinstance(part, Mul):
        return _product([_products(factor, small) for factor in part.args])
    if isinstance(part, Pow) and part.exp.is_Rational:
        inner, times = _products(part.base, small), Fraction(int(part.exp.p), int(part.exp.q))
        if times in range(1, _HIGHEST + 1):
            return _product([inner] * int(times))
        ((flat, slow), value), *more = inner.items()
        power = value**part.exp
        if not more and not (power.has(I) or (times.denominator > 1 and value.is_negative)):
            return {(flat * times, slow * times): power}
    raise NoProductsError


def _product(several: list[Products]) -> Products:
    total: Products = {(Fraction(0), Fraction(0)): Integer(1)}
    for one in several:
        following: Products = {}
        for (flat, slow), value in total.items():
            for (more_flat, more_slow), other in one.items():
                key = (flat + more_flat, slow + more_slow)
                following[key] = following.get(key, Integer(0)) + value * other
        total = following
    return total


Size = tuple[Fraction, Fraction, Fraction]
"""Powers of the flat function, of e and of 1/|log e|: what is smaller here is larger near 0."""


def largest(
    terms: Products, lead: Callable[[Expr], tuple[int, Expr] | None], vanishes: Callable[[Expr], bool]
) -> tuple[Size, Expr] | None:
    """The largest product, by the flat function, then by powers of e, then by the logarithm, and its coefficient."""
    found: list[tuple[Size, Expr]] = []
    for (flat, slow), value in terms.items():
        if vanishes(value):
            continue
        shown = lead(value)  # asked of all of them: each must have a value
        if shown is None:
            return None
        found.append(((flat, Fraction(shown[0]), -slow), shown[1]))
    return min(found, key=lambda item: item[0]) if found else None
