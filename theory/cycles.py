"""From conjugate solutions to cycles: which solutions follow each other, and what is constant along a cycle."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce

import sympy as sp

from theory.extension import Extension
from theory.linear import characteristic_coefficients
from theory.polynomials import Fraction, Polynomial
from theory.systems import Points


@dataclass(frozen=True, eq=False)
class Family:
    """Conjugate cycles of one period: ``steps[k]`` is the k-th point of the cycle through the root of the field."""

    points: Points
    steps: tuple[dict[sp.Symbol, Fraction], ...]
    auxiliary: sp.Symbol

    @property
    def field(self) -> Extension:
        """The field in which all coordinates lie."""
        return self.points.field

    @property
    def period(self) -> int:
        """The number of points on one cycle."""
        return len(self.steps)

    @cached_property
    def siblings(self) -> list[Fraction]:
        """The roots of the field's own equation that lie on one cycle."""
        on_it = [step for step in self.steps if self.points.contains(step, self.field)]
        return [self.field.reduce(self.points.projection.substitute(step)) for step in on_it]

    @property
    def cycles(self) -> int:
        """How many conjugate cycles there are, complex ones included."""
        return self.field.degree // len(self.siblings)

    @cached_property
    def trace(self) -> tuple[Fraction, Polynomial]:
        """A quantity constant along a cycle that tells the conjugate cycles apart, and its equation."""
        ring = self.field.ring
        for candidate in self._symmetric_functions():
            equation = self.field.minimal_polynomial(candidate, self.auxiliary)
            if ring.degree(equation, self.auxiliary) == self.cycles:
                return candidate, equation
        raise AssertionError("different cycles have different polynomials, which differ at some integer")

    def _symmetric_functions(self) -> Iterator[Fraction]:
        """The sum of the siblings, then the polynomial of the cycle at one integer after the other."""
        ring, field = self.field.ring, self.field
        yield sum(self.siblings, ring.zero)
        for integer in itertools.count():
            at = ring.as_fraction(ring.constant(integer))
            yield reduce(field.multiply, (at - sibling for sibling in self.siblings))

    def by_trace(self, element: Fraction) -> Fraction:
        """An element that is constant along cycles, as a polynomial in the trace (written as the auxiliary symbol)."""
        field, ring = self.field, self.field.ring
        powers = [field.reduce(self.trace[0] ** k) for k in range(self.cycles)]
        weights = field.express(element, [field.coordinates(power) for power in powers])
        if weights is None:
            raise AssertionError("a quantity that is constant along cycles is a polynomial in the trace")
        symbol = ring.as_fraction(ring.generators[self.auxiliary])
        return field.combination([symbol**k for k in range(self.cycles)], weights)

    def characteristic(self, jacobian: sp.Matrix) -> list[Fraction]:
        """The characteristic polynomial of the product of the Jacobians along the cycle, highest power first."""
        field, ring = self.field, self.field.ring
        size = jacobian.shape[0]
        entries = [[ring.fraction(jacobian[i, j]) for j in range(size)] for i in range(size)]
        product: list[list[Fraction]] | None = None
        for step in self.steps:
            here = [[field.evaluate(entry, step) for entry in row] for row in entries]
            product = here if product is None else _matrix_product(field, here, product)
        wrapped = [[Element(field, entry) for entry in row] for row in product or []]
        zero, one = Element(field, ring.zero), Element(field, ring.one)
        return [coefficient.value for coefficient in characteristic_coefficients(wrapped, zero, one)]


@dataclass(frozen=True)
class Element:
    """A field element with operators, for algorithms that work over any ring."""

    field: Extension
    value: Fraction

    def __add__(self, other: Element) -> Element:
        return Element(self.field, self.value + other.value)

    def __mul__(self, other: Element) -> Element:
        return Element(self.field, self.field.multiply(self.value, other.value))

    def __rmul__(self, integer: int) -> Element:
        return Element(self.field, integer * self.value)

    def __neg__(self) -> Element:
        return Element(self.field, -self.value)


def _matrix_product(field: Extension, left: list[list[Fraction]], right: list[list[Fraction]]) -> list[list[Fraction]]:
    columns = list(zip(*right, strict=True))
    return [
        [sum((field.multiply(a, b) for a, b in zip(row, column, strict=True)), field.ring.zero) for column in columns]
        for row in left
    ]
