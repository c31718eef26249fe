"""The closed forms of the smoothed rectifier agree with integration and with finite differences in many digits."""

from __future__ import annotations

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Integer, Matrix, Rational, symbols

from theory.simplicity_bias.activation import (
    c,
    gradient,
    hessian,
    inside_band,
    moment,
    profile,
    share,
    spherical_hessian,
    xi,
)

V, X = Matrix(symbols("v_1:4")), Matrix(symbols("x_1:4"))


@pytest.mark.parametrize("d", [2, 3, 4, 5, 7, 9])
def test_profile_is_the_integral(d: int) -> None:
    with mpmath.workdps(30):

        def weight(a: mpmath.mpf) -> mpmath.mpf:
            return (1 - a**2) ** (mpmath.mpf(d - 1) / 2)

        whole = mpmath.quad(weight, [-1, 1])
        for at in (Rational(-1, 2), Rational(1, 3)):
            low = -mpmath.mpf(at.p) / at.q
            first = mpmath.quad(lambda a: a * weight(a), [low, 1])
            value = (first - low * mpmath.quad(weight, [low, 1])) / whole
            assert abs(value - mpmath.mpf(str(profile(d).subs(c, at).evalf(28)))) < mpmath.mpf(10) ** -15


def test_gradient_and_hessian_match_differences_of_forty_digits() -> None:
    chosen = (Rational(3, 2), Rational(-1, 3), 2, Rational(1, 5), Rational(1, 4), Rational(1, 7), 1)
    point = dict(zip((*V, *X, xi), chosen, strict=True))
    length = (V.dot(V)).subs(point) ** Rational(1, 2)
    step = Rational(1, 10**10)
    slope, bend = gradient(3, V, X, length).subs(point), hessian(3, V, X, length).subs(point)
    value = inside_band(3, V, X)
    for k, entry in enumerate(V):
        up, down = (value.subs({**point, entry: point[entry] + s * step}) for s in (1, -1))
        assert abs(((up - down) / (2 * step) - slope[k]).evalf(40)) < 1e-18
        second = (up + down - 2 * value.subs(point)) / step**2
        assert abs((second - bend[k, k]).evalf(60)) < 1e-15


def test_euclidean_and_spherical_curvature_differ_by_the_value() -> None:
    v, x = Matrix([1, 0, 0]), Matrix([Rational(1, 2), 0, 0])
    euclidean = hessian(3, v, x, Integer(1), Integer(1))[1, 1]
    on_sphere = spherical_hessian(3, v, x, Integer(1))[1, 1]
    assert euclidean > 0 > on_sphere
    assert euclidean - on_sphere == profile(3).subs(c, Rational(1, 2))


@settings(deadline=None, max_examples=30)
@given(st.fractions(min_value=-1, max_value=1))
def test_share_is_the_slope_of_the_profile(at: object) -> None:
    where = Rational(at.numerator, at.denominator)  # type: ignore[attr-defined]
    for d in (3, 5, 7):
        assert profile(d).diff(c).subs(c, where) == share(d).subs(c, where)
        assert profile(d).subs(c, where) == where * share(d).subs(c, where) + moment(d).subs(c, where)
