"""Values and slopes of an expression on a box, walked together as a tree of pairs in interval arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from flint import arb
from sympy import Add, Expr, Mul, Pow, Rational, Symbol, exp, log

from proofs_check.kernel.intervals import Interval, Sides, UndefinedError, evaluate

_ONE = Interval(arb(1), arb(1))
_X = Symbol("x")


@dataclass(frozen=True)
class Sloped:
    """The range of a value, and those of its derivatives along the variables on which it depends."""

    value: Interval
    slopes: dict[Symbol, Interval]

    def __add__(self, other: Sloped) -> Sloped:
        slopes = dict(self.slopes)
        for x, slope in other.slopes.items():
            slopes[x] = slopes[x] + slope if x in slopes else slope
        return Sloped(self.value + other.value, slopes)

    def __mul__(self, other: Sloped) -> Sloped:
        left = self.scaled(other.value)
        return Sloped(
            self.value * other.value, (Sloped(self.value, left) + Sloped(_ONE, other.scaled(self.value))).slopes
        )

    def scaled(self, factor: Interval) -> dict[Symbol, Interval]:
        """The slopes times a factor."""
        return {x: slope * factor for x, slope in self.slopes.items()}


def sloped(expression: Expr, sides: Sides, known: dict[Expr, Sloped] | None = None) -> Sloped:
    """Value and slopes on a box; raises where one of them may be undefined.

    >>> x = Symbol("x")
    >>> sloped(x**2 - 3*x, {x: Interval(arb(0), arb(1))}).slopes[x].sign()
    {-1}
    """
    known = {} if known is None else known
    if expression not in known:
        known[expression] = _sloped(expression, sides, known)
    return known[expression]


def _sloped(expression: Expr, sides: Sides, known: dict[Expr, Sloped]) -> Sloped:
    if isinstance(expression, Symbol):
        return Sloped(sides[expression], {expression: _ONE})
    if not expression.args:
        return Sloped(evaluate(expression, sides), {})
    if isinstance(expression, (Add, Mul)):
        parts = [sloped(part, sides, known) for part in expression.args]
        total = parts[0]
        for part in parts[1:]:
            total = total + part if isinstance(expression, Add) else total * part
        return total
    outer = expression.exp if isinstance(expression, Pow) else None
    if outer is not None and outer.free_symbols:
        return sloped(exp(outer * log(expression.base), evaluate=False), sides, known)
    if len(expression.args) != 1 and not isinstance(outer, Rational):
        if expression.free_symbols:
            raise UndefinedError
        return Sloped(evaluate(expression, sides), {})
    inside = sloped(expression.args[0], sides, known)
    value, slope = _with_slope(expression.func, outer)
    at = {_X: inside.value}
    return Sloped(evaluate(value, at), inside.scaled(evaluate(slope, at)) if inside.slopes else {})


@cache
def _with_slope(function: type[Expr], exponent: Rational | None) -> tuple[Expr, Expr]:
    value = function(_X) if exponent is None else _X**exponent
    return value, value.diff(_X)


def mean_value(expression: Expr, sides: Sides, slopes: dict[Symbol, Interval], direction: int) -> Interval:
    """The range of an expression from its slopes and one value, chosen for the upper end (direction 1) or the lower."""
    centre = {x: _centre(side, slopes[x], direction) if x in slopes else side for x, side in sides.items()}
    total = evaluate(expression, centre)
    for x, slope in slopes.items():
        total = total + slope * (sides[x] - centre[x])
    return total


def _centre(side: Interval, slope: Interval, direction: int) -> Interval:
    """The point of a side at which the bound is the least."""
    low, high = side.low.mid(), side.high.mid()
    least, largest = slope.low.mid(), slope.high.mid()
    if direction < 0:
        least, largest = -largest, -least
    at = (largest * high - least * low) / (largest - least) if largest > least else (low + high) / 2
    at = min(max(at.mid(), low), high)
    return Interval(at, at)
