"""Cycles written down: their points in radicals where a short formula exists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from theory.cycles import Family
from theory.polynomials import Fraction, Polynomial
from theory.roots import Root, explicit_roots, nonnegative, short_form


@dataclass(frozen=True)
class WrittenCycle:
    """The points of one cycle in order, when they are real, and the value that picks it among its conjugates.

    The formula loses its meaning where one of the denominators vanishes.
    """

    points: tuple[tuple[sp.Expr, ...], ...]
    conditions: tuple[sp.Basic, ...]
    selector: sp.Expr
    denominators: tuple[Polynomial, ...]


def written_cycles(family: Family) -> list[WrittenCycle] | None:
    """Every cycle of the family that can be real, or None when there is no short formula."""
    count = len(family.siblings)
    if count == 1:
        roots = explicit_roots(family.field.ring, family.field.modulus, family.field.root)
        return None if roots is None else [_through(family, root) for root in roots]
    if count == 2:
        traces = explicit_roots(family.field.ring, family.trace[1], family.auxiliary)
        return None if traces is None else list(_pairs(family, traces))
    return None


def selected(family: Family, element: Fraction, selector: sp.Expr) -> sp.Expr:
    """The value on the selected cycle of an element that is constant along cycles."""
    if len(family.siblings) == 1:
        return _at(element, family.field.root, selector)
    return _at(family.by_trace(element), family.auxiliary, selector)


def _at(element: Fraction, symbol: sp.Symbol, value: sp.Expr) -> sp.Expr:
    if symbol not in element.ring.symbols_in(element.numerator):
        return short_form(element)
    top = element.ring.expression(element.numerator).subs(symbol, value)
    return sp.expand(sp.expand(top) / element.ring.expression(element.denominator))


def _through(family: Family, root: Root) -> WrittenCycle:
    points = tuple(tuple(_at(value, family.field.root, root.value) for value in step.values()) for step in family.steps)
    lead = family.field.ring.coefficients(family.field.modulus, family.field.root)[-1]
    return WrittenCycle(points, root.conditions, root.value, (lead,))


def _pairs(family: Family, traces: list[Root]) -> Iterator[WrittenCycle]:
    """Two siblings are half their sum plus and minus half their difference; its square is constant on the cycle."""
    field, ring = family.field, family.field.ring
    first, second = family.siblings
    half = ring.as_fraction(ring.constant("1/2"))
    middle = family.by_trace(half * (first + second))
    square = family.by_trace(field.reduce((half * (first - second)) ** 2))
    parts = [[_split(family, value) for value in step.values()] for step in family.steps]
    lead = ring.coefficients(family.trace[1], family.auxiliary)[-1]
    used = (middle, square, *(part for step in parts for pair in step for part in pair))
    denominators = (lead, *(fraction.denominator for fraction in used))
    for trace in traces:
        inside = _at(square, family.auxiliary, trace.value)
        condition = (
            nonnegative(square) if inside.free_symbols and not _mentions(square, family.auxiliary) else sp.Ge(inside, 0)
        )
        if condition is sp.false:
            continue
        root = _at(middle, family.auxiliary, trace.value) + sp.sqrt(inside)
        points = tuple(
            tuple(
                sp.expand(_at(a, family.auxiliary, trace.value) + _at(b, family.auxiliary, trace.value) * root)
                for a, b in step
            )
            for step in parts
        )
        conditions = (*trace.conditions, *((condition,) if condition is not sp.true else ()))
        yield WrittenCycle(points, conditions, trace.value, denominators)


def _mentions(fraction: Fraction, symbol: sp.Symbol) -> bool:
    return symbol in fraction.ring.symbols_in(fraction.numerator)


def _split(family: Family, element: Fraction) -> tuple[Fraction, Fraction]:
    """The element as a + b*root, where a and b are polynomials in the trace."""
    field, ring = family.field, family.field.ring
    root = field.reduce(ring.as_fraction(ring.generators[field.root]))
    powers = [field.reduce(family.trace[0] ** k) for k in range(family.cycles)]
    columns = [field.coordinates(p) for p in powers] + [field.coordinates(field.multiply(p, root)) for p in powers]
    weights = field.express(element, columns)
    if weights is None:
        raise AssertionError("trace and root generate the field")
    symbol = ring.as_fraction(ring.generators[family.auxiliary])
    basis = [symbol**k for k in range(family.cycles)]
    return (
        field.combination(basis, weights[: family.cycles]),
        field.combination(basis, weights[family.cycles :]),
    )
