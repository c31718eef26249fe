"""Polynomials whose sign is plain: quadratic ones by completing squares, and sums of even monomials."""

from __future__ import annotations

from typing import Any

from theory.polynomials import Polynomial

Matrix = list[list[Any]]


def never_negative(polynomial: Polynomial) -> bool:
    """Whether a polynomial is plainly at least zero everywhere; False says nothing.

    >>> from sympy import symbols
    >>> from theory.polynomials import Ring
    >>> x, y = symbols("x y")
    >>> ring = Ring((x, y))
    >>> [never_negative(ring.polynomial(p)) for p in (x**2 - 2*x*y + y**2, x**4 + 3, x**2 - 1, x*y)]
    [True, True, False, False]
    """
    terms = [(tuple(map(int, powers)), number) for powers, number in polynomial.terms()]
    if all(number > 0 and all(power % 2 == 0 for power in powers) for powers, number in terms):
        return True
    return all(sum(powers) <= 2 for powers, _ in terms) and _squares_complete(_gram(terms))


def _gram(terms: list[tuple[tuple[int, ...], Any]]) -> Matrix:
    """The symmetric matrix of a quadratic polynomial in (1, x1, ..., xn)."""
    size = 1 + max((len(powers) for powers, _ in terms), default=0)
    rows: Matrix = [[0] * size for _ in range(size)]
    for powers, number in terms:
        places = [place for place, power in enumerate(powers, start=1) for _ in range(power)]
        i, j = [0, 0, *places][-2:]
        rows[i][j] += number / 2
        rows[j][i] += number / 2
    return rows


def _squares_complete(rows: Matrix) -> bool:
    """Whether a symmetric matrix is positive semidefinite, by elimination in exact arithmetic."""
    for k in range(len(rows)):
        pivot = rows[k][k]
        if pivot < 0 or (pivot == 0 and any(rows[k][j] != 0 for j in range(k + 1, len(rows)))):
            return False
        for i in range(k + 1, len(rows)) if pivot != 0 else ():
            factor = rows[i][k] / pivot
            rows[i] = [entry - factor * above for entry, above in zip(rows[i], rows[k], strict=True)]
    return True
