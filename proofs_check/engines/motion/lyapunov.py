"""Polynomial Lyapunov functions by sums of squares (Parrilo 2000): V is above the squared distance, and descends.

A semidefinite program suggests the coefficients; that the rounded function descends is proved where it is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Expr, Mul, S, expand

from proofs_check.engines.motion.trajectory import Setting
from proofs_check.engines.polynomial.fitted_squares import Condition, coefficients, exponents_up_to, rounded
from theory.errors import LemmascopeError
from theory.polynomials import Ring
from theory.temporal import ConvergesTo

_DEGREES = (2, 4)
_BITS = (6, 12)
_MOST_COORDINATES = 4
_LEAST_MARGIN = -1e-5
"""Some squares are zero whatever the function, and the solver is not exact; that it descends is asked for itself."""


def descending(setting: Setting, claim: ConvergesTo, seconds: float) -> Iterator[Expr]:
    """Polynomials that seem to descend to the target of a claim, everywhere; only where all numbers are known.

    >>> from sympy import Rational, symbols
    >>> x, y = symbols("x y")
    >>> cascade = Setting(False, (x, y), (-x, x**2 - y), (x, y), {}, ())
    >>> [found.is_polynomial(x, y) for found in descending(cascade, ConvergesTo((x, y), (0, 0)), 1.0)][:1]
    [True]
    """
    target, ring = claim.points[0], Ring(setting.state)
    if tuple(claim.quantity) != setting.state or len(setting.state) > _MOST_COORDINATES:
        return
    if not all(value.is_Rational for value in target):
        return
    moved = {symbol: symbol + value for symbol, value in zip(setting.state, target, strict=True)}
    shift = {symbol: symbol - value for symbol, value in zip(setting.state, target, strict=True)}
    around = Setting(
        setting.discrete, setting.state,
        tuple(expand(part.xreplace(moved) - (value if setting.discrete else 0))
              for part, value in zip(setting.rule, target, strict=True)),
        setting.start, {}, (),
    )  # fmt: skip
    for degree in _DEGREES:
        powers = [part for part in exponents_up_to(len(setting.state), degree) if sum(part) >= 2]
        monomials = [Mul(*(s**p for s, p in zip(setting.state, part, strict=True))) for part in powers]
        try:
            numbers = coefficients(_conditions(around, ring, monomials), seconds, _LEAST_MARGIN)
        except LemmascopeError:  # no polynomials with rational coefficients
            return
        if numbers is not None:
            for bits in _BITS:
                found = sum((c * m for c, m in zip(rounded(numbers, bits), monomials, strict=True)), S.Zero)
                yield expand(found.xreplace(shift))
            return


def _conditions(setting: Setting, ring: Ring, monomials: list[Expr]) -> list[Condition]:
    fall = [m - setting.next(m) if setting.discrete else -setting.rate(m) for m in monomials]
    distance = sum((symbol**2 for symbol in setting.state), S.Zero)
    less = -ring.polynomial(distance)
    return [Condition.over(ring, (), {}, [ring.polynomial(expand(part)) for part in parts], less)
            for parts in (monomials, fall)]  # fmt: skip
