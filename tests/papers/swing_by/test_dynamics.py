"""The induced dynamics of W = U U^T are what finite differences and plain matrix products say they are."""

import mpmath
import numpy as np
import pytest
from sympy import Matrix, Rational

from theory.swing_by.model import (
    eta,
    growth,
    induced_update,
    induced_velocity,
    jacobian,
    noise,
    one_layer,
    paper_flow,
    paper_map,
    printed_velocity,
    second_moment,
    signals,
    suppression,
    upper,
    weights,
)

RATES = [Rational(3, 2), Rational(2, 5), Rational(7, 3)]


def numbers(d, width, seed):
    chance = np.random.default_rng(seed)
    return Matrix(d, width, [Rational(int(k), 7) for k in chance.integers(-9, 10, d * width)])


def loss(U, a):
    W = U * U.T
    rest = W - mpmath.eye(U.rows)
    return sum(a[i] * rest[k, i] ** 2 for i in range(U.rows) for k in range(U.rows)) / 2


def multiprecision(matrix):
    return mpmath.matrix([[mpmath.mpf(x.p) / x.q for x in row] for row in matrix.tolist()])


@pytest.mark.parametrize(("d", "width"), [(2, 2), (2, 3), (3, 3)])
def test_the_velocity_of_W_is_that_of_finite_differences_on_the_loss(d, width):
    U, a = numbers(d, width, d + width), RATES[:d]
    point = dict(zip(weights(d, width), U, strict=True)) | dict(zip(signals(d), a, strict=True))
    derived = induced_velocity(d, width).subs(point)
    with mpmath.workdps(60):
        exact, step = multiprecision(U), mpmath.mpf(10) ** -20
        rates = [mpmath.mpf(x.p) / x.q for x in a]
        slope = mpmath.matrix(d, width)
        for i in range(d):
            for j in range(width):
                up, down = exact.copy(), exact.copy()
                up[i, j] += step
                down[i, j] -= step
                slope[i, j] = (loss(up, rates) - loss(down, rates)) / (2 * step)
        numeric = -slope * exact.T - exact * slope.T
        for i in range(d):
            for j in range(d):
                assert abs(numeric[i, j] - mpmath.mpf(derived[i, j].p) / derived[i, j].q) < mpmath.mpf(10) ** -15


@pytest.mark.parametrize("d", [2, 3, 4])
def test_the_decomposition_is_the_matrix_equation_and_half_the_true_flow(d):
    U = numbers(d, d, 11 * d)
    W = U * U.T
    a = [Rational(k, 3) for k in range(1, d + 1)]
    A = Matrix(d, d, lambda i, j: a[i] if i == j else 0)
    direct = W * A + A * W - (A * W**2 + W**2 * A + 2 * W * A * W) / 2
    at = dict(zip(upper(jacobian(d)), upper(W), strict=True)) | dict(zip(signals(d), a, strict=True))
    flow = paper_flow(d)
    assert [entry.subs(at) for entry in flow.velocity] == list(upper(direct))
    for i in range(1, d + 1):
        for j in range(i, d + 1):
            terms = growth(jacobian(d), i, j) - suppression(jacobian(d), i, j) - noise(jacobian(d), i, j)
            assert terms.subs(at) == direct[i - 1, j - 1]
    if d < 4:
        known = dict(zip(weights(d, d), U, strict=True)) | dict(zip(signals(d), a, strict=True))
        assert induced_velocity(d, d).subs(known) == 2 * direct


def test_gradient_descent_on_U_differs_from_the_printed_update_in_second_order_only():
    U, a = numbers(2, 2, 5), RATES[:2]
    known = dict(zip(weights(2, 2), U, strict=True)) | dict(zip(signals(2), a, strict=True))
    W, A = U * U.T, second_moment(2).subs(known)
    for size in (Rational(1, 10), Rational(1, 1000)):
        exact = induced_update(2, 2).subs(known | {eta: size})
        first = W + 2 * size * printed_velocity(W, A)
        assert exact != first
        assert max(abs(x) for x in (exact - first)) <= 10**4 * size**2
    printed = paper_map(2)
    at = dict(zip(printed.state, upper(W), strict=True)) | dict(zip(signals(2), a, strict=True)) | {eta: 1}
    assert [entry.subs(at) for entry in printed.update] == list(upper(W + printed_velocity(W, A)))


def test_the_one_layer_gradient_is_that_of_the_rows():
    flow = one_layer(2, 1)
    W = Matrix(2, 2, list(flow.state))
    A = second_moment(2, 1)
    assert Matrix(2, 2, list(flow.velocity)).expand() == (-(W * A - A)).expand()
