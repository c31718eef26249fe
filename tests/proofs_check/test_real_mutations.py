"""A true inequality whose sign, constant or hypotheses are changed so that it becomes false is never proved."""

from __future__ import annotations

import pytest
from sympy import Abs, And, Eq, Ge, Gt, Le, Lt, Rational, S, cos, exp, log, sin, sqrt, symbols, tanh

from proofs_check.budget import Budget
from proofs_check.engines.polynomial import search as real
from proofs_check.goals import Goal
from proofs_check.verdict import Outcome

x, y, z = symbols("x y z")
TINY = Rational(1, 10**12)

# hypotheses, larger side, smaller side; the difference has infimum 0 on the hypothesis set
SHARP = {
    "square": ((), x**2, 0 * x),
    "mean": ((x > 0, y > 0), (x + y) / 2, sqrt(x * y)),
    "reciprocals": ((x > 0,), x + 1 / x, S(2)),
    "Motzkin": ((), x**4 * y**2 + x**2 * y**4 + 1, 3 * x**2 * y**2),
    "rearrangement": ((), x**2 + y**2 + z**2, x * y + y * z + z * x),
    "disc": ((x**2 + y**2 <= 1,), S(1), 2 * x * y),
    "triangle": ((), Abs(x) + Abs(y), Abs(x + y)),
    "root": ((x >= 0,), 1 + x, 2 * sqrt(x)),
    "radical": ((x >= 0,), 1 + x / 2, sqrt(1 + x)),
    "circle": ((), S(1), 2 * sin(x) * cos(x)),
}
# dropping any of these hypotheses makes the conclusion false
NEEDED = [
    ((x > 0,), x + 1 / x >= 2),
    ((x >= 1, y >= 1), x * y >= x),
    ((x > 0, Eq(x * y, 1)), x + y >= 2),
    ((x**2 + y**2 <= 1,), x + y <= Rational(3, 2)),
    ((x >= 0, x <= 1), x**2 <= x),
]


def outcome(given, claim):
    free = sorted(And(*given, claim).free_symbols, key=str)
    verdict = real.prove(Goal.over(dict.fromkeys(free, S.Reals), given, claim), Budget.of("quick"))
    return None if verdict is None else verdict.outcome


@pytest.mark.parametrize("name", SHARP)
def test_flipped_and_shifted_twins(name):
    given, larger, smaller = SHARP[name]
    assert outcome(given, Ge(larger, smaller, evaluate=False)) is Outcome.PROVED
    assert outcome(given, Ge(larger, smaller - TINY, evaluate=False)) is Outcome.PROVED
    for false in (Lt(larger, smaller), Le(larger, smaller - 1), Ge(larger, smaller + TINY), Gt(larger, smaller + 1)):
        assert outcome(given, false) in (Outcome.REFUTED, None)


@pytest.mark.parametrize("place", range(len(NEEDED)))
def test_dropped_hypotheses(place):
    given, claim = NEEDED[place]
    assert outcome(given, claim) is Outcome.PROVED
    for left_out in given:
        rest = tuple(part for part in given if part != left_out)
        assert outcome(rest, claim) is not Outcome.PROVED


@pytest.mark.parametrize(
    "false",
    [exp(x) < 1 + x, exp(x) > 1 + x + TINY, log(1 + x**2) > x**2, tanh(x) >= x, sin(x) > 1 - TINY, exp(2 * x) > exp(x)],
)
def test_false_statements_about_elementary_functions(false):
    assert outcome((), false) is not Outcome.PROVED
