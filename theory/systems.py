"""Polynomial systems with parameters, taken apart without losing solutions.

Equations are factored and split, linear ones substituted, two unknowns eliminated by resultants. What is found
holds for all parameters except those where a recorded polynomial vanishes; that list is the fine print of the
completeness certificate.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from functools import cached_property, reduce

import sympy as sp

from theory.extension import Extension, pseudo_remainder
from theory.polynomials import Fraction, Polynomial, Ring

MAX_TERMS = 4_000_000
"""Resultants that could have more terms than this are not tried; the system is then reported as unresolved."""
MAX_WORK = 500_000_000
"""The same for their estimated work, which is then about a second."""
MAX_REMAINDER_TERMS = 20_000
"""The same for remainders on the way to a greatest common divisor."""
SHEARS = (0, 1, -1, 2, -2, 3)
"""Directions tried for a projection that keeps different solutions apart."""


@dataclass(frozen=True, eq=False)
class Points:
    """Finitely many conjugate solutions: each coordinate is an element of one extension field."""

    field: Extension
    coordinates: dict[sp.Symbol, Fraction]
    projection: Fraction

    def vanishes(self, function: Fraction) -> bool:
        """Whether the numerator of the function is zero at these points."""
        numerator = self.field.ring.as_fraction(function.numerator)
        return self.field.reduce(numerator.substitute(self.coordinates)).is_zero

    def contains(self, coordinates: dict[sp.Symbol, Fraction], field: Extension) -> bool:
        """Whether a point with coordinates in some field is one of these points."""
        root = field.reduce(self.projection.substitute(coordinates))
        if not field.at_root(self.field.modulus, root).is_zero:
            return False
        return all(
            field.at_root(value.numerator, root)
            == field.reduce(self.field.ring.as_fraction(value.denominator)) * coordinates[s]
            for s, value in self.coordinates.items()
        )


@dataclass(frozen=True, eq=False)
class Variety:
    """Infinitely many solutions: some unknowns solved, the others free or on one irreducible hypersurface."""

    ring: Ring
    solved: dict[sp.Symbol, Fraction]
    hypersurface: Polynomial | None
    dimension: int

    @property
    def equations(self) -> tuple[Polynomial, ...]:
        """The polynomials that define the set."""
        return _solved_equations(self.ring, self.solved) + (() if self.hypersurface is None else (self.hypersurface,))

    def restrict(self, function: Fraction) -> Fraction:
        """The function on this set, with solved unknowns replaced and the hypersurface divided out."""
        function = function.substitute(self.solved)
        if self.hypersurface is None:
            return function
        return Fraction.reduced(self.ring, divmod(function.numerator, self.hypersurface)[1], function.denominator)

    def vanishes(self, function: Fraction) -> bool:
        """Whether the function is zero on the whole set."""
        return self.restrict(function).is_zero


@dataclass(eq=False)
class Decomposition:
    """The solutions of a system, component by component.

    >>> x, y, m = sp.symbols("x y m")
    >>> found = decompose([y * (x * y - m), x * (x * y - m)], (x, y), (m,))
    >>> [type(part).__name__ for part in found.components]
    ['Points', 'Variety']
    """

    ring: Ring
    unknowns: tuple[sp.Symbol, ...]
    root: sp.Symbol
    auxiliary: sp.Symbol
    components: list[Points | Variety] = field(default_factory=list)
    exceptions: list[Polynomial] = field(default_factory=list)
    unresolved: list[tuple[Polynomial, ...]] = field(default_factory=list)

    def except_where_zero(self, polynomial: Polynomial) -> None:
        """Record that nothing is claimed for parameters at which the polynomial vanishes."""
        for factor, _ in self.ring.factors(polynomial):
            if not self.ring.expression(factor).is_nonzero and factor not in self.exceptions:
                self.exceptions.append(factor)

    @cached_property
    def identity(self) -> dict[sp.Symbol, Fraction]:
        """Every unknown as itself."""
        return {s: self.ring.as_fraction(self.ring.generators[s]) for s in self.unknowns}


def decompose(
    equations: list[sp.Expr], unknowns: tuple[sp.Symbol, ...], parameters: tuple[sp.Symbol, ...]
) -> Decomposition:
    """All common zeros of rational equations: the zeros of the numerators; poles are the caller's to exclude."""
    root, auxiliary = sp.Dummy("t"), sp.Dummy("s")
    ring = Ring((root, auxiliary, *unknowns, *parameters))
    found = Decomposition(ring, unknowns, root, auxiliary)
    _split(found, [ring.fraction(equation).numerator for equation in equations], {})
    _drop_embedded(found)
    return found


