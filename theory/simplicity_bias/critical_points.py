"""All critical points of G on the sphere, certified: Krawczyk's test in ball arithmetic, exclusion everywhere else.

On the face v_k = s of the cube around the sphere, with the other coordinates t in [-1, 1], a direction is critical when
F_j(t) = s g_j - t_j g_k vanishes for every j. The part of the gradient g along v drops out of F, so only the share of
the smoothing above the kink of each point is needed: it is monotone, and therefore enclosed by its ends. F is
continuously differentiable, which is all that the test asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb, arb_mat, fmpq
from sympy import Expr, Integer, Matrix, Rational, sqrt

from theory.balls import ball
from theory.simplicity_bias.data import DataSet

Ball = Any
Box = tuple[Ball, ...]

SMALLEST, MOST = 2.0**-12, 40_000
"""Boxes that are still undecided at this radius, or after that many boxes, are handed back as they are."""

_REACH = 1.03
"""Faces overlap a little, so that no zero sits on the rim of all of them."""


@dataclass(frozen=True)
class CriticalPoint:
    """One critical direction, alone in its ball; `exact` is the unit vector itself where it could be told."""

    direction: Box
    value: Ball
    kind: str
    exact: tuple[Expr, ...] | None


@dataclass(frozen=True)
class CriticalSet:
    """Every critical direction is one of `points`, or v/|v| for a v of a box in `flat` (there g = 0) or `undecided`.

    `rest` bounds |G| on these boxes from above.
    """

    points: tuple[CriticalPoint, ...]
    flat: tuple[Box, ...]
    undecided: tuple[Box, ...]
    rest: Ball
    boxes: int

    @property
    def extrema(self) -> tuple[CriticalPoint, ...]:
        """The points where |G| may be largest: no other value is certainly larger."""
        return tuple(p for p in self.points if not any(abs(p.value) < abs(other.value) for other in self.points))

    @property
    def complete(self) -> bool:
        """Whether |G| is certainly largest at one of the points, and not on a box that is left."""
        return any(self.rest < abs(point.value) for point in self.points)


def critical_points(data: DataSet, smallest: float = SMALLEST, most: int = MOST) -> CriticalSet:
    """The critical points of G on the sphere; quick for two and three dimensions and a few dozen points.

    >>> one = DataSet(((Integer(1), Integer(0)),), (1,), Rational(1, 2))
    >>> found = critical_points(one)
    >>> [(point.exact, point.kind) for point in found.points], len(found.flat) > 0
    ([((1, 0), 'maximum')], True)
    """
    search = _Search(smallest, most)
    for axis, sign in product(range(data.dimension), (1, -1)):
        _on_face(search, _Face(data, axis, sign))
    return CriticalSet(tuple(search.points), tuple(search.flat), tuple(search.undecided), search.rest, search.boxes)


@dataclass
class _Search:
    smallest: float
    most: int
    points: list[CriticalPoint] = field(default_factory=list)
    alone: list[tuple[int, int, Box]] = field(default_factory=list)
    flat: list[Box] = field(default_factory=list)
    undecided: list[Box] = field(default_factory=list)
    rest: Ball = field(default_factory=arb)
    boxes: int = 0

    def leave(self, kept: list[Box], face: _Face, box: Box) -> None:
        """Hand a box back as it is."""
        kept.append(tuple(face.direction(box)))
        self.rest = self.rest.max(abs(face.value(box)).upper())

    def knows(self, axis: int, sign: int, place: Sequence[Ball]) -> bool:
        """Whether a box, or a zero enclosed by it, lies where one zero, already in the list, is the only one."""
        return any(
            (axis, sign) == (k, s) and all(b.contains(p) for b, p in zip(box, place, strict=True))
            for k, s, box in self.alone
        )


class _Face:
    """The equations on one face of the cube."""

    def __init__(self, data: DataSet, axis: int, sign: int) -> None:
        self.data, self.axis, self.sign, self.d = data, axis, sign, data.dimension
        self.free = [k for k in range(self.d) if k != axis]
        self.rows = [[_real(part) for part in point] for point in data.points]
        self.width = _real(data.width)
        half = arb(fmpq(self.d, 2))
        self.constant = (half + 1).gamma() / ((half + 0.5).gamma() * arb.pi().sqrt())

    def direction(self, t: Sequence[Ball]) -> list[Ball]:
        found = list(t)
        found.insert(self.axis, arb(self.sign))
        return found

    def mass(self, c: Ball) -> Ball:
        """The share above the kink for |c| <= 1."""
        gap = (1 - c * c).nonnegative_part()
        total = 1 + c if self.d % 2 else c.asin() + arb.pi() / 2
        for k in range(3 if self.d % 2 else 2, self.d + 1, 2):
            total = c * _power(gap, k - 1) / k + total * (k - 1) / k
        return self.constant * total

    def ratios(self, t: Sequence[Ball]) -> list[tuple[Ball, Ball]]:
        """v.x and its clipped ratio to xi |v| for every point; the ratio is None outside the band."""
        v = self.direction(t)
        scale = self.width * sum((part * part for part in v), arb(0)).sqrt()
        found = []
        for row in self.rows:
            reach = sum((a * b for a, b in zip(v, row, strict=True)), arb(0))
            found.append((reach, reach / scale))
        return found

    def share(self, c: Ball) -> Ball:
        if c >= 1:
            return arb(1)
        if c <= -1:
            return arb(0)
        low, high = (max(min(end, arb(1)), arb(-1)) for end in (c.lower(), c.upper()))
        return self.mass(low).union(self.mass(high))

    def density(self, c: Ball) -> Ball:
        if c >= 1 or c <= -1:
            return arb(0)
        return self.constant * _power((1 - c * c).nonnegative_part(), self.d - 1)

    def equations(self, t: Sequence[Ball]) -> list[Ball]:
        """F, without the positive factor 1 / (2 n)."""
        total = [arb(0)] * (self.d - 1)
        for (_, c), row, label in zip(self.ratios(t), self.rows, self.data.labels, strict=True):
            part = label * self.share(c)
            for j, k in enumerate(self.free):
                total[j] += part * (self.sign * row[k] - t[j] * row[self.axis])
        return total

    def jacobian(self, t: Sequence[Ball]) -> Any:
        n = self.d - 1
        v = self.direction(t)
        square = sum((part * part for part in v), arb(0))
        scale = self.width * square.sqrt()
        total = arb_mat(n, n)
        for (reach, c), row, label in zip(self.ratios(t), self.rows, self.data.labels, strict=True):
            share, steep = label * self.share(c), label * self.density(c)
            for j, k in enumerate(self.free):
                total[j, j] -= share * row[self.axis]
                side = self.sign * row[k] - t[j] * row[self.axis]
                for i, other in enumerate(self.free):
                    total[j, i] += steep * side * (row[other] - reach * t[i] / square) / scale
        return total

    def value(self, t: Sequence[Ball]) -> Ball:
        """G at the direction of a point."""
        length = sum((part * part for part in self.direction(t)), arb(0)).sqrt()
        total = arb(0)
        for (reach, c), label in zip(self.ratios(t), self.data.labels, strict=True):
            moment = self.density(c) * (1 - c * c) / (self.d + 1)
            total += label * (self.share(c) * reach / length + self.width * moment)
        return total / (2 * len(self.rows))

    def active(self, t: Sequence[Ball]) -> tuple[Expr, ...] | None:
        """The exact sum of y x over the active points where none is in the band, else None."""
        ratios = [c for _, c in self.ratios(t)]
        if not all(c >= 1 or c <= -1 for c in ratios):
            return None
        kept = [(x, y) for x, y, c in zip(self.data.points, self.data.labels, ratios, strict=True) if c >= 1]
        return tuple(sum((y * x[k] for x, y in kept), Integer(0)) for k in range(self.d))


def _real(value: Expr) -> Ball:
    found = ball(value)
    return arb("nan") if found is None else found.real


def _power(gap: Ball, doubled: int) -> Ball:
    """gap^(doubled / 2)."""
    return gap ** (doubled // 2) * (gap.sqrt() if doubled % 2 else 1)


def _on_face(search: _Search, face: _Face) -> None:
    stack: list[Box] = [(arb(0, _REACH),) * (face.d - 1)]
    while stack:
        box = stack.pop()
        search.boxes += 1
        if search.knows(face.axis, face.sign, box):
            continue
        if any(not part.contains(0) for part in face.equations(box)):
            continue
        still = face.active(box)
        if still is not None and not any(still):
            search.leave(search.flat, face, box)
            continue
        answer = _krawczyk(face, box)
        if answer is not None and not answer:
            continue
        if answer:
            _record(search, face, *answer)
        elif search.boxes > search.most or float(max(part.rad() for part in box)) <= search.smallest:
            search.leave(search.undecided, face, box)
        else:
            stack.extend(_halves(box))


def _halves(box: Box) -> Iterator[Box]:
    widest = max(range(len(box)), key=lambda k: float(box[k].rad()))
    middle, radius = box[widest].mid(), box[widest].rad() / 2
    for centre in (middle - radius, middle + radius):
        yield (*box[:widest], arb(centre, radius), *box[widest + 1 :])


def _krawczyk(face: _Face, box: Box) -> tuple[Box, Box] | tuple[()] | None:
    """Empty: no zero in the box. A pair: one zero in the larger box around it, and a small ball that holds it."""
    around = tuple(arb(part.mid(), part.rad() * 1.5) for part in box)
    image = _newton(face, around)
    if image is None:
        return None
    if any(not part.overlaps(new) for part, new in zip(box, image, strict=True)):
        return ()
    if not all(part.contains_interior(new) for part, new in zip(around, image, strict=True)):
        return None
    small = image
    for _ in range(12):
        better = _newton(face, small)
        if better is None or not all(old.contains(new) for old, new in zip(small, better, strict=True)):
            break
        small = better
    return around, small


def _newton(face: _Face, box: Box) -> Box | None:
    """m - Y F(m) + (1 - Y J(box)) (box - m) with Y close to the inverse of J; None if J is not invertible there."""
    n = len(box)
    middle = [part.mid() for part in box]
    slopes = face.jacobian(box)
    try:
        inverse = arb_mat(n, n, [entry.mid() for entry in slopes.entries()]).inv().mid()
    except ZeroDivisionError:
        return None
    step = inverse * arb_mat(n, 1, face.equations(middle))
    rest = arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)]) - inverse * slopes
    away = rest * arb_mat(n, 1, [part - m for part, m in zip(box, middle, strict=True)])
    image = tuple(middle[k] - step[k, 0] + away[k, 0] for k in range(n))
    return image if all(part.is_finite() for part in image) else None


def _record(search: _Search, face: _Face, around: Box, small: Box) -> None:
    """Take a zero into the list unless it is there already, seen from this face or from another one."""
    v = face.direction(small)
    for axis, sign in product(range(face.d), (1, -1)):
        if v[axis] * sign > 0:
            seen = [sign * part / v[axis] for k, part in enumerate(v) if k != axis]
            if search.knows(axis, sign, seen):
                return
    search.alone.append((face.axis, face.sign, around))
    length = sum((part * part for part in v), arb(0)).sqrt()
    unit = tuple(part / length for part in v)
    search.points.append(CriticalPoint(unit, face.value(small), _kind(face, small), _exactly(face, around, small)))


def _kind(face: _Face, t: Box) -> str:
    """From the second derivatives of G / |v| on the face: s (1 - t t^T / |v|^2) J up to a positive factor."""
    n = len(t)
    square = 1 + sum((part * part for part in t), arb(0))
    flat = arb_mat(n, n, [int(i == j) - t[i] * t[j] / square for i in range(n) for j in range(n)])
    bend = flat * face.jacobian(t) * face.sign
    minors = [arb_mat(k, k, [bend[i, j] for i in range(k) for j in range(k)]).det() for k in range(1, n + 1)]
    if all(minor > 0 for minor in minors):
        return "minimum"
    if all(minor * (-1) ** k > 0 for k, minor in enumerate(minors, 1)):
        return "maximum"
    return "saddle" if n == 2 and minors[-1] < 0 else "undecided"


def _exactly(face: _Face, around: Box, small: Box) -> tuple[Expr, ...] | None:
    """Outside every band the zero is the direction of the active sum; inside, simple fractions are tried."""
    sum_ = face.active(around)
    if sum_ is not None:
        v = Matrix(sum_) * (1 if ball(sum_[face.axis]).real * face.sign > 0 else -1)
    else:
        simple = [Fraction(float(part.mid())).limit_denominator(64) for part in small]
        v = Matrix([Rational(part.numerator, part.denominator) for part in simple]).row_insert(
            face.axis, Matrix([face.sign])
        )
    unit = tuple(part / sqrt(v.dot(v)) for part in v)
    inside = all(
        part.contains(face.sign * _real(unit[k]) / _real(unit[face.axis]))
        for part, k in zip(around, face.free, strict=True)
    )
    return unit if inside and face.data.is_critical(unit) else None
