"""For which values of one parameter do quantities on an algebraic branch stay positive: exact intervals.

The line of parameters is cut where a quantity can change its sign or the branch can appear, turn or escape; in
between one rational sample decides for the whole cell, in ball arithmetic that cannot err because no quantity
is zero there.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction as Rational
from typing import Any

import flint
import sympy as sp

from theory.extension import Extension
from theory.polynomials import Fraction, Polynomial, Ring
from theory.roots import real_roots

Ball = Any
"""A ``flint.arb``."""

MAX_PRECISION = 1 << 14


@dataclass(frozen=True)
class Cut:
    """A parameter value at which something can happen, and the places of the quantities that vanish there."""

    value: sp.Expr
    vanishing: frozenset[int]
    branch_changes: bool


@dataclass(frozen=True)
class Cells:
    """The cut parameter line: ``inside[k]`` tells whether the cell left of ``cuts[k]`` belongs to the region."""

    cuts: tuple[Cut, ...]
    inside: tuple[bool, ...]
    region: sp.Set


def domain_of(parameter: sp.Symbol) -> sp.Interval:
    """The values that the assumptions on a real parameter allow.

    >>> domain_of(sp.Symbol("eta", positive=True))
    Interval.open(0, oo)
    """
    if parameter.is_positive:
        return sp.Interval.open(0, sp.oo)
    if parameter.is_negative:
        return sp.Interval.open(-sp.oo, 0)
    if parameter.is_nonnegative:
        return sp.Interval(0, sp.oo)
    if parameter.is_nonpositive:
        return sp.Interval(-sp.oo, 0)
    return sp.S.Reals


def positive_cells(
    field: Extension,
    quantities: Sequence[Fraction],
    parameter: sp.Symbol,
    chosen: Callable[[sp.Rational, list[Ball]], list[Ball] | None],
) -> Cells:
    """Where, on some chosen real branch of the field's root, all quantities are positive.

    ``chosen`` picks from the real roots at a rational parameter value those that belong to the branch, or None
    when it needs more precision.
    """
    domain = domain_of(parameter)
    # A closed end may belong to the region, so cells must reach beyond it.
    span = domain if domain.is_open else sp.S.Reals
    cuts = _cuts(field, quantities, parameter, span)
    ends = [span.inf, *(cut.value for cut in cuts), span.sup]
    inside = tuple(
        _holds_at(field, quantities, parameter, sample_between(left, right), chosen)
        for left, right in itertools.pairwise(ends)
    )
    pieces: list[sp.Set] = []
    for (left, right), flag in zip(itertools.pairwise(ends), inside, strict=True):
        if flag:
            pieces.append(sp.Interval.open(left, right))
    for place, cut in enumerate(cuts):
        if inside[place] and inside[place + 1] and not cut.vanishing and not cut.branch_changes:
            pieces.append(sp.FiniteSet(cut.value))
    return Cells(cuts, inside, sp.Intersection(sp.Union(*pieces), domain))


def _cuts(
    field: Extension, quantities: Sequence[Fraction], parameter: sp.Symbol, domain: sp.Interval
) -> tuple[Cut, ...]:
    ring = field.ring
    branch = [ring.coefficients(field.modulus, field.root)[-1]]
    turning = [ring.discriminant(field.modulus, field.root)] if field.degree > 1 else []
    poles = [quantity.denominator for quantity in quantities]
    norms = [field.norm(quantity) for quantity in quantities]
    labelled: list[tuple[Polynomial, int | None]] = [(p, None) for p in (*branch, *poles)]
    labelled += [(norm, place) for place, norm in enumerate(norms)]
    labelled += [(p, -1) for p in turning]
    events: dict[sp.Expr, set[int | None]] = {}
    for polynomial, label in labelled:
        for factor, _ in ring.factors(polynomial):
            for value in real_roots(ring.expression(factor), parameter):
                if _strictly_inside(value, domain):
                    events.setdefault(value, set()).add(label)
    return tuple(
        Cut(value, frozenset(p for p in events[value] if p is not None and p >= 0), None in events[value])
        for value in sorted(events, key=lambda value: value.evalf(60))
    )


def _strictly_inside(value: sp.Expr, domain: sp.Interval) -> bool:
    return bool(domain.inf < value) and bool(value < domain.sup)


def sample_between(left: sp.Expr, right: sp.Expr) -> sp.Rational:
    """A short rational number strictly between two real algebraic numbers or infinities.

    >>> sample_between(sp.sqrt(2), sp.sqrt(3))
    3/2
    """
    if left == -sp.oo and right == sp.oo:
        return sp.S.Zero
    if left == -sp.oo:
        return sp.floor(right) - 1
    if right == sp.oo:
        return sp.floor(left) + 1
    middle = sp.Rational((left / 2 + right / 2).evalf(80))
    for digits in range(80):
        short = Rational(int(middle.p), int(middle.q)).limit_denominator(4**digits)
        candidate = sp.Rational(short.numerator, short.denominator)
        if left < candidate < right:
            return candidate
    raise AssertionError("two different algebraic numbers have a rational between them")


def _holds_at(
    field: Extension,
    quantities: Sequence[Fraction],
    parameter: sp.Symbol,
    value: sp.Rational,
    chosen: Callable[[sp.Rational, list[Ball]], list[Ball] | None],
) -> bool:
    modulus = specialised(field.ring, field.modulus, field.root, {parameter: value})
    pairs = [
        tuple(specialised(field.ring, part, field.root, {parameter: value}) for part in (q.numerator, q.denominator))
        for q in quantities
    ]
    if any(top.degree() < 0 for top, _ in pairs):
        return False  # a quantity that vanishes for every parameter is never positive
    for precision in (64 << k for k in range(9)):
        with flint.ctx.workprec(precision):
            roots = chosen(value, real_root_balls(modulus))
            if roots is None:
                continue
            signs = [[sign(horner(top, root) / horner(bottom, root)) for top, bottom in pairs] for root in roots]
        if any(all(one == 1 for one in row) for row in signs):
            return True
        if all(-1 in row for row in signs):
            return False
    raise AssertionError("a quantity that is not zero has a sign")


def specialised(ring: Ring, polynomial: Polynomial, root: sp.Symbol, values: dict[sp.Symbol, sp.Rational]) -> Any:
    """The polynomial in the root alone, with rational values for the other symbols, as a ``flint.fmpq_poly``."""
    numbers = {s: ring.as_fraction(ring.constant(value)) for s, value in values.items()}
    done = ring.as_fraction(polynomial).substitute(numbers)
    parts = ring.coefficients(done.numerator, root)
    constants = [part.leading_coefficient() if not part.is_zero() else flint.fmpq(0) for part in parts]
    return flint.fmpq_poly([c / done.denominator.leading_coefficient() for c in constants])


def real_root_balls(polynomial: Any) -> list[Ball]:
    """Balls around the distinct real roots of a ``flint.fmpq_poly``; flint returns real roots as exactly real."""
    if polynomial.degree() < 1:
        return []
    return [root.real for root, _ in polynomial.numer().complex_roots() if root.imag == 0]


def horner(polynomial: Any, at: Ball) -> Ball:
    """The value of a ``flint.fmpq_poly`` at a ball."""
    total = flint.arb(0)
    for coefficient in reversed(polynomial.coeffs()):
        total = total * at + flint.arb(coefficient)
    return total


def sign(ball: Ball) -> int:
    """1 or -1 when the ball decides it, otherwise 0."""
    return 1 if ball > 0 else -1 if ball < 0 else 0
