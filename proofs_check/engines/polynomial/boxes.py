"""One condition that the bounds of its symbols contradict: its polynomial in powers of the distances from the bounds.

Between two bounds these are Bernstein's polynomials, beyond a single one the powers of the distance from it. Where all
coefficients are negative or zero, the identity of the expansion is the certificate, of whatever degree and in any
number of symbols; nothing is searched for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

import flint

from proofs_check.engines.polynomial.lemmas import Keys, Lemmas, summand
from proofs_check.kernel.formulas import Sign
from theory.polynomials import Ring

_MOST_PRODUCTS = 4000

Sides = Mapping[int, tuple[Fraction, int]]
"""The largest lower (1) and the least upper (-1) number, each with the place that says so."""

Table = dict[tuple[int, ...], flint.fmpq]
"""Coefficients by exponents."""


def contradicted(ring: Ring, signs: Sequence[Sign], keys: Keys) -> Iterator[dict[str, Any]]:
    """Leaves of certificates, each for a condition that the bounds of its symbols contradict.

    >>> from sympy import Symbol
    >>> x, y = Symbol("x"), Symbol("y")
    >>> ring = Ring((x, y))
    >>> said = [(x, ">="), (1 - x, ">="), (y - 2, ">"), (x**3 - y, ">")]
    >>> signs = [Sign(ring.polynomial(value), op) for value, op in said]
    >>> len(list(contradicted(ring, signs, Keys())))
    1
    >>> points = [Sign(ring.polynomial(value), op) for value, op in [(x, ">="), (-x, ">="), (x**3, ">")]]
    >>> len(list(contradicted(ring, points, Keys())))
    0
    """
    bounds = {k: _apart(sides) for k, sides in Lemmas(ring, signs, keys).bounds().items()}
    one = ring.context.constant(1)
    for place, sign in reversed(list(enumerate(signs))):
        sizes = {k: int(degree) for k, degree in enumerate(sign.value.degrees()) if degree > 0}
        if sign.op not in (">", ">=") or sum(sizes.values()) < 2 or not all(k in bounds for k in sizes):
            continue
        if prod(size + 1 for size in sizes.values()) > _MOST_PRODUCTS:
            continue
        table = _expanded(sign, {k: (size, bounds[k]) for k, size in sizes.items()})
        if all(number <= 0 for number in table.values()):
            parts = {k: _parts(size, bounds[k], signs) for k, size in sizes.items()}
            sums = [summand([[place, 1]], "1", one)]
            sums += [_summand(powers, number, parts, one) for powers, number in table.items()]
            yield {"sums": sums, "cofactors": []}


def _apart(sides: Sides) -> Sides:
    """Two bounds with room between them, or one."""
    return sides if len(sides) < 2 or sides[1][0] < sides[-1][0] else {1: sides[1]}


def _expanded(sign: Sign, known: Mapping[int, tuple[int, Sides]]) -> Table:
    """The coefficients in powers of the distances, one symbol after the other; of their ratio between two bounds."""
    table: Table = {tuple(map(int, powers)): number for powers, number in sign.value.terms()}
    for k, (size, sides) in known.items():
        columns: dict[tuple[int, ...], list[flint.fmpq]] = {}
        for powers, number in table.items():
            rest = (*powers[:k], 0, *powers[k + 1 :])
            columns.setdefault(rest, [flint.fmpq(0)] * (size + 1))[powers[k]] += number
        table = {
            (*rest[:k], power, *rest[k + 1 :]): number
            for rest, column in columns.items()
            for power, number in enumerate(_turned(column, sides))
            if number != 0
        }
    return table


def _turned(column: Sequence[flint.fmpq], sides: Sides) -> list[flint.fmpq]:
    """A polynomial p of degree n in y: p(low + y), p(high - y), or (1 + y)^n p((low + high y)/(1 + y))."""
    side = 1 if 1 in sides else -1
    start = _exact(sides[side][0])
    if len(sides) == 2:
        above, below = flint.fmpq_poly([start, _exact(sides[-1][0])]), flint.fmpq_poly([1, 1])
    else:
        above, below = flint.fmpq_poly([start, side]), flint.fmpq_poly([1])
    size = len(column) - 1
    total = flint.fmpq_poly([0])
    for power, number in enumerate(column):
        total += number * above**power * below ** (size - power)
    return [total[power] for power in range(size + 1)]


def _parts(size: int, sides: Sides, signs: Sequence[Sign]) -> list[tuple[flint.fmpq, list[list[int]]]]:
    """What each power of one symbol stands for: conditions with their powers, and the weight that they leave."""
    places = {side: place for side, (_, place) in sides.items()}
    slopes = {side: _slope(signs[place]) for side, place in places.items()}
    width = _exact(sides[-1][0] - sides[1][0]) if len(sides) == 2 else flint.fmpq(1)
    found = []
    for power in range(size + 1):
        used = {1: power, -1: size - power} if len(sides) == 2 else dict.fromkeys(sides, power)
        weight = width ** (-size)
        for side, times in used.items():
            weight /= slopes[side] ** times
        found.append((weight, [[places[side], times] for side, times in used.items() if times]))
    return found


def _summand(
    powers: tuple[int, ...],
    number: flint.fmpq,
    parts: Mapping[int, list[tuple[flint.fmpq, list[list[int]]]]],
    one: Any,
) -> dict[str, Any]:
    """One term of the expansion."""
    weight, factors = -number, []
    for k, known in parts.items():
        share, used = known[powers[k]]
        weight *= share
        factors += used
    return summand(factors, str(weight), one)


def _slope(sign: Sign) -> flint.fmpq:
    return next(abs(number) for powers, number in sign.value.terms() if any(powers))


def _exact(number: Fraction) -> flint.fmpq:
    return flint.fmpq(number.numerator, number.denominator)
