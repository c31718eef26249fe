"""Values are put in without touching what is bound, and what has one normal form is equal wherever it is defined."""

from __future__ import annotations

import pytest
import sympy as sp
from sympy import (
    Derivative,
    Eq,
    Expr,
    Function,
    Integer,
    Piecewise,
    Rational,
    Sum,
    cosh,
    exp,
    log,
    sin,
    sinh,
    sqrt,
    tan,
)

from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.fields import factored, normal, quotient, terms
from proofs_check.kernel.series import check
from theory import Statement
from theory.language.definedness import put
from theory.temporal import Exists, ForSmall, put_at_once

x, y, z, n, p, e = sp.symbols("x y z n p e")
f, g = Function("f"), Function("g")
REALS = sp.S.Reals

EQUAL = [
    ((x**2 - 1) / (x - 1), x + 1),
    ((1 + sqrt(x)) ** 2, 1 + x + 2 * sqrt(x)),
    (sqrt(x**2 + 2 * x + 1), sqrt((x + 1) ** 2)),
    (sqrt(4 * x + 4), 2 * sqrt(x + 1)),
    (exp(x) * exp(x / (p - 1)), exp(x * p / (p - 1))),
    (log(1 + exp(x)), x + log(1 + exp(-x))),
    (log(6 * x + 2), log(2) + log(3 * x + 1)),
    (log(Rational(64, 25)) * x, 2 * log(Rational(8, 5)) * x),
    (x**n * x, x ** (n + 1)),
    (2 ** (n + 3), 8 * 2**n),
    (cosh(x) ** 2 - sinh(x) ** 2, Integer(1)),
    (tan(x) * sp.cos(x), sin(x)),
    (f((x - 1) * (x + 1), y), f(x**2 - 1, y)),
    (g(f(x * (y + 1))), g(f(x * y + x))),
]
APART = [
    (sqrt(x**2), x),
    (log(x**2), 2 * log(x)),
    (log(2 * x), log(x)),
    (sqrt(x * y) * sqrt(y * z) * sqrt(x * z), x * y * z),  # false where all are negative
    (exp(x * y), exp(x) * exp(y)),
    (x ** (2 * n), x**n),
    ((-x) ** n, x**n),
    (f(x, y), f(y, x)),
    (sinh(x), cosh(x)),
    (sp.Abs(x), x),
]


@pytest.mark.parametrize(("one", "other"), EQUAL, ids=str)
def test_equal_expressions_have_one_normal_form(one: Expr, other: Expr) -> None:
    assert same(one, other)
    assert not same(one, other + 1)
    assert not same(2 * one + x, other)


@pytest.mark.parametrize(("one", "other"), APART, ids=str)
def test_what_differs_somewhere_has_another(one: Expr, other: Expr) -> None:
    assert not same(one, other)


@pytest.mark.parametrize("whole", [part for pair in EQUAL for part in pair if not part.has(f, g)], ids=str)
def test_every_form_has_the_same_value(whole: Expr) -> None:
    point = {x: Rational(7, 5), y: Rational(3, 7), n: Rational(5, 3), p: Rational(9, 4)}
    above, below = quotient(whole)
    forms = (normal(whole), above / below, factored(whole), sp.Add(*(number * part for number, part in terms(whole))))
    for form in forms:
        assert abs((form - whole).xreplace(point).n(30)) < 1e-20


def test_no_real_number_has_no_normal_form() -> None:
    for wrong in (sp.I * x, sp.zoo, sp.Float(1) / 2 + x, x**200 * (x + 1)):
        assert not same(wrong, x + 1)


def test_derivatives_are_moved_with_their_arguments() -> None:
    slope = Derivative(f(x, y), x)
    assert put_at_once(slope, {x: y, y: x}) == Derivative(f(y, x), y)
    assert put_at_once(slope, {x: Integer(1)}) == sp.Subs(slope, x, 1)
    assert put_at_once(slope, {y: x**2}) == sp.Subs(Derivative(f(z, x**2), z), z, x)
    assert put_at_once(sp.Subs(slope, x, z), {y: x}) == sp.Subs(Derivative(f(p, x), p), p, z)


def test_bound_symbols_are_not_captured() -> None:
    some = Exists(y, REALS, y > x)
    assert put_at_once(some, {x: y}).free_symbols == {y}
    assert put(some, x, y).free_symbols == {y}
    assert put_at_once(some, {y: Integer(5)}) == some
    assert put_at_once(Sum(x * y, (x, 1, n)), {y: x, n: Integer(2)}).doit() == 3 * x
    assert put_at_once(Piecewise((1 / x, x > 0), (2, True)), {x: Integer(0)}) == 2


def test_an_identity_without_a_value_is_not_proved_for_small_values() -> None:
    """Where log of a negative number stands on both sides, their difference vanishes all the same."""
    claim = ForSmall(e, log(1 / (x - 1) - 1 / (x + 1)) + e > log(2 / (x**2 - 1)))
    bare = {"kind": "series", "obligations": []}
    half = sp.Interval(-Rational(1, 2), Rational(1, 2))
    for relation in (claim, ForSmall(e, sp.Ge(claim.body.lhs - e, claim.body.rhs, evaluate=False))):
        assert not check(Statement(variables={x: half}, then=relation), bare)
    assert check(Statement(then=ForSmall(e, Eq(f(e * (e + 1)), f(e**2 + e)))), bare)