def _split(found: Decomposition, equations: list[Polynomial], solved: dict[sp.Symbol, Fraction]) -> None:
    ring, unknowns = found.ring, set(found.unknowns)
    branches: list[list[Polynomial]] = []
    for equation in equations:
        if equation.is_zero():
            continue
        factors = [factor for factor, _ in ring.factors(equation)]
        branches.append([factor for factor in factors if ring.symbols_in(factor) & unknowns])
        for factor in factors:
            if not ring.symbols_in(factor) & unknowns:
                found.except_where_zero(factor)
    branches.sort(key=len)
    if branches and not branches[0]:
        return
    if branches and len(branches[-1]) > 1:
        rest = [reduce(lambda a, b: a * b, factors) for factors in branches[:-1]]
        for factor in branches[-1]:
            _split(found, [factor, *rest], solved)
        return
    _solve_irreducible(found, _distinct([factors[0] for factors in branches]), solved)


def _distinct(polynomials: list[Polynomial]) -> list[Polynomial]:
    kept: list[Polynomial] = []
    for polynomial in polynomials:
        if polynomial not in kept:
            kept.append(polynomial)
    return kept


def _solve_irreducible(found: Decomposition, equations: list[Polynomial], solved: dict[sp.Symbol, Fraction]) -> None:
    ring = found.ring
    remaining = [symbol for symbol in found.unknowns if symbol not in solved]
    involved = [s for s in remaining if any(s in ring.symbols_in(equation) for equation in equations)]
    linear = _linear_equation(found, equations, involved)
    if linear is not None and not (len(equations) == 1 and len(remaining) == 1):
        equation, symbol = linear
        bottom, top = ring.coefficients(equation, symbol)[1], ring.coefficients(equation, symbol)[0]
        found.except_where_zero(bottom)
        value = {symbol: Fraction.reduced(ring, -top, bottom)}
        rest = [ring.as_fraction(e).substitute(value).numerator for e in equations if e != equation]
        _split(found, rest, {s: v.substitute(value) for s, v in solved.items()} | value)
    elif len(remaining) > len(involved) or (len(equations) <= 1 and len(remaining) > 1):
        # Some unknown is free: what is left describes a curve, surface, ...
        if len(equations) > 1:
            found.unresolved.append(tuple(equations) + _solved_equations(ring, solved))
        else:
            dimension = len(remaining) - len(equations)
            found.components.append(Variety(ring, solved, equations[0] if equations else None, dimension))
    elif not remaining:
        _add_points(found, Extension(ring, found.root, ring.generators[found.root]), {}, solved, ring.zero)
    elif len(remaining) == 1:
        _one_unknown(found, equations, remaining[0], solved)
    elif (combined := _splitting_combination(found, equations)) is not None:
        _split(found, combined, solved)
    elif len(remaining) == 2:
        _two_unknowns(found, equations, (remaining[0], remaining[1]), solved)
    else:
        found.unresolved.append(tuple(equations) + _solved_equations(ring, solved))


def _linear_equation(
    found: Decomposition, equations: list[Polynomial], involved: list[sp.Symbol]
) -> tuple[Polynomial, sp.Symbol] | None:
    """An equation linear in an unknown whose coefficient holds parameters only."""
    ring = found.ring
    for symbol in reversed(involved):
        for equation in equations:
            if ring.degree(equation, symbol) == 1:
                bottom = ring.coefficients(equation, symbol)[1]
                if not ring.symbols_in(bottom) & set(found.unknowns):
                    return equation, symbol
    return None


