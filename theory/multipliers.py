"""What a small displacement is multiplied by after one turn around an orbit, by elimination."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from theory.closed_form import selected
from theory.cycles import Family
from theory.errors import LemmascopeError
from theory.linear import characteristic_coefficients
from theory.notation import latex
from theory.orbits import Orbit
from theory.roots import short_form
from theory.systems import Variety

if TYPE_CHECKING:
    from theory.dynamics import Flow, Map

LAMBDA = sp.Symbol("lambda")
"""The unknown of characteristic polynomials."""


@dataclass(frozen=True)
class Multipliers:
    """The multipliers of conjugate orbits without a formula: the roots of ``polynomial`` in ``symbol``."""

    polynomial: sp.Expr
    symbol: sp.Symbol = LAMBDA

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {latex(self.polynomial)} = 0$"


def multiplier(dynamics: Map | Flow, orbit: Orbit) -> sp.Expr | sp.Poly | Multipliers:
    """What a small displacement is multiplied by after one turn around the orbit.

    One state variable: an expression in the parameters. Several: the characteristic polynomial of the product of
    the Jacobians, a ``Poly`` in ``lambda`` (for a Flow: of the Jacobian at the equilibrium). When the orbit has no
    formula, the multipliers of all its conjugates are the roots of one polynomial, returned as ``Multipliers``.

    >>> from theory.dynamics import Map
    >>> x, K = sp.symbols("x K", positive=True)
    >>> F = Map((x,), (x * (1 + K - K * x**2),))
    >>> (orbit,) = F.orbits(2)
    >>> sp.expand(multiplier(F, orbit) - (9 - 2 * (K + 1) ** 2))
    0
    """
    coefficients = characteristic(dynamics, orbit)
    if coefficients is None:
        return Multipliers(eliminated_characteristic(dynamics, orbit))
    if dynamics.dimension == 1:
        return -coefficients[1]
    return sp.Poly(list(coefficients), LAMBDA)


def characteristic(dynamics: Map | Flow, orbit: Orbit) -> tuple[sp.Expr, ...] | None:
    """The coefficients of the characteristic polynomial along the orbit, highest first, if they can be written."""
    family = orbit.family
    if orbit.state != dynamics.state:
        raise LemmascopeError(f"the orbit belongs to the state {orbit.state}, the dynamics to {dynamics.state}")
    if isinstance(family, Variety):
        turned = dynamics.iterate(orbit.period) if dynamics.discrete else dynamics
        ring, jacobian = family.ring, turned.jacobian.tolist()
        entries = [[family.restrict(ring.fraction(entry)) for entry in row] for row in jacobian]
        return tuple(short_form(family.restrict(c)) for c in characteristic_coefficients(entries, ring.zero, ring.one))
    if family is None:
        return _characteristic_at(dynamics, orbit)
    coefficients = family.characteristic(dynamics.jacobian)
    if family.cycles == 1:
        return tuple(short_form(family.by_trace(c)) for c in coefficients)
    if orbit.trace is None:
        return None
    return tuple(selected(family, c, orbit.trace) for c in coefficients)


def _characteristic_at(dynamics: Map | Flow, orbit: Orbit) -> tuple[sp.Expr, ...]:
    if orbit.points is None:
        raise LemmascopeError("this orbit has neither points nor equations: take one from .orbits(period)")
    product = sp.eye(dynamics.dimension)
    for point in orbit.points:
        product = dynamics.jacobian.subs(dict(zip(orbit.state, point, strict=True)), simultaneous=True) * product
    return tuple(sp.expand(c) for c in characteristic_coefficients(product.tolist(), sp.S.Zero, sp.S.One))


def eliminated_characteristic(dynamics: Map | Flow, orbit: Orbit) -> sp.Expr:
    """The polynomial in lambda whose roots are the multipliers of all conjugate orbits."""
    family = orbit.family
    if not isinstance(family, Family):
        raise LemmascopeError("only orbits found by elimination have conjugates: take one from .orbits(period)")
    ring = family.field.ring
    coefficients = family.characteristic(dynamics.jacobian)
    unknown = ring.as_fraction(ring.generators[family.auxiliary])
    total = sum((c * unknown**k for k, c in enumerate(reversed(coefficients))), ring.zero)
    eliminated = ring.resultant(family.field.modulus, total.numerator, family.field.root)
    distinct = [f for f, _ in ring.factors(eliminated) if family.auxiliary in ring.symbols_in(f)]
    return sp.Mul(*(ring.expression(f) for f in distinct)).subs(family.auxiliary, LAMBDA)
