"""Orbits of one dimension on the border of linear stability: the first term beyond the linear one decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import flint
import sympy as sp

from theory.balls import PRECISIONS, ball, exact_sign
from theory.language.functions import rough

if TYPE_CHECKING:
    from theory.dynamics import Flow, Map

_ORDERS = (3, 5, 9)
_SHORT = 40


def attracts(dynamics: Map | Flow, points: Sequence[sp.Expr], multiplier: int | None = None) -> bool | None:
    """Whether an orbit of a smooth Map or Flow of one dimension attracts its neighbours; None when undecided.

    A step around the orbit moves a neighbour at h by a h^k + ...: towards it on both sides when k is odd and a is
    negative. With the multiplier -1 two steps around are looked at, which is what the sign of the Schwarzian tells.
    A multiplier that is known to be 1 or -1 need not be found to be so again.

    >>> from theory.dynamics import Flow, Map
    >>> x = sp.Symbol("x", real=True)
    >>> [attracts(Map((x,), (rule,)), [sp.S.Zero]) for rule in (x - x**3, x + x**3, x - x**2, -x + x**3, -x)]
    [True, False, False, True, False]
    >>> attracts(Flow((x,), (-(x**5),)), [sp.S.Zero])
    True
    """
    (rule,), (x,) = dynamics.right_side, dynamics.state
    if dynamics.time is not None or rule.has(*rough()) or any(_is_at_the_end_of(x, point) for point in points):
        return None
    if any(_is_outside(x, point) for point in points):
        return False
    try:
        seen = _decided_in_balls(dynamics, rule, x, points, multiplier)
        return seen if seen is not None else _decided(dynamics, rule, x, points, multiplier)
    except (NotImplementedError, ValueError, TypeError, ArithmeticError):  # what SymPy's exact numbers may end in
        return None


def _is_at_the_end_of(x: sp.Symbol, point: sp.Expr) -> bool:
    """Whether the neighbours lie on one side only."""
    return point == 0 and any((x.is_nonnegative, x.is_nonpositive))


def _is_outside(x: sp.Symbol, point: sp.Expr) -> bool:
    """Whether a point is certainly no real number, or not one that the state may be."""
    if point.free_symbols:
        return False
    with flint.ctx.workprec(PRECISIONS[-1]):
        value = ball(point)
        if value is None:
            return False
        beyond = (x.is_nonnegative and value.real < 0) or (x.is_nonpositive and value.real > 0)
        return bool(beyond or value.imag > 0 or value.imag < 0)


def _decided_in_balls(
    dynamics: Map | Flow, rule: sp.Expr, x: sp.Symbol, points: Sequence[sp.Expr], multiplier: int | None
) -> bool | None:
    """The answer where the first term that counts, computed with rigorous bounds, has a sign; None where it has not.

    Exact algebra with the nested roots of a cycle costs a hundred times as much.
    """
    symbols = set().union(rule.free_symbols - {x}, *(point.free_symbols for point in points))
    if not dynamics.discrete or multiplier is None or symbols:
        return None
    order = _ORDERS[0]
    with flint.ctx.workprec(PRECISIONS[-1]):
        total = [flint.acb(0), flint.acb(1), *[flint.acb(0)] * (order - 1)]
        for point in points:
            terms = [ball(sp.diff(rule, x, k).subs(x, point) / sp.factorial(k)) for k in range(1, order + 1)]
            if any(term is None for term in terms):
                return None
            total = _composed([flint.acb(0), *terms], total, order, lambda value: value)
        if not (total[1] - multiplier).contains(0):
            return None
        if multiplier < 0:
            total = _composed(total, total, order, lambda value: value)
        first = 2 if multiplier > 0 else 3
        leading = total[first].real
        return first % 2 == 1 and bool(leading < 0) if leading > 0 or leading < 0 else None


def _decided(
    dynamics: Map | Flow, rule: sp.Expr, x: sp.Symbol, points: Sequence[sp.Expr], multiplier: int | None
) -> bool | None:
    for order in _ORDERS:
        if not dynamics.discrete:
            moved = _taylor(rule, x, points[0], order)[1:]
        else:
            around = _around(rule, x, points, order)
            multiplier = multiplier if multiplier is not None and _may_be(around[1], multiplier) else None
            turn = _sign(around[1]) if multiplier is None else multiplier
            if turn is None:
                return None
            if turn < 0:
                around = _composed(around, around, order)
            moved = [around[1] - 1, *around[2:]]
        if multiplier is not None:  # after two steps with the multiplier -1 there is no square either
            known = 1 if multiplier > 0 else 2
            moved[:known] = [sp.S.Zero] * known
        for k, coefficient in enumerate(moved, 1):
            sign = _sign(coefficient)
            if sign is None:
                return None
            if sign:
                return k % 2 == 1 and sign < 0
    steps = 2 * len(points) if dynamics.discrete else 1
    is_small = rule.is_polynomial(x) and sp.degree(rule, x) ** steps <= _ORDERS[-1]
    return False if is_small else None  # a polynomial that moves no neighbour at all attracts none


def _may_be(number: sp.Expr, wanted: int) -> bool:
    """Whether a number that is 1 or -1 on a conjugate orbit, if not on this one, is so here."""
    with flint.ctx.workprec(PRECISIONS[-1]):
        value = ball(number)
        return value is not None and bool((value - wanted).contains(0))


def _sign(number: sp.Expr) -> int | None:
    """The sign; where balls hold zero, exact algebra is asked about short numbers only."""
    if number.is_Rational or number.free_symbols:
        return exact_sign(number)
    for precision in PRECISIONS:
        with flint.ctx.workprec(precision):
            value = ball(number)
            if value is not None and (value.real > 0 or value.real < 0):
                return 1 if value.real > 0 else -1
    return exact_sign(number) if number.count_ops() < _SHORT else None


def _around(rule: sp.Expr, x: sp.Symbol, points: Sequence[sp.Expr], order: int) -> list[sp.Expr]:
    """The Taylor coefficients of one round, as a map of the distance from the first point; the constant is dropped."""
    total = [sp.S.Zero, sp.S.One, *[sp.S.Zero] * (order - 1)]
    for point in points:
        total = _composed([sp.S.Zero, *_taylor(rule, x, point, order)[1:]], total, order)
    return total


def _taylor(rule: sp.Expr, x: sp.Symbol, point: sp.Expr, order: int) -> list[sp.Expr]:
    found = []
    for k in range(order + 1):
        value = sp.diff(rule, x, k).subs(x, point) / sp.factorial(k)
        if value.has(sp.zoo, sp.nan, sp.oo, -sp.oo):
            raise ValueError("the rule is not smooth there")
        found.append(_tidy(value))
    return found


def _tidy(value: sp.Expr) -> sp.Expr:
    """Expanded where that keeps it short: not with nested roots."""
    return sp.expand(value) if value.free_symbols or value.count_ops() < _SHORT else value


def _composed(outer: Sequence[Any], inner: Sequence[Any], order: int, tidy: Callable[[Any], Any] = _tidy) -> list[Any]:
    """The coefficients of one power series without constant put into another."""
    result = [0 * outer[1]] * (order + 1)
    power = [0 * outer[1] + 1, *result[1:]]
    for coefficient in outer[1:]:
        power = [tidy(sum(power[i] * inner[k - i] for i in range(k + 1))) for k in range(order + 1)]
        result = [tidy(one + coefficient * other) for one, other in zip(result, power, strict=True)]
    return result
