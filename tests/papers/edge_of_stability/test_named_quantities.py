"""Where a step speaks of a quantity by a name, what it assumes of the name holds of the quantity itself."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from sympy import Expr, Rational, Symbol, lambdify, pi
from sympy.logic.boolalg import Boolean

from theory.edge_of_stability import paper, relu_stage_one
from theory.edge_of_stability.quartic import K
from theory.edge_of_stability.relu_neuron import gamma
from theory.edge_of_stability.relu_stage_one import A, P, g, growth, m, r, rho, turn

STATEMENTS = {entry.id.split("/")[1]: entry for entry in paper.entries}
NAMED = {A: growth, P: turn, g: gamma(r)}
BY_CHANGES = "n5.b n6 n6.a n9.b n11.corrected s2 s4 s5 s6 s7 b.65 b.67.a b.68.a.corrected b.76".split()
POINTS = 4000


def _states() -> dict[Symbol, np.ndarray]:
    """States of stage 1: ratios up to 2.7, and a product at which w_y does not decrease."""
    random = np.random.default_rng(5)
    ratio = 2.7 * random.random(POINTS)
    most = ratio / (np.pi * (1 + ratio**2))
    return {
        K: 1 + 0.1 * random.random(POINTS),
        r: ratio,
        rho: 10 ** random.uniform(-2, 2, POINTS),
        m: most * random.random(POINTS),
    }


def _about_names(number: str) -> Iterator[Boolean]:
    names = set(NAMED)
    yield from (part for part in STATEMENTS[f"theorem-3.5#{number}"].build().given if part.free_symbols & names)


@pytest.mark.parametrize("number", BY_CHANGES)
def test_what_is_assumed_of_the_changes_holds_in_stage_1(number: str) -> None:
    states = _states()
    for part in _about_names(number):
        excess = lambdify([*states], (part.gts - part.lts).subs(NAMED, simultaneous=True), "numpy")
        assert np.all(excess(*states.values()) >= -1e-12), part


def test_a_stronger_assumption_would_not_hold() -> None:
    """The check can fail: A >= 0.7 K is false for steep ratios."""
    states = _states()
    excess = lambdify([*states], growth - Rational("0.7") * K, "numpy")
    assert np.any(excess(*states.values()) < 0)


@pytest.mark.parametrize(("level", "first"), [(1 / (2 * pi), 4), (1 / (4 * pi), 3)])
def test_the_rounded_logarithm_and_what_rounding_adds_give_back_the_weight(level: Expr, first: int) -> None:
    steps, slack = relu_stage_one.steps, relu_stage_one.slack
    for weight in (0.135, 0.1, 0.0334, 1e-3, 1e-7):
        exact = math.log(float(level) * 2.7 / weight**2) / math.log(2.56)
        count = math.ceil(exact)
        formula = relu_stage_one._weight(level).subs({steps: count, slack: count - exact})
        assert float(formula) == pytest.approx(weight, rel=1e-9)
        assert count >= first


def test_the_bounds_of_case_two_hold_at_the_end_of_stage_1() -> None:
    """A, S, v and w_x of b.87 for random weights of case II."""
    random = np.random.default_rng(6)
    rate, across = 1 + 0.1 * random.random(POINTS), 0.37 * random.random(POINTS)
    product, excess = random.random(POINTS) / (4 * np.pi), -0.017 + 0.187 * random.random(POINTS)
    root = np.sqrt(product + excess**2 / 4)
    v, x = root + excess / 2, root - excess / 2
    growing = np.pi * v * (x**2 + across**2) <= across
    ratio = across / x
    gained = rate * (1 - product - (np.arctan(ratio) - ratio / (1 + ratio**2)) / np.pi)
    added = rate * across**2 * (-v + across / (np.pi * (x**2 + across**2)))
    assert growing.sum() > 100
    domains = STATEMENTS["theorem-3.5#b.87"].build().variables
    values = {"A": gained, "S": added, "v": v, "w_x": x}
    for symbol, domain in domains.items():
        if symbol.name in values:
            inside = values[symbol.name][growing]
            assert np.all((inside >= float(domain.start)) & (inside <= float(domain.end))), symbol
