"""Maps and flows derived from a loss do what the textbook recursions do, and bad input is refused in one sentence."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.dynamics import (
    Flow,
    Map,
    gradient_descent,
    gradient_flow,
    heavy_ball,
    matrix,
    nesterov,
    symbols_of,
    vector,
)
from theory.errors import LemmascopeError

x, y = sp.symbols("x y", real=True)
eta, beta, decay = sp.symbols("eta beta decay", positive=True)


def run(dynamics: Map, start: dict[sp.Symbol, sp.Rational], steps: int) -> dict[sp.Symbol, sp.Rational]:
    state = dict(start)
    for _ in range(steps):
        state = {s: u.subs(state, simultaneous=True) for s, u in zip(dynamics.state, dynamics.update, strict=True)}
    return state


def test_gradient_descent_agrees_with_a_hand_written_loop() -> None:
    rate = sp.Rational(1, 7)
    derived = run(gradient_descent((x * y - 2) ** 2 / 2, (x, y), rate), {x: sp.Rational(1), y: sp.Rational(1, 3)}, 4)
    a, b = sp.Rational(1), sp.Rational(1, 3)
    for _ in range(4):
        error = a * b - 2
        a, b = a - rate * error * b, b - rate * error * a
    assert (derived[x], derived[y]) == (a, b)


@pytest.mark.parametrize("look_ahead", [False, True])
def test_momentum_agrees_with_the_velocity_form(look_ahead: bool) -> None:
    rate, momentum = sp.Rational(1, 5), sp.Rational(3, 10)
    build = nesterov if look_ahead else heavy_ball
    dynamics = build(x**4 / 4, x, rate, momentum)
    previous = dynamics.state[1]
    derived = run(dynamics, {x: sp.Rational(1), previous: sp.Rational(1)}, 4)
    position, velocity = sp.Rational(1), sp.Rational(0)
    for _ in range(4):
        at = position + momentum * velocity if look_ahead else position
        velocity = momentum * velocity - rate * at**3
        position += velocity
    assert derived[x] == position


def test_weight_decay_is_gradient_descent_on_the_regularised_loss() -> None:
    loss = sp.exp(x) + x**2
    with_decay = gradient_descent(loss, x, eta, weight_decay=decay).update[0]
    regularised = gradient_descent(loss + decay * x**2 / 2, x, eta).update[0]
    assert sp.expand(with_decay - regularised) == 0
    assert gradient_flow(loss, x, weight_decay=decay).velocity[0] == -(sp.exp(x) + 2 * x + decay * x)


def test_matrices_and_vectors_are_read_row_by_row() -> None:
    W, b = matrix("W", 2, 2), vector("b", 2)
    assert [s.name for s in symbols_of((W, b))] == ["W_1_1", "W_1_2", "W_2_1", "W_2_2", "b_1", "b_2"]
    data = sp.Matrix([1, 2])
    residual = W * data + b - sp.Matrix([0, 1])
    flow = gradient_flow(residual.T * residual, (W, b))
    expected = -2 * residual * data.T
    assert [sp.expand(v) for v in flow.velocity[:4]] == [sp.expand(e) for e in expected]


def test_iterate_composes_and_a_schedule_keeps_its_clock() -> None:
    step = sp.Symbol("k", integer=True, nonnegative=True)
    scheduled = gradient_descent(x**2 / 2, x, 1 / (step + 2), time=step)
    assert scheduled.parameters == ()
    double = scheduled.two_step()
    value = sp.Rational(1)
    for k in range(6):
        value = scheduled.update[0].subs({x: value, step: k})
    twice = sp.Rational(1)
    for k in range(3):
        twice = double.update[0].subs({x: twice, step: k})
    assert twice == value


def test_parameters_are_sorted_and_exclude_state_and_time() -> None:
    t = sp.Symbol("t")
    flow = Flow((x,), (beta * x + eta * t,), t)
    assert flow.parameters == (beta, eta)
    assert flow.substitute({beta: 2}).parameters == (eta,)


def test_large_gradients_take_the_quick_way_and_stay_the_same() -> None:
    weights = vector("w", 8)
    outputs = [sum(weights[4 + j] * sp.tanh(weights[j] * a + b) for j in range(4)) for a, b in ((1, 2), (2, 1), (3, 5))]
    loss = sum((output - 1) ** 2 for output in outputs) + sp.exp(outputs[0])
    quick, plain = gradient_flow(loss, weights), [-sp.diff(loss, w) for w in weights]
    at = {w: sp.Rational(k, 7) for k, w in enumerate(weights)}
    assert quick.parameters == ()
    for ours, theirs in zip(quick.velocity, plain, strict=True):
        assert abs(sp.N((ours - theirs).subs(at), 40)) < 1e-30


def test_they_show_themselves_in_a_notebook() -> None:
    assert r"\mapsto" in gradient_descent(x**2, x, eta)._repr_latex_()
    assert r"\dot{x}" in gradient_flow(x**2, x)._repr_latex_()


@pytest.mark.parametrize(
    ("loss", "names"),
    [
        (sp.Abs(x - 1), ("Abs(x - 1)", "x - 1 = 0")),
        (sp.Max(0, x + 2), ("Max(0, x + 2)", "x + 2")),
        (sp.Piecewise((x, x > 3), (0, True)), ("Piecewise", "x > 3")),
        (sp.sqrt(x**2 + y**2), ("sqrt", "= 0")),
        (sp.floor(x) ** 2, ("floor(x)", "integer")),
    ],
)
def test_a_kink_is_named_with_its_place(loss: sp.Expr, names: tuple[str, ...]) -> None:
    with pytest.raises(LemmascopeError) as refusal:
        gradient_descent(loss, (x, y), eta)
    assert all(name in str(refusal.value) for name in names)


def test_assumptions_can_exclude_a_kink() -> None:
    positive = sp.Symbol("p", positive=True)
    assert gradient_flow(sp.Abs(positive) + sp.sqrt(x**2 + 1), (positive, x)).velocity[0] == -1
    assert gradient_flow(sp.Max(positive, 0), positive).velocity == (-1,)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: gradient_descent(x**2, x + 1, eta),
        lambda: gradient_descent(x**2, (x, x), eta),
        lambda: gradient_descent(sp.Matrix([x, y]), (x, y), eta),
        lambda: gradient_descent("x**2", x, eta),
        lambda: Map((x, y), (x,)),
        lambda: Map((), ()),
        lambda: Map((x,), (x,), x),
        lambda: Map((x,), (x,)).iterate(0),
        lambda: vector("w", 0),
        lambda: heavy_ball(x**2, x, eta, beta, previous=x),
    ],
)
def test_bad_input_is_refused_with_one_sentence(bad: object) -> None:
    with pytest.raises(LemmascopeError) as refusal:
        bad()  # type: ignore[operator]
    assert "\n" not in str(refusal.value)
