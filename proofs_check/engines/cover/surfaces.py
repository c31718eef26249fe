"""What a search on a box walks over: the frame of exact ends, and expressions with compiled values and slopes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from flint import arb, fmpq
from sympy import Expr, Rational, Symbol

from numerics import interval
from numerics.ball_gradient import compile_ball_gradient
from proofs_check.engines.cover.factoring import derivative, is_zero

Sides = list[tuple[float, float]]
Face = tuple[tuple[int, float], ...]
_INSIDE = 0.4142
"""Where on each side a point is looked at: not in the middle, where odd expressions vanish."""


@dataclass(frozen=True)
class Frame:
    """The variables and their sides; exact ends, which need not be binary, and those that are not attained."""

    variables: tuple[Symbol, ...]
    exact: tuple[tuple[Rational, Rational], ...]
    excluded: frozenset[tuple[int, float]] = frozenset()

    @cached_property
    def root(self) -> Sides:
        """The sides as floats, which name the exact ends."""
        return [(float(low), float(high)) for low, high in self.exact]

    @cached_property
    def ends(self) -> list[dict[float, Rational]]:
        """The exact number behind each end of the root, and 0 where it lies between them."""
        pairs = zip(self.root, self.exact, strict=True)
        zero = {0.0: Rational(0)}
        return [dict(zip(side, exact, strict=True)) | (zero if side[0] < 0 < side[1] else {}) for side, exact in pairs]

    @cached_property
    def balls(self) -> list[dict[float, arb]]:
        """The ball behind each end of the root."""
        return [{x: exact_ball(number) for x, number in ends.items()} for ends in self.ends]

    def ball(self, axis: int, x: float) -> arb:
        """One end of a side, as a ball."""
        return self.balls[axis].get(x) or arb(x)

    def around(self, sides: Sides) -> list[arb]:
        """The box as balls."""
        return [
            self.ball(axis, low) if low == high else interval(self.ball(axis, low), self.ball(axis, high))
            for axis, (low, high) in enumerate(sides)
        ]


def exact_ball(number: Rational) -> arb:
    """A rational number as a ball."""
    return arb(fmpq(int(number.p), int(number.q)))


@lru_cache(maxsize=512)
def _compiled(expression: Expr, variables: tuple[Symbol, ...], along: int | None) -> Any:
    return compile_ball_gradient(expression, variables, along)


@dataclass(eq=False)
class Surface:
    """An expression over a frame, or its slope along an axis; sign and constant apart, equal ones share a kernel."""

    expression: Expr
    frame: Frame
    along: int | None = None
    _slopes: dict[int, Surface] = field(default_factory=dict)
    _vanishing: dict[Face, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        constant, part = self.expression.as_coeff_Add()
        self.sign = -1 if part.could_extract_minus_sign() else 1
        self.constant = arb(0) if self.along is not None else exact_ball(constant)
        self.kernel = _compiled(self.sign * part, self.frame.variables, self.along)

    def value(self, balls: list[arb]) -> arb:
        """The value on a box or at a point."""
        return self.sign * self.kernel(*balls)[0] + self.constant

    def slope(self, axis: int) -> Surface:
        """The derivative along one variable."""
        if axis not in self._slopes:
            self._slopes[axis] = Surface(self.expression, self.frame, axis)
        return self._slopes[axis]

    def vanishes(self, face: Face) -> bool:
        """Whether the expression is identically 0 on a face at ends of the root."""
        if face not in self._vanishing:
            self._vanishing[face] = not self._is_nonzero_inside(face) and is_zero(self._on(face))
        return self._vanishing[face]

    def _on(self, face: Face) -> Expr:
        names = self.frame.variables
        whole = self.expression if self.along is None else derivative(self.expression, names[self.along])
        return whole.subs({names[axis]: self.frame.ends[axis][end] for axis, end in face})

    def _is_nonzero_inside(self, face: Face) -> bool:
        """Whether one point of the face is enough to see that the expression does not vanish there."""
        point = [arb(low + _INSIDE * (high - low)) for low, high in self.frame.root]
        for axis, end in face:
            point[axis] = self.frame.ball(axis, end)
        value = self.value(point)
        return bool(value.is_finite()) and not value.contains(0)