def _splitting_combination(found: Decomposition, equations: list[Polynomial]) -> list[Polynomial] | None:
    """The system with two equations replaced by their sum and difference, when one of these factors.

    Symmetric losses give such pairs, and factors are far cheaper than resultants.
    """
    for (i, first), (j, second) in itertools.combinations(enumerate(equations), 2):
        sums = [first + second, first - second]
        for total in sums:
            factors = found.ring.factors(total)
            if sum(bool(found.ring.symbols_in(f) & set(found.unknowns)) for f, _ in factors) > 1:
                return sums + [e for k, e in enumerate(equations) if k not in (i, j)]
    return None


def _solved_equations(ring: Ring, solved: dict[sp.Symbol, Fraction]) -> tuple[Polynomial, ...]:
    return tuple(ring.generators[s] * v.denominator - v.numerator for s, v in solved.items())


def _one_unknown(
    found: Decomposition, equations: list[Polynomial], symbol: sp.Symbol, solved: dict[sp.Symbol, Fraction]
) -> None:
    """Distinct irreducible equations in one unknown have no common root unless the parameters are special."""
    ring = found.ring
    if len(equations) > 1:
        found.except_where_zero(ring.resultant(equations[0], equations[1], symbol))
        return
    root = ring.as_fraction(ring.generators[found.root])
    modulus = ring.as_fraction(equations[0]).substitute({symbol: root}).numerator
    extension = Extension(ring, found.root, modulus)
    form = ring.as_fraction(ring.generators[symbol])
    _add_points(found, extension, {symbol: extension.reduce(root)}, solved, form)


def _two_unknowns(
    found: Decomposition,
    equations: list[Polynomial],
    pair: tuple[sp.Symbol, sp.Symbol],
    solved: dict[sp.Symbol, Fraction],
) -> None:
    """Project along a direction that separates the solutions; the second unknown follows by a gcd in the field."""
    ring, (first, second) = found.ring, pair
    for shear in SHEARS:
        try:
            projected = _projection(found, equations, pair, shear)
        except _TooLargeError:
            break
        if projected is None:
            continue
        solutions, exceptional = projected
        for polynomial in exceptional:
            found.except_where_zero(polynomial)
        slope = ring.as_fraction(ring.constant(shear))
        form = found.identity[first] + slope * found.identity[second]
        for extension, value in solutions:
            start = extension.reduce(ring.as_fraction(ring.generators[found.root]) - slope * value)
            _add_points(found, extension, {first: start, second: value}, solved, form)
        return
    found.unresolved.append(tuple(equations) + _solved_equations(ring, solved))


class _TooLargeError(Exception):
    """An elimination that would not end in reasonable time."""


def _projection(
    found: Decomposition, equations: list[Polynomial], pair: tuple[sp.Symbol, sp.Symbol], shear: int
) -> tuple[list[tuple[Extension, Fraction]], list[Polynomial]] | None:
    """For each factor of the resultant the value of the second unknown, and the exceptional polynomials.

    None when two solutions share a projection.
    """
    ring, (first, second) = found.ring, pair
    root, other = (ring.as_fraction(ring.generators[s]) for s in (found.root, second))
    sheared = {first: root - ring.as_fraction(ring.constant(shear)) * other}
    turned = [ring.as_fraction(e).substitute(sheared).numerator for e in equations]
    eliminated = reduce(lambda a, b: a.gcd(b), (_bounded_resultant(ring, turned[0], e, second) for e in turned[1:]))
    solutions: list[tuple[Extension, Fraction]] = []
    exceptional: list[Polynomial] = []
    for factor, _ in ring.factors(eliminated):
        if found.root not in ring.symbols_in(factor):
            exceptional.append(factor)
            continue
        extension = Extension(ring, found.root, factor)
        common = _gcd_over(extension, turned, second, exceptional)
        degree = ring.degree(common, second)
        if common.is_zero() or degree > 1:
            return None
        top = ring.coefficients(common, second)[-1]
        exceptional.append(_bounded_resultant(ring, factor, top, found.root))
        if degree == 1:
            bottom = ring.coefficients(common, second)[0]
            solutions.append((extension, extension.reduce(Fraction.reduced(ring, -bottom, top))))
    return solutions, exceptional


