"""The function G of plain rectifiers in the plane, exactly: its kinks, its critical directions, its global extrema.

Between two neighbouring kinks G(v) = w . v with one vector w, so a direction is critical there only if it is w/|w| or
its opposite. A kink is critical when the slopes of the two sides have opposite signs or one of them vanishes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import pairwise

from sympy import Expr, Integer, Rational, expand, sqrt

from theory.balls import exact_sign
from theory.errors import LemmascopeError

Vector = tuple[Expr, Expr]


@dataclass(frozen=True)
class PlanarPoint:
    """A critical direction (not of length one) and the value of G at its unit vector."""

    direction: Vector
    value: Expr
    kind: str


def rectified_critical_points(points: Sequence[Vector], labels: Sequence[int]) -> tuple[PlanarPoint, ...]:
    """Every critical direction of G(v) = (1 / 2n) sum of y (v.x)_+ on the circle, in the order of its angle.

    `kind` is "maximum", "minimum", "inflection" (one side is level) or "flat" (G vanishes on that side).

    >>> one, zero = Integer(1), Integer(0)
    >>> cross = [(one, zero), (-one, zero), (zero, one), (zero, -one)]
    >>> [(found.direction, found.value, found.kind) for found in rectified_critical_points(cross, (1, 1, -1, -1))][:2]
    [((1, 0), 1/8, 'maximum'), ((0, 1), -1/8, 'minimum')]
    """
    kinks = _kinks(points)
    if not kinks:
        raise LemmascopeError("all points are at the origin, where G vanishes: give a point elsewhere")
    found = []
    sectors = list(pairwise([*kinks, kinks[0]]))
    fields = [_field(points, labels, _between(first, last)) for first, last in sectors]
    for place, (first, last) in enumerate(sectors):
        before, after = fields[place - 1], fields[place]
        kind = _at_kink(*(_sign(_cross(first, side)) for side in (before, after)))
        if kind:
            found.append(PlanarPoint(first, _value(after, first), kind))
        if after == (0, 0):
            found.append(PlanarPoint(_between(first, last), Integer(0), "flat"))
            continue
        for sign, kind in ((1, "maximum"), (-1, "minimum")):
            v = (sign * after[0], sign * after[1])
            if _sign(_cross(first, v)) > 0 and _sign(_cross(v, last)) > 0:
                found.append(PlanarPoint(v, _value(after, v), kind))
    return tuple(found)


def global_extrema(points: Sequence[Vector], labels: Sequence[int]) -> tuple[PlanarPoint, ...]:
    """The critical directions where |G| is largest.

    >>> third = (Rational(1, 2), sqrt(3) / 2)
    >>> skewed = [(Integer(1), Integer(0)), (Integer(-1), Integer(0)), third, (-third[0], -third[1])]
    >>> {found.value for found in global_extrema(skewed, (1, 1, -1, -1))} == {sqrt(3) / 16, -sqrt(3) / 16}
    True
    """
    found = rectified_critical_points(points, labels)
    squares = [expand(point.value**2) for point in found]
    return tuple(p for p, own in zip(found, squares, strict=True) if all(_sign(own - other) >= 0 for other in squares))


def _sign(value: Expr) -> int:
    if value.is_Rational:
        return (value.p > 0) - (value.p < 0)
    found = exact_sign(value)
    if found is None:
        raise LemmascopeError(f"the sign of {value} could not be told: give rational or algebraic points")
    return found


def _cross(one: Vector, two: Vector) -> Expr:
    return one[0] * two[1] - one[1] * two[0]


def _dot(one: Vector, two: Vector) -> Expr:
    return one[0] * two[0] + one[1] * two[1]


def _kinks(points: Sequence[Vector]) -> list[Vector]:
    """The directions orthogonal to a point, once each, by angle from 0 on."""
    both = [(-s * x[1], s * x[0]) for x in points if any(x) for s in (1, -1)]

    def upper(v: Vector) -> bool:
        height = _sign(v[1])
        return height > 0 or (height == 0 and _sign(v[0]) > 0)

    def order(one: Vector, two: Vector) -> int:
        halves = int(upper(two)) - int(upper(one))
        return halves or -_sign(_cross(one, two))

    kept: list[Vector] = []
    for v in sorted(both, key=cmp_to_key(order)):
        if not kept or order(kept[-1], v) != 0:
            kept.append(v)
    return kept


def _between(first: Vector, last: Vector) -> Vector:
    """A direction inside the sector that goes counterclockwise from the first to the last ray."""
    if _sign(_cross(first, last)) == 0:
        return (-first[1], first[0])
    scale = sqrt(_dot(first, first) / _dot(last, last))
    near = Rational(round(float(scale) * 2**10) or 1, 2**10)
    return (first[0] + near * last[0], first[1] + near * last[1])


def _field(points: Sequence[Vector], labels: Sequence[int], at: Vector) -> Vector:
    active = [(x, y) for x, y in zip(points, labels, strict=True) if _sign(_dot(at, x)) > 0]
    size = 2 * len(points)
    first, second = (expand(sum((y * x[k] for x, y in active), Integer(0)) / size) for k in (0, 1))
    return first, second


def _value(field: Vector, at: Vector) -> Expr:
    return expand(_dot(field, at)) / sqrt(expand(_dot(at, at)))


def _at_kink(before: int, after: int) -> str | None:
    """The signs of the slope on the two sides: cross(v, w) is the derivative of w.v when v turns."""
    if before > 0 > after:
        return "maximum"
    if before < 0 < after:
        return "minimum"
    return "inflection" if 0 in (before, after) and before != after else None
