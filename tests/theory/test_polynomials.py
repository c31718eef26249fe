"""The flint layer agrees with SymPy, stays exact, and refuses what it cannot represent."""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from theory.errors import LemmascopeError
from theory.extension import Extension
from theory.linear import characteristic_coefficients, null_space
from theory.polynomials import Ring

x, K = sp.symbols("x K")
ring = Ring((x, K))
numbers = st.fractions(min_value=-4, max_value=4, max_denominator=6).map(
    lambda q: sp.Rational(q.numerator, q.denominator)
)
leaves = st.one_of(numbers, st.sampled_from([x, K]))
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        st.tuples(inner, st.integers(0, 3)).map(lambda p: p[0] ** p[1]),
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=60)
@given(expressions, expressions)
def test_fractions_agree_with_sympy(top: sp.Expr, bottom: sp.Expr) -> None:
    if sp.expand(bottom) == 0:
        return
    fraction = ring.fraction(top) / ring.fraction(bottom)
    assert sp.cancel(fraction.expression - top / bottom) == 0
    assert sp.cancel(fraction.factored - top / bottom) == 0
    assert fraction.is_zero == (sp.expand(top) == 0)


@settings(deadline=None, max_examples=40)
@given(expressions, expressions)
def test_composition_agrees_with_sympy(outer: sp.Expr, inner: sp.Expr) -> None:
    composed = ring.fraction(outer).substitute({x: ring.fraction(inner)})
    assert sp.expand(composed.expression - outer.subs(x, inner)) == 0


@settings(deadline=None, max_examples=40)
@given(expressions)
def test_arithmetic_in_an_extension_agrees_with_the_written_root(element: sp.Expr) -> None:
    field = Extension(ring, x, ring.polynomial(x**2 - K))
    reduced = field.reduce(ring.fraction(element))
    root = sp.sqrt(K)
    assert sp.expand(reduced.expression.subs(x, root) - element.subs(x, root)) == 0
    if not reduced.is_zero:
        assert field.multiply(reduced, field.inverse(reduced)) == ring.one


def test_null_space_is_annihilated() -> None:
    rows = [[ring.fraction(e) for e in row] for row in ([x, K, 1, 0], [1, x, K, x * K])]
    basis = null_space(rows, ring, 4)
    assert len(basis) == 2
    for vector in basis:
        for row in rows:
            assert sum((a * b for a, b in zip(row, vector, strict=True)), ring.zero).is_zero


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(st.integers(-5, 5), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_characteristic_polynomials_agree_with_sympy(rows: list[list[int]]) -> None:
    expected = sp.Matrix(rows).charpoly().all_coeffs()
    assert characteristic_coefficients(rows, 0, 1) == expected


@pytest.mark.parametrize("expression", [sp.Float("0.1") * x, sp.sin(x), sp.sqrt(x), x**K, sp.Symbol("unknown")])
def test_what_is_not_exact_or_not_rational_is_refused(expression: sp.Expr) -> None:
    with pytest.raises(LemmascopeError):
        ring.fraction(expression)


def test_equal_names_with_different_assumptions_stay_distinct() -> None:
    positive = sp.Symbol("x", positive=True)
    both = Ring((x, positive))
    assert not both.fraction(x - positive).is_zero
