"""Training rules as Maps: their steps are those of hand-written loops, their edges and cycles those of the textbook."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from numerics import UNIT, Network, Trainer, train
from theory import (
    adagrad,
    adam,
    alternating,
    clipped,
    cosine_decay,
    descend,
    frozen,
    gradient_descent,
    heavy_ball,
    lion,
    matrix,
    muon,
    newton_schulz,
    newton_schulz_scalar,
    normalised,
    power_decay,
    rules,
    sign_descent,
    simultaneous,
    step_decay,
    vector,
    warmup,
)
from theory.dynamics import Map
from theory.errors import LemmascopeError
from theory.language.classes import function

x, y = sp.symbols("x y", real=True)
eta, L, p = sp.symbols("eta L p", positive=True)
k = sp.Symbol("k", integer=True, nonnegative=True)
Q = sp.Rational


def run(dynamics: Map, start: tuple, steps: int) -> list[float]:
    clock = () if dynamics.time is None else (dynamics.time,)
    step = sp.lambdify((*dynamics.state, *clock), dynamics.update)
    state = start
    for place in range(steps):
        state = step(*state, *((place,) if clock else ()))
    return list(map(float, state))


def test_adam_is_the_printed_algorithm() -> None:
    made = adam(x**4 / 4, x, Q(1, 10), time=k, decoupled_decay=Q(1, 100))
    w, m, v = 1.5, 0.0, 0.0
    for t in range(1, 8):
        g = w**3
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        w = w - 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8) - 0.1 * 0.01 * w
    assert run(made, (1.5, 0.0, 0.0), 7) == pytest.approx([w, m, v], rel=1e-12)


def test_the_first_step_of_adam_has_the_length_of_the_rate() -> None:
    made = adam(L * x**2 / 2, x, eta, epsilon=0, time=k)
    first = made.update[0].subs({made.state[1]: 0, made.state[2]: 0, k: 0})
    for start in (3, -2):
        assert sp.simplify(first.subs(x, start) - (start - eta * sp.sign(start))) == 0


def test_the_edge_of_adam_with_a_frozen_preconditioner_is_38_over_the_rate() -> None:
    late = adam(L * x**2 / 2, x, eta, beta2=1, epsilon=0, bias_correction=False)
    fixed = frozen(late, {late.state[2]: p**2})
    region = fixed.stability_region(parameter=L)
    assert region.region == sp.Interval.open(0, 38 * p / eta)
    assert region.bifurcations[0].kind == "flip"
    beta = sp.Symbol("beta", positive=True)
    general = adam(L * x**2 / 2, x, eta, beta, 1, epsilon=0, bias_correction=False)
    general = frozen(general, {general.state[2]: 1}).substitute({beta: Q(1, 2), eta: 1})
    assert general.stability_region().region == sp.Interval.open(0, 6)  # (2 + 2 beta) / (1 - beta)


def test_adam_without_its_step_is_refused() -> None:
    with pytest.raises(LemmascopeError, match="time=k"):
        adam(x**2, x, eta)


def test_lion_adagrad_and_clipping_agree_with_loops() -> None:
    w, m = 1.0, 0.0
    for _ in range(6):
        g = w**3
        w, m = w - 0.25 * (np.sign(0.9 * m + 0.1 * g) + 0.5 * w), 0.99 * m + 0.01 * g
    assert run(lion(x**4 / 4, x, Q(1, 4), decoupled_decay=Q(1, 2)), (1.0, 0.0), 6) == pytest.approx([w, m])
    w, v = 1.0, 0.0
    for _ in range(6):
        v += w * w
        w -= 0.5 * w / (np.sqrt(v) + 1e-10)
    assert run(adagrad(x**2 / 2, x, Q(1, 2)), (1.0, 0.0), 6) == pytest.approx([w, v])
    a, b = 3.0, 4.0
    for _ in range(6):
        factor = min(1, 2 / np.hypot(a, b))
        a, b = a - 0.5 * factor * a, b - 0.5 * factor * b
    assert run(clipped((x**2 + y**2) / 2, (x, y), Q(1, 2), 2), (3.0, 4.0), 6) == pytest.approx([a, b])


def test_clipping_is_defined_where_the_gradient_is_zero() -> None:
    assert clipped(x**2 / 2, x, eta, 1).update[0].subs(x, 0) == 0


def test_sign_descent_ends_in_two_cycles_whatever_the_curvature() -> None:
    twice = sign_descent(L * x**2 / 2, x, eta).two_step().update[0]
    for share in (Q(1, 3), Q(9, 10)):
        assert sp.simplify(twice.subs(x, share * eta) - share * eta) == 0
    assert sp.simplify(twice.subs(x, 3 * eta)) == eta


def test_two_cycles_of_normalised_descent_lie_along_eigenvectors_at_half_the_rate() -> None:
    a, b = sp.symbols("a b", positive=True)
    made = normalised((a * x**2 + b * y**2) / 2, (x, y), eta)
    for point in ((eta / 2, 0), (0, -eta / 2)):
        at = dict(zip((x, y), point, strict=True))
        once = [sp.simplify(entry.subs(at)) for entry in made.update]
        assert once == [-entry for entry in point]
        assert [sp.simplify(entry.subs(at)) for entry in made.two_step().update] == list(point)


def test_normalised_descent_works_on_vectors_of_any_size() -> None:
    f, u = function("f"), vector("u")
    assert str(normalised(f, u, eta).update[0]) == "(-eta/|grad f(u)|)*grad f(u) + u"
    with pytest.raises(LemmascopeError, match="give the vector a size"):
        sign_descent(f, u, eta)


def test_decay_beside_the_gradient_is_no_decay_inside_it() -> None:
    inside = sign_descent(x**2 / 2, x, eta, weight_decay=1).update[0]
    beside = sign_descent(x**2 / 2, x, eta, decoupled_decay=1).update[0]
    assert (inside.subs(x, 4), beside.subs(x, 4)) == (4 - eta, 4 - 5 * eta)
    both = [
        gradient_descent(x**4, x, eta, **decay).update[0] for decay in ({"weight_decay": 2}, {"decoupled_decay": 2})
    ]
    assert sp.expand(both[0] - both[1]) == 0


def test_newton_schulz_acts_on_singular_values() -> None:
    s = sp.Symbol("s", positive=True)
    scalar_map = newton_schulz_scalar(s)
    assert scalar_map.jacobian[0].subs(s, 1) == 0
    assert scalar_map.stability_region((1,)).attracts is True
    X = matrix("X", 2, 2)
    made = newton_schulz(X, rules.QUINTIC)
    turn = sp.Matrix([[Q(3, 5), -Q(4, 5)], [Q(4, 5), Q(3, 5)]])
    singular = sp.diag(Q(1, 2), Q(1, 3))
    at = dict(zip(made.state, turn * singular * turn.T, strict=True))
    moved = sp.Matrix(2, 2, [entry.subs(at) for entry in made.update])
    by_number = newton_schulz_scalar(s, rules.QUINTIC).update[0]
    assert moved == turn * sp.diag(by_number.subs(s, Q(1, 2)), by_number.subs(s, Q(1, 3))) * turn.T


def test_alternating_and_block_updates() -> None:
    loss = (x * y - 2) ** 2 / 2
    one, other = gradient_descent(loss, x, Q(1, 8)), gradient_descent(loss, y, Q(1, 8))
    a, b = 1.0, 3.0
    a -= (a * b - 2) * b / 8
    b -= (a * b - 2) * a / 8
    assert run(alternating(one, other), (1.0, 3.0), 1) == pytest.approx([a, b])
    assert simultaneous(one, other).update == gradient_descent(loss, (x, y), Q(1, 8)).update
    with pytest.raises(LemmascopeError, match="same symbol"):
        simultaneous(one, one)
    kept = alternating(heavy_ball(loss, x, Q(1, 8), Q(1, 2)), other)
    assert [symbol.name for symbol in kept.state] == ["x", "x_prev", "y"]


def test_schedules_are_formulas_in_the_step() -> None:
    made = gradient_descent(x**2 / 2, x, warmup(k, 1, 2) * step_decay(k, 1, Q(1, 2), 3), time=k)
    assert run(made, (1.0,), 1) == [0.5]
    assert run(made.two_step(), (1.0,), 1) == [0.0]
    assert cosine_decay(k, 1, 10, Q(1, 10)).subs(k, 10) == Q(1, 10)
    assert power_decay(k, eta, 1).subs(k, 3) == eta / 4


RULES = {
    "descent": rules.descent(Q(1, 10)),
    "heavy ball": rules.momentum(Q(1, 10), Q(1, 2), weight_decay=Q(1, 100)),
    "nesterov": rules.momentum(Q(1, 10), Q(1, 2), look_ahead=True),
    "sign": rules.sign(Q(1, 100)),
    "normalised": rules.normalised(Q(1, 10)),
    "clipped": rules.clipped(Q(1, 10), Q(1, 4), decoupled_decay=Q(1, 10)),
    "adagrad": rules.adagrad(Q(1, 10)),
    "adam": rules.adam(power_decay(k, Q(1, 10), Q(1, 2)), time=k),
    "lion": rules.lion(Q(1, 100)),
    "muon": rules.muon(Q(1, 10), coefficients=rules.CUBIC, iterations=1),
}


@pytest.mark.parametrize("name", RULES)
def test_the_training_code_runs_the_same_rule_as_the_theory(name: str) -> None:
    """Two layers of a linear network, trained on arrays and by the Map of the loss written out."""
    inputs, targets = np.array([[1.0, 2.0], [-1.0, 0.5]]), np.array([[1.0], [2.0]])
    weights = [np.array([[0.3, -0.2], [0.5, 0.4]]), np.array([[0.7, -0.6]])]
    symbols = [matrix("U", 2, 2), matrix("V", 1, 2)]
    outputs = [(symbols[1] * symbols[0] * sp.Matrix(list(map(Q, map(str, row)))))[0] for row in inputs]
    loss = sum((out - Q(str(t[0]))) ** 2 for out, t in zip(outputs, targets, strict=True)) / 4
    rule = RULES[name]
    made = descend(loss, symbols, rule)
    flat = [float(w) for layer in weights for w in layer.ravel()]
    memory = [w if kept.start == rules.WEIGHT else 0.0 for kept in rule.memory for w in flat]
    by_theory = run(made, (*flat, *memory), 4)[: len(flat)]
    trained = train(Trainer(Network((2, 2, 1), UNIT), inputs, targets), weights, 4, rule=rule)
    assert np.concatenate([w.ravel() for w in trained.weights]) == pytest.approx(by_theory, rel=1e-9)


def test_a_rule_with_open_symbols_is_not_run() -> None:
    trainer = Trainer(Network((1, 1), UNIT), [[1.0]], [[1.0]])
    with pytest.raises(LemmascopeError, match="eta"):
        train(trainer, [np.zeros((1, 1))], 1, rule=rules.descent(eta))
    with pytest.raises(LemmascopeError, match="either"):
        train(trainer, [np.zeros((1, 1))], 1)


def test_muon_moves_along_an_orthogonal_matrix_when_newton_schulz_has_converged() -> None:
    W = matrix("W", 1, 2)
    made = muon(W[0] ** 2 + 3 * W[1], W, eta, 0, coefficients=rules.CUBIC, iterations=1, epsilon=0)
    at = {W[0]: 2, W[1]: 5}
    moved = [sp.simplify((entry.subs(at) - start) / eta) for entry, start in zip(made.update[:2], (2, 5), strict=True)]
    assert moved == [-Q(4, 5), -Q(3, 5)]  # a single row of length one is kept
