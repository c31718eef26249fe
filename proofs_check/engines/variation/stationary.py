"""Where an expression vanishes along one variable, in closed form: candidates for base points."""

from __future__ import annotations

from collections.abc import Callable

from sympy import (
    Add,
    Expr,
    Integer,
    Symbol,
    cancel,
    exp,
    expand,
    expand_log,
    fraction,
    log,
    nan,
    oo,
    powsimp,
    together,
    zoo,
)

from proofs_check.engines.cover.factoring import factors_of
from proofs_check.engines.variation.shapes import exponent_of
from proofs_check.points.candidate_values import inverted, small_polynomial

_LARGEST_POWER = 4


def zeros_of(expression: Expr, x: Symbol) -> list[Expr]:
    """Zeros in closed form, as far as one is found: of factors that are linear, inverted, or two equal values.

    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> zeros_of(log(x) - log(1 - x - y), x), zeros_of(exp(2 * x) - exp(x + y), x)
    ([1/2 - y/2], [y])
    """
    found: list[Expr] = []
    for base, power in factors_of(expression):
        if power > 0 and base.has(x):
            ways: tuple[Callable[[Expr, Symbol], list[Expr]], ...] = (_linear, _of_two, _of_logarithms, _inverted)
            found += next((zeros for way in ways if (zeros := way(base, x))), [])
    return found


def _linear(base: Expr, x: Symbol) -> list[Expr]:
    polynomial = small_polynomial(base, x)
    if polynomial is None or polynomial.degree() != 1:
        return []
    first, last = polynomial.all_coeffs()
    return [cancel(-last / first)]


def _inverted(base: Expr, x: Symbol) -> list[Expr]:
    return inverted(base, x) or []


def _of_logarithms(base: Expr, x: Symbol) -> list[Expr]:
    """A sum of whole multiples of logarithms vanishes where a product of powers is 1."""
    above, below = Integer(1), Integer(1)
    for term in Add.make_args(expand(base)):
        factor, call = term.as_coeff_Mul()
        if not term.has(x):
            factor, inside = Integer(1), exp(term)
        elif isinstance(call, log) and factor.is_Integer and abs(factor) <= _LARGEST_POWER:
            inside = call.args[0]
        else:
            return []
        above, below = (above * inside**factor, below) if factor > 0 else (above, below * inside**-factor)
    return _linear(expand(fraction(together(above - below))[0]), x)


def _of_two(base: Expr, x: Symbol) -> list[Expr]:
    """Two products of powers and exponentials are equal where their logarithms are."""
    terms = Add.make_args(base)
    if len(terms) != 2:
        return []
    first, second = (exponent_of(term.as_coeff_Mul()[1]) for term in terms)
    numbers = [term.as_coeff_Mul()[0] for term in terms]
    if first is None or second is None or not numbers[0] * numbers[1] < 0:
        return []
    gap = expand(first - second + log(-numbers[0] / numbers[1]))
    name = Symbol("_")
    for unknown, back in ((x, lambda value: value), (log(x), lambda value: powsimp(exp(expand_log(expand(value)))))):
        linear = gap.xreplace({unknown: name})
        slope = expand(linear.diff(name))
        if not linear.has(x) and slope != 0 and not slope.has(name):
            value = back(cancel(-linear.xreplace({name: Integer(0)}) / slope))
            return [] if value.has(nan, zoo, oo) else [value]
    return []
