"""Stability regions are exact: they agree with textbook theorems, with eigenvalues at random points, with iteration."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from theory.criteria import hurwitz, jury
from theory.dynamics import Flow, Map, gradient_descent, gradient_flow, heavy_ball, nesterov
from theory.errors import LemmascopeError
from theory.stability import stability_region

x, y, z = sp.symbols("x y z", real=True)
K, L, r, eta, mu, beta = sp.symbols("K L r eta mu beta", positive=True)
logistic = Map((x,), (r * x * (1 - x),))

roots = st.lists(
    st.one_of(
        st.floats(-1.6, 1.6).map(lambda a: [complex(a)]),
        st.tuples(st.floats(-1.2, 1.2), st.floats(0.01, 1.2)).map(lambda p: [complex(*p), complex(p[0], -p[1])]),
    ),
    min_size=1,
    max_size=3,
).map(lambda parts: [root for part in parts for root in part])


@settings(deadline=None, max_examples=200)
@given(roots)
def test_jury_and_hurwitz_agree_with_the_roots(chosen: list[complex]) -> None:
    coefficients = np.poly(chosen).real.tolist()
    radius, abscissa = max(map(abs, chosen)), max(root.real for root in chosen)
    if abs(radius - 1) > 1e-3:
        assert all(q.value > 0 for q in jury(coefficients, 0.0, 1.0)) == (radius < 1)
    if abs(abscissa) > 1e-3:
        assert all(q.value > 0 for q in hurwitz(coefficients, 0.0, 1.0)) == (abscissa < 0)


def test_gradient_descent_on_a_quadratic_is_stable_up_to_two_over_the_curvature() -> None:
    region = gradient_descent(L * x**2 / 2, x, eta).stability_region(parameter=eta)
    assert region.region == sp.Interval.open(0, 2 / L)
    assert [(b.kind, b.value, b.criticality) for b in region.bifurcations] == [("flip", 2 / L, "degenerate")]


def test_heavy_ball_is_stable_in_its_triangle() -> None:
    region = heavy_ball(L * x**2 / 2, x, eta, beta).stability_region()
    assert set(region.conditions) == {sp.Gt(1 - beta, 0), sp.Gt(-L * eta + 2 * beta + 2, 0)}


@pytest.mark.parametrize("method", [heavy_ball, nesterov])
def test_momentum_conditions_agree_with_eigenvalues(method: object) -> None:
    dynamics = method(L * x**2 / 2, x, eta, beta)  # type: ignore[operator]
    conditions = dynamics.stability_region().conditions
    generator = np.random.default_rng(3)
    seen = set()
    for _ in range(60):
        sample = {s: sp.Rational(int(generator.integers(1, 60)), 20) for s in (L, eta, beta)}
        matrix = np.array(dynamics.jacobian.subs(sample).tolist(), dtype=float)
        radius = max(abs(np.linalg.eigvals(matrix)))
        holds = all(bool(c.subs(sample)) for c in conditions)
        assert holds == (radius < 1 - 1e-12)
        seen.add(holds)
    assert seen == {True, False}


def test_the_first_bifurcations_of_the_logistic_map() -> None:
    fixed = {orbit.points[0][0]: stability_region(logistic, orbit).region for orbit in logistic.fixed_points()}
    assert fixed == {sp.S.Zero: sp.Interval.open(0, 1), (r - 1) / r: sp.Interval.Lopen(1, 3)}
    two = stability_region(logistic, logistic.orbits(2)[0]).region
    assert two == sp.Interval.Lopen(3, 1 + sp.sqrt(6))
    three = stability_region(logistic, logistic.orbits(3)[0]).region
    assert three.inf == 1 + 2 * sp.sqrt(2)
    assert abs(float(three.sup) - 3.8414990075) < 1e-9
    four = stability_region(logistic, logistic.orbits(4)[0]).region
    assert four.inf == 1 + sp.sqrt(6)
    assert sorted(round(float(v), 6) for v in four.boundary) == [3.44949, 3.54409, 3.960102, 3.960769]


def test_the_cascade_of_gradient_descent_on_the_quartic_agrees_with_iteration() -> None:
    quartic = Map((x,), (x * (1 + K - K * x**2),))
    one = stability_region(quartic, (1,))
    two = stability_region(quartic, quartic.orbits(2)[0])
    assert (one.region, two.region) == (sp.Interval.Lopen(0, 1), sp.Interval.Lopen(1, sp.sqrt(5) - 1))

    def period(value: float) -> int:
        point = 0.7
        for _ in range(20000):
            point *= 1 + value - value * point**2
        start, count = point, 0
        while count == 0 or abs(point - start) > 1e-9:
            point *= 1 + value - value * point**2
            count += 1
        return count

    assert [period(v) for v in (0.97, 1.03, 1.21, 1.25)] == [1, 2, 2, 4]


def test_minima_of_the_bilinear_loss_are_stable_across_the_curve_of_minima() -> None:
    bilinear = gradient_descent((x * y - mu) ** 2 / 2, (x, y), eta)
    (curve,) = (orbit for orbit in bilinear.fixed_points() if orbit.dimension == 1)
    region = stability_region(bilinear, curve)
    assert region.neutral_directions == 1
    assert sp.Gt(-eta * x**2 - eta * y**2 + 2, 0) in region.conditions


def test_two_cycles_of_the_bilinear_map_inherit_the_window_of_the_quartic() -> None:
    bilinear = gradient_descent((x * y - 1) ** 2 / 2, (x, y), eta)
    regions = [stability_region(bilinear, orbit).region for orbit in bilinear.orbits(2)]
    assert regions.count(sp.Interval.open(1, sp.sqrt(5) - 1)) == 2
    assert regions.count(sp.S.EmptySet) == 2


def test_flows_use_routh_hurwitz() -> None:
    lorenz = Flow((x, y, z), (10 * (y - x), x * (r - z) - y, x * y - sp.Rational(8, 3) * z))
    regions = [stability_region(lorenz, orbit).region for orbit in lorenz.fixed_points()]
    assert regions == [sp.Interval.open(1, sp.Rational(470, 19))] * 2 + [sp.Interval.Lopen(0, 1)]
    assert gradient_flow((x * y - 1) ** 2, (x, y)).stability_region((0, 0)).attracts is False


def test_numbers_without_parameters_are_decided() -> None:
    assert Map((x,), (x / 2 + 1 / x,)).stability_region((sp.sqrt(2),)).attracts is True
    period_three = logistic.substitute({r: sp.Rational(3835, 1000)})
    assert stability_region(period_three, period_three.orbits(3)[0]).attracts is True
    chaotic = logistic.substitute({r: sp.Rational(39, 10)})
    assert all(stability_region(chaotic, orbit).attracts is False for orbit in chaotic.orbits(3))


def test_maps_that_are_not_algebraic_have_regions_too() -> None:
    assert gradient_descent(sp.log(sp.cosh(x)), x, eta).stability_region((0,)).region == sp.Interval.Lopen(0, 2)


def test_a_closed_end_of_the_domain_can_belong_to_the_region() -> None:
    strength = sp.Symbol("s", nonnegative=True)
    assert Map((x,), ((strength - sp.Rational(1, 2)) * x,)).stability_region().region == sp.Interval.Ropen(
        0, sp.Rational(3, 2)
    )


def test_what_is_not_an_equilibrium_is_refused() -> None:
    with pytest.raises(LemmascopeError, match="not an equilibrium"):
        logistic.stability_region((sp.Rational(1, 2),))
    with pytest.raises(LemmascopeError, match="known equilibria"):
        logistic.stability_region()
    with pytest.raises(LemmascopeError, match="not a parameter"):
        logistic.stability_region((0,), parameter=eta)


u, v, nu = sp.symbols("u v nu", real=True)
NEUTRAL = {
    "a cubic": (Map((u,), (u - u**3,)), 0, True),
    "a flipping cubic": (Map((u,), (-u + u**3,)), 0, True),
    "a cubic the other way": (Map((u,), (u + u**3,)), 0, False),
    "a flipping cubic the other way": (Map((u,), (-u - u**3,)), 0, False),
    "one side only": (Map((u,), (u - u**2,)), 0, False),
    "a square and the multiplier -1": (Map((u,), (-u + u**2,)), 0, True),
    "the fifth term": (Map((u,), (-u + u**2 - u**3,)), 0, False),
    "no term at all": (Map((u,), (-u,)), 0, False),
    "every point at rest": (Map((u,), (u,)), 0, False),
    "another place": (Map((u,), (u - (u - 2) ** 3,)), 2, True),
    "an irrational place": (Map((u,), (u - (u**2 - 2) ** 3,)), sp.sqrt(2), True),
    "a sine": (Map((u,), (sp.sin(u),)), 0, True),
    "a flipping sine": (Map((u,), (-sp.sin(u),)), 0, True),
    "a cubic flow": (Flow((u,), (-(u**3),)), 0, True),
    "a flow of the fifth order": (Flow((u,), (u**5,)), 0, False),
    "a flow past a point": (Flow((u,), (u**2,)), 0, False),
    "a flow with all terms": (Flow((u,), (u - sp.tanh(u) - 2 * u**3 / 3,)), 0, True),
    "a rotation": (Map((u, v), (v, -u)), (0, 0), False),
    "a spring": (Flow((u, v), (v, -u)), (0, 0), False),
    "a damped rotation": (Flow((u, v), (-v - u * (u**2 + v**2), u - v * (u**2 + v**2))), (0, 0), True),
    "a driven rotation": (Flow((u, v), (-v + u**3, u + v**3)), (0, 0), False),
    "a cubic beside a stable direction": (Map((u, v), (u - u**3, v / 2)), (0, 0), True),
    "a cubic that the stable direction turns": (Flow((u, v), (u**3 + u * v, -v - 3 * u**2)), (0, 0), True),
    "a cubic that it turns the other way": (Flow((u, v), (u * v - u**3, -v + 3 * u**2)), (0, 0), False),
    "a quarter turn, a strong resonance": (Map((u, v), (-v - u**3, u - v**3)), (0, 0), None),
    "two zero eigenvalues": (Flow((u, v), (v, -(u**3))), (0, 0), None),
    "a saddle beside a neutral direction": (Map((u, v), (u, 2 * v)), (0, 0), False),
}


@pytest.mark.parametrize("name", NEUTRAL)
def test_a_neutral_orbit_is_decided_by_higher_terms_or_not_at_all(name: str) -> None:
    dynamics, point, expected = NEUTRAL[name]
    assert stability_region(dynamics, point).attracts is expected


ENDS = {
    "a pitchfork": (Flow((u,), (nu * u - u**3,)), 0, sp.Interval(-sp.oo, 0)),
    "a subcritical pitchfork": (Flow((u,), (nu * u + u**3,)), 0, sp.Interval.open(-sp.oo, 0)),
    "a transcritical point": (Flow((u,), (nu * u - u**2,)), 0, sp.Interval.open(-sp.oo, 0)),
    "a cubic map": (Map((u,), (nu * u - u**3,)), 0, sp.Interval.Lopen(-1, 1)),
    "the other cubic map": (Map((u,), (nu * u + u**3,)), 0, sp.Interval.Ropen(-1, 1)),
    "a single parameter": (Flow((u,), (nu**2 * u - u**3,)), 0, sp.FiniteSet(0)),
    "all but one": (
        Flow((u,), (u**3 - nu**2 * u,)),
        0,
        sp.Union(sp.Interval.open(-sp.oo, 0), sp.Interval.open(0, sp.oo)),
    ),
    "a linear map": (Map((u,), (nu * u,)), 0, sp.Interval.open(-1, 1)),
    "a cubic root": (Flow((u,), (nu - u**3,)), None, sp.S.Reals),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_region_holds_the_ends_that_attract_and_no_others(name: str) -> None:
    dynamics, point, expected = ENDS[name]
    found = stability_region(dynamics, point)
    assert found.region == expected
    assert found.undecided == ()


def test_neutral_ends_in_the_plane_belong_where_the_normal_form_attracts() -> None:
    linear = stability_region(Map((u, v), (v, -nu * u)), (0, 0))
    assert (linear.region, linear.undecided) == (sp.Interval.open(-1, 1), ())
    radius = u**2 + v**2
    for sign, region in ((-1, sp.Interval(-sp.oo, 0)), (1, sp.Interval.open(-sp.oo, 0))):
        hopf = Flow((u, v), (nu * u - v + sign * u * radius, u + nu * v + sign * v * radius))
        found = stability_region(hopf, (0, 0), nu)
        assert (found.region, found.undecided) == (region, ())
    resonant = stability_region(Map((u, v), (-(1 + nu) * v - u**3, (1 + nu) * u - v**3)), (0, 0), nu)
    assert (resonant.region, set(resonant.undecided)) == (sp.Interval.open(-2, 0), {-2, 0})


def test_the_cubic_on_a_centre_manifold_agrees_with_a_long_run() -> None:
    for name in ("a cubic that the stable direction turns", "a cubic that it turns the other way"):
        flow, _, attracts = NEUTRAL[name]
        speed = sp.lambdify((u, v), flow.velocity)
        state, size = (0.05, 0.0), 0.05
        for _ in range(20000):
            state = tuple(entry + 0.01 * move for entry, move in zip(state, speed(*state), strict=True))
            if abs(state[0]) > 1:
                break
        assert (abs(state[0]) < size) is attracts


def test_dynamics_with_a_clock_have_no_region() -> None:
    step = sp.Symbol("k")
    with pytest.raises(LemmascopeError, match="do not depend on time"):
        gradient_descent(u**2 / 2, u, 1 / (step + 1), time=step).stability_region((0,))


def test_a_neutral_end_agrees_with_iteration() -> None:
    for dynamics, point, attracting in NEUTRAL.values():
        if isinstance(dynamics, Map) and dynamics.dimension == 1 and attracting is not None:
            step, place = sp.lambdify(u, dynamics.update[0]), float(point)
            distances = []
            for start in (place + 0.05, place - 0.05):
                value = start
                for _ in range(20000):
                    value = step(value)
                    if abs(value - place) > 0.2:
                        break
                distances.append(abs(value - place))
            assert (max(distances) < 0.045) == attracting


def test_a_point_that_never_attracts_has_no_region_over_one_of_several_parameters() -> None:
    x, K, mu = sp.Symbol("x", real=True), *sp.symbols("K mu", positive=True)
    step = Map((x,), (x - K * x * (x**2 - mu) / mu,))
    (zero,) = [orbit for orbit in step.fixed_points() if orbit.points == ((0,),)]
    assert stability_region(step, zero, K).region == sp.S.EmptySet
    assert stability_region(step, zero, mu).region == sp.S.EmptySet
