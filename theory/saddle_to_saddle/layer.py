"""Section 2: one layer of H units inside a network, Eq. (1), and the gradient flow of each unit, Eqs. (21)-(22).

A unit map takes the processed input z and the unit's first weights u and yields the matrix phi; the layer sums
phi(z; u_i) v_i over its units. Everything else, the loss and the flow, is derived from that.
The layers that the paper names are in `architectures`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sympy import Abs, Eq, Expr, Integer, Matrix, Piecewise, Rational, Subs, Symbol, sign, symbols, zeros
from sympy.core.function import AppliedUndef

from theory.dynamics import Flow, gradient_flow

Vector = Sequence[Expr]
Unit = tuple[Matrix, tuple[Expr, ...]]
"""Second weights v (a column) and first weights u of one unit."""

UnitMap = Callable[[Vector, Vector], Matrix]
Sample = tuple[Vector, Vector]
"""Input and target."""


HALF = Rational(1, 2)


def same(values: Vector) -> Vector:
    """Processing that changes nothing."""
    return values


@dataclass(frozen=True)
class Layer:
    """A layer of Eq. (1): the unit map, the numbers of first and second weights, and what comes before and after.

    What a skip connection carries past the units is added to their sum.

    >>> from theory.saddle_to_saddle.architectures import fully_connected
    >>> linear = fully_connected(lambda s: s, inputs=1)
    >>> x, y = symbols("x y")
    >>> flow = linear.flow([((x,), (y,))], linear.units("ab", 1))
    >>> flow.state
    (v_a1, u_a1)
    >>> flow.velocity[0].factor()
    -u_a1*x*(u_a1*v_a1*x - y)
    """

    phi: UnitMap
    first: int
    second: int
    before: Callable[[Vector], Vector] = same
    after: Callable[[Vector], Vector] = same
    skip: Callable[[Vector], Vector] | None = None

    def units(self, names: str, count: int) -> list[Unit]:
        """Units with weights of their own: v_a1, ..., u_a1, ... for the name a."""
        return [
            (
                Matrix(symbols(f"v_{name}1:{self.second + 1}")),
                symbols(f"u_{name}1:{self.first + 1}"),
            )
            for name in names[:count]
        ]

    def sum(self, inputs: Vector, units: Sequence[Unit]) -> Matrix:
        """zeta, the sum over the units."""
        z = self.before(inputs)
        rows = self.phi(z, units[0][1]).rows
        return sum((self.phi(z, u) * v for v, u in units), zeros(rows, 1))

    def output(self, inputs: Vector, units: Sequence[Unit]) -> Vector:
        """The network's output."""
        total = list(self.sum(inputs, units))
        carried = self.skip(inputs) if self.skip else [Integer(0)] * len(total)
        return self.after([x + y for x, y in zip(total, carried, strict=True)])

    def loss(self, data: Sequence[Sample], units: Sequence[Unit], weight: Expr = HALF) -> Expr:
        """The squared error, averaged over the samples; the experiments use the weight 1, the analysis 1/2."""
        total = sum(
            (target - value) ** 2
            for inputs, targets in data
            for target, value in zip(targets, self.output(inputs, units), strict=True)
        )
        return weight * total / Integer(len(data))

    def flow(self, data: Sequence[Sample], units: Sequence[Unit], weight: Expr = HALF) -> Flow:
        """Gradient flow of the squared error, unit by unit."""
        return gradient_flow(self.loss(data, units, weight), state_of(units))

    def slopes_of_phi(self, z: Vector, u: Vector) -> list[Matrix]:
        """The derivative of phi with respect to each first weight; at the kink of a modulus it follows from KINK."""
        marks = symbols(f"xi_1:{self.first + 1}")
        plain = self.phi(z, marks)
        if plain.has(Abs):
            return _slopes_with_kink(self.phi, z, u)
        return [plain.diff(mark).applyfunc(lambda entry: _at(entry, marks, u)) for mark in marks]

    def velocity(self, inputs: Sequence[Vector], unit: Unit, slopes: Sequence[Matrix]) -> list[Expr]:
        """What (21) and (22) print for one unit, when the slopes dl/dzeta of the samples are given."""
        v, u = unit
        share = -Integer(1) / len(inputs)
        of_v = zeros(self.second, 1)
        of_u = [Integer(0)] * self.first
        for x, slope in zip(inputs, slopes, strict=True):
            z = self.before(x)
            of_v += share * self.phi(z, u).T * slope
            for n, change in enumerate(self.slopes_of_phi(z, u)):
                of_u[n] += share * (v.T * change.T * slope)[0]
        return [*of_v, *of_u]


KINK = Symbol("kink")
"""The slope of ReLU at 0, which the paper leaves open."""


def kinked(s: Expr, kink: Expr) -> Expr:
    """The slope of max(s, 0) with a chosen value at the kink."""
    return Piecewise((Integer(1), s > 0), (kink, Eq(s, 0)), (Integer(0), True))


def _slopes_with_kink(phi: UnitMap, z: Vector, u: Vector) -> list[Matrix]:
    """SymPy differentiates |s| to sign(s) for real s; ReLU is (s + |s|) / 2, so sign(s) is 2 slope(s) - 1."""
    marks = symbols(f"xi_1:{len(u) + 1}", real=True)
    values = dict(zip(marks, u, strict=True))

    def slope(entry: Expr) -> Expr:
        explicit = entry.replace(sign, lambda s: 2 * kinked(s, KINK) - 1)
        return explicit.subs(values, simultaneous=True)

    return [phi(z, marks).diff(mark).applyfunc(slope) for mark in marks]


def _at(entry: Expr, marks: tuple[Symbol, ...], point: Vector) -> Expr:
    values = dict(zip(marks, point, strict=True))
    named = len(set(point)) == len(point) and all(isinstance(value, Symbol) for value in point)
    if named or not entry.has(AppliedUndef):
        return entry.xreplace(values) if named else entry.subs(values, simultaneous=True)
    return Subs(entry, marks, tuple(point))


def state_of(units: Sequence[Unit]) -> tuple[Symbol, ...]:
    """All weights, unit by unit, second weights first."""
    return tuple(weight for v, u in units for weight in (*v, *u))


__all__ = ["KINK", "Layer", "Sample", "Unit", "UnitMap", "Vector", "kinked", "same", "state_of"]
