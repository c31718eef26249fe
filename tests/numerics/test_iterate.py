"""Ensembles of maps give, bit for bit or to rounding, what a plain loop gives, and name every fault."""

import math
import threading

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import Status, iterate
from numerics.maps import in_threads
from theory.dynamics import Map
from theory.errors import LemmascopeError

x, y, v, K, n, xi = sp.symbols("x y v K n xi")
CUBIC = Map((x,), (x - K * (x**3 - x),))


def plain(start, gain, steps):
    for _ in range(steps):
        start = start - gain * (start**3 - start)
    return start


@given(start=st.floats(-1.2, 1.2), gain=st.floats(0.01, 0.95), steps=st.integers(0, 300))
@settings(deadline=None, max_examples=50)
def test_a_trajectory_is_the_plain_loop(start, gain, steps):
    ours = iterate(CUBIC, {x: start}, steps, parameters={K: gain}, smallest=0)
    assert ours.final[0, 0] == pytest.approx(plain(start, gain, steps), rel=1e-9, abs=1e-12)


def test_leaving_early_changes_no_bit():
    rng = np.random.default_rng(1)
    starts, gains = rng.uniform(-1, 1, 5000), rng.uniform(0, 1.6, 5000)
    for steps, keep in [(777, 1), (1000, 7), (61, 61)]:
        early = iterate(CUBIC, {x: starts}, steps, parameters={K: gains}, keep=keep)
        full = iterate(CUBIC, {x: starts}, steps, parameters={K: gains}, keep=keep, exit_early=False, threads=1)
        np.testing.assert_array_equal(early.states, full.states)
    assert (early.status == Status.FINISHED).any()
    assert (iterate(CUBIC, {x: starts}, 5000, parameters={K: gains}).status == Status.SETTLED).mean() > 0.5


def test_kept_states_are_the_whole_trajectory_with_its_start():
    whole = iterate(CUBIC, {x: [0.1, 0.9]}, 5, parameters={K: 0.3}, keep="all").states
    assert whole.shape == (6, 1, 2)
    for step in range(6):
        assert whole[step, 0] == pytest.approx([plain(0.1, 0.3, step), plain(0.9, 0.3, step)])


def test_divergence_underflow_and_poles_are_located_and_spare_the_others():
    jump = Map((x,), (sp.Piecewise((1 / (x - 4), x > 3), (x + 1, x > 0), (2 * x, x < -1), (x / 2, True)),))
    result = iterate(jump, {x: [0.5, 1.0, -2.0, -1.0, 0.0]}, 2000, keep=1)
    assert [Status(s) for s in result.status] == [
        Status.DIVERGED,
        Status.UNDEFINED,
        Status.DIVERGED,
        Status.UNDERFLOWED,
        Status.SETTLED,
    ]
    assert result.last_step[1] == 4
    assert result.last_step[2] == math.ceil(math.log2(1e300 / 2))
    assert result.last_step[3] == 1023
    assert result.faults()[1] == ("Trajectory 1 met a point where the right-hand side is undefined at step 4.")


def test_a_schedule_sees_the_step_number():
    decay = Map((x,), (x + 1 / (n + 1),), time=n)
    assert iterate(decay, {x: 0.0}, 100).final[0, 0] == pytest.approx(sum(1 / k for k in range(1, 101)))
    assert iterate(decay, {x: 0.0}, 1, first_step=9).final[0, 0] == pytest.approx(0.1)


def test_momentum_is_a_map_on_position_and_velocity():
    heavy = Map((x, v), (x + sp.Rational(9, 10) * v - K * x, sp.Rational(9, 10) * v - K * x))
    a, b = 1.0, 0.0
    for _ in range(50):
        b = 0.9 * b - 0.1 * a
        a = a + b
    assert iterate(heavy, {x: 1.0, v: 0.0}, 50, parameters={K: 0.1}).final[:, 0] == pytest.approx([a, b])


def test_watched_relations_are_reduced_without_keeping_states():
    result = iterate(CUBIC, {x: [0.1, 1.4]}, 50, parameters={K: 0.6}, watch=[x**2 < sp.Rational(3, 2), x])
    whole = iterate(CUBIC, {x: [0.1, 1.4]}, 50, parameters={K: 0.6}, keep="all").states[:, 0]
    relation, value = result.watched
    np.testing.assert_allclose(relation.lowest, (1.5 - whole**2).min(axis=0), rtol=1e-12)
    np.testing.assert_allclose(value.highest, whole.max(axis=0), rtol=1e-12)
    np.testing.assert_allclose(value.lowest, whole.min(axis=0), rtol=1e-12)
    assert relation.always.tolist() == [True, False]
    assert relation.first_violation[1] == 0


