"""Period doublings as certified enclosures: where the multiplier of a periodic orbit passes -1.

The orbit, the direction in which it loses stability and the parameter solve one square system: every point is mapped
to the next, every direction by the derivative to the next, and the last direction to minus the first. Krawczyk's test
in ball arithmetic proves that a small box contains exactly one solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import sympy as sp

from theory.balls import ball
from theory.dynamics import Map
from theory.errors import LemmascopeError

_BITS = 128
_NEWTON = 30
_RADII = (Fraction(1, 10**20), Fraction(1, 10**15), Fraction(1, 10**11))
_SETTLING = 6000
_SAME = 1e-5


@dataclass(frozen=True)
class Flip:
    """The orbit of `period` has the multiplier -1 at exactly one value of the parameter between `low` and `high`."""

    parameter: sp.Symbol
    period: int
    low: sp.Rational
    high: sp.Rational
    orbit: tuple[tuple[float, ...], ...]

    @property
    def value(self) -> float:
        """The middle of the enclosure."""
        return float((self.low + self.high) / 2)


def flips(
    step: Map, parameter: sp.Symbol, start: Sequence[float], window: tuple[float, float], *, cells: int = 160
) -> list[Flip]:
    """The certified period doublings that an attracting orbit undergoes in a window of the parameter.

    Simulation only suggests where to look; what is returned is proved.

    >>> x, r = sp.symbols("x r")
    >>> [(f.period, round(f.value, 6)) for f in flips(Map((x,), (r * x * (1 - x),)), r, [0.4], (2.9, 3.55))]
    [(1, 3.0), (2, 3.44949), (4, 3.54409)]
    """
    system = _System(step, parameter)
    found = []
    width = (window[1] - window[0]) / cells
    before = system.settled(start, window[0])
    for cell in range(1, cells + 1):
        value = window[0] + cell * width
        after = system.settled(start, value)
        if before is not None and after is not None and len(after) == 2 * len(before):
            flip = system.flip(before, value - width / 2)
            if flip is not None and value - 2 * width < flip.value < value + width:
                found.append(flip)
        before = after if after is not None else before
    return found


class _System:
    """The equations of a flip for one map and one parameter."""

    def __init__(self, step: Map, parameter: sp.Symbol) -> None:
        self.parameter, self.state, self.dimension = parameter, step.state, step.dimension
        direction = sp.Matrix([sp.Dummy(f"e{place}") for place in range(self.dimension)])
        moved = [*step.update, *(step.jacobian * direction)]
        self.unknowns = [*step.state, *direction, parameter]
        self.moved = moved
        self.slopes = [[part.diff(unknown) for unknown in self.unknowns] for part in moved]
        self.simulate = sp.lambdify([*step.state, parameter], list(step.update), "math")

    def settled(self, start: Sequence[float], value: float) -> list[tuple[float, ...]] | None:
        """The points of the cycle that a simulation reaches, or None."""
        point = tuple(start)
        try:
            for _ in range(_SETTLING):
                point = tuple(self.simulate(*point, value))
            tail = [point]
            while len(tail) <= 32:
                tail.append(tuple(self.simulate(*tail[-1], value)))
        except (OverflowError, ValueError, ZeroDivisionError):
            return None
        for period in (1, 2, 4, 8, 16):
            gap = max(abs(a - b) for a, b in zip(tail[0], tail[period], strict=True))
            if gap < _SAME * (1 + max(map(abs, tail[0]))):
                return tail[:period]
        return None

    def flip(self, orbit: list[tuple[float, ...]], value: float) -> Flip | None:
        """Newton's method from a settled orbit, then Krawczyk's test around what it found."""
        with flint.ctx.workprec(_BITS):
            guess = self._newton(self._first_guess(orbit, value), len(orbit))
            if guess is None:
                return None
            for radius in _RADII:
                if self._is_unique(guess, flint.arb(flint.fmpq(radius.numerator, radius.denominator)), len(orbit)):
                    return self._named(guess, radius, len(orbit))
        return None

    def _named(self, guess: list[Any], radius: Fraction, period: int) -> Flip:
        number, exponent = guess[-1].mid().man_exp()
        middle = sp.Rational(int(number)) * sp.Rational(2) ** int(exponent)
        reach = sp.Rational(radius.numerator, radius.denominator)
        points = [guess[i * self.dimension : (i + 1) * self.dimension] for i in range(period)]
        orbit = tuple(tuple(float(entry) for entry in point) for point in points)
        return Flip(self.parameter, period, middle - reach, middle + reach, orbit)

    def _first_guess(self, orbit: list[tuple[float, ...]], value: float) -> list[Any]:
        """The orbit as it was found, and the direction that the derivative along it turns most nearly around."""
        points = [flint.arb(entry) for point in orbit for entry in point]
        direction = [flint.arb(1)] * self.dimension
        directions = []
        for point in orbit:
            directions += direction
            balls = [*map(flint.arb, point), *direction, flint.arb(value)]
            direction = self._evaluate(self.moved[self.dimension :], balls)
        return [*points, *directions, flint.arb(value)]

    def _evaluate(self, expressions: Sequence[sp.Expr], balls: Sequence[Any]) -> list[Any]:
        values = {symbol: flint.acb(entry) for symbol, entry in zip(self.unknowns, balls, strict=True)}
        found = [ball(sp.sympify(expression), values) for expression in expressions]
        if any(entry is None for entry in found):
            raise LemmascopeError("period doublings need a map of polynomials, roots and elementary functions")
        return [entry.real for entry in found]

    def _local(self, point: Sequence[Any], place: int, period: int) -> list[Any]:
        """The unknowns that belong to one point of the orbit."""
        size, shift = self.dimension, place * self.dimension
        middle = period * size
        return [*point[shift : shift + size], *point[middle + shift : middle + shift + size], point[-1]]

    def residual(self, point: Sequence[Any], period: int) -> Any:
        """By how much the equations are missed."""
        size, half = self.dimension, period * self.dimension
        rows = [flint.arb(0)] * (2 * half + 1)
        for place in range(period):
            images = self._evaluate(self.moved, self._local(point, place, period))
            following = (place + 1) % period
            turn = -1 if following == 0 else 1
            for entry in range(size):
                rows[place * size + entry] = images[entry] - point[following * size + entry]
                rows[half + place * size + entry] = images[size + entry] - turn * point[half + following * size + entry]
        rows[-1] = sum(point[half : half + size], flint.arb(0)) - size
        return flint.arb_mat([[row] for row in rows])

    def slope(self, point: Sequence[Any], period: int) -> Any:
        """The derivative of the equations."""
        size, half = self.dimension, period * self.dimension
        total = 2 * half + 1
        rows = [[flint.arb(0)] * total for _ in range(total)]
        for place in range(period):
            local = self._local(point, place, period)
            following = (place + 1) % period
            turn = -1 if following == 0 else 1
            for part, slopes in enumerate(self.slopes):
                row = rows[place * size + part if part < size else half + place * size + part - size]
                values = self._evaluate(slopes, local)
                for entry in range(size):
                    row[place * size + entry] += values[entry]
                    row[half + place * size + entry] += values[size + entry]
                row[-1] += values[-1]
                if part < size:
                    row[following * size + part] -= 1
                else:
                    row[half + following * size + part - size] -= turn
        for entry in range(size):
            rows[-1][half + entry] = flint.arb(1)
        return flint.arb_mat(rows)

    def _newton(self, point: list[Any], period: int) -> list[Any] | None:
        for _ in range(_NEWTON):
            try:
                change = self.slope(point, period).solve(self.residual(point, period))
            except (ZeroDivisionError, ValueError):
                return None
            point = [(entry - change[place, 0]).mid() for place, entry in enumerate(point)]
            if not all(entry.is_finite() for entry in point):
                return None
        return point

    def _is_unique(self, point: list[Any], radius: Any, period: int) -> bool:
        """Krawczyk's test: the box of this radius contains exactly one solution."""
        total = len(point)
        box = [entry + flint.arb(0, radius) for entry in point]
        try:
            inverse = self.slope(point, period).inv().mid()
        except ZeroDivisionError:
            return False
        centre = inverse * self.residual(point, period)
        spread = flint.arb_mat(total, total, [int(i == j) for i in range(total) for j in range(total)])
        spread = (spread - inverse * self.slope(box, period)) * flint.arb_mat([[flint.arb(0, radius)]] * total)
        return all(abs(spread[place, 0] - centre[place, 0]) < radius for place in range(total))
