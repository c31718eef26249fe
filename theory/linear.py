"""Linear algebra over the rational functions, and characteristic polynomials over any commutative ring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from theory.polynomials import Fraction, Ring


def row_reduce(rows: Iterable[Sequence[Fraction]]) -> tuple[list[list[Fraction]], list[int]]:
    """The reduced row echelon form over the field of rational functions, and its pivot columns."""
    matrix = [list(row) for row in rows]
    pivots: list[int] = []
    width = len(matrix[0]) if matrix else 0
    for column in range(width):
        place = len(pivots)
        pivot_row = next((k for k in range(place, len(matrix)) if not matrix[k][column].is_zero), None)
        if pivot_row is None:
            continue
        matrix[place], matrix[pivot_row] = matrix[pivot_row], matrix[place]
        pivot = matrix[place][column]
        matrix[place] = [entry / pivot for entry in matrix[place]]
        for k, row in enumerate(matrix):
            if k != place and not row[column].is_zero:
                factor = row[column]
                matrix[k] = [entry - factor * top for entry, top in zip(row, matrix[place], strict=True)]
        pivots.append(column)
    return matrix[: len(pivots)], pivots


def null_space(rows: Sequence[Sequence[Fraction]], ring: Ring, width: int) -> list[list[Fraction]]:
    """A basis of the vectors that every row annihilates.

    >>> import sympy as sp
    >>> x = sp.Symbol("x")
    >>> ring = Ring((x,))
    >>> [[entry.expression for entry in vector] for vector in null_space([[ring.one, ring.fraction(x)]], ring, 2)]
    [[-x, 1]]
    """
    reduced, pivots = row_reduce(rows)
    basis = []
    for free in (column for column in range(width) if column not in pivots):
        vector = [ring.zero] * width
        vector[free] = ring.one
        for row, pivot in zip(reduced, pivots, strict=True):
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis


def characteristic_coefficients(matrix: Sequence[Sequence[Any]], zero: Any, one: Any) -> list[Any]:
    """Coefficients of det(lambda - A), highest first, by Berkowitz: no division, any commutative ring.

    >>> [int(c) for c in characteristic_coefficients([[1, 2], [3, 4]], 0, 1)]
    [1, -5, -2]
    """
    size = len(matrix)
    coefficients = [one]
    for k in range(size):
        row, column = [matrix[k][j] for j in range(k)], [matrix[j][k] for j in range(k)]
        toeplitz = [one, -matrix[k][k]]
        for _ in range(k):
            toeplitz.append(-_dot(row, column, zero))
            column = [_dot([matrix[i][j] for j in range(k)], column, zero) for i in range(k)]
        coefficients = [
            _dot(toeplitz[place::-1] if place < len(toeplitz) else [], coefficients[: place + 1], zero)
            if place < len(coefficients)
            else _dot(toeplitz[place : place - len(coefficients) : -1], coefficients, zero)
            for place in range(k + 2)
        ]
    return coefficients


def _dot(left: Sequence[Any], right: Sequence[Any], zero: Any) -> Any:
    return sum((a * b for a, b in zip(left, right, strict=True)), zero)
