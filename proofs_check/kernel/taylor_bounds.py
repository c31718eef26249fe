"""Bounds of a function of one variable by Taylor polynomials with remainder, in ball arithmetic.

Taylor's theorem with Lagrange's remainder: for f with n derivatives between c and x there is some s between with
f(x) = a_0 + a_1 (x - c) + ... + a_(n-1) (x - c)^(n-1) + b (x - c)^n, where a_k = f^(k)(c) / k! and b = f^(n)(s) / n!.
All coefficients come from power series with balls for coefficients: FLINT encloses f^(k)(s) / k! for every s of a ball,
and gives no finite ball where one of the functions has a singularity in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, arb_series, ctx, fmpq
from sympy import Add, Expr, Integer, Mul, NumberSymbol, Pow, Rational, Symbol, acosh, asinh, atanh, diff, exp, log

from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.intervals import Interval, UndefinedError, evaluate
from proofs_check.kernel.trust import BALLS, rests_on
from theory.language.functions import entry_of
from theory.temporal import put_at_once

_BITS = 160
_DEEPEST = 11
_HIGHEST = 60


@dataclass(frozen=True)
class Piece:
    """An interval with exact ends, a centre in it, the order of the remainder, and how many derivatives vanish there.

    The centre is an end where some do.
    """

    low: Expr
    high: Expr
    centre: Expr
    order: int
    zeros: int = 0


def is_nonnegative(function: Expr, x: Symbol, piece: Piece, *, strict: bool) -> bool:
    """Whether a function is at least 0 on a piece, or more than 0 where x is not a centre at which it vanishes.

    >>> from sympy import sin
    >>> x = Symbol("x")
    >>> is_nonnegative(x - sin(x), x, Piece(Integer(0), Integer(1), Integer(0), 6, 3), strict=True)
    True
    """
    if function.free_symbols != {x} or not 0 <= piece.zeros < piece.order <= _HIGHEST:
        return False
    if piece.zeros and piece.centre not in (piece.low, piece.high):
        return False
    if not _vanish(function, x, piece):
        return False
    rests_on(BALLS)
    before = ctx.prec, ctx.cap
    ctx.prec, ctx.cap = _BITS, piece.order + 1
    try:
        return _bounded(function, x, piece, strict)
    except (UndefinedError, ValueError, ZeroDivisionError, NotImplementedError):
        return False
    finally:
        ctx.prec, ctx.cap = before


def _vanish(function: Expr, x: Symbol, piece: Piece) -> bool:
    """Whether the first derivatives at the centre are 0 exactly."""
    slope = function
    for _ in range(piece.zeros):
        if not same(put_at_once(slope, {x: piece.centre}), Integer(0)):
            return False
        slope = diff(slope, x)
    return True


def _bounded(function: Expr, x: Symbol, piece: Piece, strict: bool) -> bool:
    low, high, centre = (_number(part) for part in (piece.low, piece.high, piece.centre))
    evaluate(function, {x: Interval.around(low.union(high))})  # raises where something may have no value
    there = _coefficients(function, x, centre, piece.order)
    around = _coefficients(function, x, low.union(high).union(centre), piece.order)
    row = [*there[piece.zeros : piece.order], around[piece.order]]
    if not all(value.is_finite() for value in row):
        return False
    if piece.zeros % 2 and piece.centre == piece.high:
        row = [-value for value in row]  # an odd power of a negative number
    return _is_positive(row, low - centre, high - centre, Fraction(0), Fraction(1), strict, 0)


def _is_positive(
    row: list[arb], low: arb, high: arb, start: Fraction, stop: Fraction, strict: bool, depth: int
) -> bool:
    """Whether a polynomial is positive between two shares of an interval, which is cut as long as that is open."""
    first, last = (low + (high - low) * fmpq(share.numerator, share.denominator) for share in (start, stop))
    place = first.union(last)
    total = row[-1]
    for value in reversed(row[:-1]):
        total = value + place * total
    if total > 0 or (total >= 0 and not strict):
        return True
    if depth >= _DEEPEST or total < 0:
        return False
    middle = (start + stop) / 2
    return all(_is_positive(row, low, high, *part, strict, depth + 1) for part in ((start, middle), (middle, stop)))


def _number(value: Expr) -> arb:
    side = evaluate(value, {})
    if not (side.low.is_finite() and side.high.is_finite()):
        raise UndefinedError
    return side.low.union(side.high)


def _coefficients(function: Expr, x: Symbol, at: arb, order: int) -> list[arb]:
    series = _Walk(x, arb_series([at, 1], order + 1), order + 1).of(function)
    if isinstance(series, arb):
        series = arb_series([series], order + 1)
    if series.prec < order + 1:
        raise UndefinedError
    found = list(series.coeffs())
    return [*found, *[arb(0)] * (order + 1 - len(found))]


_BY_LOGARITHMS: dict[Any, Callable[[Expr], Expr]] = {
    acosh: lambda u: log(u + (u**2 - 1) ** Rational(1, 2)), asinh: lambda u: log(u + (u**2 + 1) ** Rational(1, 2)),
    atanh: lambda u: (log(1 + u) - log(1 - u)) / 2,
}  # fmt: skip


class _Walk(dict[Expr, Any]):
    """The power series of the parts of an expression, each computed once."""

    def __init__(self, x: Symbol, series: arb_series, count: int) -> None:
        super().__init__()
        self.x, self.series, self.count = x, series, count

    def of(self, part: Expr) -> Any:
        if part not in self:
            self[part] = self._computed(part)
        return self[part]

    def _computed(self, part: Expr) -> Any:
        if part == self.x:
            return self.series
        if not part.free_symbols:
            return arb(fmpq(int(part.p), int(part.q))) if isinstance(part, Rational) else _number(part)
        if isinstance(part, (Add, Mul)):
            total = self.of(part.args[0])
            for one in part.args[1:]:
                total = total + self.of(one) if isinstance(part, Add) else total * self.of(one)
            return total
        if isinstance(part, Pow) and not isinstance(part, exp):
            return self._raised(part)
        return self._applied(part)

    def _raised(self, power: Pow) -> Any:
        exponent = power.exp
        if not exponent.is_Rational or isinstance(power.base, NumberSymbol):
            return self.of(exp(exponent * log(power.base), evaluate=False))
        base = self.of(power.base)
        if exponent.q == 2:
            base = base.sqrt()
        elif exponent.q != 1:
            return (base.log() * arb(fmpq(int(exponent.p), int(exponent.q)))).exp()
        result, count = base, abs(int(exponent.p))
        for _ in range(count - 1):
            result = result * base
        return result if exponent > 0 else 1 / result

    def _applied(self, part: Expr) -> Any:
        entry = entry_of(part)
        if entry is None or entry.roughness or entry.guarded or len(part.args) != 1:
            raise UndefinedError
        if part.func in _BY_LOGARITHMS:
            return self.of(_BY_LOGARITHMS[part.func](part.args[0]))
        inside = self.of(part.args[0])
        if entry.exponential is not None:
            times, value = entry.exponential
            return value((inside * times).exp())
        method = getattr(inside, entry.ball, None) if isinstance(entry.ball, str) else None
        if method is None:
            raise UndefinedError
        return method()
