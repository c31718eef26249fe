"""Darboux polynomials p of a polynomial flow, those with L p = cofactor * p, and spaces of them with one cofactor.

Some stand in the field itself, as a factor of what is added there; for a given cofactor they are a linear space. Every
Darboux polynomial up to a degree divides the determinant of the derivatives L v, L L v, ... of the monomials v up
to that degree (Christopher, Llibre and Pereira 2007, Pacific J. Math. 229), so that they are among its factors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import flint
from sympy import Add, Expr, Mul, S, Symbol

from proofs_check import clock
from theory.conserved import conserved_quantities
from theory.dynamics import Flow
from theory.errors import LemmascopeError
from theory.polynomials import Polynomial, Ring

_MOST_TERMS = 4000
_HIGHEST_PRODUCT = 4
"""The degree of products of Darboux polynomials, each counted once for each power."""
_MOST_FACTORS = 6
_MOST_GUESSES = 40


@dataclass(frozen=True)
class Darboux:
    """A polynomial whose sign no trajectory changes."""

    value: Expr
    cofactor: Expr


def darboux_polynomials(state: Sequence[Symbol], velocity: Sequence[Expr], degree: int, end: float) -> list[Darboux]:
    """Irreducible Darboux polynomials, of the degree at most, that mention the state.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> [item.value for item in darboux_polynomials((x, y), (x * (1 - y), x - y**2 + 1), 1, clock.now() + 5)]
    [x - 2*y + 2, x]
    """
    used = set().union(*(part.free_symbols for part in velocity)) - set(state)
    ring = Ring((*state, *sorted(used, key=str)))
    try:
        speeds = [ring.polynomial(part) for part in velocity]
    except LemmascopeError:
        return []
    found = []
    for factor in _factors(ring, speeds, degree, end):
        cofactor = _cofactor(speeds, factor)
        if cofactor is not None and ring.symbols_in(factor) & set(state):
            found.append(Darboux(ring.expression(factor), ring.expression(cofactor)))
    return found


def visible(state: Sequence[Symbol], velocity: Sequence[Expr], formulas: Sequence[Expr]) -> list[Darboux]:
    """Darboux polynomials among the sums that are written in the field or in formulas about it.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> visible((x, y), (y - x * (x**2 + y**2 - 1), -x - y * (x**2 + y**2 - 1)), ())
    [Darboux(value=x**2 + y**2 - 1, cofactor=-2*x**2 - 2*y**2)]
    """
    ring, found = Ring(tuple(state)), []
    try:
        speeds = [ring.polynomial(part) for part in velocity]
    except LemmascopeError:
        return []
    for part in _sums((*velocity, *formulas), state):
        polynomial = ring.polynomial(part)
        for value, _ in [] if polynomial.is_zero() else ring.factors(polynomial):
            cofactor = _cofactor(speeds, value)
            if cofactor is not None:
                found.append(Darboux(ring.expression(value), ring.expression(cofactor)))
    return found


def _sums(expressions: Sequence[Expr], state: Sequence[Symbol]) -> list[Expr]:
    parts = set().union(*(part.atoms(Add) for part in expressions))
    polynomials = (part for part in parts if part.is_polynomial(*state) and part.free_symbols <= set(state))
    return sorted(polynomials, key=lambda part: (part.count_ops(), str(part)))


def guesses(state: Sequence[Symbol], velocity: Sequence[Expr], found: Sequence[Darboux]) -> list[Expr]:
    """Cofactors that further polynomials may have: sums of two known ones, and multiples of sums in the field."""
    known = [S.Zero, *dict.fromkeys(item.cofactor for item in found)][: _MOST_FACTORS + 1]
    sums = [(one + two).expand() for place, one in enumerate(known) for two in known[place:]]
    written = [(scale * part).expand() for part in _sums(velocity, state) for scale in (-1, -2, 1, 2)]
    return [part for part in dict.fromkeys((*sums, *written)) if part != 0][:_MOST_GUESSES]


def space(state: Sequence[Symbol], velocity: Sequence[Expr], cofactor: Expr, degree: int) -> list[Expr]:
    """A basis of the polynomials up to a degree that have a given cofactor; none where other symbols occur.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> space((x, y), (2 * x + y, 2 * y), S(4), 2)
    [y**2]
    """
    ring = Ring(tuple(state))
    try:
        speeds, factor = [ring.polynomial(part) for part in velocity], ring.polynomial(cofactor)
    except LemmascopeError:
        return []
    gens = ring.context.gens()
    row = [_power(ring, gens, powers) for powers in product(range(degree + 1), repeat=len(speeds))
           if sum(powers) <= degree]  # fmt: skip
    columns = [(_rate(part, speeds) - factor * part).to_dict() for part in row]
    keys = sorted(set().union(*columns))
    if not keys:
        return []
    reduced, rank = flint.fmpq_mat([[column.get(key, flint.fmpq(0)) for column in columns] for key in keys]).rref()
    pivots = [next(k for k in range(len(row)) if reduced[i, k] != 0) for i in range(rank)]
    found = []
    for place in (k for k in range(len(row)) if k not in pivots):
        value = row[place] - sum((reduced[i, place] * row[k] for i, k in enumerate(pivots)), row[0] * 0)
        found.append(ring.expression(value))
    return sorted(found, key=lambda part: (part.count_ops(), str(part)))


def _factors(ring: Ring, speeds: Sequence[Polynomial], degree: int, end: float) -> Iterator[Polynomial]:
    gens = ring.context.gens()[: len(speeds)]
    row = [_power(ring, gens, powers) for powers in product(range(degree + 1), repeat=len(speeds))
           if 0 < sum(powers) <= degree]  # fmt: skip
    rows = []
    for _ in row:
        row = [_rate(part, speeds) for part in row]
        if sum(len(part) for part in row) > _MOST_TERMS or clock.now() > end:
            return
        rows.append(row)
    determinant = _determinant(ring, rows, end)
    if determinant is None or determinant.is_zero():
        return
    yield from (factor for factor, _ in ring.factors(determinant) if factor.total_degree() <= degree)


def _power(ring: Ring, gens: Sequence[Polynomial], powers: Sequence[int]) -> Polynomial:
    result = ring.context.constant(1)
    for generator, power in zip(gens, powers, strict=True):
        result *= generator**power
    return result


def _rate(value: Polynomial, speeds: Sequence[Polynomial]) -> Polynomial:
    return sum((value.derivative(place) * speed for place, speed in enumerate(speeds)), value * 0)


def _cofactor(speeds: Sequence[Polynomial], value: Polynomial) -> Polynomial | None:
    rate = _rate(value, speeds)
    quotient, rest = divmod(rate, value)
    return quotient if rest.is_zero() else None


def _determinant(ring: Ring, rows: list[list[Polynomial]], end: float) -> Polynomial | None:
    """By elimination without fractions (Bareiss); None where it takes too long."""
    matrix, before, sign = [list(row) for row in rows], ring.context.constant(1), 1
    for k in range(len(matrix) - 1):
        pivot = next((i for i in range(k, len(matrix)) if not matrix[i][k].is_zero()), None)
        if pivot is None:
            return ring.context.constant(0)
        if pivot != k:
            matrix[k], matrix[pivot], sign = matrix[pivot], matrix[k], -sign
        for i in range(k + 1, len(matrix)):
            for j in range(k + 1, len(matrix)):
                whole = matrix[i][j] * matrix[k][k] - matrix[i][k] * matrix[k][j]
                matrix[i][j] = divmod(whole, before)[0]
                if len(matrix[i][j]) > _MOST_TERMS or clock.now() > end:
                    return None
        before = matrix[k][k]
    return matrix[-1][-1] * sign


def first_integrals(state: Sequence[Symbol], velocity: Sequence[Expr], degree: int) -> list[Darboux]:
    """Polynomials that do not change along the flow."""
    try:
        found = conserved_quantities(Flow(tuple(state), tuple(velocity)), degree)
    except LemmascopeError:
        return []
    return [Darboux(value, S.Zero) for value in found if value.free_symbols & set(state)]


def families(found: Sequence[Darboux]) -> list[tuple[list[Expr], Expr]]:
    """Products of Darboux polynomials with one cofactor, at least two of them, and that cofactor.

    Every combination of such a family is a Darboux polynomial, too: these are the levels of rational first integrals.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> families([Darboux(x, S(2)), Darboux(y, S(1))])[0]
    ([y**2, x], 2)
    """
    chosen = list(found)[:_MOST_FACTORS]
    grouped: dict[Any, list[Expr]] = {}
    for powers in product(range(_HIGHEST_PRODUCT + 1), repeat=len(chosen)):
        if sum(powers) > _HIGHEST_PRODUCT:
            continue
        cofactor = sum((p * item.cofactor for p, item in zip(powers, chosen, strict=True)), S.Zero).expand()
        value = Mul(*(item.value**p for p, item in zip(powers, chosen, strict=True)))
        grouped.setdefault(cofactor, []).append(value)
    several = [(members, cofactor) for cofactor, members in grouped.items() if len(members) > 1]
    return sorted(several, key=lambda item: sum(part.count_ops() for part in item[0][:2]))
