"""Every refutation at a point replays by code that shares nothing with the engines, and a wrong point is rejected."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import (
    Abs,
    Derivative,
    Eq,
    Expr,
    Function,
    Heaviside,
    Integer,
    Integral,
    Interval,
    LambertW,
    Max,
    Mul,
    Ne,
    Piecewise,
    Pow,
    Product,
    Rational,
    S,
    Sum,
    Symbol,
    atan2,
    beta,
    binomial,
    cos,
    exp,
    factorial,
    floor,
    gamma,
    log,
    pi,
    rootof,
    sin,
    sqrt,
    symbols,
    sympify,
    tan,
    zeta,
)

from proofs_check.engines.falsify.certificates import at_point
from proofs_check.evidence.replay import check
from proofs_check.kernel.point import sign, truth
from proofs_check.points.exact import holds
from proofs_check.referee.judge import verify
from theory import Exists, ForAll, Statement

x, y, n = symbols("x y n")
phi = Function("phi")
R = S.Reals

FALSE = {
    "identity": Statement(id="identity", variables={x: R}, then=Eq(sin(2 * x), 2 * sin(x))),
    "polynomial": Statement(id="polynomial", variables={x: R}, then=x**2 > x),
    "radical": Statement(id="radical", variables={x: R}, given=(Eq(x**2, 2),), then=x > 0),
    "root": Statement(id="root", variables={x: R}, given=(Eq(x**5, x + 1),), then=x > 2),
    "any function": Statement(id="function", variables={x: R}, then=Eq(phi(2 * x), 2 * phi(x))),
    "any derivative": Statement(id="derivative", variables={x: R}, then=Eq(Derivative(phi(x), x), phi(x))),
    "for all": Statement(id="for all", variables={x: R}, then=ForAll(y, Interval(0, 1), x * y < Rational(1, 2))),
    "there is": Statement(
        id="there is", variables={x: R}, given=(Exists(y, Interval(0, 1), Eq(y, x)),), then=x < Rational(1, 2)
    ),
    "shadowed": Statement(
        id="shadowed",
        variables={x: Interval(0, 1), y: R},
        given=(Exists(y, Interval(2, 3), Eq(x + 2, y)),),
        then=y < 5,
    ),
    "branches": Statement(id="branches", variables={x: R}, then=Piecewise((x, x > 0), (2, True)) > 1),
    "whole numbers": Statement(id="whole", variables={n: S.Naturals}, then=n**2 - n + 41 < 1000),
    "kinks": Statement(id="kinks", variables={x: R}, then=Max(x, x**2) > Abs(x)),
    "a root at its end": Statement(
        id="end", variables={x: Interval(Rational(1, 3), 1)}, then=sqrt(x - Rational(1, 3)) > 0
    ),
    "a root inside": Statement(id="inside", variables={x: R}, then=Ne(sqrt(Abs(3 * x - 1)) * exp(x), 0)),
    "a root at a root": Statement(id="at a root", variables={x: Interval(sqrt(2), 3)}, then=sqrt(x**2 - 2) > 0),
    "a hair": Statement(id="hair", variables={x: R}, then=exp(x) >= 1 + x + Rational(1, 10**30)),
}


@pytest.mark.parametrize("name", FALSE)
def test_refutations_replay_from_plain_data(name: str) -> None:
    statement = FALSE[name]
    verdict = verify(statement, effort="quick")
    assert verdict.outcome == "refuted"
    stored = json.loads(json.dumps(verdict.certificate))
    assert check(statement, stored)[0] == "accepted"


@pytest.mark.parametrize(
    ("statement", "point"),
    [
        (FALSE["polynomial"], {x: Integer(3)}),
        (FALSE["polynomial"], {x: Rational(11, 10)}),
        (FALSE["radical"], {x: Rational(-7, 5)}),
        (FALSE["whole numbers"], {n: Rational(67, 2)}),
        (FALSE["for all"], {x: Integer(2), y: Integer(2)}),
        (Statement(variables={x: R}, then=1 / x > 0), {x: Integer(0)}),
        (Statement(variables={x: R}, then=log(x) > 0), {x: Integer(-1)}),
        (Statement(variables={x: R}, then=Eq(Mul(x, Pow(x, -1), evaluate=False), 2, evaluate=False)), {x: Integer(0)}),
    ],
    ids=str,
)
def test_points_that_refute_nothing_are_rejected(statement: Statement, point: dict[Symbol, Rational]) -> None:
    assert check(statement, at_point(point))[0] == "rejected"


@given(st.fractions(-3, 3, max_denominator=50), st.fractions(-3, 3, max_denominator=50))
@settings(deadline=None, max_examples=60)
def test_two_routes_to_the_truth_at_a_point_never_disagree(first: Fraction, second: Fraction) -> None:
    point = {x: Rational(first.numerator, first.denominator), y: Rational(second.numerator, second.denominator)}
    for formula in (
        x**2 + y**2 <= 1, exp(x * y) > x + y, sqrt(x + 3) < Max(y, cos(x)), Abs(x) / y >= 1, Eq(x * y, Rational(1, 4)),
    ):  # fmt: skip
        one, other = truth(formula, point), holds(formula, point)
        assert one is None or other is None or one == other


def test_numbers_that_are_zero_are_told_from_numbers_that_are_nearly_zero() -> None:
    assert sign(sqrt(2) + sqrt(3) - sqrt(5 + 2 * sqrt(6)), {}) == 0
    assert sign(x**5 - x - 1, {x: rootof(x**5 - x - 1, 0)}) == 0
    assert sign(exp(pi * sqrt(163)) - 262537412640768744, {}) == -1
    assert sign(sin(x) ** 2 + cos(x) ** 2, {x: Integer(1)}, Integer(1)) is None


AT = {
    "factorial": (factorial(n), 6, 720),
    "binomial": (binomial(10, n), 5, 252),
    "binomial of a half": (binomial(x, 2), Rational(1, 2), Rational(-1, 8)),
    "gamma of a half": (gamma(x) ** 2 / pi, Rational(1, 2), None),
    "zeta": (zeta(x), 4, None),
    "beta": (beta(x, x), 2, None),
    "end of both branches": (LambertW(x), -exp(-1), -1),
    "step": (Heaviside(x), 0, Rational(1, 2)),
    "angle": (atan2(x, -1) / pi, 0, None),
    "floor of a root": (floor(x**2), sqrt(2), 2),
    "sum": (Sum(1 / n, (n, 1, x)), 4, Rational(25, 12)),
    "double sum": (Sum(n * y, (n, 1, y), (y, 1, x)), 3, 25),
    "product": (Product(x + n, (n, 0, 2)), 1, 6),
    "empty sum": (Sum(n, (n, 1, x)), 0, 0),
    "integral": (Integral(exp(-(y**2)), (y, 0, x)), 1, None),
    "integral of a root": (Integral(sqrt(y + 1), (y, 0, x)), 3, Rational(14, 3)),
    "derivative": (Derivative(x**3 + log(x), x), 1, 4),
    "a root of nothing": (x ** Rational(2, 3), 0, 0),
    "a large angle": (tan(x), 10**40, None),
}


@pytest.mark.parametrize("name", AT)
def test_values_at_a_point_are_what_they_are_and_not_a_hair_more(name: str) -> None:
    part, place, exact = AT[name]
    symbol = n if part.free_symbols == {n} else x
    point = {symbol: sympify(place)}
    value = Rational(str(part.subs(point).doit().evalf(40))) if exact is None else Rational(exact)
    hair = Rational(1, 10**25)
    assert truth(part > value - hair, point) is truth(part < value + hair, point) is True
    assert truth(part > value + hair, point) is truth(part < value - hair, point) is False
    if exact is not None and not part.has(Integral):
        assert truth(Eq(part, value, evaluate=False), point) is True


NOWHERE = [
    (Integral(1 / y**2, (y, -1, x)), 1), (Integral(log(y), (y, -1, x)), 1), (Integral(sqrt(y), (y, x, 1)), -1),
    (Sum(n, (n, 1, x)), Rational(5, 2)), (Sum(1 / n, (n, -1, x)), 1), (Sum(n, (n, 1, x)), -5),
    (Derivative(log(x), x), -1), (Derivative(Abs(x), x), 0), (Derivative(sqrt(x), x), 0),
    (gamma(x), 0), (LambertW(x), -1), (zeta(x), 1), (log(x) ** 2, -1),
]  # fmt: skip


@pytest.mark.parametrize(("part", "place"), NOWHERE, ids=str)
def test_what_has_no_value_is_neither_true_nor_false(part: Expr, place: Rational) -> None:
    for relation in (part > 10**6, part < 10**6):
        assert truth(relation, {x: sympify(place)}) is None


def test_large_powers_are_not_multiplied_out() -> None:
    assert truth(x**1_000_000 > 1, {x: 1 + Rational(1, 10**30)}) is True
    assert truth(x**1_000_000 > 1 + Rational(1, 10**20), {x: 1 + Rational(1, 10**30)}) is False


def test_a_certificate_that_makes_sympy_stumble_is_rejected() -> None:
    broken = {"nodes": [["Integer", "0"], ["Integer", "1"], ["Atom", "true"], ["Interval", 0, 1, 0, 2]]}
    assert check(FALSE["polynomial"], {"kind": "point", "point": [[broken, broken]]})[0] == "rejected"


def test_an_angle_that_jumps_is_no_counterexample_almost_everywhere() -> None:
    turning = Statement(
        variables={x: Interval(-2, -1), y: Interval(-1, 1)}, then=atan2(-(y**2), x) < 1, almost_all=(y,)
    )
    assert check(turning.but(almost_all=()), at_point({x: S.NegativeOne, y: S.Zero}))[0] == "accepted"
    assert check(turning, at_point({x: S.NegativeOne, y: S.Zero}))[0] == "rejected"
