"""Routh-Hurwitz and Jury conditions from the coefficients of a characteristic polynomial, never from eigenvalues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import comb
from typing import Any

from theory.linear import characteristic_coefficients


class Role(Enum):
    """What happens where a stability quantity reaches zero."""

    EIGENVALUE_ONE = "a multiplier reaches 1 (Map) or an eigenvalue reaches 0 (Flow)"
    EIGENVALUE_MINUS_ONE = "a multiplier reaches -1"
    COMPLEX_PAIR = "a complex pair reaches the border"
    INNER = "implied by the others on the border of stability"
    EXISTENCE = "the orbit appears or leaves the domain of the state"


@dataclass(frozen=True)
class Quantity:
    """A quantity that must be positive for stability."""

    role: Role
    value: Any


def hurwitz(coefficients: Sequence[Any], zero: Any, one: Any) -> list[Quantity]:
    """All roots have negative real part if and only if these are positive (Lienard and Chipart).

    The coefficients come highest power first, from any commutative ring.

    >>> [(q.role.name, q.value) for q in hurwitz([1, 2, 5], 0, 1)]
    [('EIGENVALUE_ONE', 5), ('COMPLEX_PAIR', 2), ('INNER', 1)]
    """
    degree = len(coefficients) - 1
    found = [Quantity(Role.EIGENVALUE_ONE, coefficients[-1])]
    if degree >= 2:
        found += [
            Quantity(Role.COMPLEX_PAIR if size == degree - 1 else Role.INNER, _minor(coefficients, size, zero, one))
            for size in range(degree - 1, 1, -2)
        ]
        first = Role.COMPLEX_PAIR if degree == 2 else Role.INNER
        found.append(Quantity(first, coefficients[1]))
        found += [Quantity(Role.INNER, coefficient) for coefficient in coefficients[2:-1]]
    return [*found, Quantity(Role.INNER, coefficients[0])]


def jury(coefficients: Sequence[Any], zero: Any, one: Any) -> list[Quantity]:
    """All roots lie inside the unit circle if and only if these are positive.

    The bilinear map turns the disc into the left half plane, where Routh-Hurwitz decides.

    >>> [(q.role.name, q.value) for q in jury([8, 2, 1], 0, 1)]
    [('EIGENVALUE_ONE', 11), ('COMPLEX_PAIR', 14), ('EIGENVALUE_MINUS_ONE', 7)]
    """
    degree = len(coefficients) - 1
    transformed = []
    for power in range(degree, -1, -1):
        weights = [_bilinear_weight(degree - place, place, power) for place in range(degree + 1)]
        transformed.append(sum((w * c for w, c in zip(weights, coefficients, strict=True)), zero))
    quantities = hurwitz(transformed, zero, one)
    return [*quantities[:-1], Quantity(Role.EIGENVALUE_MINUS_ONE, quantities[-1].value)]


def _bilinear_weight(up: int, down: int, power: int) -> int:
    """The coefficient of z**power in (1 + z)**up * (1 - z)**down."""
    return sum(comb(up, power - k) * comb(down, k) * (-1) ** k for k in range(max(0, power - up), min(down, power) + 1))


def _minor(coefficients: Sequence[Any], size: int, zero: Any, one: Any) -> Any:
    """The leading minor of the Hurwitz matrix."""
    degree = len(coefficients) - 1
    rows = [
        [coefficients[place] if 0 <= (place := 2 * j - i + 1) <= degree else zero for j in range(size)]
        for i in range(size)
    ]
    determinant = characteristic_coefficients(rows, zero, one)[-1]
    return determinant if size % 2 == 0 else -determinant
