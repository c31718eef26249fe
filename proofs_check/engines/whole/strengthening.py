"""Stronger relations for an induction: a sum or a product keeps away from its bound by what is still to come.

Guesses for the rest of a series: its value where Gosper's algorithm finds one, the integral of a power, a multiple of
the last term.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sympy import Expr, Product, Rational, Sum, Symbol, cancel, diff, factorial
from sympy.concrete.gosper import gosper_term
from sympy.core.relational import Ge, Gt, Le, Lt
from sympy.logic.boolalg import Boolean

_SHIFTS = (Rational(0), Rational(1, 2), Rational(1))
_FAR = 10**6
_MOST_DENOMINATOR = 6
_NEAR = 1e-3


def stronger_ones(relation: Boolean, n: Symbol) -> Iterator[Boolean]:
    """Relations with a rest on the side of the sum, or with a factor on that of the product.

    >>> from sympy import symbols
    >>> n, k = symbols("n k")
    >>> next(stronger_ones(Sum(1 / k**2, (k, 1, n)) < 2, n))
    Sum(k**(-2), (k, 1, n)) <= 2 - 1/n
    """
    totals = sorted(relation.atoms(Sum, Product), key=str)
    if not isinstance(relation, (Ge, Gt, Le, Lt)) or len(totals) != 1:
        return
    (total,) = totals
    if len(total.limits) != 1 or total not in relation.args:
        return
    index, _, high = total.limits[0]
    bound = next(side for side in relation.args if side != total)
    is_upper = relation.gts == bound
    if bound.has(n):
        return
    term = total.function if isinstance(total, Sum) else total.function - 1
    for rest in _rests(term, index):
        later = rest.subs(index, high) * (1 if is_upper else -1)
        other = bound - later if isinstance(total, Sum) else bound * (1 - later)
        yield Le(total, other) if is_upper else Ge(total, other)


def _rests(term: Expr, k: Symbol) -> Iterator[Expr]:
    factor = gosper_term(term, k)
    if factor is not None:
        total = cancel(factor) * term  # from one number to the next it grows by the term
        yield -total.subs(k, k + 1)
        return
    if term.has(factorial):
        yield term / k
        yield term
        return
    power = _power(term, k)
    if power is not None and power > 1:
        for shift in _SHIFTS:
            yield cancel((k + shift) * term.subs(k, k + shift) / (power - 1))
    elif power is None:
        yield from (term, 2 * term)


def _power(term: Expr, k: Symbol) -> Rational | None:
    """The s for which a term falls like k^-s; None for one that falls faster or not like a power."""
    value = (-k * diff(term, k) / term).subs(k, _FAR).evalf()
    if not value.is_Float:
        return None
    near = Fraction(float(value)).limit_denominator(_MOST_DENOMINATOR)
    return Rational(near.numerator, near.denominator) if abs(near - Fraction(float(value))) < _NEAR else None
