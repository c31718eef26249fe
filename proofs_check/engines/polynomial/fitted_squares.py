"""Polynomials with unknown coefficients of which several combinations shall be weighted sums of squares.

The unknown coefficients enter linearly, so that one semidefinite program finds them, in floating point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from sympy import Expr, Rational, Symbol, expand

from proofs_check.engines.polynomial.gram import Block, System, solve
from theory.polynomials import Polynomial, Ring

_MOST_UNKNOWNS = 2500
_MOST_PAIRED = 6
"""Conditions of which the products of two are conditions, too."""
_LEAST_MARGIN = 1e-7
_LARGEST = 1e9


@dataclass(frozen=True)
class Condition:
    """A combination of the images, plus an offset, is a weighted sum of squares."""

    blocks: list[Block]
    images: list[Polynomial]
    offset: Polynomial

    @classmethod
    def over(
        cls,
        ring: Ring,
        case: Sequence[Expr],
        places: Mapping[Symbol, Expr],
        images: list[Polynomial],
        offset: Polynomial,
    ) -> Condition:
        """On the set where all expressions of a case are at least zero."""
        weights = [ring.polynomial(expand(part.xreplace(dict(places)))) for part in case]
        degree = max((int(part.total_degree()) for part in (*images, *weights)), default=0)
        degree += degree % 2
        blocks = []
        pairs = [one * two for one, two in combinations(weights, 2)] if len(weights) <= _MOST_PAIRED else []
        for weight in (ring.constant(1), *weights, *(pair for pair in pairs if pair.total_degree() <= degree)):
            size = (degree - int(weight.total_degree())) // 2
            blocks.append(Block(tuple(_basis(ring, size)), weight / _largest(weight)))
        support = {key for image in (*images, offset) for key in image.to_dict()}
        return cls([block for block in without_vanishing(blocks, support) if block.basis], images, offset)


def without_vanishing(blocks: Sequence[Block], support: set[Any]) -> list[Block]:
    """Blocks, maybe empty ones, without the monomials whose squares must add up to zero, outside of the support."""
    while True:
        sharing: dict[Any, list[tuple[int, int, int] | None]] = {}
        for place, block in enumerate(blocks):
            for i, j in block.pairs:
                for key, value in (block.basis[i] * block.basis[j] * block.weight).to_dict().items():
                    sharing.setdefault(key, []).append((place, i, 1 if value > 0 else -1) if i == j else None)
        zero = set()
        for key, entries in sharing.items():
            squares = [entry for entry in entries if entry is not None]
            if key not in support and len(squares) == len(entries) and len({sign for *_, sign in squares}) == 1:
                zero |= {(place, i) for place, i, _ in squares}
        if not zero:
            return list(blocks)
        blocks = [
            Block(tuple(part for i, part in enumerate(block.basis) if (place, i) not in zero), block.weight)
            for place, block in enumerate(blocks)
        ]


def _largest(polynomial: Polynomial) -> Any:
    return max((abs(value) for value in polynomial.coeffs()), default=1)


def _basis(ring: Ring, degree: int) -> Iterator[Polynomial]:
    for powers in exponents_up_to(len(ring.symbols), degree):
        value = ring.constant(1)
        for generator, power in zip(ring.context.gens(), powers, strict=True):
            value *= generator**power
        yield value


def exponents_up_to(count: int, degree: int) -> list[tuple[int, ...]]:
    """The exponents of all monomials up to a degree.

    >>> exponents_up_to(2, 1)
    [(0, 0), (0, 1), (1, 0)]
    """
    return [powers for powers in product(range(degree + 1), repeat=count) if sum(powers) <= degree]


def coefficients(parts: Sequence[Condition], seconds: float, least: float = _LEAST_MARGIN) -> np.ndarray | None:
    """Coefficients of the images with which all conditions hold with a margin; None where none were found."""
    blocks: list[Block] = []
    columns: list[dict[Any, Any]] = []
    free: list[dict[Any, Any]] = [{} for _ in parts[0].images]
    wanted: dict[Any, Any] = {}
    for place, part in enumerate(parts):
        for block in part.blocks:
            blocks.append(block)
            weighted = [item * block.weight for item in block.basis]
            for i, j in block.pairs:
                entry = weighted[i] * block.basis[j] * (1 if i == j else 2)
                columns.append({(place, *key): value for key, value in entry.to_dict().items()})
        for column, image in zip(free, part.images, strict=True):
            column.update({(place, *key): -value for key, value in image.to_dict().items()})
        wanted |= {(place, *key): value for key, value in part.offset.to_dict().items()}
    if sum(len(block.pairs) for block in blocks) > _MOST_UNKNOWNS:
        return None
    answer = solve(System(blocks, [*columns, *free], wanted), seconds)
    if answer is None or answer[2] < least or not 0 < np.max(np.abs(answer[1])) < _LARGEST:
        return None
    return answer[1]


def rounded(numbers: np.ndarray, bits: int) -> list[Rational]:
    """Short numbers near the given ones, beside the largest of them.

    >>> rounded(np.array([0.9999, 0.2501]), 4)
    [1, 1/4]
    """
    width = 2.0 ** (np.ceil(np.log2(float(np.max(np.abs(numbers))))) - bits)
    return [Rational(int(np.round(value / width))) * Rational(width) for value in numbers]
