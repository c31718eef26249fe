"""The functions of the language on balls, tight on wide ones: by their ends and the places where they turn.

Arb's own functions are sound and lose much on wide balls (tanh of [-5, 5] comes back as +/- 2e4). A function that is
monotone between known places is therefore evaluated at the two ends as soon as the ball is wide. What is or may be
undefined is a ball for which `is_finite()` is false.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq
from sympy.core.relational import Relational

from theory.language.entries import Ball, Entry
from theory.language.functions import entry_of, remember

NAN = arb.nan()
ZERO = arb(0)
NARROW_BITS = 2  # a ball with no more good bits than this is treated by its ends; others lose less than a tenth

_CERTAIN: dict[type, Callable[[Ball, Ball], bool]] = {
    sp.Gt: operator.gt, sp.Ge: operator.ge, sp.Lt: operator.lt, sp.Le: operator.le, sp.Ne: operator.ne,
}  # fmt: skip


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


def raw(entry: Entry) -> Callable[..., Ball]:
    """The function on balls, sound and not always tight; the nan ball where nobody can bound it."""
    if entry.ball is None:
        return lambda *_: NAN
    return operator.methodcaller(entry.ball) if isinstance(entry.ball, str) else entry.ball


def number(value: sp.Expr) -> Ball:
    """A ball around a number that the table names; infinite ones are infinite balls."""
    return _number(value, ctx.prec)


@lru_cache(maxsize=4096)
def _number(value: sp.Expr, _: int) -> Ball:
    if value in (sp.oo, -sp.oo):
        return arb("inf") if value == sp.oo else -arb("inf")
    if value.is_Rational:
        return arb(fmpq(int(value.p), int(value.q)))
    if value is sp.pi:
        return arb.pi()
    if isinstance(value, (sp.Add, sp.Mul)):
        total = number(value.args[0])
        for part in value.args[1:]:
            total = total + number(part) if isinstance(value, sp.Add) else total * number(part)
        return total
    entry = entry_of(value)
    return NAN if entry is None else raw(entry)(*map(number, value.args))


def on_balls(entry: Entry) -> Callable[..., Ball]:
    """The function on balls, tight on wide ones where it is known where it turns.

    >>> from theory.language.functions import by_name
    >>> bool(on_balls(by_name()["tanh"])(arb(0, 5)) < 1.001)
    True
    """
    return _tight(entry)


@remember
@lru_cache(maxsize=1024)
def _tight(entry: Entry) -> Callable[..., Ball]:
    plain = raw(entry)
    inside = None if entry.is_total else _domain(entry)
    if entry.turns is None or not (isinstance(entry.ball, str) or entry.guarded):
        if not entry.guarded or inside is None:
            return plain
        return lambda *balls: plain(*balls) if inside(*balls) else NAN
    narrow = _narrow(entry)
    join = nonnegative_hull if entry.bounds[0] == 0 else hull
    along = entry.along
    if entry.arity == (1,) and inside is None and len(entry.turns) == 0:
        return _monotone(plain, join)

    def tight(*balls: Ball) -> Ball:
        x = balls[along]
        if narrow(x) and not entry.guarded:
            return plain(*balls)
        if inside is not None and not inside(*balls):
            return plain(*balls) if not entry.guarded and entry.exact is False else NAN
        if x.is_exact():
            return plain(*balls)
        low, high = x.lower(), x.upper()
        if len(balls) == 1:
            result = join(plain(low), plain(high))
        else:
            ends = [list(balls), list(balls)]
            ends[0][along], ends[1][along] = low, high
            result = join(plain(*ends[0]), plain(*ends[1]))
        for value in turned_within(entry, low, high):
            result = join(result, value)
        return result

    return tight


def _monotone(plain: Callable[[Ball], Ball], join: Callable[[Ball, Ball], Ball]) -> Callable[[Ball], Ball]:
    """A monotone function on the whole line: the most frequent case, with the least to do."""

    def tight(x: Ball) -> Ball:
        return plain(x) if x.rel_one_accuracy_bits() > NARROW_BITS else join(plain(x.lower()), plain(x.upper()))

    return tight


def between(entry: Entry, arguments: Sequence[Ball], low: Ball, high: Ball) -> tuple[Ball, Ball] | None:
    """Bounds of a function whose argument `along` runs from a low to a high end, finite or not, within its domain.

    The other arguments are balls. Between the places where it turns the function is monotone, so that its values at
    the ends and at the turns bound it. None where it is not known where it turns, or what it tends to.

    >>> from theory.language.functions import by_name
    >>> [float(end) for end in between(by_name()["tanh"], [ZERO], ZERO, arb("inf"))]
    [0.0, 1.0]
    """
    if entry.turns is None:
        return None
    values = []
    for place, end in enumerate((low, high)):
        if end.is_finite():
            balls = list(arguments)
            balls[entry.along] = end
            values.append(raw(entry)(*balls))
        elif (limit := entry.limits[place]) is not None:
            values.append(number(limit))
        else:
            values += [number(bound) for bound in entry.bounds]
    values += turned_within(entry, low, high)
    if any(value.is_nan() for value in values):
        return None
    lows, highs = ([_end(value, side) for value in values] for side in (-1, 1))
    return min(lows), max(highs)


def _end(value: Ball, side: int) -> Ball:
    if not value.is_finite() and not value.is_exact():
        return side * arb("inf")
    return value.lower() if side < 0 else value.upper()


def turned_within(entry: Entry, low: Ball, high: Ball) -> list[Ball]:
    """The values at the places between two ends, which may be infinite, where a function may turn."""
    return [value for place, period, value in _turns(entry, ctx.prec) if _is_within(place, period, low, high)]


@lru_cache(maxsize=4096)
def _turns(entry: Entry, _: int) -> list[tuple[Ball, Ball | None, Ball]]:
    return [(number(p), None if period is None else number(period), number(v)) for p, period, v in entry.turns or ()]


def _is_within(place: Ball, period: Ball | None, low: Ball, high: Ball) -> bool:
    if period is None:
        return not (place < low or place > high)
    if not (low.is_finite() and high.is_finite()):
        return True
    return not ((low - place) / period).ceil() * period + place > high


def _narrow(entry: Entry) -> Callable[[Ball], bool]:
    if entry.is_total:
        return lambda x: bool(x.rel_one_accuracy_bits() > NARROW_BITS)
    symbols = sp.symbols(f"u:{max(entry.arity, default=1)}")
    closed = any(isinstance(part, (sp.Ge, sp.Le)) for part in entry.defined(*symbols) or ())
    # at an end that belongs to the domain the slope may be infinite
    return lambda x: bool(x.is_exact()) if closed else bool(x.rel_accuracy_bits() > NARROW_BITS)


def _domain(entry: Entry) -> Callable[..., bool]:
    """Whether balls certainly lie in the domain."""

    @lru_cache(maxsize=8)
    def tests(count: int) -> list[Callable[..., bool]]:
        symbols = sp.symbols(f"u:{count}")
        conditions = entry.defined(*symbols)
        return [_test(part, symbols) for part in conditions] if conditions is not None else [lambda *_: False]

    if entry.arity == (1,) and len(tests(1)) == 1:
        return tests(1)[0]
    return lambda *balls: all(test(*balls) for test in tests(len(balls)))


def _test(condition: Any, symbols: tuple[sp.Symbol, ...]) -> Callable[..., bool]:
    if not isinstance(condition, Relational):
        return lambda *_: bool(condition == sp.true)
    certain = _CERTAIN[condition.func]
    if condition.lhs in symbols and condition.rhs.is_Integer:
        place, end = symbols.index(condition.lhs), arb(int(condition.rhs))
        return lambda *balls: bool(certain(balls[place], end))
    left, right = (_side(part, symbols) for part in condition.args)
    return lambda *balls: bool(certain(left(*balls), right(*balls)))


def _side(part: sp.Expr, symbols: tuple[sp.Symbol, ...]) -> Callable[..., Ball]:
    if part in symbols:
        return _at(symbols.index(part))
    if not part.free_symbols:
        return lambda *_: number(part)
    inner = [_side(one, symbols) for one in part.args]
    if isinstance(part, sp.Add):
        return lambda *balls: sum((one(*balls) for one in inner), ZERO)
    if isinstance(part, sp.Pow) and part.exp == 2:
        return lambda *balls: inner[0](*balls) * inner[0](*balls)
    entry = entry_of(part)
    return (lambda *_: NAN) if entry is None else lambda *balls: _tight(entry)(*(one(*balls) for one in inner))


def _at(place: int) -> Callable[..., Ball]:
    return lambda *balls: balls[place]
