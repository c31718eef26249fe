"""A multiplier that is exactly -1 for every parameter is decided by the higher terms, not an error."""

from __future__ import annotations

import sympy as sp

from theory.dynamics import Flow, Map, gradient_descent


def test_a_flip_for_every_parameter_attracts_for_all_where_its_cubic_term_does() -> None:
    x, mu = sp.symbols("x mu", positive=True)
    marginal = gradient_descent((x**2 - mu) ** 2 / 4, x, 1 / mu)
    (orbit,) = marginal.fixed_points()
    slope = marginal.jacobian[0].subs(x, sp.sqrt(mu))
    assert sp.simplify(slope) == -1
    assert marginal.stability_region(orbit, mu).region == sp.Interval.open(0, sp.oo)


def test_a_flip_for_every_parameter_attracts_for_none_where_it_does_not() -> None:
    mu = sp.Symbol("mu", positive=True)
    y = sp.Symbol("y", real=True)
    assert Map((y,), (-y - mu * y**3,)).stability_region((0,), mu).region == sp.S.EmptySet
    assert Map((y,), (-y + mu * y**3,)).stability_region((0,), mu).region == sp.Interval.open(0, sp.oo)
    assert Map((y,), (-y,)).substitute({}).stability_region((0,)).attracts is False
    assert Flow((y,), (-mu * y**3,)).stability_region((0,), mu).region == sp.Interval.open(0, sp.oo)
