"""From floating-point Gram matrices to exact ones: rounding, exact projection, exact LDL' and rational kernels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import numpy as np

from proofs_check.engines.polynomial.gram import System

Square = tuple[Any, list[Any]]
"""A positive rational and the coefficients of a combination of the basis; the combination is squared."""


def exact_solution(
    equations: System, grams: list[np.ndarray], free: np.ndarray, bits: int
) -> tuple[list[list[Square]], list[Any]] | None:
    """The squares of every block and the free coefficients, all rational and matching exactly; None when some
    Gram matrix is no longer positive semidefinite."""
    scale = 1 << bits
    numbers = [gram[i, j] for block, gram in zip(equations.blocks, grams, strict=True) for i, j in block.pairs]
    rounded = [flint.fmpq(round(float(number) * scale), scale) for number in (*numbers, *free)]
    values = _projected(equations, rounded)
    if values is None:
        return None
    squares, start = [], 0
    for block in equations.blocks:
        size = len(block.basis)
        matrix = [[flint.fmpq(0)] * size for _ in range(size)]
        for k, (i, j) in enumerate(block.pairs):
            matrix[i][j] = matrix[j][i] = values[start + k]
        start += len(block.pairs)
        found = ldl(matrix)
        if found is None:
            return None
        squares.append(found)
    return squares, values[start:]


def _projected(equations: System, values: list[Any]) -> list[Any] | None:
    """The nearest exact solution of the linear system."""
    columns, rows = equations.columns, equations.rows
    misfit = dict(zip(rows, equations.right, strict=True))
    for column, value in zip(columns, values, strict=True):
        for row, coefficient in column.items():
            misfit[row] -= coefficient * value
    steps = _normal_steps(equations, misfit)
    if steps is None:
        return None
    corrected = [
        value + sum((coefficient * steps[row] for row, coefficient in column.items()), flint.fmpq(0))
        for column, value in zip(columns, values, strict=True)
    ]
    total = dict(zip(rows, equations.right, strict=True))
    for column, value in zip(columns, corrected, strict=True):
        for row, coefficient in column.items():
            total[row] -= coefficient * value
    return corrected if all(rest == 0 for rest in total.values()) else None


def _normal_steps(equations: System, misfit: dict[Any, Any]) -> dict[Any, Any] | None:
    """Solve A A' s = misfit on a largest independent set of rows."""
    rows, normal = equations.rows, equations.normal
    steps = dict.fromkeys(rows, flint.fmpq(0))
    if all(a == b for a, b in normal):
        for place, row in enumerate(rows):
            if misfit[row] != 0:
                if (place, place) not in normal:
                    return None
                steps[row] = misfit[row] / normal[place, place]
        return steps
    kept = equations.independent
    matrix = flint.fmpq_mat(len(kept), len(kept), [normal.get((a, b), 0) for a in kept for b in kept])
    right = flint.fmpq_mat(len(kept), 1, [misfit[rows[k]] for k in kept])
    try:
        solved = matrix.solve(right)
    except ZeroDivisionError:
        return None
    for k, row in enumerate(kept):
        steps[rows[row]] = solved[k, 0]
    return steps


def ldl(matrix: list[list[Any]]) -> list[Square] | None:
    """Weights d > 0 and rows l with matrix = sum d l l', or None when the matrix is not positive semidefinite.

    >>> one, two = flint.fmpq(1), flint.fmpq(2)
    >>> ldl([[one, one], [one, two]])
    [(1, [1, 1]), (1, [0, 1])]
    >>> ldl([[one, two], [two, one]]) is None
    True
    """
    size, rest, squares = len(matrix), [list(row) for row in matrix], []
    for k in range(size):
        pivot = rest[k][k]
        if pivot < 0 or (pivot == 0 and any(rest[k][j] != 0 for j in range(k, size))):
            return None
        if pivot == 0:
            continue
        row = [flint.fmpq(0)] * k + [rest[k][j] / pivot for j in range(k, size)]
        squares.append((pivot, row))
        for i in range(k + 1, size):
            if row[i] != 0:
                factor = pivot * row[i]
                for j in range(i, size):
                    rest[i][j] = rest[j][i] = rest[i][j] - factor * row[j]
    return squares


def rational_complement(gram: np.ndarray, tolerance: float) -> list[list[Any]] | None:
    """Integer combinations of the basis that span what is orthogonal to the numerical kernel; None without a kernel."""
    values, vectors = np.linalg.eigh(gram)
    kernel = vectors[:, values < tolerance * max(1.0, values[-1])].T
    if not len(kernel) or len(kernel) == len(gram):
        return None
    rows, pivots = _echelon(kernel)
    size = len(gram)
    complement = []
    # the orthogonal complement of the row space of [I | R] (up to permutation) is spanned by e_free - sum R e_pivot
    for column in (k for k in range(size) if k not in pivots):
        vector = [flint.fmpq(0)] * size
        vector[column] = flint.fmpq(1)
        for row, pivot in zip(rows, pivots, strict=True):
            vector[pivot] = -row[column]
        complement.append(vector)
    return complement


def _echelon(kernel: np.ndarray) -> tuple[list[list[Any]], list[int]]:
    """The reduced row echelon form with complete pivoting, entries rounded to small fractions."""
    rest, pivots, rows = kernel.copy(), [], []
    for k in range(len(rest)):
        free = np.abs(rest[k:])
        i, j = np.unravel_index(int(np.argmax(free)), free.shape)
        rest[[k, k + int(i)]] = rest[[k + int(i), k]]
        rest[k] /= rest[k, j]
        for other in range(len(rest)):
            if other != k:
                rest[other] -= rest[other, j] * rest[k]
        pivots.append(int(j))
    for row in rest:
        fractions = [Fraction(float(number)).limit_denominator(64) for number in row]
        rows.append([flint.fmpq(number.numerator, number.denominator) for number in fractions])
    return rows, pivots
