"""Data sets in exact numbers: the function G, its derivatives at a direction, and the XOR-like orbits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from sympy import Expr, Integer, Matrix, Rational, eye

from theory.simplicity_bias.activation import c, density, moment, profile, projector, share

Point = tuple[Expr, ...]

HALF = Rational(1, 2)
"""-l'(0)."""


@dataclass(frozen=True)
class DataSet:
    """Labelled points with the width of the smoothing.

    >>> one = DataSet(((Integer(1), Integer(0), Integer(0)),), (1,), Rational(1, 2))
    >>> one.value((Integer(1), Integer(0), Integer(0)))
    1/2
    """

    points: tuple[Point, ...]
    labels: tuple[int, ...]
    width: Expr

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.points[0])

    def _terms(self, direction: Sequence[Expr]) -> Iterable[tuple[Matrix, int, Expr]]:
        unit = Matrix(direction)
        for point, label in zip(self.points, self.labels, strict=True):
            yield Matrix(point), label, unit.dot(Matrix(point)) / self.width

    def value(self, direction: Sequence[Expr]) -> Expr:
        """G at a unit direction."""
        d, total = self.dimension, Integer(0)
        for _, label, ratio in self._terms(direction):
            part = Integer(0) if ratio <= -1 else ratio if ratio >= 1 else profile(d).subs(c, ratio)
            total += label * self.width * part
        return HALF * total / len(self.points)

    def gradient(self, direction: Sequence[Expr]) -> Matrix:
        """The gradient of G at a unit direction."""
        d, unit = self.dimension, Matrix(direction)
        total = Matrix([0] * d)
        for point, label, ratio in self._terms(direction):
            if ratio >= 1:
                total += label * point
            elif ratio > -1:
                total += label * (share(d).subs(c, ratio) * point + self.width * moment(d).subs(c, ratio) * unit)
        return HALF * total / len(self.points)

    def hessian(self, direction: Sequence[Expr]) -> Matrix:
        """The Euclidean Hessian of G at a unit direction."""
        d, unit = self.dimension, Matrix(direction)
        flat = projector(unit, Integer(1))
        total = Matrix.zeros(d, d)
        for point, label, ratio in self._terms(direction):
            if -1 < ratio < 1:
                side = flat * point
                total += label * (flat * self.width * moment(d).subs(c, ratio))
                total += label * side * side.T * density(d, ratio) / self.width
        return HALF * total / len(self.points)

    def is_critical(self, direction: Sequence[Expr]) -> bool:
        """Whether the projected gradient vanishes there."""
        unit = Matrix(direction)
        return (projector(unit, Integer(1)) * self.gradient(direction)).is_zero_matrix is True

    def regularity(self, direction: Sequence[Expr]) -> Expr:
        """The largest Delta for which the direction is Delta-regular."""
        unit = Matrix(direction)
        return min(abs(unit.dot(Matrix(point))) for point in self.points)


def orbit(p: Expr, q: Expr, *rest: Expr) -> DataSet:
    """The orbit of (p, q, rest) under both reflections, the reflection of the rest and the swap; width 1/100.

    >>> len(orbit(Rational(19, 20), Rational(1, 10), Integer(0)).points)
    8
    >>> len(orbit(Rational(19, 20), Rational(1, 10), Rational(1, 20)).points)
    16
    """
    found: dict[Point, int] = {}
    for s, t, w in product((1, -1), repeat=3):
        tail = tuple(w * part for part in rest)
        found[(s * p, t * q, *tail)] = 1
        found[(s * q, t * p, *tail)] = -1
    return DataSet(tuple(found), tuple(found.values()), Rational(1, 100))


def group(d: int) -> tuple[Matrix, ...]:
    """All products of the swap and the three reflections of Assumption 5.1.

    >>> len(group(2)), len(group(3))
    (8, 16)
    """
    return tuple(_closure(d))


@cache
def _closure(d: int) -> tuple[Matrix, ...]:
    swap = eye(d)
    swap[0, 0] = swap[1, 1] = 0
    swap[0, 1] = swap[1, 0] = 1
    first, second = eye(d), eye(d)
    first[0, 0] = second[1, 1] = -1
    others = -eye(d)
    others[0, 0] = others[1, 1] = 1
    generators = [part.as_immutable() for part in (swap, first, second, others)]
    found = {eye(d).as_immutable()}
    while True:
        more = found | {one * two for one in found for two in generators}
        if more == found:
            return tuple(found)
        found = more


def named(name: str) -> DataSet:
    """The data sets that statements speak of.

    >>> named("origin").value((Integer(1), Integer(0), Integer(0)))
    3/32
    """
    zero, half = Integer(0), Rational(1, 2)
    sets = {
        "origin": DataSet(((zero, zero, zero),), (1,), Integer(1)),
        "one point in the band": DataSet(((half, zero, zero),), (1,), Integer(1)),
        "one point outside the band": DataSet(((half, zero, zero),), (1,), Rational(1, 4)),
        "orbit": orbit(Rational(19, 20), Rational(1, 10), zero),
        "orbit of sixteen": orbit(Rational(19, 20), Rational(1, 10), Rational(1, 20)),
    }
    return sets[name]


def axis(d: int, k: int, sign: int = 1) -> Point:
    """A signed unit vector; the first axis is k = 1."""
    return tuple(Integer(sign) if place == k - 1 else Integer(0) for place in range(d))


def largest_eigenvalue(matrix: Matrix) -> Expr:
    """The largest eigenvalue of a symmetric matrix, exactly.

    >>> largest_eigenvalue(Matrix([[2, 1], [1, 2]]))
    3
    """
    return max(matrix.eigenvals(), key=lambda value: value.evalf(50))
