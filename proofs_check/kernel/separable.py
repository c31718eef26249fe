"""Explicit functions of given classes: sums over the coordinates of functions with piecewise linear derivatives."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sympy import Rational

from theory.language.classes import (
    Convex,
    ConvexLipschitz,
    FunctionClass,
    PolyakLojasiewicz,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
)


@dataclass(frozen=True)
class Pieces:
    """A continuous function of one number whose derivative is a x + b between the breaks.

    >>> huber = Pieces((Rational(-1), Rational(1)), ((0, -1), (1, 0), (0, 1)))
    >>> huber.value(Rational(3)) - huber.value(huber.minimiser())
    5/2
    """

    breaks: tuple[Any, ...]
    lines: tuple[tuple[Any, Any], ...]

    def __post_init__(self) -> None:
        if len(self.lines) != len(self.breaks) + 1 or any(a >= b for a, b in pairwise(self.breaks)):
            raise ValueError("the breaks do not separate the pieces")

    def _place(self, x: Any) -> int:
        return sum(1 for end in self.breaks if end < x)

    def slope(self, x: Any) -> Any:
        """The derivative, from the left at a break."""
        a, b = self.lines[self._place(x)]
        return a * x + b

    def value(self, x: Any) -> Any:
        """The value, up to a constant that is the same everywhere."""
        place = self._place(x)
        shift = sum(
            (
                self._antiderivative(k, end) - self._antiderivative(k + 1, end)
                for k, end in enumerate(self.breaks[:place])
            ),
            Rational(0),
        )
        return self._antiderivative(place, x) + shift

    def _antiderivative(self, place: int, x: Any) -> Any:
        a, b = self.lines[place]
        return Rational(a * x * x) / 2 + b * x

    def minimiser(self) -> Any:
        """A point where the value is least; None where there is none."""
        (a, b), (c, d) = self.lines[0], self.lines[-1]
        if not (a > 0 or (a == 0 and b <= 0)) or not (c > 0 or (c == 0 and d >= 0)):
            return None
        found = list(self.breaks)
        for place, (slope, shift) in enumerate(self.lines):
            if slope > 0 and self._within(place, -Rational(shift) / slope):
                found.append(-Rational(shift) / slope)
            if slope == 0 and shift == 0 and not self.breaks:
                found.append(Rational(0))
        return min(found, key=self.value)

    def _within(self, place: int, x: Any) -> bool:
        above = place == 0 or self.breaks[place - 1] <= x
        return bool(above and (place == len(self.breaks) or x <= self.breaks[place]))

    def proximal(self, x: Any, step: Any) -> Any:
        """The point p with (x - p) / step among the subgradients at p, for a convex function."""
        for place, (a, b) in enumerate(self.lines):
            point = (x - step * b) / (1 + step * a)
            if self._within(place, point):
                return point
        for place, end in enumerate(self.breaks):
            left, right = self._jump(place)
            if left <= (x - end) / step <= right:
                return end
        raise ValueError("no proximal point")

    def _jump(self, place: int) -> tuple[Any, Any]:
        end = self.breaks[place]
        left, right = (self.lines[k][0] * end + self.lines[k][1] for k in (place, place + 1))
        return left, right

    def has_slopes(self, least: Any, most: Any) -> bool:
        """Whether the derivative is continuous and grows at rates between two numbers."""
        joined = all(left == right for left, right in map(self._jump, range(len(self.breaks))))
        return joined and all(least <= a <= most for a, _ in self.lines)

    def has_gain(self, mu: Any) -> bool:
        """Whether f'^2 >= 2 mu (f - min f) (Polyak and Lojasiewicz), for a continuous derivative.

        The gap of the two sides has the derivative 2 (a - mu) f' where f' has the slope a. So it is least at a break or
        where f' = 0, if it rises outwards: if both outer slopes are at least mu.
        """
        where = self.minimiser()
        if where is None or min(self.lines[0][0], self.lines[-1][0]) < mu:
            return False
        zeros = [(place, -Rational(b) / a) for place, (a, b) in enumerate(self.lines) if a != 0]
        points = [*self.breaks, *(x for place, x in zeros if self._within(place, x))]
        return all(self.slope(x) ** 2 >= 2 * mu * (self.value(x) - self.value(where)) for x in points)

    @property
    def is_convex(self) -> bool:
        """Whether the derivative never falls."""
        rises = all(left <= right for left, right in map(self._jump, range(len(self.breaks))))
        return rises and all(a >= 0 for a, _ in self.lines)

    @property
    def steepest(self) -> Any:
        """The largest absolute value of the derivative; None where there is none."""
        if self.lines[0][0] != 0 or self.lines[-1][0] != 0:
            return None
        ends = [slope for place in range(len(self.breaks)) for slope in self._jump(place)]
        return max(abs(slope) for slope in (self.lines[0][1], self.lines[-1][1], *ends))


@dataclass(frozen=True)
class Separable:
    """The sum of functions of one coordinate each."""

    parts: tuple[Pieces, ...]

    @staticmethod
    def of(stored: Any) -> Separable:
        """The function that a certificate stores: for each coordinate its breaks and lines, numbers as text."""
        return Separable(
            tuple(
                Pieces(tuple(map(_exact, breaks)), tuple((_exact(a), _exact(b)) for a, b in lines))
                for breaks, lines in stored
            )
        )

    def value(self, x: list[Any]) -> Any:
        """The value at a point."""
        return sum((part.value(own) for part, own in zip(self.parts, x, strict=True)), Rational(0))

    def slope(self, x: list[Any]) -> list[Any]:
        """The gradient, or a subgradient."""
        return [part.slope(own) for part, own in zip(self.parts, x, strict=True)]

    def minimiser(self) -> list[Any] | None:
        """A point where it is least."""
        found = [part.minimiser() for part in self.parts]
        return None if any(own is None for own in found) else found

    def proximal(self, x: list[Any], step: Any) -> list[Any]:
        """Its proximal point: each coordinate has its own."""
        return [part.proximal(own, step) for part, own in zip(self.parts, x, strict=True)]

    def line_search(self, x: list[Any]) -> list[Any] | None:
        """The first point on the way down along the gradient where a convex function falls no more."""
        down = [-own for own in self.slope(x)]
        if not any(down):
            return x

        def at(t: Any) -> list[Any]:
            return [own + t * speed for own, speed in zip(x, down, strict=True)]

        def rise(t: Any) -> Any:
            return sum((a * b for a, b in zip(self.slope(at(t)), down, strict=True)), Rational(0))

        turns = {
            (end - own) / speed
            for part, own, speed in zip(self.parts, x, down, strict=True)
            for end in (part.breaks if speed else ())
        }
        ends = sorted({t for t in turns if t > 0})
        for start, end in pairwise([Rational(0), *ends, (ends or [Rational(0)])[-1] + 1]):
            middle = (start + end) / 2
            low, high = rise(middle), rise((middle + end) / 2)
            if low != high:
                zero = middle - low * (end - middle) / 2 / (high - low)
                if start <= zero and (zero <= end or end not in ends):
                    return at(zero)
        return None

    def is_in(self, domain: FunctionClass, constants: list[Any]) -> bool:
        """Whether the function belongs to a class: the second derivative of a sum is diagonal, so its bounds are those
        of the parts; the square of the gradient is the sum of theirs."""
        if isinstance(domain, Convex):
            return all(part.is_convex for part in self.parts)
        if isinstance(domain, ConvexLipschitz):
            steep = [part.steepest for part in self.parts]
            is_bounded = None not in steep and sum(slope**2 for slope in steep) <= constants[0] ** 2
            return is_bounded and all(part.is_convex for part in self.parts)
        if isinstance(domain, SmoothConvex):
            return all(part.has_slopes(0, constants[0]) for part in self.parts)
        if isinstance(domain, Smooth):
            return all(part.has_slopes(-constants[0], constants[0]) for part in self.parts)
        if isinstance(domain, SmoothStronglyConvex):
            return all(part.has_slopes(*constants) for part in self.parts)
        if isinstance(domain, PolyakLojasiewicz):
            mu, most = constants
            return all(part.has_slopes(-most, most) and part.has_gain(mu) for part in self.parts)
        return False


def _exact(text: Any) -> Any:
    if not isinstance(text, str):
        raise ValueError("numbers of a certificate are written out")  # noqa: TRY004 - a damaged certificate
    return Rational(text)
