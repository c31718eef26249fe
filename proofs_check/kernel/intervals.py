"""Interval arithmetic with exact ends, finite or infinite: what checkers evaluate expressions with.

Written apart from the compiled ball kernels on purpose: an expression is walked as a tree, every operation works on its
two ends, and increasing functions are evaluated there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flint import arb, fmpq
from sympy import Add, Expr, Integer, Integral, Max, Min, Mul, NumberSymbol, Pow, Rational, Symbol, exp, log

from proofs_check.kernel.integrals import branching, integrand, integrated
from proofs_check.kernel.trust import BALLS, rests_on

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
    if len(expression.args) == 1:
        return _function(expression, walk)
    return _several(expression, walk)


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


_RISING = frozenset("tanh atan asinh sinh erf erfi".split())


def _function(expression: Expr, walk: _Walk) -> Interval:
    inside = walk.of(expression.args[0])
    name = expression.func.__name__
    low, high = inside.low, inside.high
    if name == "exp":
        return inside.map(lambda end: end.exp() if end.is_finite() else (INF if end > 0 else arb(0)))
    if name in _RISING:
        return inside.map(lambda end: getattr(end, name)())
    if name == "log" and low > 0:
        return inside.map(lambda end: end.log() if end.is_finite() else end)
    if name in ("asin", "acos") and low >= -1 and high <= 1:
        found = inside.map(lambda end: end.asin())
        return found if name == "asin" else Interval.around(arb.pi() / 2) - found
    if name in ("cosh", "sech"):
        return _even(name, inside)
    if name == "LambertW":
        return _lambert(inside, 0)
    if name == "Ei" and (low > 0 or high < 0) and low.is_finite() and high.is_finite():
        return hull([Interval.around(end.ei()) for end in (low, high)])
    if name in ("sin", "cos"):
        return _wave(name, inside)
    if name == "sign" and len(signs := inside.sign()) == 1:
        return Interval.around(arb(signs.pop()))
    if name in _BY_BALL and low.is_finite() and high.is_finite():
        value = _BY_BALL[name](low.union(high))
        if value.is_finite():
            return Interval.around(value)
    raise UndefinedError


_BY_BALL: dict[str, Callable[[arb], arb]] = {
    "tan": lambda u: u.tan(), "cot": lambda u: u.cot(), "gamma": lambda u: u.gamma(), "erfc": lambda u: u.erfc(),
    "acosh": lambda u: u.acosh(), "atanh": lambda u: u.atanh(), "loggamma": lambda u: u.lgamma(),
    "floor": lambda u: u.floor(), "ceiling": lambda u: u.ceil(), "Abs": abs, "coth": lambda u: u.coth(),
    "csch": lambda u: u.csch(), "sec": lambda u: u.sec(), "csc": lambda u: u.csc(),
    "li": lambda u: u.li() if u > 0 else arb.nan(), "digamma": lambda u: u.digamma(),
    "factorial": lambda u: (u + 1).gamma(), "zeta": lambda u: u.zeta(),
}  # fmt: skip


def _lambert(inside: Interval, branch: int) -> Interval:
    """The real branches: 0 increases from -1/e on, -1 decreases between -1/e and 0; there are no others."""
    if not inside.low * arb.const_e() > -1:
        raise UndefinedError
    if branch == 0:
        return inside.map(lambda end: end.lambertw() if end.is_finite() else end)
    if branch != -1 or not inside.high < 0:
        raise UndefinedError
    return hull([Interval.around(end.lambertw(-1)) for end in (inside.low, inside.high)])


def _even(name: str, inside: Interval) -> Interval:
    sizes = hull([Interval(abs(end), abs(end)) for end in (inside.low, inside.high)])
    near = arb(0) if inside.low <= 0 and inside.high >= 0 else sizes.low
    far = sizes.high
    if name == "cosh":
        return Interval(Interval.around(near.cosh()).low, Interval.around(far.cosh()).high if far.is_finite() else INF)
    return Interval(Interval.around(far.sech()).low if far.is_finite() else arb(0), Interval.around(near.sech()).high)


def _wave(name: str, inside: Interval) -> Interval:
    if not (inside.low.is_finite() and inside.high.is_finite()) or inside.high - inside.low > 3:
        return Interval(arb(-1), arb(1))
    shift = inside if name == "sin" else inside + Interval.around(arb.pi() / 2)
    ends = [Interval.around(end.sin()) for end in (shift.low, shift.high)]
    quarter = arb.pi() / 2
    for top, place in ((1, quarter), (-1, -quarter)):
        turns = ((shift.low - place) / (2 * arb.pi())).ceil()
        if not turns * 2 * arb.pi() + place > shift.high:
            ends.append(Interval(arb(top), arb(top)))
    return hull(ends)


def _several(expression: Expr, walk: _Walk) -> Interval:
    """Functions of several arguments where they are real, through balls; bounded boxes only but for W and extrema."""
    inside = [walk.of(part) for part in expression.args]
    if isinstance(expression, (Max, Min)):
        best = max if isinstance(expression, Max) else min
        return Interval(best(part.low for part in inside), best(part.high for part in inside))
    name = expression.func.__name__
    if name == "LambertW" and isinstance(expression.args[1], Integer):
        return _lambert(inside[0], int(expression.args[1]))
    balls = list(map(_joined, inside))
    if name in ("betainc", "betainc_regularized") and _are_shares(inside):
        a, b, lower, upper = balls
        regular = name.endswith("regularized")
        value = upper.beta_lower(a, b, regularized=regular) - lower.beta_lower(a, b, regularized=regular)
    elif name == "atan2" and not (balls[0].contains(0) and balls[1].contains(0)):
        value = arb.atan2(*balls)
    elif name == "beta" and all(ball > 0 for ball in balls):
        value = balls[0].gamma() * balls[1].gamma() / (balls[0] + balls[1]).gamma()
    elif name == "expint" and inside[1].low > 0:
        value = balls[1].expint(balls[0])
    elif name == "uppergamma" and (inside[1].low > 0 or (inside[0].low > 0 and inside[1].low >= 0)):
        value = balls[1].gamma_upper(balls[0])
    elif name == "lowergamma" and inside[0].low > 0 and inside[1].low >= 0:
        value = balls[1].gamma_lower(balls[0])
    else:
        raise UndefinedError
    if not value.is_finite():
        raise UndefinedError
    return Interval.around(value)


def _are_shares(inside: list[Interval]) -> bool:
    """Whether two shapes are positive and two limits lie between 0 and 1."""
    return all(part.low > 0 for part in inside[:2]) and all(part.low >= 0 and part.high <= 1 for part in inside[2:])
