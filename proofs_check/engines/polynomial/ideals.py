"""Membership of a polynomial in an ideal, with the cofactors that show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import flint

from proofs_check import clock
from theory.polynomials import Polynomial, Ring


@dataclass
class _Element:
    """An element of the ideal and how it is combined from the generators."""

    polynomial: Polynomial
    cofactors: list[Polynomial]


def cofactors(
    ring: Ring, target: Polynomial, generators: Sequence[Polynomial], seconds: float, largest: int = 400
) -> list[Polynomial] | None:
    """Polynomials c with target = sum c*generator, or None when none were found within the time.

    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> ring = Ring((x, y))
    >>> found = cofactors(ring, ring.polynomial(x**3 - y**3), [ring.polynomial(x - y)], 1)
    >>> [ring.expression(part) for part in found]
    [x**2 + x*y + y**2]
    """
    context = flint.fmpq_mpoly_ctx.get([str(name) for name in ring.context.names()], flint.Ordering.degrevlex)
    inside = [polynomial.project_to_context(context) for polynomial in generators]
    found = _search(target.project_to_context(context), inside, context, clock.now() + seconds, largest)
    return None if found is None else [part.project_to_context(ring.context) for part in found]


def _search(
    target: Polynomial, generators: list[Polynomial], context: flint.fmpq_mpoly_ctx, end: float, largest: int
) -> list[Polynomial] | None:
    one, zero = context.constant(1), context.constant(0)
    basis = [
        _Element(polynomial, [one if place == k else zero for k in range(len(generators))])
        for place, polynomial in enumerate(generators)
        if not polynomial.is_zero()
    ]
    goal = _reduced(_Element(target, [zero] * len(generators)), basis)
    pairs = list(combinations(range(len(basis)), 2))
    while not goal.polynomial.is_zero():
        if not pairs or clock.now() > end:
            return None
        pairs.sort(key=lambda pair: -sum(_join(basis[pair[0]], basis[pair[1]])))
        new = _reduced(_s_polynomial(basis, pairs.pop(), context), basis)
        if new.polynomial.is_zero():
            continue
        if len(new.polynomial) > largest:
            return None
        pairs += [(place, len(basis)) for place in range(len(basis))]
        basis.append(new)
        goal = _reduced(goal, basis)
    return [-part for part in goal.cofactors]


def _reduced(element: _Element, basis: list[_Element]) -> _Element:
    """The remainder modulo the basis; its cofactors keep the difference to the start in the ideal."""
    rest, parts = element.polynomial, list(element.cofactors)
    changed = True
    while changed and not rest.is_zero():
        changed = False
        for divisor in basis:
            quotient, remainder = divmod(rest, divisor.polynomial)
            if not quotient.is_zero():
                rest, changed = remainder, True
                parts = [part - quotient * other for part, other in zip(parts, divisor.cofactors, strict=True)]
    return _Element(rest, parts)


def _lead(polynomial: Polynomial) -> tuple[int, ...]:
    return tuple(polynomial.monoms()[0])


def _join(one: _Element, other: _Element) -> tuple[int, ...]:
    return tuple(map(max, _lead(one.polynomial), _lead(other.polynomial)))


def _s_polynomial(basis: list[_Element], pair: tuple[int, int], context: flint.fmpq_mpoly_ctx) -> _Element:
    one, other = (basis[place] for place in pair)
    join = _join(one, other)
    factors = [
        context.from_dict({tuple(a - b for a, b in zip(join, _lead(part.polynomial), strict=True)): 1})
        / part.polynomial.leading_coefficient()
        for part in (one, other)
    ]
    polynomial = factors[0] * one.polynomial - factors[1] * other.polynomial
    parts = [factors[0] * a - factors[1] * b for a, b in zip(one.cofactors, other.cofactors, strict=True)]
    return _Element(polynomial, parts)
