"""Transition matrix, characteristic polynomial and cross section of matrix factorisation agree with plain numerics."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import S, lambdify

from theory.edge_of_stability import factorisation, factorisation_orbit, quartic
from theory.edge_of_stability.factorisation import alpha, s1, s2, sx, sy, t, tx, ty
from theory.edge_of_stability.factorisation_orbit import K, eta, kappa, y, z
from theory.edge_of_stability.one_dimensional import mu

RATES, SPREADS, SHARES = st.floats(1.005, 1.12), st.floats(0.75, 1.3), st.floats(0.05, 0.95)
POINTS = lambdify((K, mu), quartic.cycle())
CUBIC = lambdify((K, kappa, alpha), factorisation_orbit.cubic(alpha**2 + 1 / alpha**2))
ON_CYCLE = lambdify((y, alpha, K, kappa), factorisation_orbit.transition(y, y, K, S.One, kappa))
TRANSITION = lambdify((y, z, alpha, eta, s1, s2), factorisation_orbit.transition(y, z))
SINGULAR = (sx, sy, tx, ty, factorisation.c, factorisation.s)
CROSS_SECTION = [lambdify(SINGULAR, factorisation.cross_section().diff(t, order).subs(t, 0)) for order in (0, 2, 3, 4)]


def _step(left: np.ndarray, right: np.ndarray, target: np.ndarray, rate: float) -> tuple[np.ndarray, np.ndarray]:
    residual = left @ right.T - target
    return left - rate * residual @ right, right - rate * residual.T @ left


def _quantities(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    product = left @ right.T
    return np.array([(left @ left.T)[1, 0], (right @ right.T)[0, 1], product[1, 0], product[0, 1]])


@given(st.floats(0.5, 1.5), st.floats(0.5, 1.5), SPREADS, SHARES)
def test_transition_matrix_is_the_jacobian_of_the_quantities(
    first: float, second: float, spread: float, share: float
) -> None:
    matrix = TRANSITION(first, second, spread, 1.05, 1.0, share)
    target, size = np.diag([1.0, share**2]), 1e-6
    for place in range(4):
        offsets = np.zeros(4)
        offsets[place] = size
        left = np.array([[first, offsets[0]], [offsets[1], spread * share]])
        right = np.array([[second, offsets[2]], [offsets[3], share / spread]])
        moved = _quantities(*_step(left, right, target, 1.05))
        np.testing.assert_allclose(moved, matrix @ _quantities(left, right), atol=1e-11)


@given(RATES, SPREADS, SHARES)
def test_cubic_holds_the_remaining_eigenvalues(rate: float, spread: float, share: float) -> None:
    points = POINTS(rate, 1.0)
    product = ON_CYCLE(points[1], spread, rate, share) @ ON_CYCLE(points[0], spread, rate, share)
    factored = np.polymul([1, 2 * rate - 3], [1, *CUBIC(rate, share, spread)])
    np.testing.assert_allclose(np.poly(product), factored, atol=1e-9)


PAIR = lambdify((K, kappa, alpha), factorisation_orbit.margins(factorisation_orbit.cubic(alpha**2 + 1 / alpha**2))[2])
JURY = lambdify((K, kappa, alpha), factorisation_orbit.jury(factorisation_orbit.cubic(alpha**2 + 1 / alpha**2)))


@given(RATES, SPREADS, SHARES)
def test_jury_decides_like_eigenvalues(rate: float, spread: float, share: float) -> None:
    largest = np.abs(np.roots([1, *CUBIC(rate, share, spread)])).max()
    if abs(largest - 1) > 1e-6:
        assert bool(JURY(rate, share, spread)) == (largest < 1)


def test_roots_of_observation_1_are_the_eigenvalues_at_equal_factors() -> None:
    values = lambdify((K, kappa), factorisation_orbit.spectrum())
    for rate, share in ((1.03, 0.4), (1.1, 0.9), (1.12, 0.05)):
        points = POINTS(rate, 1.0)
        matrix = ON_CYCLE(points[1], 1.0, rate, share) @ ON_CYCLE(points[0], 1.0, rate, share)
        root, (total, product) = values(rate, share)
        factored = np.polymul([1, -root], [1, -total, product])
        np.testing.assert_allclose(np.poly(matrix), np.polymul([1, 2 * rate - 3], factored), atol=1e-9)


def test_the_range_of_3_9_ends_where_the_spectral_radius_passes_1() -> None:
    """Just above 3 / 2^(2/3) some parameters are unstable, at it none of a million is."""
    random = np.random.default_rng(0)
    rate, share, spread = (
        random.uniform(1, 1.1213, 10**6),
        random.uniform(0, 1, 10**6),
        random.uniform(0.7, 1.43, 10**6),
    )
    largest = rate * np.maximum(spread**-2 + share * spread**2, share * spread**-2 + spread**2)
    pair = PAIR(rate, share, spread)
    best = 3 / 2 ** (2 / 3)
    assert (largest <= best).sum() > 1000
    assert np.all(pair[largest <= best] > 0)
    assert np.any(pair[largest <= best + 0.01] < 0)


def test_unstable_example_inside_3_9_leaves_its_start() -> None:
    """Where the cubic is unstable although (3.9) holds, the second singular values move by more than O(eps)."""
    rate, share, spread = 1.02, 0.9, 0.93
    assert rate * max(1 / spread**2 + share * spread**2, share / spread**2 + spread**2) <= 2
    assert rate * (1 + share / spread**2) > 2
    target, size = np.diag([1.0, share]), 1e-6
    random = np.random.default_rng(0)
    left = np.diag([spread, spread * share**0.5]) + size * random.standard_normal((2, 2))
    right = np.diag([1 / spread, share**0.5 / spread]) + size * random.standard_normal((2, 2))
    for _ in range(40_000):
        left, right = _step(left, right, target, rate)
    assert abs(np.linalg.svd(left, compute_uv=False)[1] - spread * share**0.5) > 1000 * size


@given(st.floats(1, 3), st.floats(1, 3), st.floats(0.1, 0.9), st.floats(0.1, 0.9), st.floats(-1.4, 1.4))
def test_cross_section_of_theorem_b3(first: float, second: float, low: float, other: float, angle: float) -> None:
    values = [derivative(first, second, low, other, np.cos(angle), np.sin(angle)) for derivative in CROSS_SECTION]
    length = np.hypot(first, second)
    bend = first * second * np.cos(angle) / length**2
    assert values == pytest.approx([0, length**2, 6 * length * bend, 12 * bend**2], rel=1e-6, abs=1e-9)
