"""A polynomial that is positive where a flow is, negative where it must not be, and grows where it vanishes.

The last condition is not convex. At each sample it is replaced by  L g + pace * side * g >= margin,  the side of a
point being +1 if it is thought to be inside and -1 outside: whatever the sides, L g is positive where g vanishes. The
sides are first those that simulation suggests, then those of the polynomial before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.optimize import linprog
from sympy import Expr, Mul, Rational, S, Symbol, diff, expand, lambdify

from proofs_check.engines.barriers.view import View
from proofs_check.points.arrays import array_function

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_PACE = 4.0
_LARGEST = 100.0
"""Of a coefficient; the mean over what is reached is one."""
_TURNS = 6
_LEAST_GAIN = 0.03
"""Of the margin, in a turn that is worth another one."""
_LONGEST_PROGRAM = 1.0
_LEAST_MARGIN = 1e-4
BITS = (4, 7, 10, 14, 20)
_PROBES, _NEWTON, _MOST_CROSSINGS = 2000, 6, 60
"""Points that are moved onto the zeros of a polynomial, by how many steps, and how many of those found are kept."""


class Basis(Protocol):
    """Functions of which combinations are looked for."""

    def values(self, points: Values) -> Values:
        """The functions at points, (points, functions)."""

    def rates(self, points: Values, speed: Values) -> Values:
        """Their derivatives along a velocity."""

    def expression(self, coefficients: Sequence[Rational]) -> Expr:
        """A combination as a formula."""


class Monomials:
    """All monomials up to a degree in coordinates that are shifted and scaled to a box."""

    def __init__(self, names: Sequence[Symbol], box: tuple[Values, Values], degree: int) -> None:
        self.names, self.degree = tuple(names), degree
        low, high = box
        self._middle = [short_number((a + b) / 2, (b - a) / 2) for a, b in zip(low, high, strict=True)]
        self._half = [short_number((b - a) / 2, (b - a) / 2) for a, b in zip(low, high, strict=True)]
        self.powers = [p for p in product(range(degree + 1), repeat=len(self.names)) if sum(p) <= degree]

    def _scaled(self, points: Values) -> Values:
        middle, half = (np.array([float(n) for n in part])[:, None] for part in (self._middle, self._half))
        return np.asarray((points - middle) / half)

    def _powers(self, points: Values) -> Values:
        """Powers of the scaled coordinates, (power, coordinate, points)."""
        scaled = self._scaled(points)
        return np.array([scaled**power for power in range(self.degree + 1)])

    def values(self, points: Values) -> Values:
        """The monomials at points."""
        table = self._powers(points)
        return np.array([_times(table, powers) for powers in self.powers]).T

    def rates(self, points: Values, speed: Values) -> Values:
        """Their derivatives along a velocity, by the length of the scaled one."""
        table = self._powers(points)
        slope = speed / np.array([float(n) for n in self._half])[:, None]
        slope = slope / np.maximum(np.linalg.norm(slope, axis=0), 1e-300)
        rows = []
        for powers in self.powers:
            total = np.zeros(points.shape[1])
            for place, power in enumerate(powers):
                if power:
                    lower = [p - (k == place) for k, p in enumerate(powers)]
                    total += power * slope[place] * _times(table, lower)
            rows.append(total)
        return np.array(rows).T

    def expression(self, coefficients: Sequence[Rational]) -> Expr:
        """The polynomial with these coefficients, multiplied out."""
        scaled = [(s - m) / h for s, m, h in zip(self.names, self._middle, self._half, strict=True)]
        terms = [c * Mul(*(u**p for u, p in zip(scaled, powers, strict=True)))
                 for c, powers in zip(coefficients, self.powers, strict=True)]  # fmt: skip
        return expand(sum(terms, S.Zero))


class Combinations:
    """Linear combinations of given polynomials."""

    def __init__(self, names: Sequence[Symbol], functions: Sequence[Expr]) -> None:
        self.functions = list(functions)
        self._compiled = lambdify([list(names)], self.functions, modules="numpy")

    def values(self, points: Values) -> Values:
        """The polynomials at points, the largest of each being one."""
        rows = np.array([np.broadcast_to(np.asarray(v, float), points.shape[1:]) for v in self._compiled(points)])
        return rows.T

    def rates(self, points: Values, speed: Values) -> Values:
        """They have one cofactor: nothing is asked of their derivatives."""
        raise NotImplementedError

    def expression(self, coefficients: Sequence[Rational]) -> Expr:
        """The combination, up to a positive number."""
        return expand(sum((c * f for c, f in zip(coefficients, self.functions, strict=True)), S.Zero)).primitive()[1]


def _times(table: Values, powers: Sequence[int]) -> Values:
    result = np.ones(table.shape[2])
    for place, power in enumerate(powers):
        if power:
            result = result * table[power, place]
    return result


def short_number(value: float, width: float) -> Rational:
    """A number with few digits near a value, beside a width."""
    step = Fraction(2) ** (int(np.floor(np.log2(max(width, 1e-12)))) - 4)
    rounded = round(value / float(step)) * step
    return Rational(rounded.numerator, rounded.denominator)


@dataclass
class Rows:
    """Linear conditions on the coefficients: at least the margin each."""

    basis: Basis
    inner: Values
    outer: Values
    grid: Values | None = None
    speed: Values | None = None

    def __post_init__(self) -> None:
        self._inside, self._outside = self.basis.values(self.inner), self.basis.values(self.outer)
        if self.grid is not None and self.speed is not None:
            self._here = self.basis.values(self.grid)
            self._rates = self.basis.rates(self.grid, self.speed)

    def sides(self, coefficients: Values) -> Values:
        """On which side of a polynomial the points of the grid are."""
        return np.where(self._here @ coefficients < 0, -1.0, 1.0)

    def matrix(self, sides: Values | None) -> Values:
        """All conditions."""
        parts = [self._inside, -self._outside]
        if sides is not None:
            parts.append(self._rates + _PACE * sides[:, None] * self._here)
        rows = np.concatenate(parts)
        return np.asarray(rows / np.maximum(np.max(np.abs(rows), axis=1, keepdims=True), 1e-300))

    @property
    def middle(self) -> Values:
        """The mean of each function over what is reached, for the scale of the coefficients."""
        scaled = self._inside / np.maximum(np.max(np.abs(self._inside), axis=1, keepdims=True), 1e-300)
        return np.asarray(scaled.mean(axis=0))


def fitted(rows: Rows, sides: Values | None) -> Iterator[tuple[Values, Values | None]]:
    """Coefficients with a positive margin, and the sides for which they were found."""
    best = -_LARGEST
    for _ in range(_TURNS if sides is not None else 1):
        found = _solved(rows.matrix(sides), rows.middle)
        if found is None or found[1] <= best + _LEAST_GAIN * abs(best):
            return
        coefficients, best = found
        if best > _LEAST_MARGIN:
            yield coefficients, sides
            return
        if sides is not None:
            turned = rows.sides(coefficients)
            if np.array_equal(turned, sides):
                return
            sides = turned


def _solved(matrix: Values, middle: Values) -> tuple[Values, float] | None:
    """The coefficients for which the smallest condition is largest."""
    count = matrix.shape[1]
    cost = np.r_[np.zeros(count), -1.0]
    above = np.c_[-matrix, np.ones(len(matrix))]
    answer = linprog(
        cost, A_ub=above, b_ub=np.zeros(len(matrix)), A_eq=np.r_[middle, 0.0][None], b_eq=[1.0],
        bounds=[(-_LARGEST, _LARGEST)] * count + [(-_LARGEST, 1.0)], method="highs",
        options={"time_limit": _LONGEST_PROGRAM},
    )  # fmt: skip
    if answer.x is None:
        return None
    return answer.x[:-1], float(answer.x[-1])


def rounded(rows: Rows, coefficients: Values, sides: Values | None) -> list[Rational] | None:
    """Short coefficients that satisfy all conditions with about the same margin."""
    matrix = rows.matrix(sides)
    wanted = 0.3 * float(np.min(matrix @ coefficients))
    largest = float(np.max(np.abs(coefficients)))
    for bits in BITS:
        step = 2.0 ** (np.ceil(np.log2(largest)) - bits)
        short = np.round(coefficients / step) * step
        if np.min(matrix @ short) >= wanted:
            return [Rational(*Fraction(float(value)).as_integer_ratio()) for value in short]
    return None


@dataclass
class Failures:
    """Points at which polynomials before were no barriers: starts, forbidden states, places where they were left."""

    starts: Values
    forbidden: Values
    left: Values

    @classmethod
    def none(cls, view: View) -> Failures:
        """None so far."""
        return cls(*(np.empty((len(view.names), 0)) for _ in range(3)))

    def __len__(self) -> int:
        return sum(part.shape[1] for part in (self.starts, self.forbidden, self.left))


def candidates(view: View, degree: int, failures: Failures) -> Iterator[Expr]:
    """Polynomials of a degree that seem to be barriers, also at the points at which others were none."""
    grid = np.concatenate([view.grid, failures.left], axis=1)
    basis = Monomials(view.names, view.box, degree)
    inner = np.concatenate([view.inner, failures.starts], axis=1)
    outer = np.concatenate([view.outer, failures.forbidden], axis=1)
    rows = Rows(basis, inner, outer, grid, view.speed(grid))
    beside = np.ones(failures.left.shape[1], dtype=bool)
    for inside in (~view.doomed, _near(view)):
        for coefficients, sides in fitted(rows, np.where(np.r_[inside, beside], 1.0, -1.0)):
            short = rounded(rows, coefficients, sides)
            if short is not None:
                yield basis.expression(short)


def crossings(view: View, value: Expr) -> Values:
    """Some points at which a polynomial is zero and does not grow; there may be none."""
    low, high = view.box
    points = view.random.uniform(low[:, None], high[:, None], (len(view.names), _PROBES))
    moving = len(view.setting.state)
    slopes = [diff(value, symbol) for symbol in view.names[:moving]]
    rate = sum((slope * speed for slope, speed in zip(slopes, view.setting.rule, strict=True)), S.Zero)
    compiled = array_function([value, rate, *slopes], view.names)
    for _ in range(_NEWTON):
        values = compiled(points)
        step = values[0] / np.maximum(np.sum(values[2:] ** 2, axis=0), 1e-300)
        points[:moving] -= step * values[2:]
    values = compiled(points)
    length = np.linalg.norm(values[2:], axis=0)
    close = np.all((points >= low[:, None]) & (points <= high[:, None]), axis=0) & view.allowed(points)
    close &= np.abs(values[0]) <= 1e-6 * length * np.max(high - low)
    return points[:, np.flatnonzero(close & (values[1] <= 0))[:_MOST_CROSSINGS]]


def _near(view: View) -> NDArray[np.bool_]:
    """Which points of the grid are closer to what is reached than to what is excluded."""
    low, high = view.box
    half = (high - low)[:, None] / 2

    def distance(others: Values) -> Values:
        if not others.shape[1]:
            return np.full(view.grid.shape[1], np.inf)
        gaps = (view.grid / half)[:, :, None] - (others[:, :200] / half)[:, None, :]
        return np.asarray(np.min(np.sum(gaps**2, axis=0), axis=1))

    return np.asarray(distance(view.inner) <= distance(view.outer))


def combination(view: View, functions: Sequence[Expr]) -> Expr | None:
    """A combination of polynomials that is positive on what is reached and negative on what is forbidden.

    Each is measured in units of its own size, lest numbers of different sizes hide a small difference. Where one
    is constant, the zeros are moved halfway to what is reached: samples meet the ends of that, rarely of the rest.
    """
    points = np.concatenate([view.inner, view.excluded], axis=1)
    sizes = np.max(np.abs(Combinations(view.names, functions).values(points)), axis=0, initial=0.0)
    if not view.excluded.shape[1] or not np.all(np.isfinite(sizes) & (sizes > 0)):
        return None
    units = (Rational(2) ** int(np.ceil(np.log2(size))) for size in sizes)
    basis = Combinations(view.names, [part / unit for part, unit in zip(functions, units, strict=True)])
    rows = Rows(basis, view.inner, view.excluded)
    constant = np.array([float(part.is_number) for part in functions])
    for coefficients, _ in fitted(rows, None):
        room = float(np.min(basis.values(view.inner) @ coefficients))
        for chosen in (coefficients - room / 2 * constant, coefficients):
            short = rounded(rows, chosen, None)
            if short is not None:
                return basis.expression(short)
    return None
