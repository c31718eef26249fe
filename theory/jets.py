"""Taylor coefficients of the right side up to third order, composed along an orbit, over any arithmetic."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import TYPE_CHECKING, Any

import sympy as sp

from theory.linear import characteristic_coefficients

if TYPE_CHECKING:
    from theory.dynamics import Flow, Map

Number = Any
"""A rational function, a field element or a ball: anything with + - * and, where needed, /."""
Vector = list[Number]


@dataclass(frozen=True)
class Jet:
    """The derivatives at a point: ``forms[k]`` maps k places (and the component first) to a number."""

    size: int
    forms: dict[tuple[int, ...], Number]
    drift: Vector
    zero: Number

    def apply(self, *vectors: Vector) -> Vector:
        """The multilinear form of as many arguments as there are vectors."""
        places = list(itertools.product(range(self.size), repeat=len(vectors)))
        return [
            sum(
                (
                    reduce(mul, (v[k] for v, k in zip(vectors, where, strict=True)), self.forms[(i, *where)])
                    for where in places
                ),
                self.zero,
            )
            for i in range(self.size)
        ]

    @property
    def linear(self) -> list[Vector]:
        """The Jacobian."""
        return [[self.forms[i, j] for j in range(self.size)] for i in range(self.size)]

    def after(self, first: Jet) -> Jet:
        """The jet of the composition: first the other map, then this one."""
        size, zero = self.size, self.zero
        forms: dict[tuple[int, ...], Number] = {}

        def unit(*places: int) -> Vector:
            return [first.forms[(i, *places)] for i in range(size)]

        for j in range(size):
            self._store(forms, (j,), [self.apply(unit(j))])
        for j, k in itertools.product(range(size), repeat=2):
            self._store(forms, (j, k), [self.apply(unit(j, k)), self.apply(unit(j), unit(k))])
        for j, k, l in itertools.product(range(size), repeat=3):
            mixed = [self.apply(unit(a), unit(b, c)) for a, b, c in ((j, k, l), (k, l, j), (l, j, k))]
            parts = [self.apply(unit(j, k, l)), *mixed, self.apply(unit(j), unit(k), unit(l))]
            self._store(forms, (j, k, l), parts)
        moved = self.apply(first.drift)
        return Jet(size, forms, [a + b for a, b in zip(moved, self.drift, strict=True)], zero)

    def _store(self, forms: dict[tuple[int, ...], Number], places: tuple[int, ...], parts: list[Vector]) -> None:
        for i in range(self.size):
            forms[(i, *places)] = sum((part[i] for part in parts), self.zero)


def jet_along(
    dynamics: Map | Flow,
    parameter: sp.Symbol,
    evaluators: Sequence[Callable[[sp.Expr], Number]],
    zero: Number,
) -> Jet:
    """The jet of a full turn; each evaluator gives the value of an expression at one point of the orbit."""
    slopes = _slopes(dynamics)
    drifts = [sp.diff(entry, parameter) for entry in dynamics.right_side]
    jets = []
    for evaluate in evaluators:
        values = {places: evaluate(slope) for places, slope in slopes.items()}
        forms = {(i, *order): values[(i, *sorted(order))] for i, order in _orderings(dynamics.dimension)}
        jets.append(Jet(dynamics.dimension, forms, [evaluate(entry) for entry in drifts], zero))
    return reduce(lambda done, following: following.after(done), jets)


def _slopes(dynamics: Map | Flow) -> dict[tuple[int, ...], sp.Expr]:
    """Partial derivatives up to order three; only sorted places are computed."""
    slopes: dict[tuple[int, ...], sp.Expr] = {}
    for i, entry in enumerate(dynamics.right_side):
        for order in (1, 2, 3):
            for places in itertools.combinations_with_replacement(range(dynamics.dimension), order):
                source = entry if order == 1 else slopes[(i, *places[:-1])]
                slopes[(i, *places)] = sp.diff(source, dynamics.state[places[-1]])
    return slopes


def _orderings(size: int) -> list[tuple[int, tuple[int, ...]]]:
    return [
        (i, places)
        for i in range(size)
        for order in (1, 2, 3)
        for places in itertools.product(range(size), repeat=order)
    ]


def determinant(matrix: list[Vector], zero: Number, one: Number) -> Number:
    """The determinant, without division."""
    last = characteristic_coefficients(matrix, zero, one)[-1]
    return last if len(matrix) % 2 == 0 else -last


def adjugate(matrix: list[Vector], zero: Number, one: Number) -> list[Vector]:
    """The matrix of cofactors, transposed."""
    size = len(matrix)

    def cofactor(i: int, j: int) -> Number:
        minor = [[row[c] for c in range(size) if c != j] for r, row in enumerate(matrix) if r != i]
        value = determinant(minor, zero, one) if minor else one
        return value if (i + j) % 2 == 0 else -value

    return [[cofactor(j, i) for j in range(size)] for i in range(size)]


def solve(matrix: list[Vector], right: Vector, zero: Number, one: Number) -> Vector:
    """The solution of a linear system with an invertible matrix, by Cramer's rule."""
    bottom = determinant(matrix, zero, one)
    return [dot(row, right, zero) / bottom for row in adjugate(matrix, zero, one)]


def dot(left: Vector, right: Vector, zero: Number) -> Number:
    """The sum of products."""
    return sum((a * b for a, b in zip(left, right, strict=True)), zero)
