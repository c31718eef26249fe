"""One formula, four arithmetics: the float, multiprecision and extended values lie in the ball's enclosure."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.abc import x, y

from numerics import Extended, compile_ball, compile_extended, compile_float, compile_multiprecision, precision

ELEMENTARY = [
    x**3 - 3 * x * y + y**2 / 7,
    (x - y) / (1 + x**2),
    sp.sqrt(1 + x**2 * y**2),
    sp.exp(-x) * sp.log(2 + sp.cos(y)),
    sp.tanh(x) + sp.sech(y) - sp.sinh(x / 3) * sp.cosh(y / 3),
    1 / (1 + sp.exp(-x)),
    sp.atan2(y, x + 10),
    sp.asin(x / 10) + sp.acos(y / 10) + sp.atan(x * y),
    sp.Max(x, y) - sp.Min(x, 0) * sp.Abs(y),
    sp.Piecewise((x**2, x < y), (sp.sign(y), sp.And(y > 0, x > 1)), (x + y, True)),
    sp.sqrt(2) * x + sp.pi * y + sp.E + sp.CRootOf(x**5 - x - 1, 0),
    (1 + x**2) ** sp.Rational(2, 3) + (2 + sp.sin(x)) ** y,
    sp.erf(x) * sp.gamma(3 + sp.tanh(y)),
    sp.tan(x / 5),
]

SPECIAL = [
    sp.Ei(y) + sp.li(2 + y),
    sp.expint(1, y) + sp.expint(2, y) + sp.expint(sp.Rational(3, 2), y),
    sp.lowergamma(sp.Rational(3, 2), y) + sp.uppergamma(2, y),
    sp.uppergamma(-1, y) + sp.uppergamma(sp.Rational(-1, 2), y),
    sp.betainc(2, sp.Rational(5, 2), 0, y / 10) + sp.betainc_regularized(1, 3, 0, y / 10),
    sp.LambertW(y) + sp.LambertW(-y / 30, -1),
    sp.erfc(y) + sp.digamma(y) + sp.loggamma(y),
]

moderate = st.floats(-4, 4, allow_subnormal=False)


def close(a: float, ball: arb, tolerance: float = 2e-13) -> bool:
    return ball.is_finite() and abs(arb(a) - ball) < tolerance * (1 + abs(ball))


@pytest.fixture(scope="module")
def kernels():
    outputs = ELEMENTARY
    return compile_float(outputs, [x, y]), compile_ball(outputs, [x, y])


@given(a=moderate, b=moderate)
@settings(deadline=None, max_examples=60)
def test_float_values_lie_within_rounding_of_the_ball(kernels, a, b):
    floats, balls = kernels
    with precision(100):
        for value, ball in zip(floats([[a], [b]])[:, 0], balls(arb(a), arb(b)), strict=True):
            assert close(value, ball)


@given(b=st.floats(0.05, 9))
@settings(deadline=None, max_examples=60)
def test_special_functions_in_float_agree_with_balls(b):
    floats, balls = compile_float(SPECIAL, [y]), compile_ball(SPECIAL, [y])
    with precision(100):
        for value, ball in zip(floats([[b]])[:, 0], balls(arb(b)), strict=True):
            assert close(value, ball)


@pytest.mark.parametrize("formula", [*ELEMENTARY, *SPECIAL])
def test_balls_contain_what_sympy_evaluates_to_forty_digits(formula):
    point = {x: sp.Rational(7, 5), y: sp.Rational(9, 4)}
    reference = sp.N(formula.subs(point), 40)
    with precision(120):
        ball = compile_ball([formula], [x, y])(arb(7) / 5, arb(9) / 4)[0]
        assert ball.is_finite()
        assert abs(ball - arb(str(reference))) < arb("1e-25")


@given(a=moderate, b=moderate, radius=st.floats(0.01, 2), shift=st.floats(-1, 1))
@settings(deadline=None, max_examples=80)
def test_a_ball_of_arguments_contains_the_value_at_each_of_its_points(kernels, a, b, radius, shift):
    _, balls = kernels
    inside = balls(arb(a + shift * radius / 2), arb(b - shift * radius / 2))
    for wide, point in zip(balls(arb(a, radius), arb(b, radius)), inside, strict=True):
        assert not wide.is_finite() or wide.contains(point)


def test_multiprecision_keeps_its_digits_through_cancellation():
    f = compile_multiprecision([sp.exp(x) - 1 - x - x**2 / 2], [x])
    with mpmath.workdps(120):
        tiny = mpmath.mpf(10) ** -20
        reference = mpmath.exp(tiny) - 1 - tiny - tiny**2 / 2
        ours = mpmath.mpf(f(Fraction(1, 10**20), digits=40)[0].str(60, radius=False))
        assert abs(ours / reference - 1) < mpmath.mpf(10) ** -39


@given(a=st.floats(-4, 4).filter(lambda v: abs(v) > 1e-6), b=st.floats(0.1, 4))
@settings(deadline=None, max_examples=60)
def test_extended_numbers_agree_with_floats_where_both_exist(a, b):
    formulas = [*ELEMENTARY[:10], (1 + x**2) ** sp.Rational(2, 3), sp.erf(x), sp.Eq(x, y) | sp.Ne(x, 1)]
    formulas[-1] = sp.Piecewise((x, formulas[-1]), (y, True))
    ours = compile_extended(formulas, [x, y])([Extended.of([a]), Extended.of([b])])
    floats = compile_float(formulas, [x, y])([[a], [b]])[:, 0]
    for extended, value in zip(ours, floats, strict=True):
        assert math.isclose(extended.to_float()[0], value, rel_tol=1e-9, abs_tol=1e-10)


def test_extended_numbers_go_where_floats_cannot():
    f = compile_extended([x * y, x - y, sp.tanh(x), sp.atan2(x, y), x**2 + y**2], [x, y])
    product, difference, squashed, angle, norm = f([Extended.of(["1e-400"]), Extended.of(["2e-400"])])
    assert product.log10()[0] == pytest.approx(-800 + math.log10(2))
    assert difference.sign[0] == -1
    assert difference.log10()[0] == pytest.approx(-400)
    assert squashed.log10()[0] == pytest.approx(-400)
    assert angle.to_float()[0] == pytest.approx(math.atan2(1, 2))
    assert norm.log10()[0] == pytest.approx(-800 + math.log10(5))


def test_relations_are_ones_and_zeros_or_three_valued():
    assert compile_float([x < y], [x, y])([[1.0, 3.0], [2.0, 2.0]]).tolist() == [[1.0, 0.0]]
    less = compile_ball([x < y, sp.Eq(x, y)], [x, y])
    assert less(arb(1), arb(2)) == (True, False)
    assert less(arb(1, 2), arb(2)) == (None, None)
    assert less(arb(2), arb(2)) == (False, True)


@pytest.mark.parametrize(
    ("formula", "at"),
    [
        (1 / x, 0),
        (sp.log(x), -1),
        (sp.log(x), 0),
        (sp.sqrt(x), -1),
        (x ** sp.Rational(1, 3), -8),
        (sp.asin(x), 2),
        (sp.Ei(x), 0),
        (sp.gamma(x), -1),
        (sp.LambertW(x), -1),
        (sp.Piecewise((x, x > 0)), -1),
        (sp.Max(1, sp.log(x)), -1),
        (sp.uppergamma(sp.Rational(1, 2), x), -1),
    ],
)
def test_undefined_is_nan_in_floats_and_not_finite_in_balls(formula, at):
    assert np.isnan(compile_float([formula], [x])([[float(at)]])[0, 0])
    assert not compile_ball([formula], [x])(arb(at))[0].is_finite()


def test_a_condition_on_an_undefined_value_makes_the_ball_undefined():
    f = compile_ball([sp.Piecewise((1, sp.log(x) > 0), (2, True))], [x])
    assert not f(arb(-1))[0].is_finite()


def test_wide_balls_stay_tight_where_functions_are_monotone():
    square, squashed, grown = compile_ball([(x - 1) ** 2, sp.tanh(x), sp.exp(x)], [x])(arb(0, 5))
    assert square.lower() >= 0
    assert square.upper() < 36.1
    assert squashed.upper() < 1.0001
    assert grown.lower() >= 0
    assert grown.upper() < 148.5
