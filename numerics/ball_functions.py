"""Functions on balls that are tight on wide balls and never raise: an undefined value is a nan ball.

Arb's own functions are sound but lose much on wide balls (tanh of [-5, 5] comes back as +/- 2e4). Monotone
functions are therefore evaluated at the two ends as soon as the ball is wide. Conditions are True, False, None
for "both happen inside this ball", or the nan ball where what they compare is undefined.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

from flint import acb, arb, fmpz_poly

NAN = arb.nan()
ZERO, ONE = arb(0), arb(1)
NARROW_BITS = 2  # a ball with no more good bits than this is treated by its ends; others lose less than a tenth

Ball: TypeAlias = Any  # flint.arb, which carries no types
Truth: TypeAlias = Any  # bool, None, or the nan ball


def hull(a: Ball, b: Ball) -> Ball:
    """The smallest ball around both, nan if either is undefined.

    >>> hull(arb(1), arb(3)).contains(arb(2))
    True
    """
    if not (a.is_finite() and b.is_finite()):
        return NAN
    return a.union(b)


def nonnegative_hull(a: Ball, b: Ball) -> Ball:
    """The hull of two nonnegative balls; its lower end is exactly 0 where rounding would cross it.

    >>> bool(nonnegative_hull(arb(0), arb(3)).lower() >= 0)
    True
    """
    return hull(a, b).nonnegative_part()


def interval(lower: Ball | int, upper: Ball | int) -> Ball:
    """The ball around [lower, upper]; a lower end of exactly 0 stays exactly 0.

    >>> interval(0, 1).sqrt().is_finite()
    True
    """
    low, high = arb(lower), arb(upper)
    return nonnegative_hull(low, high) if low.lower() >= 0 else hull(low, high)


def _is_narrow(x: Ball) -> bool:
    return bool(x.rel_one_accuracy_bits() > NARROW_BITS)


def _monotone(function: Callable[[Ball], Ball]) -> Callable[[Ball], Ball]:
    """Evaluate at the ends of a wide ball."""

    @wraps(function)
    def tight(x: Ball) -> Ball:
        return function(x) if _is_narrow(x) else hull(function(x.lower()), function(x.upper()))

    return tight


tanh = _monotone(lambda x: x.tanh())
sinh = _monotone(lambda x: x.sinh())
atan = _monotone(lambda x: x.atan())
asinh = _monotone(lambda x: x.asinh())
erf = _monotone(lambda x: x.erf())
erfc = _monotone(lambda x: x.erfc())
erfi = _monotone(lambda x: x.erfi())
shi = _monotone(lambda x: x.shi())


def exp(x: Ball) -> Ball:
    """exp, never below zero."""
    return x.exp() if _is_narrow(x) else nonnegative_hull(x.lower().exp(), x.upper().exp())


def log(x: Ball) -> Ball:
    """log of a positive ball."""
    if x.rel_accuracy_bits() > NARROW_BITS:
        return x.log()
    low = x.lower()
    return hull(low.log(), x.upper().log()) if low > 0 else NAN


def _even(function: Callable[[Ball], Ball]) -> Callable[[Ball], Ball]:
    """Even, positive, monotone in |x| and 1 at 0."""

    def tight(x: Ball) -> Ball:
        if _is_narrow(x):
            return function(x)
        near = ONE if x.contains(ZERO) else function(x.abs_lower())
        return nonnegative_hull(near, function(x.abs_upper()))

    return tight


cosh = _even(lambda x: x.cosh())
sech = _even(lambda x: x.sech())


def sin(x: Ball) -> Ball:
    """sin, within [-1, 1] however wide the ball."""
    return x.sin()


def cos(x: Ball) -> Ball:
    """cos, within [-1, 1] however wide the ball."""
    return x.cos()


def _inside(x: Ball, low: int, high: int) -> bool:
    return bool(x.lower() >= low and x.upper() <= high)


def asin(x: Ball) -> Ball:
    """asin on [-1, 1], by its ends where the ball is wide."""
    if x.is_exact() or not _inside(x, -1, 1):
        return x.asin()
    return hull(x.lower().asin(), x.upper().asin())


def acos(x: Ball) -> Ball:
    """acos on [-1, 1], by its ends where the ball is wide."""
    if x.is_exact() or not _inside(x, -1, 1):
        return x.acos()
    return hull(x.lower().acos(), x.upper().acos())


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
        return exp(exponent * log(base))
    if base.is_zero() and exponent > 0:
        return ZERO
    if base.lower() >= 0 and exponent > 0 and base.is_finite() and exponent.is_finite():
        # 0 is allowed as a base: the value lies between 0 and that of the largest base
        return nonnegative_hull(ZERO, exp(exponent * log(base.upper())))
    return NAN


def maximum(a: Ball, b: Ball) -> Ball:
    """Max, nan if either is undefined."""
    return a.max(b) if a.is_finite() and b.is_finite() else NAN


def minimum(a: Ball, b: Ball) -> Ball:
    """Min, nan if either is undefined."""
    return a.min(b) if a.is_finite() and b.is_finite() else NAN


def absolute(x: Ball) -> Ball:
    """Absolute value, not below zero."""
    if x.contains(ZERO) and not x.is_exact():
        return nonnegative_hull(ZERO, x.abs_upper())
    return abs(x)


def sign(x: Ball) -> Ball:
    """Sign, [-1, 1] when it is unknown."""
    return x.sgn() if x.is_finite() else NAN


def floor(x: Ball) -> Ball:
    """Floor."""
    return x.floor() if x.is_finite() else NAN


def ceiling(x: Ball) -> Ball:
    """Ceiling."""
    return x.ceil() if x.is_finite() else NAN


def atan2(y: Ball, x: Ball) -> Ball:
    """The angle of (x, y); undefined when the ball holds the origin."""
    return NAN if y.contains(ZERO) and x.contains(ZERO) else arb.atan2(y, x)


def ei(x: Ball) -> Ball:
    """Ei; on one side of its pole it is monotone."""
    if x.rel_accuracy_bits() > NARROW_BITS or x.contains(ZERO):
        return NAN if x.contains(ZERO) else x.ei()
    return hull(x.lower().ei(), x.upper().ei())


def li(x: Ball) -> Ball:
    """li(x) = Ei(log x) for x > 0, x != 1."""
    return ei(log(x)) if x > 0 else NAN


def expint(s: Ball, x: Ball) -> Ball:
    """E_s(x) for x > 0, decreasing in x."""
    if not x > 0:
        return NAN
    if x.rel_accuracy_bits() > NARROW_BITS:
        return x.expint(s)
    return hull(x.lower().expint(s), x.upper().expint(s))


def lowergamma(s: Ball, x: Ball) -> Ball:
    """Lower incomplete gamma for s > 0 and x >= 0, increasing in x."""
    if not (s > 0 and x.lower() >= 0):
        return NAN
    if x.is_exact():
        return x.gamma_lower(s)
    return hull(x.lower().gamma_lower(s), x.upper().gamma_lower(s))


def uppergamma(s: Ball, x: Ball) -> Ball:
    """Upper incomplete gamma for x > 0, or x >= 0 where s > 0; decreasing in x."""
    if not (x > 0 or (s > 0 and x.lower() >= 0)):
        return NAN
    if x.is_exact():
        return x.gamma_upper(s)
    return hull(x.lower().gamma_upper(s), x.upper().gamma_upper(s))


def _incomplete_beta(a: Ball, b: Ball, x: Ball, regularised: int) -> Ball:
    if not (a > 0 and b > 0 and x.lower() >= 0 and x.upper() <= 1):
        return NAN
    if x.is_exact():
        return x.beta_lower(a, b, regularized=regularised)
    ends = [end.beta_lower(a, b, regularized=regularised) for end in (x.lower(), x.upper())]
    return hull(*ends)


def betainc(a: Ball, b: Ball, x: Ball) -> Ball:
    """Incomplete beta from 0 to x, increasing in x."""
    return _incomplete_beta(a, b, x, 0)


def betainc_regularized(a: Ball, b: Ball, x: Ball) -> Ball:
    """Regularised incomplete beta from 0 to x, increasing in x."""
    return _incomplete_beta(a, b, x, 1)


def lambertw(x: Ball, branch: int) -> Ball:
    """The real branch 0 (increasing) or -1 (decreasing) of W."""
    if branch not in (0, -1):
        return NAN
    if x.rel_accuracy_bits() > NARROW_BITS:
        return x.lambertw(branch)
    return hull(x.lower().lambertw(branch), x.upper().lambertw(branch))


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
