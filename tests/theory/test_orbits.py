"""Periodic orbits are all found, have exactly their period, and their exact multipliers agree with iteration."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy as sp

from theory.dynamics import Flow, Map, gradient_descent, heavy_ball, nesterov
from theory.errors import LemmascopeError
from theory.multipliers import Multipliers

x, y = sp.symbols("x y", real=True)
K, r, eta, mu = sp.symbols("K r eta mu", positive=True)
quartic = Map((x,), (x * (1 + K - K * x**2),))
logistic = Map((x,), (r * x * (1 - x),))


def test_the_positive_two_cycle_has_its_multiplier_by_elimination() -> None:
    positive = sp.Symbol("x", positive=True)
    on_the_right = Map((positive,), (positive * (1 + K - K * positive**2),))
    found = on_the_right.orbits(2)
    (orbit,) = found
    assert found.complete
    assert len(found.excluded) == 2
    assert sp.expand(on_the_right.multiplier(orbit) - (9 - 2 * (K + 1) ** 2)) == 0


def test_an_orbit_of_another_state_is_refused() -> None:
    (orbit,) = Map((y,), (y / 2,)).fixed_points()
    with pytest.raises(LemmascopeError, match="belongs to"):
        quartic.multiplier(orbit)


def test_without_assumptions_there_are_the_mirror_cycle_and_the_symmetric_cycle() -> None:
    found = quartic.orbits(2)
    assert len(found) == 3
    symmetric = [o for o in found if sp.expand(o.points[0][0] + o.points[1][0]) == 0]
    assert len(symmetric) == 1
    assert sp.expand(symmetric[0].points[0][0] ** 2 - (K + 2) / K) == 0


@pytest.mark.parametrize("period", [1, 2, 3, 4])
@pytest.mark.parametrize("value", [sp.Rational(7, 2), sp.Rational(77, 20), sp.Rational(5)])
def test_no_real_orbit_of_the_logistic_map_is_lost(period: int, value: sp.Rational) -> None:
    at = logistic.substitute({r: value})
    iterated = sp.Poly(at.iterate(period).update[0] - x, x)
    real = set(iterated.sqf_part().real_roots())
    expected = len(real)
    for lower in range(1, period):
        if period % lower == 0:
            shorter = sp.Poly(at.iterate(lower).update[0] - x, x).sqf_part()
            expected = min(expected, len(real) - len(shorter.real_roots()))
    listed = sum(
        sp.Poly(orbit.relations[0].subs(r, value), x).count_roots()
        for orbit in logistic.orbits(period)
        if not orbit.points
    ) + sum(
        len(orbit.points)
        for orbit in logistic.orbits(period)
        if orbit.points and all(bool(c.subs(r, value)) for c in orbit.conditions)
    )
    assert listed == expected


@pytest.mark.parametrize("period", [2, 3])
def test_multipliers_agree_with_numeric_iteration(period: int) -> None:
    value = sp.Rational(39, 10)
    for orbit in logistic.orbits(period):
        exact = logistic.multiplier(orbit)
        polynomial = sp.Poly(orbit.relations[0].subs(r, value), x)
        for root in polynomial.nroots(n=40, maxsteps=200):
            point, product = mpmath.mpmathify(root), mpmath.mpf(1)
            with mpmath.workdps(40):
                for _ in range(period):
                    product *= mpmath.mpf(39) / 10 * (1 - 2 * point)
                    point = mpmath.mpf(39) / 10 * point * (1 - point)
                if isinstance(exact, Multipliers):
                    residue = sp.lambdify(exact.symbol, exact.polynomial.subs(r, value), "mpmath")(product)
                else:
                    residue = product - mpmath.mpmathify(sp.N(exact.subs(r, value), 40))
                assert abs(residue) < mpmath.mpf(10) ** -20


def test_the_bilinear_map_with_symbolic_rate_and_target() -> None:
    bilinear = gradient_descent((x * y - mu) ** 2 / 2, (x, y), eta)
    equilibria = bilinear.fixed_points()
    assert equilibria.complete
    assert {orbit.dimension for orbit in equilibria} == {0, 1}
    found = bilinear.orbits(2)
    assert found.complete
    assert found.certificate.except_when == ()
    for orbit in found:
        for sample in ({eta: sp.Rational(3, 2), mu: sp.Rational(6, 5)}, {eta: sp.Rational(8, 5), mu: sp.Rational(1)}):
            first, second = (tuple(sp.N(c.subs(sample), 30) for c in point) for point in orbit.points)
            for start, end in ((first, second), (second, first)):
                moved = [sp.N(u.subs(sample).subs(dict(zip((x, y), start, strict=True))), 30) for u in bilinear.update]
                assert all(abs(a - b) < 1e-20 for a, b in zip(moved, end, strict=True))


def test_numeric_search_finds_no_two_cycle_of_the_bilinear_map_that_is_not_listed() -> None:
    rate, target = 1.3, 1.1
    bilinear = gradient_descent((x * y - mu) ** 2 / 2, (x, y), eta)
    sample = {eta: sp.Rational(13, 10), mu: sp.Rational(11, 10)}
    listed = [complex(sp.N(c.subs(sample))) for o in bilinear.orbits(2) for p in o.points for c in p]
    known = list(zip(listed[::2], listed[1::2], strict=True))

    def step(p: list[float]) -> list[float]:
        error = p[0] * p[1] - target
        return [p[0] - rate * p[1] * error, p[1] - rate * p[0] * error]

    def twice(a: float, b: float) -> list[float]:
        moved = step(step([a, b]))
        return [moved[0] - a, moved[1] - b]

    generator, hits = np.random.default_rng(5), 0
    for _ in range(150):
        start = [generator.uniform(-2.5, 2.5), generator.uniform(-2.5, 2.5)]
        try:
            root = mpmath.findroot(twice, start, tol=1e-24, maxsteps=40)
        except (ValueError, ZeroDivisionError):
            continue
        point = [float(root[0]), float(root[1])]
        moved = step(point)
        if abs(moved[0] - point[0]) + abs(moved[1] - point[1]) < 1e-6:
            continue
        hits += 1
        assert min(abs(point[0] - a) + abs(point[1] - b) for a, b in known) < 1e-6
    assert hits > 20


def test_henon_two_cycle_and_its_characteristic_polynomial() -> None:
    a, b = sp.symbols("a b", positive=True)
    henon = Map((x, y), (1 - a * x**2 + y, b * x))
    (orbit,) = henon.orbits(2)
    polynomial = henon.multiplier(orbit)
    assert sp.expand(polynomial.nth(0) - b**2) == 0
    sample = {a: sp.Rational(6, 5), b: sp.Rational(3, 10)}
    product = sp.eye(2)
    for point in orbit.points:
        at = dict(zip((x, y), point, strict=True))
        product = henon.jacobian.subs(at).subs(sample) * product
    assert abs(sp.N(product.trace() + polynomial.nth(1).subs(sample), 30)) < 1e-20


def test_orbits_without_a_formula_are_kept_as_equations() -> None:
    (three,) = logistic.orbits(3)
    assert three.points is None
    assert three.cycles == 2
    value = sp.Rational(383, 100)
    assert sp.Poly(three.relations[0].subs(r, value), x).count_roots() == 6


def test_rational_maps_and_poles() -> None:
    newton = Map((x,), (x / 2 + 1 / x,))
    found = newton.fixed_points()
    assert {orbit.points[0][0] for orbit in found} == {sp.sqrt(2), -sp.sqrt(2)}
    assert all(newton.multiplier(orbit) == 0 for orbit in found)
    assert found.complete


def test_maps_that_are_not_algebraic_are_answered_partially() -> None:
    found = gradient_descent(sp.log(sp.cosh(x)), x, eta).fixed_points()
    assert not found.complete
    assert (0,) in [orbit.points[0] for orbit in found]
    assert "substitution" in found.certificate.rests_on


def test_momentum_does_not_create_equilibria() -> None:
    beta = sp.Symbol("beta", positive=True)
    found = heavy_ball((x**2 - mu) ** 2 / 4, x, eta, beta).fixed_points()
    assert found.complete
    assert {orbit.points[0] for orbit in found} == {(0, 0), (sp.sqrt(mu), sp.sqrt(mu)), (-sp.sqrt(mu), -sp.sqrt(mu))}


def test_a_deep_linear_network_has_a_surface_of_minima() -> None:
    z = sp.Symbol("z", real=True)
    found = gradient_descent((x * y * z - mu) ** 2 / 2, (x, y, z), eta).fixed_points()
    assert found.complete
    assert {orbit.dimension for orbit in found} == {1, 2}
    assert (x * y * z - mu,) in [orbit.relations for orbit in found]


def test_what_cannot_be_resolved_is_said_to_be_partial() -> None:
    z = sp.Symbol("z", real=True)
    hard = Flow((x, y, z), (x**2 * y + z**3 - 1, y**2 * z + x**3 - 2, z**2 * x + y**3 - 3))
    found = hard.fixed_points()
    assert not found.complete
    assert found.certificate.unresolved


def test_the_fine_print_names_the_parameters_at_which_solutions_were_not_followed() -> None:
    a, b = sp.symbols("a b", real=True)
    henon = Map((x, y), (1 - a * x**2 + y, b * x))
    certificate = henon.orbits(2).certificate
    assert certificate.complete
    assert a in certificate.except_when
    # at a = 0 the map is linear and its formula for the two-cycle divides by zero, as the fine print says
    assert len(henon.substitute({a: 0}).orbits(2)) == 0


def test_momentum_two_cycles_with_three_parameters_are_found_completely() -> None:
    beta = sp.Symbol("beta", positive=True)
    for method in (heavy_ball, nesterov):
        dynamics = method((x**2 - mu) ** 2 / 4, x, eta, beta)
        found = dynamics.orbits(2)
        assert found.complete
        symmetric = next(o for o in found if sp.expand(o.points[0][0] + o.points[1][0]) == 0)
        sample = {mu: 1, eta: sp.Rational(1, 3), beta: sp.Rational(1, 4)}
        start = dict(zip(dynamics.state, symmetric.points[0], strict=True))
        for update, expected in zip(dynamics.update, symmetric.points[1], strict=True):
            assert abs(sp.N((update.subs(start) - expected).subs(sample), 30)) < 1e-20


def test_a_schedule_has_no_orbits() -> None:
    k = sp.Symbol("k")
    with pytest.raises(LemmascopeError):
        Map((x,), (x / (k + 1),), k).fixed_points()
