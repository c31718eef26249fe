"""Ensembles of flows meet their tolerance against exact solutions, locate events, and name every fault."""

import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import DOP853, solve_ivp

from numerics import Event, MatrixFlow, Status, compile_float, integrate
from numerics.tableau import DENSE, ERROR_FIFTH, ERROR_THIRD, NODES, STAGES, WEIGHTS
from theory.dynamics import Flow
from theory.errors import LemmascopeError

x, y, a, t = sp.symbols("x y a t")
CIRCLE = Flow((x, y), (y, -x))
LOGISTIC = Flow((x,), (a * x * (1 - x),))


def logistic(start, gain, time):
    return start / (start + (1 - start) * np.exp(-gain * time))


def test_the_tableau_is_of_order_eight_and_the_same_as_scipys():
    assert [sum(row.values()) for row in STAGES] == pytest.approx(NODES, abs=1e-13)
    for power in range(8):
        assert sum(w * NODES[j] ** power for j, w in WEIGHTS.items()) == pytest.approx(1 / (power + 1), abs=1e-14)
    for ours, theirs in ((WEIGHTS, DOP853.B), (ERROR_FIFTH, DOP853.E5), (ERROR_THIRD, DOP853.E3)):
        assert ours == {j: v for j, v in enumerate(theirs) if v}
    for ours, theirs in zip(DENSE, DOP853.D, strict=True):
        assert ours == {j: v for j, v in enumerate(theirs) if v}


@pytest.mark.parametrize("relative", [1e-5, 1e-8, 1e-11])
def test_the_achieved_error_stays_within_thirty_tolerances_of_the_exact_solution(relative):
    rng = np.random.default_rng(0)
    starts, gains = rng.uniform(0.01, 0.99, 300), rng.uniform(0.1, 3, 300)
    times = np.linspace(0, 6, 13)
    result = integrate(LOGISTIC, {x: starts}, 6.0, parameters={a: gains}, times=times, relative=relative)
    exact = logistic(starts[None], gains[None], times[:, None])
    assert np.abs(result.states[:, 0] - exact).max() < 30 * relative
    assert np.abs(result.final[0] - exact[-1]).max() < 30 * relative


def test_a_rotation_agrees_with_scipy_and_keeps_its_radius():
    ours = integrate(CIRCLE, {x: [1.0, 0.5], y: [0.0, 0.2]}, 20.0, relative=1e-11, watch=[x**2 + y**2])
    reference = solve_ivp(lambda _, z: [z[1], -z[0]], (0, 20), [0.5, 0.2], method="DOP853", rtol=1e-12, atol=1e-13)
    assert ours.final[:, 1] == pytest.approx(reference.y[:, -1], abs=1e-9)
    radius = ours.watched[0]
    assert np.all(radius.highest - radius.lowest < 1e-9)


@given(level=st.floats(0.15, 0.85))
@settings(deadline=None, max_examples=25)
def test_events_are_located_at_the_exact_time_and_stop_there(level):
    rising = Flow((x,), (x * (1 - x) + 0 * y,))
    bar = Flow((x, y), (*rising.velocity, 0))
    result = integrate(bar, {x: 0.1, y: level}, 50.0, events=[Event(x - y, stop=True)], relative=1e-11)
    exact = math.log(level / (1 - level)) - math.log(0.1 / 0.9)
    assert Status(result.status[0]) == Status.STOPPED
    assert result.final_time[0] == pytest.approx(exact, abs=1e-8)
    assert result.event_times[0, 0] == result.final_time[0]


def test_every_crossing_is_counted():
    result = integrate(CIRCLE, {x: 1.0, y: 0.0}, 20.0, events=[Event(x), Event(y)])
    assert result.event_counts[:, 0].tolist() == [6, 6]
    assert result.event_times[0, 0] == pytest.approx(math.pi / 2, abs=1e-8)


def test_kinks_are_stepped_onto_so_that_accuracy_survives_them():
    kinked = Flow((x,), (1 - 2 * sp.Max(x, 0),), None)
    result = integrate(kinked, {x: [-1.0, -0.3]}, 3.0, relative=1e-11)
    exact = [0.5 - 0.5 * math.exp(-2 * (3 - 1.0)), 0.5 - 0.5 * math.exp(-2 * (3 - 0.3))]
    assert result.final[0] == pytest.approx(exact, abs=1e-10)


def test_a_time_dependent_flow_and_its_own_end_times():
    with pytest.raises(LemmascopeError, match="one end time"):
        integrate(Flow((x,), (sp.cos(t),), t), {x: 0.0}, [1.0, 2.0], begin=0.5)
    two = integrate(Flow((x,), (sp.cos(t) + 0 * x,), t), {x: [0.0, 0.0]}, [1.0, 2.0], begin=0.5)
    assert two.final[0] == pytest.approx(np.sin([1.0, 2.0]) - math.sin(0.5), abs=1e-8)


