"""The cycle of the quartic, the Taylor drift and the bilinear step agree with plain iteration in multiprecision."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational, lambdify, series

from theory.edge_of_stability import bilinear, one_dimensional, positivity, quartic, regression

POINTS = lambdify((quartic.K, one_dimensional.mu), quartic.cycle())
SMOOTH = (one_dimensional.f2, one_dimensional.f3, one_dimensional.f4, one_dimensional.f5, one_dimensional.f6)
DRIFT = lambdify(
    (*SMOOTH, one_dimensional.eta),
    one_dimensional.drift(one_dimensional.SMOOTH, one_dimensional.u, Rational(-1, 100)),
    "mpmath",
)
BILINEAR = lambdify((one_dimensional.x, bilinear.y, quartic.K, one_dimensional.mu), bilinear.descent().update)


@given(st.floats(1.01, 1.12), st.floats(0.1, 5.0))
def test_cycle_is_where_iteration_of_the_quartic_ends(K: float, mu: float) -> None:
    smaller, larger = POINTS(K, mu)
    x = 0.5 * mu**0.5
    for _ in range(6000):
        x += K / mu * (mu - x * x) * x
    after = x + K / mu * (mu - x * x) * x
    assert sorted((x, after)) == pytest.approx([smaller, larger], rel=1e-6)


@given(st.floats(0.5, 3), st.floats(0.2, 3), st.floats(-5, 5), st.floats(0.3, 2))
def test_drift_is_the_displacement_of_two_plain_steps(f2: float, f3: float, f4: float, eta: float) -> None:
    with mpmath.workdps(60):

        def slope(u: mpmath.mpf) -> mpmath.mpf:
            return f2 * u + f3 * u**2 / 2 + f4 * u**3 / 6 + u**4 / 24 - u**5 / 120

        start = mpmath.mpf("-0.01")
        first = start - mpmath.mpf(eta) * slope(start)
        plain = (first - mpmath.mpf(eta) * slope(first) - start) / mpmath.mpf(eta)
        exact = DRIFT(*(mpmath.mpf(value) for value in (f2, f3, f4, 1, -1, eta)))
        assert abs(exact - plain) < mpmath.mpf(10) ** -35


def test_third_order_coefficient_against_a_series() -> None:
    e, f2, f3, f4 = one_dimensional.e, one_dimensional.f2, one_dimensional.f3, one_dimensional.f4
    quantity = one_dimensional.drift(one_dimensional.SMOOTH, one_dimensional.u, -e, 2 / f2)
    values = {f2: 2, f3: 3, f4: Rational(5, 2), one_dimensional.f5: 1, one_dimensional.f6: 1}
    leading = series(quantity.subs(values).expand(), e, 0, 4).removeO()
    assert leading == Rational(3 * 9 - 2 * Rational(5, 2), 6) * e**3


@given(st.floats(0.1, 2), st.floats(0.1, 2), st.floats(1, 1.5))
def test_imbalance_and_product_follow_the_bilinear_step(x: float, y: float, K: float) -> None:
    first, second = BILINEAR(x, y, K, 1.0)
    assert second - first == pytest.approx((y - x) * (1 - K * (1 - x * y)), abs=1e-12)
    product = x * y * (1 + K * (1 - x * y)) ** 2 + K * (1 - x * y) * (x - y) ** 2
    assert first * second == pytest.approx(product, abs=1e-10)


def test_derivatives_of_a_composition_against_differences() -> None:
    with mpmath.workdps(40):
        derived = dict(zip(("first", "second", "third"), regression.composed(), strict=True))
        inner, outer = mpmath.sin, mpmath.exp
        at = mpmath.mpf("0.3")
        values = {
            regression.p1: mpmath.cos(at), regression.p2: -mpmath.sin(at), regression.p3: -mpmath.cos(at),
            regression.q1: mpmath.exp(inner(at)), regression.q2: mpmath.exp(inner(at)),
            regression.q3: mpmath.exp(inner(at)),
        }  # fmt: skip
        for order, expression in enumerate(derived.values(), start=1):
            exact = lambdify(list(values), expression, "mpmath")(*values.values())
            numeric = mpmath.diff(lambda t: outer(inner(t)), at, order)
            assert abs(exact - numeric) < mpmath.mpf(10) ** -15


def _printed_b2(K: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The hypotheses of Lemma B.2 for mu = 1 as they are printed, with the maximum and the ratio."""
    imbalance = np.abs(y - x)
    ratio = 4 / (imbalance + np.sqrt(imbalance**2 + 4)) ** 2
    q = (1 + ratio) ** 2
    bracket = 2 * K**2 / 3 - K / 3 + q * K**2 / (2 * (K + 1)) * imbalance**2
    second = 4 / 27 * (1 + K) ** 3 + bracket * q * imbalance**2 - K
    holds: np.ndarray = (x * y > 1) & (np.maximum(K * (x * y - 1), second) < ratio)
    return holds


def test_lemma_b2_keeps_admissible_runs_positive() -> None:
    """Its hypotheses by the root of the ratio are the printed ones, and under them both factors stay positive."""
    statement = positivity.lemma_b2_unit()
    random = np.random.default_rng(0)
    K, x, root = random.uniform(1, 1.5, 8000), random.uniform(0.5, 1.6, 8000), random.uniform(0.6, 1, 8000)
    symbols = (quartic.K, bilinear.x0, positivity.root)
    admissible = np.all([lambdify(symbols, part, "numpy")(K, x, root) for part in statement.given], axis=0)
    y = x + 1 / root - root
    assert np.array_equal(admissible, _printed_b2(K, x, y))
    assert admissible.sum() > 50
    x, y, rate = x[admissible], y[admissible], K[admissible]
    for _ in range(300):
        residual = rate * (x * y - 1)
        x, y = x - residual * y, y - residual * x
        assert (x > 0).all()
        assert (y > 0).all()


def test_unbalanced_orbit_of_remark_5_swaps_its_factors() -> None:
    K = 1.9
    golden = (1 + 5**0.5) / 2
    a = golden - 1
    system = np.array([[1.0, -1.0], [(1 - a) ** 2, -((1 + a) ** 2)]])
    s2, d2 = np.linalg.solve(system, [4 * (1 + a / K), 4 * (1 - golden / K)])
    x, y = (s2**0.5 + d2**0.5) / 2, (s2**0.5 - d2**0.5) / 2
    assert BILINEAR(*BILINEAR(x, y, K, 1.0), K, 1.0) == pytest.approx((y, x), abs=1e-12)
