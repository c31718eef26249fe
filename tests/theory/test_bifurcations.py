"""Bifurcations get the type and the criticality of their normal forms, also where only iteration would show them."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.dynamics import Flow, Map, gradient_descent
from theory.stability import stability_region

x, y, m = sp.symbols("x y m", real=True)
r, eta, L = sp.symbols("r eta L", positive=True)


def borders(dynamics: Map | Flow, orbit: object) -> list[tuple[str, sp.Expr, str | None]]:
    return [(b.kind, b.value, b.criticality) for b in stability_region(dynamics, orbit).bifurcations]


@pytest.mark.parametrize(
    ("velocity", "point", "expected"),
    [
        (m * x - x**3, (0,), [("pitchfork", 0, "supercritical")]),
        (m * x + x**3, (0,), [("pitchfork", 0, "subcritical")]),
        (m * x - x**2, (0,), [("transcritical", 0, None)]),
        (m * x + x**5, (0,), [("pitchfork", 0, "degenerate")]),
    ],
)
def test_one_dimensional_flows(velocity: sp.Expr, point: tuple[int], expected: list[object]) -> None:
    assert borders(Flow((x,), (velocity,)), point) == expected


def test_fold_of_a_flow_and_of_a_map() -> None:
    flow = Flow((x,), (m - x**2,))
    assert borders(flow, flow.fixed_points()[0]) == [("fold", 0, None)]
    quadratic = Map((x,), (x**2 + m,))
    stable = quadratic.fixed_points()[1]
    assert borders(quadratic, stable) == [
        ("flip", sp.Rational(-3, 4), "supercritical"),
        ("fold", sp.Rational(1, 4), None),
    ]


@pytest.mark.parametrize(("cubic", "expected"), [(1, "supercritical"), (-1, "subcritical"), (0, "supercritical")])
def test_criticality_of_a_flip_agrees_with_iteration(cubic: int, expected: str) -> None:
    dynamics = Map((x,), (-(1 + m) * x + x**2 + cubic * 3 * x**3,))
    (border,) = [b for b in stability_region(dynamics, (0,)).bifurcations if b.kind == "flip"]
    assert (border.value, border.criticality) == (0, expected)
    step = sp.lambdify(x, dynamics.update[0].subs(m, sp.Rational(1, 1000)))
    point = 0.01
    for _ in range(60000):
        point = step(point)
        if abs(point) > 0.5:
            break
    assert (abs(point) < 0.3) == (expected == "supercritical")


def test_subcritical_flip_of_gradient_descent_with_symbolic_curvature() -> None:
    hard = gradient_descent(L * x**2 / 2 + x**4 / 4, x, eta).stability_region((0,), eta)
    soft = gradient_descent(L * x**2 / 2 - x**4 / 4, x, eta).stability_region((0,), eta)
    assert [(b.kind, b.value, b.criticality) for b in hard.bifurcations] == [("flip", 2 / L, "subcritical")]
    assert [(b.kind, b.value, b.criticality) for b in soft.bifurcations] == [("flip", 2 / L, "supercritical")]


def test_period_doubling_of_a_cycle_with_nested_radicals() -> None:
    logistic = Map((x,), (r * x * (1 - x),))
    assert borders(logistic, logistic.orbits(2)[0]) == [
        ("flip", 3, "supercritical"),
        ("flip", 1 + sp.sqrt(6), "supercritical"),
    ]
    three = borders(logistic, logistic.orbits(3)[0])
    assert three[0] == ("fold", 1 + 2 * sp.sqrt(2), None)
    assert three[1][0] == "flip"


def test_neimark_sacker_of_the_delayed_logistic_map() -> None:
    delayed = Map((x, y), (r * x * (1 - y), x))
    interior = next(o for o in delayed.fixed_points() if o.points != ((0, 0),))
    assert borders(delayed, interior)[-1] == ("Neimark-Sacker", 2, "supercritical")


@pytest.mark.parametrize(("sign", "expected"), [(-1, "supercritical"), (1, "subcritical")])
def test_hopf(sign: int, expected: str) -> None:
    radius = x**2 + y**2
    spiral = Flow((x, y), (m * x - 2 * y + sign * x * radius, 2 * x + m * y + sign * y * radius))
    assert borders(spiral, (0, 0)) == [("Hopf", 0, expected)]
    brusselator = Flow((x, y), (1 - (m + 1) * x + x**2 * y, m * x - x**2 * y))
    assert borders(brusselator, brusselator.fixed_points()[0]) == [("Hopf", 2, "supercritical")]


def test_centre_manifold_reduction_in_the_plane() -> None:
    # y follows x**2, so the reduced cubic coefficient is -1 + 2 = 1, against the sign that x alone would suggest.
    feedback = Flow((x, y), (m * x - x**3 + 2 * x * y, -y + x**2))
    assert borders(feedback, (0, 0)) == [("pitchfork", 0, "subcritical")]
    henon = Map((x, y), (1 - m * x**2 + y, sp.Rational(3, 10) * x))
    upper = henon.fixed_points()[0]
    assert ("flip", sp.Rational(147, 400), "supercritical") in borders(henon, upper)
