"""A step of one's own is run against a statement, in any dimension; where it breaks the claim the test says how."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Abs, Interval, Rational, S, Symbol, symbols

from proofs_check import as_property_test
from proofs_check.run.property_tests import at_small_sizes
from theory import (
    Always,
    ConvergesTo,
    Flow,
    Map,
    Matrices,
    Statement,
    SymmetricMatrices,
    Vectors,
    adam,
    gradient_descent,
    heavy_ball,
    matrix,
    norm,
    vector,
)
from theory.errors import LemmascopeError

x, x0, eta = symbols("x x0 eta")
k = Symbol("k", integer=True, nonnegative=True)
START = {x0: Interval(-5, 5)}
SHRINKS = Statement(
    id="mine/shrinks", variables={**START, eta: Interval(0, 2)}, start={x: x0},
    dynamics=gradient_descent(x**2 / 2, x, eta), then=Always(x**2 <= x0**2),
)  # fmt: skip
ARRIVES = SHRINKS.but(variables={**START, eta: Interval(S.Half, 1)}, then=ConvergesTo(x, 0))
BETA = Rational(1, 2)
MOMENTUM = heavy_ball(x**2 / 2, x, Rational(1, 10), BETA)
BALL = Statement(variables=START, start={x: x0, MOMENTUM.state[1]: x0}, dynamics=MOMENTUM, then=ConvergesTo(x, 0))
ADAM = adam(x**2 / 2, x, Rational(1, 10), epsilon=Rational(1, 10**8), time=k)
FIRST_STEP = Statement(
    variables=START, start=dict(zip(ADAM.state, (x0, 0, 0), strict=True)), dynamics=ADAM,
    then=Always(Abs(x - x0) <= Rational(11, 100) * (k + 1)),
)  # fmt: skip


def adam_step(x, x_m, x_v, k, *, corrected=True):
    m, v = 0.9 * x_m + 0.1 * x, 0.999 * x_v + 0.001 * x**2
    one, two = (1 - 0.9 ** (k + 1), 1 - 0.999 ** (k + 1)) if corrected else (1, 1)
    return x - 0.1 * (m / one) / (np.sqrt(v / two) + 1e-8), m, v


def passes(statement, step, **options):
    as_property_test(statement, step=step, max_examples=25, **options)()


def fails(statement, step, match, **options):
    with pytest.raises(AssertionError, match=match):
        as_property_test(statement, step=step, max_examples=25, **options)()


def test_a_right_step_passes_and_a_wrong_one_fails_with_its_states():
    passes(SHRINKS, lambda x, eta: x - eta * x)
    passes(SHRINKS, lambda x, eta: {"x": np.float32(x) - np.float32(eta) * np.float32(x)}, same_rule=True)

    def forgets_the_sign(x, eta):
        return x + eta * x

    fails(
        SHRINKS, forgets_the_sign, r"forgets_the_sign violates Always.*at step \d+\n  step 0: x = .*\n(.*\n)+point = "
    )
    fails(SHRINKS, lambda x, eta: x * np.nan, "no finite value at step 1")


def test_positions_do_where_there_are_no_names():
    passes(SHRINKS, lambda *values: values[0] - values[1] * values[0])
    fails(SHRINKS, lambda *values: values[0] + values[1], "violates")


def test_a_limit_is_compared_with_what_the_rule_has_reached():
    passes(ARRIVES, lambda x, eta: x - eta * x)
    fails(ARRIVES, lambda x, eta: x - eta * x * 1e-4, "after 200 steps, when the rule has arrived")
    passes(BALL, lambda x, x_prev: (x - 0.1 * x + 0.5 * (x - x_prev), x))
    fails(BALL, lambda x, x_prev: (x - 0.1 * x + 1.5 * (x - x_prev), x), "no finite value|rule has arrived")


def test_the_step_counter_and_the_memory_of_adam_are_passed_on():
    passes(FIRST_STEP, adam_step, same_rule=True)
    fails(FIRST_STEP, lambda x, x_m, x_v, k: adam_step(x, x_m, x_v, k, corrected=False), "violates")


def test_another_rule_that_keeps_the_claim_fails_only_when_asked_for_the_same():
    passes(SHRINKS, lambda x, eta: x / 2)
    fails(SHRINKS, lambda x, eta: x / 2, "departs from the rule", same_rule=True)


d, m, n = symbols("d m n")
u, u0, A = vector("u"), vector("u0"), matrix("A", d, d)
IN_SPACE = Statement(
    variables={u0: Vectors(), eta: Interval(0, 2)}, start={u: u0}, dynamics=Map((u,), (u - eta * u,)),
    then=Always(norm(u) <= norm(u0)),
)  # fmt: skip


def test_vectors_of_any_size_reach_the_step_as_arrays():
    sizes = set()

    def step(u, eta):
        sizes.add(u.shape)
        return u - eta * u

    passes(IN_SPACE, step)
    assert {(1,), (2,)} <= sizes
    fails(IN_SPACE, lambda u, eta: u - eta * u[::-1] * 2, "violates")
    as_property_test(IN_SPACE, max_examples=10)()


def test_a_step_that_is_wrong_from_two_entries_on_is_found():
    def mixes(u, eta):
        return u - eta * u + 3 * (u - u.mean())

    fails(IN_SPACE, mixes, "violates")


def test_matrices_keep_their_shapes():
    W, W0 = matrix("W", m, n), matrix("W0", m, n)
    decays = Statement(
        variables={W0: Matrices(m, n)}, start={W: W0}, dynamics=Map((W,), (W / 2,)), then=Always(norm(W) <= norm(W0))
    )
    passes(decays, lambda W: W / 2)
    fails(decays, lambda W: -2 * W, "violates")
    shapes = {len(part.dynamics.state) for part in at_small_sizes(decays)}
    assert {1, 2, 4} <= shapes


def test_a_symmetric_matrix_reaches_the_step_whole():
    descent = Statement(
        variables={u0: Vectors(d), A: SymmetricMatrices(d, lower=0, upper=1)}, start={u: u0},
        dynamics=Map((u,), (u - A * u,)), then=Always(norm(u) <= norm(u0)),
    )  # fmt: skip

    def step(u, A):
        assert np.array_equal(A, A.T)
        return u - A @ u

    passes(descent, step)
    fails(descent, lambda u, A: u + A @ u, "violates")


@pytest.mark.parametrize(
    ("statement", "step", "match"),
    [
        (SHRINKS, lambda x, lr: x, "wants lr"),
        (SHRINKS, lambda x: (x, x), "returns 2 values"),
        (SHRINKS, lambda x: {"y": x}, "does not return x"),
        (SHRINKS.but(dynamics=Flow((x,), (-x,)), variables=START), lambda x: x, "a Map"),
        (Statement(variables=START, then=x0**2 >= 0), lambda x: x, "a Map"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(statement, step, match):
    with pytest.raises(LemmascopeError, match=match):
        as_property_test(statement, step=step, max_examples=2)()
