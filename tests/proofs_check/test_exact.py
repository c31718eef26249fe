"""Signs of algebraic numbers are decided by a separation bound, in bounded time, and agree with minimal polynomials."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import (
    Eq,
    Expr,
    Piecewise,
    Rational,
    S,
    Symbol,
    binomial,
    cos,
    exp,
    factorial,
    log,
    minimal_polynomial,
    pi,
    root,
    rootof,
    sin,
    sqrt,
    symbols,
)
from sympy.logic.boolalg import Boolean

from proofs_check.limits import at_most
from proofs_check.points.exact import holds, separation, sign

n, x = symbols("n x")
NINTH = rootof(x**9 - 7 * x**4 + 3 * x - 11, 0)

ZEROS = (
    sqrt(2) + sqrt(3) - sqrt(5 + 2 * sqrt(6)),
    sqrt(2) + sqrt(3) + sqrt(5) - sqrt(10 + 2 * sqrt(6) + 2 * sqrt(10) + 2 * sqrt(15)),
    (1 + root(2, 3)) ** 3 - 3 * root(2, 3) - 3 * root(4, 3) - 3,
    (NINTH**9 + 3 * NINTH) ** 3 - (7 * NINTH**4 + 11) ** 3,
    cos(pi / 7) - cos(2 * pi / 7) + cos(3 * pi / 7) - Rational(1, 2),
    1 / (sqrt(5) - 2) - sqrt(5) - 2,
)


@pytest.mark.parametrize("number", ZEROS, ids=str)
def test_zeros_are_recognised_and_the_smallest_change_is_not(number: Expr) -> None:
    began = time.process_time()
    assert sign(number) == 0
    assert sign(number + Rational(1, 10**60)) == 1
    assert sign(number - Rational(1, 10**60)) == -1
    assert time.process_time() - began < 5


@given(*[st.integers(-4, 4) for _ in range(4)], st.integers(1, 5))
@settings(deadline=None, max_examples=40)
def test_no_number_is_closer_to_zero_than_its_bound(a: int, b: int, c: int, d: int, e: int) -> None:
    number = (a + b * sqrt(2) + c * sqrt(3)) / e + d * root(5, 3)
    bits = separation(number)
    assert bits is not None
    if minimal_polynomial(number, x) != x:
        assert abs(number.evalf(200)) > Rational(1, 2**bits)
        assert sign(number) in (-1, 1)
    else:
        assert sign(number) == 0


def test_a_branch_counts_only_where_its_conditions_have_values() -> None:
    at_zero = {x: S.Zero}
    assert holds(Piecewise((1, Eq(1 / x, 2)), (x, True)) >= x, at_zero) is None
    assert holds(Piecewise((sqrt(x - 1) * sqrt(x - 2), x < 1), (x, True)) < 0, at_zero) is None
    assert holds(Piecewise((sqrt(x), Eq(x, 0)), (1 / x, True)) <= x, at_zero) is True


def test_what_is_not_algebraic_has_no_bound() -> None:
    assert separation(exp(1) + 1) is None
    assert separation(sin(1)) is None
    assert sign(exp(Rational(1, 3)) ** 3 - exp(1)) in (0, None)


@pytest.mark.parametrize(
    ("formula", "point", "truth"),
    [
        (2**n > n**2, {n: S(10) ** 43}, True),
        (2**n > n**2, {n: S(10) ** 400}, True),
        (factorial(n) > 2**n, {n: S(10) ** 43}, True),
        (x**n > 1, {x: Rational(3, 2), n: S(10) ** 40}, True),
        (x**x >= 1, {x: S(10) ** 43}, True),
        (Eq(2**n, 4 ** (n / 2)), {n: S(10) ** 30}, None),
        (binomial(2 * n, n) > 1, {n: S(10) ** 30}, True),
        (exp(exp(x)) > 1, {x: S(10) ** 6}, None),
        (1 / (log(x) + log(2)) > sqrt(2), {x: Rational(1, 2)}, None),
    ],
)
def test_numbers_too_long_to_write_and_divisions_by_a_hidden_zero_end_at_once(
    formula: Boolean, point: dict[Symbol, Expr], truth: bool | None
) -> None:
    with at_most(5):
        assert holds(formula, point) is truth
