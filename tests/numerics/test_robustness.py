"""Robustness is positive where a formula holds and negative where it fails, by the definition read off step by step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import And, Eq, Implies, Ne, Not, Or, Rational, symbols

from numerics.robustness import Compiled, TemporalRobustness, Trajectories, margin
from theory.temporal import After, Always, ConvergesTo, Decreasing, Eventually, HasPeriod, Until

x, y, K = symbols("x y K")

signals = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=4, max_size=9)
atoms = st.sampled_from([x > 0, x <= 1, y < x, x + y >= 0, Ne(x, y)])
formulas = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds(And, inner, inner), st.builds(Or, inner, inner), st.builds(Always, inner),
        st.builds(Eventually, inner), st.builds(Until, inner, inner), st.builds(Implies, inner, inner),
    ),
    max_leaves=4,
)  # fmt: skip


def truth(formula, signal, time):
    """The definition, without any quantity."""
    if formula in (True, False):
        return bool(formula)
    if isinstance(formula, And):
        return all(truth(part, signal, time) for part in formula.args)
    if isinstance(formula, Or):
        return any(truth(part, signal, time) for part in formula.args)
    if isinstance(formula, Not):
        return not truth(formula.args[0], signal, time)
    if isinstance(formula, Implies):
        return not truth(formula.args[0], signal, time) or truth(formula.args[1], signal, time)
    later = range(time, len(signal))
    if isinstance(formula, Always):
        return all(truth(formula.args[0], signal, moment) for moment in later)
    if isinstance(formula, Eventually):
        return any(truth(formula.args[0], signal, moment) for moment in later)
    if isinstance(formula, Until):
        return any(
            truth(formula.args[1], signal, moment)
            and all(truth(formula.args[0], signal, before) for before in range(time, moment))
            for moment in later
        )
    return bool(formula.subs({x: signal[time][0], y: signal[time][1]}))


def runs_of(*signals_):
    return Trajectories(
        (x, y), np.array(signals_, dtype=float).transpose(1, 2, 0), np.arange(float(len(signals_[0]))), {}
    )


@given(formulas, signals)
@settings(deadline=None, max_examples=60)
def test_the_sign_agrees_with_the_definition(formula, signal):
    if formula in (True, False):
        return
    value = TemporalRobustness(formula, (x, y)).over(runs_of(signal))[0, 0]
    if value > 0:
        assert truth(formula, signal, 0)
    if value < 0:
        assert not truth(formula, signal, 0)


def test_margins_of_relations():
    points = np.array([[0.0, 2.0, 5.0]])
    expected = {x < 2: [2, 0, -3], x >= 2: [-2, 0, 3], Eq(x, 2): [-2, 0, -3], Ne(x, 2): [2, 0, 3]}
    for relation, values in expected.items():
        assert Compiled((relation,), (x,)).robustness(relation, points).tolist() == values
        assert [float(margin(relation).subs(x, number)) for number in points[0]] == values


def test_undefined_values_are_not_called_safe():
    from sympy import log

    assert np.isnan(Compiled((log(x) > 0,), (x,)).robustness(log(x) > 0, np.array([[-1.0]]))[0])


def test_between_two_samples_an_equation_is_unknown_and_an_inequality_has_the_benefit_of_the_doubt() -> None:
    signal = [(-1, 0), (-2, 0), (3, 0), (4, 0)]
    moment = Rational(3, 2)

    def seen(body):
        return float(TemporalRobustness(After(moment, body), (x, y)).over(runs_of(signal))[0, 0])

    assert seen(x > 0) == 3
    assert seen(x > 5) == -2
    assert np.isnan(seen(Eq(x, 0)))
    assert np.isnan(seen(Implies(x > 0, y > 0)))


def test_waiting_and_decreasing():
    signal = [(3, 0), (2, 1), (1, 2), (2, 3)]
    assert TemporalRobustness(After(2, x > 0), (x, y)).over(runs_of(signal))[0, 0] == 1
    assert np.isnan(TemporalRobustness(After(9, x > 0), (x, y)).over(runs_of(signal))[0, 0])
    falling = TemporalRobustness(Decreasing(x), (x, y)).over(runs_of(signal, [(4, 0), (3, 0), (1, 0), (0, 0)]))
    assert falling[0].tolist() == [-1, 1]


@pytest.mark.parametrize(("formula", "expected"), [
    (ConvergesTo(x, 1), [True, False, False]), (ConvergesTo(x, 1, -1), [False, True, False]),
    (HasPeriod(1), [True, False, False]), (HasPeriod(2), [False, True, False]), (HasPeriod(4), [False, False, True]),
])  # fmt: skip
def test_long_run_behaviour_of_three_signals(formula, expected):
    times = np.arange(80)
    settled = np.stack([1 + 0.5**times, 0 * times], axis=1)
    swinging = np.stack([(-1.0) ** times, 0 * times], axis=1)
    four = np.stack([np.cos(np.pi * times / 2), np.sin(np.pi * times / 2)], axis=1)
    value = TemporalRobustness(formula, (x, y)).over(runs_of(settled, swinging, four))[0]
    assert (value > 0).tolist() == expected


def test_parameters_take_part():
    runs = Trajectories((x,), np.array([[[1.0, 1.0]], [[2.0, 2.0]]]), np.arange(2.0), {K: np.array([3.0, 1.5])})
    assert TemporalRobustness(Always(x < K), (x,), (K,)).over(runs)[0].tolist() == [1.0, -0.5]