def test_blow_up_pole_and_divergence_spare_the_other_trajectories():
    blow_up = Flow((x,), (x**2,))
    result = integrate(blow_up, {x: [1.0, -1.0]}, 2.0)
    assert Status(result.status[0]) in {Status.DIVERGED, Status.SINGULAR}
    assert result.final_time[0] == pytest.approx(1.0, abs=1e-6)
    assert result.final[0, 1] == pytest.approx(-1 / 3, abs=1e-8)
    pole = integrate(Flow((x,), (-1 / (x - 1),)), {x: [2.0, 0.5]}, 1.0)
    assert Status(pole.status[0]) in {Status.SINGULAR, Status.UNDEFINED}
    assert pole.final_time[0] == pytest.approx(0.5, abs=1e-6)
    assert "Trajectory 0" in pole.faults()[0]
    assert "time 0.5" in pole.faults()[0]
    root = integrate(Flow((x,), (-sp.sqrt(x),)), {x: [1.0, 100.0]}, 5.0)
    assert Status(root.status[1]) == Status.FINISHED


def test_a_state_that_leaves_float64_and_an_undefined_start_are_named_with_their_time():
    growth = Flow((x, y), (x * a, y / sp.sqrt(y)))
    result = integrate(growth, {x: [1.0, 1.0, 1.0], y: [1.0, 1.0, -1.0]}, 1.0, parameters={a: [1.0, 2000.0, 1.0]})
    assert [Status(s) for s in result.status] == [Status.FINISHED, Status.DIVERGED, Status.UNDEFINED]
    left, undefined = result.faults()
    assert left.startswith("Trajectory 1 left the bound on the size of the state at time 0.17")
    assert undefined == "Trajectory 2 met a point where the right-hand side is undefined at time 0."


def test_tiny_starts_keep_their_digits_by_default():
    growth = integrate(Flow((x,), (x - x**3,)), {x: 1e-30}, 10.0)
    assert growth.final[0, 0] == pytest.approx(1e-30 * math.exp(10), rel=1e-7)


@pytest.mark.parametrize("size", [2, 5, 20])
@pytest.mark.sampled(3)
def test_matrix_flows_are_the_same_as_numpy_products(size):
    U = sp.MatrixSymbol("U", size, size)
    A = sp.ImmutableMatrix(size, size, lambda i, j: sp.Rational(1, 1 + i + j))
    g = sp.Symbol("g")
    velocity = g * A * U - U * U.T * A * U / 2 + sp.Identity(size) / 3
    rng = np.random.default_rng(2)
    start, numbers = rng.normal(size=(size, size)), np.array(A, dtype=float)
    expected = 0.7 * numbers @ start - start @ start.T @ numbers @ start / 2 + np.eye(size) / 3
    point = np.append(start.ravel(), 0.7)[:, None]
    np.testing.assert_allclose(compile_float([velocity], [U, g])(point)[:, 0], expected.ravel(), atol=1e-12)
    flow = MatrixFlow((U,), (velocity,))
    ours = integrate(flow, {U: start}, 0.3, parameters={g: 0.7}, relative=1e-10)

    def plain(_, z):
        u = z.reshape(size, size)
        return (0.7 * numbers @ u - u @ u.T @ numbers @ u / 2 + np.eye(size) / 3).ravel()

    reference = solve_ivp(plain, (0, 0.3), start.ravel(), method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    np.testing.assert_allclose(ours.final[:, 0], reference, atol=1e-8)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, math.inf), "rescaled_time"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, -1), "opposite sign"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, 1, relative=0), "relative=0"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, 1, absolute=0), "zero divides"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, 1, times=[0.5, 0.2]), "sorted"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, 1, times=[2.0]), "between"),
        (lambda: integrate(CIRCLE, {x: 1, y: math.inf}, 1), "finite"),
        (lambda: integrate(CIRCLE, {x: 1}, 1), "start y has no value"),
        (lambda: integrate(CIRCLE, {x: 1, y: math.nan}, 1), "Value 0 of y is nan"),
        (lambda: integrate(CIRCLE, {x: [1, 2], y: [1, 2, 3]}, 1), "lengths"),
        (lambda: integrate(CIRCLE, np.zeros((3, 4)), 1), "the state has 2 components"),
        (lambda: integrate(CIRCLE, {x: "one", y: 0}, 1), "give real numbers"),
        (lambda: integrate(CIRCLE, {x: 1j, y: 0}, 1), "complex"),
        (lambda: integrate(CIRCLE, {x: sp.Symbol("q"), y: 0}, 1), "not all real numbers"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, "soon"), "until"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, math.nan), "not finite"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, [1, 2]), "one end time"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, 1, times=["a"]), "times"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, 1, relative=-1e-9), "relative=-1e-09"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, 1, relative=math.nan), "relative=nan"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, 1, begin=-math.inf), "begin"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, 1, longest_step=0), "longest_step=0"),
        (lambda: integrate(CIRCLE, {x: 1, y: 0}, 1, most_steps=0), "most_steps=0"),
        (lambda: integrate(CIRCLE, {x: 10**400, y: 0}, 1), "leaves float64"),
        (lambda: MatrixFlow((sp.MatrixSymbol("U", 2, 2),), (sp.MatrixSymbol("V", 2, 3),)), "shape"),
    ],
)
def test_bad_input_is_answered_with_one_sentence(call, says):
    with pytest.raises(LemmascopeError, match=says):
        call()
