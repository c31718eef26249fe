"""Where the truth of polynomial conditions can change: projection onto one parameter.

McCallum's projection of irreducible factors. With at most two variables eliminated, the finitely many parameters over
which a factor vanishes identically are themselves among the zeros, so between two of them the truth is constant.
"""

from __future__ import annotations

from itertools import combinations

from sympy import Symbol

from proofs_check.algebra.formulas import signs
from proofs_check.algebra.systems import System
from theory.polynomials import Polynomial, Ring

MOST_ELIMINATED = 2


def critical_polynomials(system: System, parameter: Symbol) -> list[Polynomial] | None:
    """Irreducible polynomials in the parameter alone, outside whose zeros nothing changes; None for too many variables.

    >>> from sympy import S, symbols
    >>> from proofs_check.algebra.systems import systems_of
    >>> from proofs_check.goals import Goal
    >>> x, K = symbols("x K")
    >>> [system] = systems_of(Goal({x: S.Reals, K: S.Reals}, (), x**2 + K*x + 1 > 0))
    >>> [system.ring.expression(part) for part in critical_polynomials(system, K)]
    [K, K - 2, K + 2]
    """
    ring = system.ring
    eliminated = [symbol for symbol in ring.symbols if symbol != parameter]
    if len(eliminated) > MOST_ELIMINATED or parameter not in ring.symbols:
        return None
    level = _irreducible(ring, [sign.value for sign in signs(system.constraint)])
    for symbol in eliminated:
        level = _project(ring, level, symbol)
    return level


def _project(ring: Ring, polynomials: list[Polynomial], symbol: Symbol) -> list[Polynomial]:
    kept = [part for part in polynomials if ring.degree(part, symbol) <= 0]
    moving = [part for part in polynomials if ring.degree(part, symbol) > 0]
    for part in moving:
        kept += ring.coefficients(part, symbol)
        if ring.degree(part, symbol) > 1:
            kept.append(ring.discriminant(part, symbol))
    kept += [ring.resultant(one, other, symbol) for one, other in combinations(moving, 2)]
    return _irreducible(ring, kept)


def _irreducible(ring: Ring, polynomials: list[Polynomial]) -> list[Polynomial]:
    found: list[Polynomial] = []
    for polynomial in polynomials:
        if not polynomial.is_constant():
            found += [factor for factor, _ in ring.factors(polynomial) if factor not in found]
    return found
