"""The population loss of one ReLU neuron agrees with quadrature on circle and sphere, its step with differences."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import lambdify

from theory.edge_of_stability import relu_neuron, relu_table
from theory.edge_of_stability.quartic import K
from theory.edge_of_stability.relu_neuron import alpha, d, norm, teacher, v, wx, wy

POLAR = (v, norm, teacher, alpha, d)
LOSS = lambdify((v, wx, wy, d), relu_neuron.plane_loss(), "mpmath")
STEP = lambdify((v, wx, wy, K), relu_neuron.step().update, "mpmath")
IMAGE = lambdify((K, relu_table.m, relu_table.delta, wy), relu_table.image(), "numpy")


def _circle(output: float, weight: np.ndarray, target: np.ndarray) -> float:
    angles = (np.arange(400_000) + 0.5) * 2 * np.pi / 400_000
    points = np.stack([np.cos(angles), np.sin(angles)])
    student, label = output * np.maximum(weight @ points, 0), np.maximum(target @ points, 0)
    return float(((student - label) ** 2).mean())


def _sphere(output: float, weight: np.ndarray, target: np.ndarray) -> float:
    heights, weights = np.polynomial.legendre.leggauss(20)
    angles = (np.arange(1000) + 0.5) * 2 * np.pi / 1000
    radius = np.sqrt(1 - heights**2)[:, None]
    x, y = radius * np.cos(angles), radius * np.sin(angles)
    student = output * np.maximum(weight[0] * x + weight[1] * y, 0)
    label = np.maximum(target[0] * x + target[1] * y, 0)
    return float((((student - label) ** 2).mean(axis=1) * weights).sum() / 2)


@pytest.mark.parametrize(("dimension", "quadrature"), [(2, _circle), (3, _sphere)])
@pytest.mark.parametrize("angle", [0.0, 0.4, 1.3, np.pi / 2, 2.5])
def test_population_loss_is_the_mean_over_the_sphere(dimension: int, quadrature: object, angle: float) -> None:
    loss = lambdify(POLAR, relu_neuron.population_loss())
    weight, target = 0.7 * np.array([np.cos(angle), np.sin(angle)]), np.array([1.3, 0.0])
    assert callable(quadrature)
    assert loss(0.9, 0.7, 1.3, angle, dimension) == pytest.approx(quadrature(0.9, weight, target), abs=2e-6)


@given(st.floats(0.05, 2), st.floats(0.05, 2), st.floats(0.01, 2), st.floats(1, 1.1))
def test_step_is_minus_the_gradient_in_multiprecision(output: float, along: float, across: float, rate: float) -> None:
    with mpmath.workdps(40):
        point = [mpmath.mpf(value) for value in (output, along, across)]
        moved = STEP(*point, mpmath.mpf(rate))
        for place in range(3):

            def shifted(change: mpmath.mpf, place: int = place) -> mpmath.mpf:
                return LOSS(*[value + change * (i == place) for i, value in enumerate(point)], 7)

            slope = mpmath.diff(shifted, 0)
            assert abs(moved[place] - point[place] + rate * 7 * slope) < mpmath.mpf(10) ** -15


def test_reduced_variables_follow_the_step() -> None:
    random = np.random.default_rng(0)
    m, delta, across = random.uniform(0.1, 1.5, 500), random.uniform(-0.5, 0.3, 500), random.uniform(0.001, 0.4, 500)
    rate = random.uniform(1, 1.1, 500)
    half = np.sqrt(m + delta**2 / 4)
    step = lambdify((v, wx, wy, K), relu_neuron.step().update, "numpy")
    first, second, third = step(half + delta / 2, half - delta / 2, across, rate)
    image = IMAGE(rate, m, delta, across)
    np.testing.assert_allclose(image[0], np.abs(third), atol=1e-12)
    np.testing.assert_allclose(image[1], first - second, atol=1e-12)
    np.testing.assert_allclose(image[2], first * second, atol=1e-12)


def _corner_hull(box: relu_table.Box) -> list[float]:
    """The extreme values of the image over a grid of the box: never larger than the true image."""
    axes = [np.linspace(float(low), float(high), 9) for low, high in ((1, 1.1), box.product, box.imbalance)]
    rate, product, imbalance, across = np.meshgrid(*axes, np.linspace(1e-9, float(box.across), 9), indexing="ij")
    high, gap, moved = IMAGE(rate, product, imbalance, across)
    return [float(value) for value in (high.max(), gap.min(), gap.max(), moved.min(), moved.max())]


@pytest.mark.parametrize("row", sorted(relu_table.TRUE_IMAGES))
def test_enlarged_images_contain_the_image_and_printed_ones_do_not(row: int) -> None:
    across, low, high, least, most = _corner_hull(relu_table.BOXES[row])
    target = dict(relu_table.ROWS)[row]

    def inside(box: relu_table.Box) -> bool:
        return (
            across <= float(box.across)
            and float(box.imbalance[0]) <= low
            and high <= float(box.imbalance[1]) + 1e-12
            and float(box.product[0]) <= least
            and most <= float(box.product[1]) + 1e-12
        )

    assert inside(relu_table.TRUE_IMAGES[row])
    assert not inside(relu_table.BOXES[target])


def test_three_steps_of_stage_two_lead_into_the_basin() -> None:
    random = np.random.default_rng(1)
    count = 20_000
    rate, delta = random.uniform(1, 1.1, count), random.uniform(-0.017, 0.17, count)
    m, across = random.uniform(1 / (2 * np.pi), 0.668, count), random.uniform(0, 0.44, count)
    for _ in range(3):
        across, delta, m = IMAGE(rate, m, delta, across)
    assert across.max() < 0.1
    assert delta.min() > -0.462
    assert delta.max() < 0.148
    assert m.min() > 0.497
    assert m.max() < 1.34078