def _bounded_resultant(ring: Ring, first: Polynomial, second: Polynomial, symbol: sp.Symbol) -> Polynomial:
    """The resultant, unless it may have too many terms or take too long: nothing can interrupt it."""
    a, b = ring.degree(first, symbol), ring.degree(second, symbol)
    others = (s for s in ring.symbols if s != symbol)
    terms = math.prod(1 + b * ring.degree(first, s) + a * ring.degree(second, s) for s in others)
    work = min(a, b) ** 2 * len(first) * len(second) * (_bits(first) + _bits(second))
    if terms > MAX_TERMS or work > MAX_WORK:
        raise _TooLargeError
    return ring.resultant(first, second, symbol)


def _bits(polynomial: Polynomial) -> int:
    """The length of the longest coefficient."""
    return max((int(c.p).bit_length() + int(c.q).bit_length() for c in polynomial.coeffs()), default=0)


def _gcd_over(
    extension: Extension, polynomials: list[Polynomial], symbol: sp.Symbol, exceptional: list[Polynomial]
) -> Polynomial:
    """The greatest common divisor in one unknown over the field, by pseudo-division inside the ideal."""
    ring = extension.ring
    current = _reduced(extension, polynomials[0], symbol, exceptional)
    for polynomial in polynomials[1:]:
        other = _reduced(extension, polynomial, symbol, exceptional)
        if current.is_zero():  # every polynomial divides zero
            current = other
            continue
        while not other.is_zero():
            if ring.degree(current, symbol) < ring.degree(other, symbol):
                current, other = other, current
            remainder, _ = pseudo_remainder(ring, symbol, current, other)
            if len(remainder) > MAX_REMAINDER_TERMS:
                raise _TooLargeError
            current, other = other, _reduced(extension, remainder, symbol, exceptional)
    return current


def _reduced(
    extension: Extension, polynomial: Polynomial, symbol: sp.Symbol, exceptional: list[Polynomial]
) -> Polynomial:
    """The polynomial modulo the field's equation, so that leading terms that are zero in the field disappear.

    A common factor in the parameters is divided out, which is only allowed where it is not zero.
    """
    ring = extension.ring
    remainder, _ = pseudo_remainder(ring, extension.root, polynomial, extension.modulus)
    if remainder.is_zero():
        return remainder
    parts = (part for c in ring.coefficients(remainder, symbol) for part in ring.coefficients(c, extension.root))
    content = reduce(lambda a, b: a.gcd(b), parts)
    exceptional.append(content)
    return remainder / content


def _add_points(
    found: Decomposition,
    extension: Extension,
    values: dict[sp.Symbol, Fraction],
    solved: dict[sp.Symbol, Fraction],
    projection: Fraction,
) -> None:
    try:
        rest = {symbol: extension.evaluate(value, values) for symbol, value in solved.items()}
    except ZeroDivisionError:
        return
    coordinates = values | rest
    ordered = {symbol: coordinates[symbol] for symbol in found.unknowns}
    found.components.append(Points(extension, ordered, projection))


def _drop_embedded(found: Decomposition) -> None:
    """Remove what lies on a larger component or was found twice."""
    kept: list[Points | Variety] = []
    by_dimension = sorted(found.components, key=lambda part: -getattr(part, "dimension", 0))
    for part in by_dimension:
        if not any(_lies_on(part, other) for other in kept):
            kept.append(part)
    found.components[:] = reversed(kept)


def _lies_on(part: Points | Variety, other: Points | Variety) -> bool:
    if isinstance(other, Variety):
        return all(part.vanishes(other.ring.as_fraction(equation)) for equation in other.equations)
    return isinstance(part, Points) and other.contains(part.coordinates, part.field)
