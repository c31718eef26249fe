"""Steps along one variable: base points, ends between which an expression is concave, and where to cut.

All are screened by floats at some points; the kernel judges them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from sympy import Expr, Integer, Rational, Symbol, diff, expand, nan, oo, zoo

from proofs_check.engines.cover.factoring import is_zero
from proofs_check.engines.variation.leaves import Points
from proofs_check.engines.variation.shapes import hardness
from proofs_check.engines.variation.stationary import zeros_of
from proofs_check.kernel.end_limits import limit_at
from proofs_check.kernel.signed_claims import Signed
from proofs_check.kernel.variation_lines import Line
from proofs_check.points.arrays import array_function
from theory.errors import LemmascopeError
from theory.trees import encode

Step = dict[str, Any]
_MOST_OPERATIONS = 400
_GRID = 240
_SMALL = 1e-9
_LARGEST_DENOMINATOR = 64
_MOST_SPLITS = 3
_FAR = 0.05
_NOWHERE = (nan, zoo, oo)


def simplifying(claim: Signed) -> list[Symbol]:
    """The variables along which the slope has fewer functions than the expression."""
    f = claim.expression
    return [x for x in claim.variables if f.has(x) and hardness(diff(f, x)) < hardness(f)]


def monotone(claim: Signed, points: Points, along: list[Symbol]) -> Iterator[Step]:
    """Base points along some variables, best first, that agree with the points looked at."""
    f = claim.expression
    symbols = sorted((x for x in along if f.has(x)), key=lambda x: _difficulty(f, x))
    for x in symbols:
        slope = diff(f, x)
        if slope.count_ops() > _MOST_OPERATIONS or slope.has(*_NOWHERE):
            continue
        where = points.of(claim.variables, claim.given)
        if not where.shape[1]:
            continue
        line = Line.of(claim, x)
        slopes, noise = points.values(slope, claim.variables, where)
        place = claim.variables.index(x)
        ups, downs = slopes > noise, slopes < -noise
        for end in _ends(claim, line, slope):
            yield from _from_base(claim, line, end, points, (where, where[place], ups, downs))


def _difficulty(f: Expr, x: Symbol) -> tuple[float, int, str]:
    slope = diff(f, x)
    return hardness(slope), int(slope.count_ops()), x.name


def _ends(claim: Signed, line: Line, slope: Expr) -> list[Expr]:
    """Where the slope vanishes, where the region ends, other variables, and infinity."""
    x, f = line.x, claim.expression
    found = zeros_of(slope, x)
    for gap, _ in line.affine:
        rate = line.rate(gap)
        if rate.is_number or rate.is_Symbol:
            found.append(expand(x - gap / rate))
    found += [y for y in claim.variables if y != x and f.has(y)]
    alone = not line.affine or len(claim.variables) == 1
    found += [Integer(0), *((Integer(1), Rational(1, 2)) if alone else ())]
    found += [oo, -oo]
    return [end for end in dict.fromkeys(found) if not end.has(x) and not end.has(nan, zoo)]


def _from_base(claim: Signed, line: Line, end: Expr, points: Points, seen: Any) -> Iterator[Step]:
    """Steps from one base point, unless some point speaks against it."""
    x, f, where = line.x, claim.expression, seen[0]
    sides = _sides(claim, line, end, points, seen)
    if sides is None or not any(sides):
        return
    above, below = sides
    for how in ("limit",) if end.is_infinite else ("value",) if all(sides) else ("value", "limit"):
        start = f.subs(x, end) if how == "value" else limit_at(f, x, end, from_above=above)
        if start is None or start == -oo or (how == "value" and start.has(*_NOWHERE)):
            continue
        if start != oo and start.free_symbols:
            values, noise = points.values(start, claim.variables, where)
            if np.any(values < -noise):
                return
        for way in ("start", "slope") if claim.strict else ("",):
            if way != "start" or start == oo or not start.is_zero:
                yield {
                    "rule": "monotone", "variable": encode(x), "at": encode(end), "start": how, "above": above,
                    "below": below, "strict": way,
                }  # fmt: skip
        return


def _sides(claim: Signed, line: Line, end: Expr, points: Points, seen: Any) -> tuple[bool, bool] | None:
    """Whether there are points above and below a base; None where it is out of reach or a slope has the wrong sign."""
    where, at, ups, downs = seen
    if end.is_infinite:
        direction = 1 if end == oo else -1
        leaves = any((direction * line.rate(gap)).is_negative for gap, _ in line.affine)
        return None if leaves or np.any(ups if end == oo else downs) else (end == -oo, end == oo)
    values, _ = points.values(end, claim.variables, where)
    if not np.all(np.isfinite(values)):
        return None
    rooms = [points.values(gap.subs(line.x, end), claim.variables, where) for gap, _ in line.affine]
    apart = np.abs(at - values) > _SMALL * (np.abs(at) + np.abs(values))
    above, below = (at > values) & apart, (at < values) & apart
    if any(np.any(room < -noise) for room, noise in rooms) or np.any(above & downs) or np.any(below & ups):
        return None
    return bool(np.any(above)), bool(np.any(below))


def turns(claim: Signed, along: list[Symbol], points: Points) -> Iterator[Step]:
    """Cuts where the slope vanishes, in closed form, inside of the region."""
    where = points.of(claim.variables, claim.given)
    for x in along if where.shape[1] else ():
        at = where[claim.variables.index(x)]
        line = Line.of(claim, x)
        for end in zeros_of(diff(claim.expression, x), x):
            if end.has(x) or end.has(nan, zoo) or end.is_real is False:
                continue
            values, _ = points.values(end, claim.variables, where)
            rooms = [points.values(gap.subs(x, end), claim.variables, where) for gap, _ in line.affine]
            inside = all(np.all(room > noise) for room, noise in rooms)
            if inside and np.any(at > values) and np.any(at < values):
                yield {"rule": "split", "variable": encode(x), "at": encode(end)}


def splits(claim: Signed, *, sure: bool) -> Iterator[Step]:
    """Where to cut the range of the only variable: at a point of equality inside, else between places where the
    first or the second derivative changes its sign. Where that is to be sure, both pieces look easy.
    """
    f = claim.expression
    if len(f.free_symbols) != 1:
        return
    (x,) = f.free_symbols
    low, high = _numbers(claim, x)
    grid = _grid(low, high)
    try:
        value, slope, bend = array_function([f, diff(f, x), diff(f, x, 2)], [x])(grid[np.newaxis, :])
    except LemmascopeError:
        return
    lowest = [
        k for k in range(1, len(grid) - 1) if value[k] < min(value[k - 1], value[k + 1]) and abs(value[k]) < _SMALL
    ]
    for k in lowest[:_MOST_SPLITS]:
        near = Fraction(grid[k]).limit_denominator(_LARGEST_DENOMINATOR)
        at = Rational(near.numerator, near.denominator)
        if low < at < high and is_zero(f.subs(x, at)):
            yield {"rule": "split", "variable": encode(x), "at": encode(at)}
            return
    signs = np.sign([slope, bend])
    changes = sorted(k for row in signs for k in range(len(grid) - 1) if row[k] * row[k + 1] < 0)
    places = [0, *dict.fromkeys(changes), len(grid) - 1]
    rows = np.stack([value, slope, bend])
    middles = [(a + b) // 2 for a, b in itertools.pairwise(places) if b > a + 1]
    ease = {k: _is_easy(rows[:, : k + 1]) + _is_easy(rows[:, k:]) for k in middles}
    if sure:
        middles = [k for k in middles if ease[k] > 1]
    for middle in sorted(middles, key=lambda k: -ease[k])[: 1 if sure else _MOST_SPLITS]:
        near = Fraction(grid[middle]).limit_denominator(_LARGEST_DENOMINATOR)
        if low < near < high:
            at = Rational(near.numerator, near.denominator)
            yield {"rule": "split", "variable": encode(x), "at": encode(at)}


def _is_easy(rows: Any) -> bool:
    """Whether one piece looks monotone, concave, or far from 0."""
    value, slope, bend = rows
    far = np.min(value) > _FAR * np.max(np.abs(value))
    noise = _SMALL * np.max(np.abs(slope))
    return bool(far or np.all(slope >= -noise) or np.all(slope <= noise) or np.all(bend <= 0))


def _numbers(claim: Signed, x: Symbol) -> tuple[float, float]:
    """The numerical ends between which a variable lies."""
    line = Line.of(claim, x)
    low, high = -np.inf, np.inf
    for gap, _ in line.affine:
        if line.is_fixed(gap) and gap.free_symbols == {x}:
            end = float(expand(x - gap / line.rate(gap)).evalf())
            low, high = (max(low, end), high) if line.rate(gap) > 0 else (low, min(high, end))
    return low, high


def _grid(low: float, high: float) -> Any:
    """Places inside a range, with 0, 1/2 and 1 among them where they can be."""
    shares = (np.arange(_GRID) + 0.5) / _GRID
    if np.isfinite(low) and np.isfinite(high):
        inner = low + (high - low) * shares
    elif np.isfinite(low):
        inner = low + shares / (1 - shares)
    elif np.isfinite(high):
        inner = high - shares / (1 - shares)
    else:
        inner = np.tan(np.pi * (shares - 0.5))
    nice = [value for value in (-1.0, 0.0, 0.5, 1.0, 2.0, (low + high) / 2) if low < value < high]
    return np.unique(np.concatenate([inner, nice]))


def concave(claim: Signed, points: Points) -> Iterator[Step]:
    """Between the two ends of a variable, where the second derivative seems not to be positive."""
    f = claim.expression
    for x in sorted((x for x in claim.variables if f.has(x)), key=lambda x: x.name):
        line = Line.of(claim, x)
        fixed = [(line.rate(gap), expand(x - gap / line.rate(gap))) for gap, _ in line.affine if line.is_fixed(gap)]
        lows = [end for rate, end in fixed if rate > 0]
        highs = [end for rate, end in fixed if rate < 0]
        if not lows or not highs:
            continue
        bend = diff(f, x, 2)
        where = points.of(claim.variables, claim.given)
        values, noise = points.values(bend, claim.variables, where)
        if not where.shape[1] or np.any(values > noise):
            continue
        ends = [lows[-1], highs[-1]]
        hows = []
        for end, above in zip(ends, (True, False), strict=True):
            value = f.subs(x, end)
            hows.append("limit" if value.has(*_NOWHERE) or limit_at(f, x, end, above) in (oo, -oo) else "value")
        for way in ("start", "bend") if claim.strict else ("",):
            yield {
                "rule": "concave", "variable": encode(x), "ends": [encode(end) for end in ends], "starts": hows,
                "strict": way,
            }  # fmt: skip
