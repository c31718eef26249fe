"""Equilibria of several dimensions on the border of linear stability: the normal form on the centre manifold decides.

By the reduction principle an equilibrium with one critical eigenvalue, or one critical pair, and all others strictly
inside attracts exactly if it does so within its centre manifold (Kuznetsov, Elements of Applied Bifurcation Theory,
Theorems 5.2 and 5.4); there the first coefficient of the normal form that is not zero decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sympy as sp

from theory.balls import exact_sign
from theory.bifurcations import classify
from theory.criteria import Role
from theory.orbits import Orbit

if TYPE_CHECKING:
    from theory.dynamics import Flow, Map

_DECIDED_BY_SIGN = ("flip", "pitchfork", "Hopf", "Neimark-Sacker")


def attracts_on_the_border(
    dynamics: Map | Flow, orbit: Orbit, quantities: Sequence[tuple[Role, sp.Expr]], parameter: sp.Symbol, value: sp.Expr
) -> bool | None:
    """Whether an equilibrium attracts where stability quantities vanish, at ``parameter = value``; None if undecided.

    A negative quantity tells of an eigenvalue outside; affine dynamics attract only strictly inside; otherwise exactly
    one kind of eigenvalue may be critical.

    >>> from theory.dynamics import Flow
    >>> x, y, p = sp.symbols("x y p", real=True)
    >>> flow = Flow((x, y), (p * x - x**3, -y))
    >>> found = [orbit for orbit in flow.fixed_points() if orbit.points == ((0, 0),)][0]
    >>> attracts_on_the_border(flow, found, [(Role.EIGENVALUE_ONE, -p), (Role.COMPLEX_PAIR, 1 - p)], p, sp.S.Zero)
    True
    """
    signs = [(role, exact_sign(sp.cancel(quantity.subs(parameter, value)))) for role, quantity in quantities]
    if any(sign is not None and sign < 0 for _, sign in signs):
        return False
    if any(sign == 0 for _, sign in signs) and all(_is_affine(e, dynamics.state) for e in dynamics.right_side):
        return False
    if any(sign is None for _, sign in signs) or orbit.points is None or orbit.period != 1:
        return None
    vanishing = {role for role, sign in signs if sign == 0}
    if len(vanishing) != 1 or vanishing & {Role.INNER, Role.EXISTENCE}:
        return None
    found = classify(dynamics, orbit, parameter, value, vanishing)
    if found.kind == "transcritical":
        return False  # neighbours on one side leave along a square
    if found.kind not in _DECIDED_BY_SIGN:
        return None
    return {"supercritical": True, "subcritical": False}.get(found.criticality or "")


def _is_affine(entry: sp.Expr, state: Sequence[sp.Symbol]) -> bool:
    polynomial = entry.as_poly(*state)
    return polynomial is not None and polynomial.total_degree() <= 1
