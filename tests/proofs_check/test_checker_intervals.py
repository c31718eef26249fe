"""The checkers' intervals hold real values only: where a function has none, or another branch, it is undefined."""

from __future__ import annotations

import pytest
import sympy as sp
from flint import arb, fmpq

from proofs_check.kernel.intervals import Interval, UndefinedError, evaluate
from proofs_check.kernel.point import sign

x = sp.Symbol("x")
HALF = sp.Rational(1, 2)


def on(function, low, high):
    ends = [arb(fmpq(*map(int, sp.Rational(str(end)).as_numer_denom()))) for end in (low, high)]
    return evaluate(function, {x: Interval(ends[0].lower(), ends[1].upper())})


WITHOUT_VALUE = [
    (sp.LambertW(x, -1), 1, 2), (sp.LambertW(x, -1), 0, 1), (sp.LambertW(x, -1), -1, "-1/2"),
    (sp.LambertW(x, -1), "-2/5", "-1/5"), (sp.LambertW(x, -1), "-1/5", 0), (sp.LambertW(x, -1), "-1/5", "1/5"),
    (sp.LambertW(x, 1), "-1/5", "-1/10"), (sp.LambertW(x, 1), 1, 2), (sp.LambertW(x, 2), 2, 3),
    (sp.LambertW(x, -2), "-1/5", "-1/10"), (sp.LambertW(x), -2, -1), (sp.LambertW(x), "-2/5", 0),
    (sp.LambertW(x, 0, evaluate=False), -1, "-1/2"), (sp.LambertW(x, 0, evaluate=False), "-2/5", 1),
    (sp.acosh(x), 0, "1/2"), (sp.acosh(x), "1/2", 2), (sp.acosh(x), -3, -2), (sp.atanh(x), 2, 3),
    (sp.atanh(x), "1/2", 1), (sp.asin(x), "1/2", 2), (sp.acos(x), -2, 0), (sp.loggamma(x), "-5/2", "-9/4"),
    (sp.loggamma(x), -1, 1), (sp.gamma(x), "-1/2", "1/2"), (sp.li(x), -1, "1/2"), (sp.li(x), 0, "1/2"),
    (sp.li(x), 0, 0), (sp.li(x), "1/2", 2), (sp.Ei(x), -1, 1), (sp.expint(3, x), -2, -1), (sp.expint(-HALF, x), -2, -1),
    (sp.expint(2, x), 0, 1), (sp.uppergamma(HALF / 2, x), -2, -1), (sp.uppergamma(x, -1), 1, 2),
    (sp.lowergamma(HALF / 2, x), -2, -1), (sp.lowergamma(x, 2), -2, -1), (sp.betainc(2, 3, 0, x), -2, -1),
    (sp.betainc(2, 3, 0, x), 2, 3), (sp.betainc_regularized(2, 3, 0, x), "1/2", 2), (sp.betainc(x, 2, 0, HALF), -2, -1),
    (sp.beta(x, 2), -2, -1), (sp.atan2(0, x), -1, 1), (sp.log(x), -1, 1), (sp.sqrt(x), -1, 1),
    (x ** sp.Rational(1, 3), -1, 1), (x**sp.pi, -1, 1), (sp.zeta(x), 0, 2), (sp.tan(x), 1, 2), (sp.coth(x), -1, 1),
]  # fmt: skip


@pytest.mark.parametrize(("function", "low", "high"), WITHOUT_VALUE)
def test_where_a_function_has_no_real_value_it_is_undefined(function, low, high):
    with pytest.raises(UndefinedError):
        on(function, low, high)


WITH_VALUE = [
    (sp.LambertW(x, -1), "-1/3", "-1/10"), (sp.LambertW(x, -1), "-9/25", "-7/20"), (sp.LambertW(x), "-1/3", 2),
    (sp.LambertW(x, 0, evaluate=False), "-1/5", 3), (sp.acosh(x), 2, 3), (sp.atanh(x), "1/10", "1/2"),
    (sp.asin(x), -1, 1), (sp.li(x), 2, 3), (sp.li(x), "1/4", "1/2"), (sp.expint(3, x), 1, 2),
    (sp.uppergamma(HALF / 2, x), 1, 2), (sp.lowergamma(HALF / 2, x), 1, 2), (sp.betainc(2, 3, 0, x), "1/4", "3/4"),
    (sp.betainc_regularized(2, 3, 0, x), "1/4", "3/4"), (sp.beta(x, 2), 1, 2), (sp.atan2(x, -1), 1, 2),
]  # fmt: skip


@pytest.mark.parametrize(("function", "low", "high"), WITH_VALUE)
def test_where_it_has_one_the_interval_holds_it(function, low, high):
    found = on(function, low, high)
    for k in range(9):
        place = sp.Rational(str(low)) + (sp.Rational(str(high)) - sp.Rational(str(low))) * sp.Rational(k, 8)
        value = arb(str(sp.N(function.subs(x, place), 20)), 1e-15)
        assert found.low <= value.upper()
        assert value.lower() <= found.high


def test_both_real_branches_end_in_the_same_point_and_no_other_branch_does():
    end = {x: -sp.exp(-1)}
    assert [sign(sp.LambertW(x, branch, evaluate=False), end) for branch in (0, -1)] == [-1, -1]
    assert [sign(sp.LambertW(x, branch), end) for branch in (1, 2, -2, -3, 5)] == [None] * 5
