"""Powers, roots and conditions on balls, tight on wide balls and never raising: an undefined value is a nan ball.

Conditions are True, False, None for "both happen inside this ball", or the nan ball where what they compare is
undefined. The functions of the language come from their table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from flint import acb, arb, fmpz_poly

from theory.language.balls import NAN, NARROW_BITS, ZERO, hull, nonnegative_hull, on_balls
from theory.language.functions import by_name

ONE = arb(1)

Ball: TypeAlias = Any  # flint.arb, which carries no types
Truth: TypeAlias = Any  # bool, None, or the nan ball


def interval(lower: Ball | int, upper: Ball | int) -> Ball:
    """The ball around [lower, upper]; a lower end of exactly 0 stays exactly 0.

    >>> interval(0, 1).sqrt().is_finite()
    True
    """
    low, high = arb(lower), arb(upper)
    return nonnegative_hull(low, high) if low.lower() >= 0 else hull(low, high)


def function(name: str) -> Callable[..., Ball]:
    """A function of the language on balls.

    >>> bool(function("tanh")(arb(0, 5)) < 1.001)
    True
    """
    return on_balls(by_name()[name])


_exp, _log = function("exp"), function("log")


def power(x: Ball, exponent: int) -> Ball:
    """x**n for n >= 1, by the ends of a wide ball.

    Written with products: the power operator of python-flint gives nan for balls around 0.

    >>> bool(power(arb(0, 1), 2).lower() >= 0)
    True
    """
    if x.rel_accuracy_bits() > NARROW_BITS or not x.is_finite():
        return _product_power(x, exponent)
    if exponent % 2:
        return hull(_product_power(x.lower(), exponent), _product_power(x.upper(), exponent))
    near = ZERO if x.contains(ZERO) else _product_power(x.abs_lower(), exponent)
    return nonnegative_hull(near, _product_power(x.abs_upper(), exponent))


def _product_power(x: Ball, exponent: int) -> Ball:
    if exponent <= 3:
        return x if exponent == 1 else x * x if exponent == 2 else x * x * x
    half = _product_power(x, exponent // 2)
    return half * half * x if exponent % 2 else half * half


def root(x: Ball, index: int) -> Ball:
    """The real root of a nonnegative ball; nan as soon as the ball reaches below zero."""
    if x.rel_accuracy_bits() > NARROW_BITS or not x.lower() >= 0:
        return x.sqrt() if index == 2 else x.root(index)
    low, high = x.lower(), x.upper()
    if index == 2:
        return nonnegative_hull(low.sqrt(), high.sqrt())
    return nonnegative_hull(low.root(index), high.root(index))


def general_power(base: Ball, exponent: Ball) -> Ball:
    """base**exponent for a nonnegative base, or an integer exponent of any nonzero base."""
    whole = exponent.unique_fmpz() if exponent.is_exact() else None
    if whole is not None and exponent.is_integer() and abs(int(whole)) < 2**20:
        n = int(whole)
        if n == 0:
            return ONE if base.is_finite() else NAN
        return power(base, n) if n > 0 else ONE / power(base, -n)
    if base > 0:
        return _exp(exponent * _log(base))
    if base.is_zero() and exponent > 0:
        return ZERO
    if base.lower() >= 0 and exponent > 0 and base.is_finite() and exponent.is_finite():
        # 0 is allowed as a base: the value lies between 0 and that of the largest base
        return nonnegative_hull(ZERO, _exp(exponent * _log(base.upper())))
    return NAN


def real_root(coefficients: tuple[int, ...], index: int) -> Ball:
    """The real root number `index`, in increasing order, of an integer polynomial (constant term first).

    >>> real_root((-2, 0, 1), 1).overlaps(arb(2).sqrt())
    True
    """
    found: list[acb] = [r for r, _ in fmpz_poly(list(coefficients)).complex_roots()]
    reals = sorted((r.real for r in found if r.imag.contains(ZERO) and r.imag.is_exact()), key=lambda r: float(r.mid()))
    return reals[index]


def less(a: Ball, b: Ball) -> Truth:
    """Three-valued a < b."""
    if a < b:
        return True
    return False if a >= b else _open(a, b)


def less_equal(a: Ball, b: Ball) -> Truth:
    """Three-valued a <= b."""
    if a <= b:
        return True
    return False if a > b else _open(a, b)


def equal(a: Ball, b: Ball) -> Truth:
    """Three-valued a == b."""
    if a == b:
        return True
    return False if a != b else _open(a, b)


def _open(a: Ball, b: Ball) -> Truth:
    return None if a.is_finite() and b.is_finite() else NAN


def negation(a: Truth) -> Truth:
    """Three-valued not."""
    return a if a is None or a is NAN else not a


def conjunction(a: Truth, b: Truth) -> Truth:
    """Three-valued and; undefined if either is."""
    if a is NAN or b is NAN:
        return NAN
    if a is False or b is False:
        return False
    return True if a and b else None


def disjunction(a: Truth, b: Truth) -> Truth:
    """Three-valued or; undefined if either is."""
    return negation(conjunction(negation(a), negation(b)))


def select(condition: Truth, yes: Ball, no: Ball) -> Ball:
    """The chosen branch, the hull of both where the condition is open, nan where it is undefined."""
    if condition is None:
        return hull(yes, no)
    if condition is NAN:
        return NAN
    return yes if condition else no


def verdict(condition: Truth) -> bool | None:
    """A condition as a result: an undefined one is as open as an unknown one."""
    return None if condition is NAN else condition
