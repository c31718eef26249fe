"""Relations on bounded boxes, by intervals on ever smaller halves: a proof that needs neither solvers nor covers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq
from sympy import And, Symbol
from sympy import Interval as Domain
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational

from proofs_check.kernel.claims import Claim
from proofs_check.kernel.intervals import Interval, UndefinedError, evaluate
from proofs_check.kernel.point import enclosed

MOST_BOXES = 4000
FEW_BOXES = 200
_GRID = 1 << 40
_ALLOWED = {Eq: {0}, Ne: {-1, 1}, Gt: {1}, Ge: {0, 1}, Lt: {-1}, Le: {-1, 0}}


def bisected(goal: Claim, most: int = MOST_BOXES) -> bool:
    """Whether intervals show a relation on a bounded box of few sides, cut into halves as often as it takes.

    >>> from sympy import exp
    >>> x = Symbol("x")
    >>> bisected(Claim({x: Domain(0, 1)}, (), exp(x) < 3))
    True
    """
    parts = And.make_args(goal.conclusion)
    used = sorted(goal.conclusion.free_symbols, key=str)
    if not all(type(part) in _ALLOWED for part in parts) or len(used) > 2:
        return False
    previous = ctx.prec
    ctx.prec = 64
    try:
        start = {symbol: _ends(goal.variables.get(symbol)) for symbol in used}
        return all(_by_halves(part, _ALLOWED[type(part)], start, most) for part in parts)
    except (UndefinedError, ValueError):
        return False
    finally:
        ctx.prec = previous


def _ends(domain: Any) -> tuple[Fraction, Fraction]:
    """Rational numbers around a bounded interval."""
    if type(domain) is not Domain or not (domain.start.is_finite and domain.end.is_finite) or domain.free_symbols:
        raise ValueError("not a bounded interval")
    low, high = enclosed(domain.start).low, enclosed(domain.end).high
    return _dyadic((low * _GRID).floor()), _dyadic((high * _GRID).ceil())


def _dyadic(whole: arb) -> Fraction:
    return Fraction(int(whole.unique_fmpz()), _GRID)


def _by_halves(
    relation: Relational, allowed: set[int], start: dict[Symbol, tuple[Fraction, Fraction]], most: int
) -> bool:
    pending, seen = [start], 0
    difference = relation.lhs - relation.rhs
    while pending:
        box = pending.pop()
        seen += 1
        try:
            sides = {symbol: _between(*ends) for symbol, ends in box.items()}
            # each side by itself too: what cancels in the difference must have a value as well
            signs = [evaluate(part, sides) for part in (*relation.args, difference)][-1].sign()
        except UndefinedError:
            signs = {-1, 0, 1}
        if signs <= allowed:
            continue
        if not signs & allowed or seen > most:
            return False
        widest = max(box, key=lambda symbol: box[symbol][1] - box[symbol][0])
        low, high = box[widest]
        middle = (low + high) / 2
        pending += [{**box, widest: (low, middle)}, {**box, widest: (middle, high)}]
    return True


def _between(low: Fraction, high: Fraction) -> Interval:
    ends = [arb(fmpq(end.numerator, end.denominator)) for end in (low, high)]
    return Interval(ends[0].lower(), ends[1].upper())
