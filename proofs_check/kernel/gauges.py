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

Products = dict[tuple[Fraction, int], Expr]
"""(power of the flat function, power of |log e|) to coefficient."""

_HIGHEST = 12


class NoProductsError(Exception):
    """The expression is no polynomial in the logarithm and the flat function."""


def common_root(formula: Basic, small: Symbol) -> int:
    """The least n such that all powers of e are whole powers of its n-th root.

    >>> e = Symbol("e")
    >>> common_root(e ** Rational(1, 2) + e ** Rational(2, 3), e)
    6
    """
    bases = [(_polynomial_order(part.base, small), part.exp) for part in formula.atoms(Pow)]
    return lcm(1, *[int((order * power).q) for order, power in bases if order and power.is_Rational])


def in_units(part: Any, small: Symbol, root: int) -> Any:
    """A formula or expression with e = t^root, written with the same symbol for t; logarithms and roots of products
    with a power of e are split.

    >>> e = Symbol("e")
    >>> in_units(e ** Rational(1, 2) + log(e), e, 2)
    e + 2*log(e)
    """
    if part == small:
        return small**root
    if not isinstance(part, Basic) or not part.args or not part.has(small):
        return part
    if isinstance(part, log) or (isinstance(part, Pow) and part.exp.is_Rational):
        inside = part.args[0]
        order = _polynomial_order(inside, small)
        rest = in_units(Add(*[term / small**order for term in Add.make_args(expanded(inside))]), small, root)
        inner = log(rest) if isinstance(part, log) else rest**part.exp
        if inner.has(I):
            raise NoProductsError
        if isinstance(part, log):
            return order * root * log(small) + inner if order else inner
        return small ** (order * root * part.exp) * inner
    return part.func(*[in_units(one, small, root) for one in part.args])


def _polynomial_order(expression: Expr, small: Symbol) -> int:
    """The lowest power of e in a polynomial, 0 for everything else."""
    if not expression.has(small) or not expression.is_polynomial(small):
        return 0
    powers = [term.as_powers_dict()[small] for term in Add.make_args(expanded(expression))]
    return int(min(powers))


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
    {(Fraction(0, 1), 2): e, (Fraction(1, 1), 0): 1}
    """
    poles = {pole[1] for use in expression.atoms(exp) if (pole := _pole(use.args[0], small)) is not None}
    if len(poles) > 1:
        raise NoProductsError
    return _products(expression, small)


def _products(part: Expr, small: Symbol) -> Products:
    if part == log(small):
        return {(Fraction(0), 1): Integer(-1)}
    if not is_gauged(part, small):
        return {(Fraction(0), 0): part}
    if isinstance(part, exp):
        pole = _pole(part.args[0], small)
        if pole is None or is_gauged(pole[2], small):
            raise NoProductsError
        return {(-pole[0], 0): exp(pole[2])}
    if isinstance(part, Add):
        total: Products = {}
        for term in part.args:
            for key, value in _products(term, small).items():
                total[key] = total.get(key, Integer(0)) + value
        return total
    if isinstance(part, Mul):
        return _product([_products(factor, small) for factor in part.args])
    if isinstance(part, Pow) and part.exp.is_Integer:
        inner, times = _products(part.base, small), int(part.exp)
        if 0 < times <= _HIGHEST:
            return _product([inner] * times)
        ((flat, slow), value), *more = inner.items()
        if times < 0 and slow == 0 and not more:
            return {(flat * times, 0): value**times}
    raise NoProductsError


def _product(several: list[Products]) -> Products:
    total: Products = {(Fraction(0), 0): Integer(1)}
    for one in several:
        following: Products = {}
        for (flat, slow), value in total.items():
            for (more_flat, more_slow), other in one.items():
                key = (flat + more_flat, slow + more_slow)
                following[key] = following.get(key, Integer(0)) + value * other
        total = following
    return total


def largest(
    terms: Products, lead: Callable[[Expr], tuple[int, Expr] | None], vanishes: Callable[[Expr], bool]
) -> Expr | None:
    """The coefficient of the largest product: by the flat function, then by powers of e, then by the logarithm."""
    present = {key: value for key, value in terms.items() if not vanishes(value)}
    if not present:
        return None
    best: tuple[Fraction, int, int, Expr] | None = None
    for (flat, slow), value in present.items():
        found = lead(value)  # asked of all of them: each must have a value
        if found is None:
            return None
        if best is None or (flat, found[0], -slow) < best[:3]:
            best = (flat, found[0], -slow, found[1])
    return None if best is None else best[3]
