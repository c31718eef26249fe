"""Hypotheses that can be met get an exact witness that meets them; hypotheses that cannot get a proof of that."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import And, Eq, Interval, Rational, Reals, Symbol, exp, oo, sqrt, symbols, tan

from proofs_check import verify
from proofs_check.budget import Budget
from proofs_check.points.candidate_values import candidates, zeros
from proofs_check.points.exact import holds
from proofs_check.points.rationals import near, nice_between, simplest_between
from proofs_check.points.search import Search, branches
from proofs_check.points.witness import Vacuity, Witness, find_witness, implied_hypotheses, parameter_ranges
from proofs_check.verdict import Outcome
from theory import Smooth, Vectors, function, inner, norm, vector
from theory.statements import Statement

x, y, z, w = symbols("x y z w")
QUICK = Budget.of("quick")
PLANE = {x: Reals, y: Reals}
fractions = st.fractions(min_value=-1000, max_value=1000, max_denominator=10**6)


@pytest.mark.parametrize(
    ("variables", "given"),
    [
        (PLANE, (Eq(x**2 + y**2, 1), x > y, y > 0)),
        (PLANE, (Eq(x**2 + y**2, 5), Eq(x * y, 2), x > 0)),
        ({x: Reals, y: Reals, z: Reals}, (Eq(x + y + z, 1), x > 0, y > x, z > y)),
        ({x: Reals}, (Eq(x**3 - x - 1, 0),)),
        (PLANE, (Eq(exp(x), y), y > 2)),
        ({w: Interval.open(0, oo)}, (w < Rational(1, 10**60),)),
        ({w: Interval.open(0, oo), x: Reals}, (w < Rational(1, 10**60), x > 0, x < w**2)),
        (PLANE, (y > 1, y < Rational(3, 2), x > 0, x < 1, x * y > Rational(14, 10))),
        ({x: Reals}, (tan(x) > x, x > 4, x < Rational(9, 2))),
        (PLANE, (x**2 + y**2 <= 0,)),
    ],
)
def test_a_witness_satisfies_every_hypothesis(variables, given):
    statement = Statement(variables=variables, given=given, then=sum(variables) > -(10**9))
    point = Search(statement.variables, And(*statement.hypotheses)).find()
    assert point is not None
    assert holds(And(*statement.hypotheses), point) is True
    answer = find_witness(statement, QUICK)
    assert isinstance(answer, Witness)
    assert set(answer.point) == {symbol.name for symbol in statement.variables}


def test_the_nicest_point_comes_first():
    statement = Statement(variables=PLANE, given=(x + y > 1, x <= 1, y <= 1), then=x > 0)
    assert find_witness(statement, QUICK) == Witness({"x": "1", "y": "1"})


def test_integers_stay_integers():
    n = Symbol("n", integer=True)
    m = Symbol("m", integer=True)
    answer = find_witness(Statement(given=(Eq(n**2 + m**2, 25), n > m, m > 0), then=n > 0), QUICK)
    assert answer == Witness({"n": "4", "m": "3"})


@pytest.mark.parametrize(
    ("variables", "given"),
    [
        ({x: Interval(0, 1)}, (x > 2,)),
        (PLANE, (x**2 + y**2 < 0,)),
        (PLANE, (x * y > 1, x + y < 2, x > 0)),
        ({x: Reals}, (Eq(x**2, 2), x**3 < x, x > 0)),
    ],
)
def test_contradictory_hypotheses_are_proved_to_be_so(variables, given):
    answer = find_witness(Statement(variables=variables, given=given, then=x < 7), Budget.of("standard"))
    assert isinstance(answer, Vacuity)
    assert answer.evidence.outcome is Outcome.VACUOUS
    assert answer.evidence.certificate is not None


def test_touching_conditions_are_not_empty():
    """x^2 <= 2x - 1 has exactly one solution; strict, it has none."""
    touching = Statement(variables={x: Reals}, given=(x**2 <= 2 * x - 1,), then=x < 7)
    assert find_witness(touching, QUICK) == Witness({"x": "1"})
    strict = Statement(variables={x: Reals}, given=(x**2 < 2 * x - 1,), then=x < 7)
    assert isinstance(find_witness(strict, QUICK), Vacuity)


def test_redundant_hypotheses_are_listed_once():
    statement = Statement(variables=PLANE, given=(x > 1, x > 0, y > x, y > 0), then=x * y > 0)
    assert implied_hypotheses(statement, QUICK) == ["x > 0", "y > 0"]


def test_the_scale_of_a_parameter_is_reported():
    tiny = Statement(variables={w: Interval.open(0, oo), x: Interval(0, 1)}, given=(w < x * Rational(1, 10**60),),
                     then=w < 1)  # fmt: skip
    ranges = parameter_ranges(tiny, Budget.of("standard"))
    assert ranges["w"] == ("0", str(Rational(1, 10**60)))
    assert ranges["x"] == ("0", "1")


@given(fractions, fractions)
@settings(deadline=None)
def test_the_simplest_fraction_is_between_and_none_with_a_smaller_denominator_is(first, second):
    low, high = min(first, second), max(first, second)
    if low == high:
        return
    found = simplest_between(low, high)
    assert low < found < high
    assert low < nice_between(low, high) < high
    for denominator in range(1, min(found.denominator, 60)):
        assert not any(low < Fraction(n, denominator) < high for n in _numerators(low, high, denominator))


def _numerators(low, high, denominator):
    start = (low * denominator).__floor__()
    return range(start, min((high * denominator).__ceil__() + 1, start + 4))


@given(st.fractions(max_denominator=10**80).filter(bool), st.sampled_from([0.3, 1e-2, 1e-6]))
@settings(deadline=None)
def test_a_rounded_number_stays_within_its_tolerance(value, tolerance):
    assert abs(near(value, tolerance) - value) <= abs(value) * Fraction(tolerance)


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=7))
@settings(deadline=None, max_examples=12)
def test_polynomial_cells_lose_no_sign(coefficients):
    """Between and at the candidates a polynomial takes every sign that it takes on a fine grid."""
    polynomial = sum(number * x**power for power, number in enumerate(coefficients))
    if not polynomial.free_symbols:
        return
    seen = {_sign(polynomial.subs(x, value)) for value in candidates(x, Reals, [polynomial > 0])}
    assert {_sign(polynomial.subs(x, Rational(k, 7))) for k in range(-70, 71)} <= seen


def _sign(number):
    value = number.evalf(60)
    return 0 if abs(value) < Rational(1, 10**40) else (1 if value > 0 else -1)


def test_zeros_of_radicals_and_alternatives():
    assert zeros(sqrt(x + 1) - 3, x)[0] == [8]
    assert len(branches((x > 0) | And(x < 0, (y > 0) | (y < -1)))) == 3


def test_hypotheses_about_vectors_have_a_witness_of_small_size() -> None:
    a, b = vector("a"), vector("b")
    given = (Eq(inner(a, b), 0), norm(a) > 1)
    verdict = verify(Statement(variables={a: Vectors(), b: Vectors()}, given=given, then=norm(a - b) >= norm(a)))
    assert verdict.outcome is Outcome.PROVED
    assert verdict.witness is not None
    first, second = ([Rational(verdict.witness[f"{name}_{row}_1"]) for row in (1, 2)] for name in "ab")
    assert first[0] * second[0] + first[1] * second[1] == 0
    assert first[0] ** 2 + first[1] ** 2 > 1


def test_nothing_is_said_of_a_witness_that_nobody_looked_for() -> None:
    f, at, size, step = function("f"), vector("x"), symbols("L"), symbols("eta")
    known = {f: Smooth(size), at: Vectors(), size: Interval.open(0, oo), step: Interval.open(0, oo)}
    falls = f(at - step * f.gradient(at)) <= f(at)
    verdict = verify(Statement(variables=known, given=(step * size <= 2,), then=falls))
    assert verdict.outcome is Outcome.PROVED
    assert not [note for note in verdict.notes if "vacuous" in note]
