"""Values and slopes of an expression on a box, walked together as a tree of pairs in interval arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from flint import arb
from sympy import Add, Expr, Mul, Pow, Symbol, exp, log, symbols

from proofs_check.kernel.intervals import Interval, Sides, UndefinedError, evaluate
from theory.language.functions import derivative_in, entry_of

_ONE = Interval(arb(1), arb(1))
_NAMES = symbols("u:8")


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
    if not expression.free_symbols:
        return Sloped(evaluate(expression, sides), {})
    if len(expression.args) > len(_NAMES):
        raise UndefinedError
    named = {k: _NAMES[k] for k, part in enumerate(expression.args) if part.free_symbols}
    value = _of_names(expression.func, tuple(named.get(k, part) for k, part in enumerate(expression.args)))
    inside = {k: sloped(expression.args[k], sides, known) for k in named}
    at = {named[k]: part.value for k, part in inside.items()}
    total = Sloped(evaluate(value, at), {})
    for k, part in inside.items():
        if part.slopes:
            slopes = part.scaled(evaluate(_slope(value, k), at))
            total = Sloped(total.value, (total + Sloped(_ONE, slopes)).slopes)
    return total


@cache
def _of_names(function: type[Expr], arguments: tuple[Expr, ...]) -> Expr:
    return function(*arguments)


@cache
def _slope(value: Expr, place: int) -> Expr:
    """The derivative of a power, or of a function of the language, along one argument; raises where there is none."""
    if isinstance(value, Pow):
        return value.diff(value.base)
    entry = entry_of(value)
    slope = None if entry is None or entry.roughness else derivative_in(value, place)
    if slope is None:
        raise UndefinedError
    return slope


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