def test_noise_depends_on_seed_trajectory_and_step_only():
    walk = Map((x,), (x + xi,))
    one = iterate(walk, {x: np.zeros(3000)}, 40, noise={xi: "normal"}, seed=7, keep="all")
    two = iterate(walk, {x: np.zeros(3000)}, 40, noise={xi: "normal"}, seed=7, keep="all", threads=1)
    np.testing.assert_array_equal(one.states, two.states)
    other = iterate(walk, {x: np.zeros(3000)}, 40, noise={xi: "normal"}, seed=8)
    assert not np.array_equal(one.final, other.final)
    increments = np.diff(one.states[:, 0], axis=0).ravel()
    assert abs(increments.mean()) < 0.02
    assert abs(increments.std() - 1) < 0.02
    continued = iterate(walk, one.states[20], 20, noise={xi: "normal"}, seed=7, first_step=20)
    np.testing.assert_allclose(continued.final, one.final)


def test_single_sample_gradients_average_to_the_full_gradient():
    targets = [1.0, 2.0, 6.0]
    picked = sp.Piecewise(*((t, sp.Eq(xi, i)) for i, t in enumerate(targets[:-1])), (targets[-1], True))
    sgd = Map((x,), (x - K * (x - picked),))
    last = iterate(sgd, {x: np.zeros(20000)}, 400, parameters={K: 0.05}, noise={xi: ("index", 3)}, seed=3).final[0]
    assert last.mean() == pytest.approx(3.0, abs=0.02)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: iterate(CUBIC, {x: [0.1]}, 3), "K has no value"),
        (lambda: iterate(CUBIC, {x: [0.1]}, 3, parameters={K: 1, y: 2}), "y is not a parameter"),
        (lambda: iterate(CUBIC, [[0.1], [0.2]], 3, parameters={K: 1}), "shape"),
        (lambda: iterate(CUBIC, {x: [0.1, math.nan]}, 3, parameters={K: 1}), "Value 1 of x is nan"),
        (lambda: iterate(CUBIC, {x: [1j]}, 3, parameters={K: 1}), "complex"),
        (lambda: iterate(CUBIC, {x: [10**400]}, 3, parameters={K: 1}), "leaves float64"),
        (lambda: iterate(CUBIC, {x: [[0.1], [0.2, 0.3]]}, 3, parameters={K: 1}), "not all real numbers"),
        (lambda: iterate(CUBIC, {x: [0.1]}, 3, parameters={K: math.inf}), "Value 0 of K is inf"),
        (lambda: iterate(CUBIC, {x: [0.1]}, 3, parameters={K: 1}, bound=0.0), "leave no numbers"),
        (lambda: iterate(CUBIC, {x: [0.1]}, -1, parameters={K: 1}), "negative"),
        (lambda: iterate(CUBIC, {x: [0.1]}, 3, parameters={K: 1}, keep=9), "keep=9"),
        (lambda: iterate(CUBIC, {x: [0.1, 0.2]}, 3, parameters={K: [1, 2, 3]}), "lengths"),
        (lambda: iterate(CUBIC, {x: [0.1]}, 3, parameters={K: 1}, watch=[sp.Eq(x, 1)]), "inequality"),
        (lambda: iterate(CUBIC, {x: [0.1]}, 3, parameters={K: 1}, threads=0), "threads=0"),
    ],
)
def test_bad_input_is_answered_with_one_sentence(call, says):
    with pytest.raises(LemmascopeError, match=says):
        call()


@pytest.mark.parametrize("count", [0, 1, 8, 9, 16, 100])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_every_trajectory_is_run_once_and_the_first_ones_before_any_thread(count: int, threads: int) -> None:
    ran: list[tuple[int, int, bool]] = []

    def run(begin: int, end: int) -> None:
        ran.append((begin, end, threading.current_thread() is threading.main_thread()))

    in_threads(run, count, 8, threads)
    assert sorted(index for begin, end, _ in ran for index in range(begin, end)) == list(range(count))
    assert all(in_main for begin, _, in_main in ran if begin == 0)
