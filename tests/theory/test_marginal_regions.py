"""A multiplier that is exactly -1 for every parameter gives an empty region, not an error."""

from __future__ import annotations

import sympy as sp

from theory.dynamics import gradient_descent


def test_a_flip_for_every_parameter_attracts_for_none() -> None:
    x, mu = sp.symbols("x mu", positive=True)
    marginal = gradient_descent((x**2 - mu) ** 2 / 4, x, 1 / mu)
    (orbit,) = marginal.fixed_points()
    slope = marginal.jacobian[0].subs(x, sp.sqrt(mu))
    assert sp.simplify(slope) == -1
    assert marginal.stability_region(orbit, mu).region == sp.S.EmptySet
