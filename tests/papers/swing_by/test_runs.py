"""Ball runs of Appendix D contain an exact or multiprecision run, and the violations they report are real."""

from fractions import Fraction

import mpmath
import pytest

from theory.enumerators import enumerate_exactly
from theory.swing_by.instances import bits, named
from theory.swing_by.iteration import trajectory


def number(x):
    return mpmath.mpf(x.numerator) / x.denominator


def plain_step(w, a, eta, descent):
    """W - eta (H W + W H), and eta^2 H W H for gradient descent on U, written with mpmath matrices."""
    d = len(a)
    A = mpmath.diag(a)
    H = (w * A + A * w) / 2 - A
    moved = w - eta * (H * w + w * H)
    return moved + eta**2 * H * w * H if descent else moved + mpmath.zeros(d)


def plain_run(name, dynamics, steps):
    i = named(name)
    w = mpmath.matrix([[number(x * i.omega) for x in row] for row in i.start])
    a, eta = [number(x) for x in i.signals], number(i.eta)
    for _ in range(steps):
        w = plain_step(w, a, eta, dynamics == "weights")
    return w


@pytest.mark.parametrize("dynamics", ["printed", "weights"])
@pytest.mark.parametrize("name", ["pair, opposite signs", "triple, mixed signs"])
def test_the_balls_contain_a_run_in_many_digits(name, dynamics):
    steps = 200
    with mpmath.workdps(160):
        reference = plain_run(name, dynamics, steps)
        with bits(160):
            *_, (_, state) = trajectory(named(name), dynamics, steps)
            for (i, j), ball in state.items():
                middle = mpmath.mpf(str(ball.mid().str(60, radius=False)))
                assert abs(middle - reference[i, j]) <= abs(reference[i, j]) * mpmath.mpf(10) ** -40


def test_the_nearly_singular_start_makes_a_diagonal_entry_negative_in_another_arithmetic():
    """The update of d = 2 written out by hand, in 60 digits, reaches a negative w_11 where the balls say."""
    found = enumerate_exactly(
        "swing_by.run", {"claim": "lemma-d.5", "instances": ["pair, nearly singular"], "steps": 17_600}
    )
    step = found["counterexample"]["step"]
    i = named("pair, nearly singular")
    with mpmath.workdps(60):
        (a, b), eta = [number(x) for x in i.signals], number(i.eta)
        p, q, r = (number(x * i.omega) for x in (i.start[0][0], i.start[0][1], i.start[1][1]))
        for _ in range(step):
            p, q, r = (
                p + eta * (2 * a * p * (1 - p) - q * q * (a + b)),
                q + eta * q * (a + b - (p * (3 * a + b) + r * (3 * b + a)) / 2),
                r + eta * (2 * b * r * (1 - r) - q * q * (a + b)),
            )
        assert p < 0
        assert found["violations"] == 1


def test_a_well_conditioned_start_is_not_accused():
    arguments = {"claim": "lemma-d.5", "instances": ["pair", "pair, opposite signs"], "steps": 18_000}
    assert enumerate_exactly("swing_by.run", arguments)["violations"] == 0


def test_the_noise_bound_fails_by_many_powers_of_ten():
    found = enumerate_exactly("swing_by.run", {"claim": "corollary-d.1", "instances": ["pair"], "steps": 14_000})
    assert found["violations"] == 1
    i, step = named("pair"), found["counterexample"]["step"]
    bound = 2 * i.P * i.gamma * i.alpha * 2 * (i.beta * i.omega) ** 2
    with bits(160):
        states = dict(trajectory(i, "printed", step))
        (_, before), (_, at) = ((k, states[k]) for k in (step - 1, step))
        noise = [float((w[0, 1] ** 2 * 5).mid()) for w in (before, at)]
        assert noise[0] <= float(bound) < noise[1]


def test_certified_descents_agree_with_a_float_run_and_vanish_for_a_diagonal_start():
    from theory.swing_by.figures import START_8

    arguments = {"means": ["1", "3/2", "11/5"], "deviations": ["1/20"] * 3, "step": "1/50", "steps": 1200}
    found = enumerate_exactly("swing_by.certified_descents", {"weights": START_8, **arguments})
    assert found["descents"] == 3
    diagonal = [[str(Fraction(int(i == j), 5)) for j in range(3)] for i in range(3)]
    assert enumerate_exactly("swing_by.certified_descents", {"weights": diagonal, **arguments})["descents"] == 1


def test_certified_extrema_are_those_of_a_float_run():
    import numpy as np

    from theory.swing_by.enumerators.runs import certified_descents
    from theory.swing_by.figures import START_8

    found = certified_descents(START_8, ["1", "3/2", "11/5"], ["1/20"] * 3, "1/50", 1200)
    turns = [int(part) for part in found["notes"][0].partition(": ")[2].split(", ")]
    U = np.array([[float(Fraction(x)) for x in row] for row in START_8])
    mu = np.array([1, 1.5, 2.2])
    A = np.diag(0.0025 + mu**2 / 3)
    losses = []
    for _ in range(1201):
        W = U @ U.T
        losses.append(0.5 * np.sum((W @ mu - mu) ** 2))
        U = U - 0.02 * ((W @ A + A @ W) / 2 - A) @ U
    kinks = [k for k in range(1, 1200) if (losses[k] - losses[k - 1]) * (losses[k + 1] - losses[k]) < 0]
    assert set(turns) <= set(kinks)
