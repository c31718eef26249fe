"""Interval arithmetic with exact ends, finite or infinite: what checkers evaluate expressions with.

Written apart from the compiled ball kernels on purpose: an expression is walked as a tree, every operation works on its
two ends, and increasing functions are evaluated there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flint import arb, fmpq
from sympy import Add, Expr, Integral, Max, Min, Mul, NumberSymbol, Pow, Rational, Symbol, exp, log, true
from sympy.core.relational import Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.integrals import branching, integrand, integrated
from proofs_check.kernel.trust import BALLS, rests_on
from theory.language.balls import between, number, on_balls
from theory.language.definedness import conditions_of
from theory.language.entries import Entry
from theory.language.functions import entry_of

INF = arb("inf")


class UndefinedError(Exception):
    """The expression may be undefined somewhere in the box."""


@dataclass(frozen=True)
class Interval:
    """All numbers between two ends; an infinite end is not attained."""

    low: arb
    high: arb

    @classmethod
    def around(cls, value: arb) -> Interval:
        """The interval of a ball; nan stands for everything."""
        return cls(-INF if value.is_nan() else value.lower(), INF if value.is_nan() else value.upper())

    def __add__(self, other: Interval) -> Interval:
        return Interval(Interval.around(self.low + other.low).low, Interval.around(self.high + other.high).high)

    def __sub__(self, other: Interval) -> Interval:
        return self + Interval(-other.high, -other.low)

    def __mul__(self, other: Interval) -> Interval:
        ends = [
            arb(0) if a.is_zero() or b.is_zero() else a * b
            for a in (self.low, self.high)
            for b in (other.low, other.high)
        ]
        return hull([Interval.around(end) for end in ends])

    def inverse(self) -> Interval:
        """1/x of an interval without 0."""
        if not (self.low > 0 or self.high < 0):
            raise UndefinedError
        ends = [1 / end if end.is_finite() else arb(0) for end in (self.low, self.high)]
        return hull([Interval.around(end) for end in ends])

    def whole_power(self, n: int) -> Interval:
        """x^n for n >= 1."""
        ends = [Interval.around(_power(end, n)) for end in (self.low, self.high)]
        if n % 2 == 0 and not (self.low >= 0 or self.high <= 0):
            ends.append(Interval(arb(0), arb(0)))
        return hull(ends)

    def sign(self) -> set[int]:
        """The signs that occur or may occur."""
        signs = set()
        if not self.high <= 0:
            signs.add(1)
        if not self.low >= 0:
            signs.add(-1)
        if not (self.low > 0 or self.high < 0):
            signs.add(0)
        return signs

    def map(self, function: Callable[[arb], arb]) -> Interval:
        """An increasing function."""
        return Interval(Interval.around(function(self.low)).low, Interval.around(function(self.high)).high)


def hull(parts: list[Interval]) -> Interval:
    """The smallest interval around all."""
    low, high = parts[0].low, parts[0].high
    for part in parts[1:]:
        low = min(low, part.low)
        high = max(high, part.high)
    return Interval(low, high)


def _power(end: arb, n: int) -> arb:
    if not end.is_finite():
        return end if n % 2 or end > 0 else -end
    result, square = arb(1), end
    while n:
        if n % 2:
            result *= square
        n //= 2
        square = square * square if n else square
    return result


Sides = Mapping[Symbol, Interval]


def evaluate(expression: Expr, sides: Sides) -> Interval:
    """An interval that holds every value of the expression on the box; raises where it may be undefined.

    >>> x = Symbol("x")
    >>> evaluate(exp(x) - x, {x: Interval(arb(0), arb(0))}).sign()
    {1}
    """
    rests_on(BALLS)
    return _Walk(sides).of(expression)


class _Walk(dict[Expr, Interval]):
    """Parts already evaluated, since large expressions repeat them."""

    def __init__(self, sides: Sides) -> None:
        super().__init__()
        self.sides = sides
        self.is_endless = any(not side.high.is_finite() for side in sides.values())

    def of(self, expression: Expr) -> Interval:
        if expression not in self:
            self[expression] = _evaluated(expression, self)
        return self[expression]


def _evaluated(expression: Expr, walk: _Walk) -> Interval:
    if isinstance(expression, Symbol):
        return walk.sides[expression]
    if isinstance(expression, Rational):
        return Interval.around(arb(fmpq(int(expression.p), int(expression.q))))
    if isinstance(expression, NumberSymbol):
        return Interval.around(_CONSTANTS[str(expression)]())
    if isinstance(expression, Add):
        total = walk.of(expression.args[0])
        for part in expression.args[1:]:
            total = total + walk.of(part)
        return total
    if isinstance(expression, Mul):
        return _product(expression, walk)
    if isinstance(expression, Pow):
        return _raised(expression, walk)
    if isinstance(expression, Integral):
        return _integral(expression, walk)
    return _function(expression, walk)


_CONSTANTS = {
    "pi": arb.pi, "E": arb.const_e, "EulerGamma": arb.const_euler, "Catalan": arb.const_catalan,
    "GoldenRatio": lambda: (1 + arb(5).sqrt()) / 2,
}  # fmt: skip


def _product(expression: Mul, walk: _Walk) -> Interval:
    parts = list(expression.args)
    total = Interval(arb(1), arb(1))
    for symbol in sorted(expression.free_symbols, key=str) if walk.is_endless else ():
        if not walk.sides[symbol].high.is_finite():
            joint = _decaying(parts, symbol, walk.sides[symbol].low)
            if joint is not None:
                value, parts = joint
                total = total * value
    for part in parts:
        total = total * walk.of(part)
    return total


def _decaying(parts: list[Expr], x: Symbol, start: arb) -> tuple[Interval, list[Expr]] | None:
    """x^p exp(a x + b x^2) log(x)^l together, when it decreases to 0 from the start on."""
    p, a, b, logs = Rational(0), Rational(0), Rational(0), 0
    rest: list[Expr] = []
    for part in parts:
        base, power = part.as_base_exp()
        if base == x and power.is_Rational:
            p += power
        elif base == log(x) and power.is_Integer:
            logs += int(power)
        elif isinstance(part, exp) and part.args[0].is_polynomial(x):
            poly = part.args[0].as_poly(x)
            first, second = poly.coeff_monomial(x), poly.coeff_monomial(x**2)
            if poly.degree() > 2 or not (first.is_Rational and second.is_Rational):
                return None
            a, b = a + first, b + second
            rest.append(exp(poly.coeff_monomial(1)))
        else:
            rest.append(part)
    flat_start = start.is_zero() and p == 0 and logs == 0
    if not (start > 0 or flat_start) or (logs and not start > 1):
        return None
    if not _falls(p, a, b, logs, start) or (b, a, p, logs) >= (0, 0, 0, 0):
        return None
    at_start = (_ball(b) * start * start + _ball(a) * start).exp()
    if not flat_start:
        at_start = at_start * (_ball(p) * start.log()).exp()
    if logs:
        at_start = at_start * (logs * start.log().log()).exp()
    return Interval(arb(0), Interval.around(at_start).high), rest


def _falls(p: Rational, a: Rational, b: Rational, logs: int, start: arb) -> bool:
    """Whether the logarithmic derivative is negative from the start on, at which it must be finite if it rises."""
    if a <= 0 and b <= 0 and p <= 0 and logs <= 0:
        return True
    pure = a == 0 and b == 0
    if not start > 0 or a > 0 or b > 0 or not (pure or (p >= 0 and logs >= 0)):
        return False
    # for p, logs >= 0 each term of the logarithmic derivative decreases in x
    slope = _ball(p) / start + _ball(a) + 2 * _ball(b) * start
    slope += logs / (start * start.log()) if logs else 0
    return bool(slope < 0)


def _ball(value: Rational) -> arb:
    return arb(fmpq(int(value.p), int(value.q)))


def _raised(expression: Pow, walk: _Walk) -> Interval:
    base, power = expression.base, expression.exp
    if not isinstance(power, Rational):
        return walk.of(exp(power * log(base), evaluate=False))
    inside = walk.of(base)
    if power.is_negative:
        inside, power = inside.inverse(), -power
    if power.q != 1:
        if not inside.low >= 0:
            raise UndefinedError
        index = int(power.q)
        inside = inside.map(lambda end: end.root(index) if end.is_finite() and not end.is_zero() else end)
    return inside.whole_power(int(power.p))


def _integral(expression: Integral, walk: _Walk) -> Interval:
    known = integrand(expression)
    if known is None:
        raise UndefinedError
    function, symbol, *limits = known
    ends = [_joined(walk.of(limit)) for limit in limits]
    between = {**walk.sides, symbol: Interval.around(ends[0].union(ends[1]))}
    if not all(evaluate(part, between).low > 0 for part in branching(function)):
        raise UndefinedError
    others = {part: _joined(walk.sides[part]) for part in function.free_symbols - {symbol}}
    value = integrated(function, symbol, (ends[0], ends[1]), others, lambda part: _CONSTANTS[str(part)]())
    if value is None:
        raise UndefinedError
    return Interval.around(value)


def _joined(side: Interval) -> arb:
    """A bounded interval as a ball."""
    if not (side.low.is_finite() and side.high.is_finite()):
        raise UndefinedError
    return side.low.union(side.high) if side.low < side.high else side.low


def _function(expression: Expr, walk: _Walk) -> Interval:
    """A function of the table: by the ends and turning places where these are known, otherwise through balls."""
    entry = entry_of(expression)
    if entry is None or entry.ball is None:
        raise UndefinedError
    inside = [walk.of(part) for part in entry.completed(expression.args)]
    if isinstance(expression, (Max, Min)):
        best = max if isinstance(expression, Max) else min
        return Interval(best(part.low for part in inside), best(part.high for part in inside))
    defined = _is_defined(expression, walk)
    if entry.exact and not defined:
        raise UndefinedError
    if entry.turns is not None and defined:
        moving = inside[entry.along]
        others = [moving.low if part is moving else _joined(part) for part in inside]
        found = between(entry, others, moving.low, moving.high)
        if found is None:
            raise UndefinedError
        return _clipped(entry, Interval(*found))
    if not all(_is_finite(part) for part in inside):
        if defined and entry.bounds[0].is_finite and entry.bounds[1].is_finite:
            return _clipped(entry, Interval(-INF, INF))
        raise UndefinedError
    value = on_balls(entry)(*map(_joined, inside))
    if not value.is_finite():
        raise UndefinedError
    return _clipped(entry, Interval.around(value))


def _clipped(entry: Entry, found: Interval) -> Interval:
    """What of an interval lies between the bounds of a function."""
    low, high = entry.bounds
    return Interval(
        found.low if low.is_infinite else max(found.low, number(low).lower()),
        found.high if high.is_infinite else min(found.high, number(high).upper()),
    )


def _is_finite(side: Interval) -> bool:
    return bool(side.low.is_finite() and side.high.is_finite())


def _is_defined(expression: Expr, walk: _Walk) -> bool:
    """Whether the function has a value at every point of the box."""
    conditions = conditions_of(expression)
    return conditions is not None and all(_holds(condition, walk) for condition in conditions)


def _holds(condition: Boolean, walk: _Walk) -> bool:
    if not isinstance(condition, Relational):
        return bool(condition == true)
    left, right = walk.of(condition.lhs), walk.of(condition.rhs)
    if isinstance(condition, (Lt, Le)):
        left, right = right, left
    if isinstance(condition, Ne):
        return bool(left.low > right.high or left.high < right.low)
    return bool(left.low > right.high if isinstance(condition, (Gt, Lt)) else left.low >= right.high)
