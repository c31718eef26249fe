"""Architectures and linearisations agree with the paper's matrix formulas, evaluated in plain numbers."""

import numpy as np
import pytest
from sympy import Integer, Poly, Rational, Symbol

from proofs_check.experiments.saddle_to_saddle.compiled import CompiledLayer
from theory.saddle_to_saddle.architectures import (
    ACTIVATIONS,
    fully_connected,
    monomials,
    polynomial_form,
    regression_head,
    softmax_head,
)
from theory.saddle_to_saddle.near_saddles import linearisation, predicted


@pytest.mark.parametrize("degree", [2, 3, 4])
def test_a_form_in_the_products_is_the_power_of_the_sum(degree: int) -> None:
    x, u = [Rational(2, 3), Rational(-5, 7)], [Rational(1, 2), Rational(3, 5)]
    products = [np.prod([x[k] for k in term]) for term in monomials(degree, 2)]
    assert polynomial_form(degree).phi(products, u)[0] == (x[0] * u[0] + x[1] * u[1]) ** degree


@pytest.mark.parametrize("merged", [False, True])
def test_a_head_is_the_bottom_right_entry_of_the_attention_formula(merged: bool) -> None:
    """(69) with D = 2, five tokens, R = 1: V X X^T K^T Q X."""
    chance = np.random.default_rng(3)
    tokens = chance.standard_normal((3, 5))
    tokens[2, -1] = 0
    v, k, q = chance.standard_normal((3, 3)), chance.standard_normal((1, 3)), chance.standard_normal((1, 3))
    whole = v @ tokens @ tokens.T @ k.T @ q @ tokens
    products = np.einsum("ab,c->abc", tokens @ tokens.T, tokens[:, -1]).reshape(1, -1)
    first = np.outer(k, q).reshape(1, -1) if merged else np.hstack([k, q])
    layer = CompiledLayer(regression_head(3, merged=merged), products, [[0.0]])
    loss, _ = layer.gradient([v[2:], first])
    assert loss == pytest.approx(whole[2, -1] ** 2)


def test_a_softmax_head_is_the_formula_with_softmax() -> None:
    """The last row of V X smax(X^T K^T Q x), with the scores of the last token."""
    chance = np.random.default_rng(4)
    tokens = chance.standard_normal((4, 3))
    v, k, q = (chance.standard_normal(3) for _ in range(3))
    scores = np.exp((tokens @ k) * (q @ tokens[-1]))
    wanted = v @ (scores / scores.sum() @ tokens)
    layer = CompiledLayer(softmax_head(3, 4), tokens.reshape(1, -1), [[0.0]])
    loss, _ = layer.gradient([v[None], np.concatenate([k, q])[None]])
    assert loss == pytest.approx(wanted**2)


@pytest.mark.parametrize(("values", "chosen", "units"), [((4, 1), (0,), 3), ((4, 1), (1,), 2), ((9, 4, 1), (0, 2), 3)])
def test_rates_at_a_saddle_by_finite_differences(values: tuple[int, ...], chosen: tuple[int, ...], units: int) -> None:
    """The Jacobian of the compiled gradient has the eigenvalues of the exact one, and those that are predicted."""
    size = len(values)
    inputs = np.sqrt(size) * np.eye(size)
    linear = fully_connected(ACTIVATIONS["linear"], inputs=size, outputs=size)
    layer = CompiledLayer(linear, inputs, inputs * np.array(values), factor=0.5)
    point = np.zeros((2, units, size))
    for place, direction in enumerate(chosen):
        point[:, place, direction] = np.sqrt(values[direction])

    def velocity(flat: np.ndarray) -> np.ndarray:
        return -np.concatenate([part.ravel() for part in layer.gradient(list(flat.reshape(point.shape)))[1]])

    flat, step = point.ravel(), 1e-5
    columns = [(velocity(flat + step * e) - velocity(flat - step * e)) / (2 * step) for e in np.eye(flat.size)]
    found = np.sort(np.linalg.eigvalsh(np.array(columns)))
    exact = [Integer(value) for value in values]
    matrix = np.array(linearisation(exact, chosen, units), dtype=float)
    roots = np.roots([float(c) for c in Poly(predicted(exact, chosen, units), Symbol("x")).all_coeffs()])
    assert found == pytest.approx(np.sort(np.linalg.eigvalsh(matrix)), abs=1e-6)
    assert found == pytest.approx(np.sort(roots.real), abs=0.05)
