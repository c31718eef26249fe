"""Symmetric and cyclic inequalities between positive numbers have exact proofs: squares times products of symbols."""

import time

import pytest
from sympy import Expr, Interval, Rational, Symbol, fraction, oo, symbols, together
from sympy.logic.boolalg import Boolean

from proofs_check.engines.polynomial.cases import contradiction
from proofs_check.engines.polynomial.gram import Block, matching, solve
from proofs_check.engines.polynomial.orthant import contradicted
from proofs_check.kernel.algebra import counterexamples
from proofs_check.kernel.claims import claim_of
from proofs_check.kernel.formulas import Sign
from proofs_check.kernel.products import adds_up
from proofs_check.kernel.theorem import Sense, Theorem, accept
from theory import Statement
from theory.polynomials import Ring

a, b, c, d = symbols("a b c d")
POSITIVE = Interval.open(0, oo)
WEIGHTED = a / (b + c + 2 * d) + b / (c + d + 2 * a) + c / (d + a + 2 * b) + d / (a + b + 2 * c)
RING_OF_SQUARES = a**2 / (b + c) + b**2 / (c + d) + c**2 / (d + a) + d**2 / (a + b)


def cleared(claim: Expr) -> Expr:
    return fraction(together(claim))[0].expand()


def leaf(positive: Expr, letters: tuple[Symbol, ...], *zero: Expr, raised: tuple[int, ...] = (0, 1)) -> bool:
    """Whether an identity shows that a polynomial is not negative for positive letters."""
    ring = Ring(letters)
    signs = [Sign(generator, ">") for generator in ring.context.gens()]
    signs += [Sign(-ring.polynomial(positive), ">"), *(Sign(ring.polynomial(part), "=") for part in zero)]
    leaves = contradicted(ring, signs, time.process_time() + 20, raised=raised)
    return any(adds_up(ring, signs, found) for found in leaves)


SUMS = {
    "schur": a * (a - b) * (a - c) + b * (b - a) * (b - c) + c * (c - a) * (c - b),
    "iran": cleared(
        (a * b + b * c + c * a) * (1 / (a + b) ** 2 + 1 / (b + c) ** 2 + 1 / (c + a) ** 2) - Rational(9, 4)
    ),
    "cubes over squares": cleared(
        a**3 / (a**2 + a * b + b**2) + b**3 / (b**2 + b * c + c**2) + c**3 / (c**2 + c * a + a**2) - (a + b + c) / 3
    ),
}


@pytest.mark.parametrize("name", SUMS)
def test_a_form_is_not_negative_and_less_of_it_is_not(name: str) -> None:
    form = SUMS[name]
    assert leaf(form, (a, b, c))
    assert not leaf(form - (a + b + c) ** form.as_poly().total_degree() / 10**6, (a, b, c), raised=(0,))


def test_an_equation_makes_a_polynomial_a_form() -> None:
    pairs = a * b * c + b * c * d + c * d * a + d * a * b
    bound = Rational(1, 27) + Rational(176, 27) * a * b * c * d
    assert leaf(bound - pairs, (a, b, c, d), a + b + c + d - 1)
    assert not leaf(bound - pairs - Rational(1, 10**6), (a, b, c, d), a + b + c + d - 1, raised=(0,))
    assert not leaf(bound - pairs, (a, b, c, d), raised=(0,))


def test_a_polynomial_that_is_no_form_has_one_for_a_positive_symbol() -> None:
    assert leaf(a**5 - a**3 - a**2 + 1, (a,))
    assert leaf((1 + a) * (1 + b) * (1 + c) - 8, (a, b, c), a * b * c - 1)
    assert not leaf((1 + a) * (1 + b) * (1 + c) - 8, (a, b, c), a * b * c - Rational(9, 10), raised=(0,))


def certificate(then: Boolean, *given: Boolean) -> tuple[Statement, dict[str, object] | None]:
    statement = Statement(variables=dict.fromkeys((a, b, c, d), POSITIVE), given=given, then=then)
    claim = claim_of(statement)
    assert claim is not None
    tree = contradiction(counterexamples(claim), 20, rich=False)
    return statement, None if tree is None else {"kind": "products", "tree": tree}


@pytest.mark.parametrize(
    ("sum_of_quotients", "least"), [(WEIGHTED, Rational(1)), (RING_OF_SQUARES, (a + b + c + d) / 2)]
)
def test_four_denominators_are_cleared_without_search(sum_of_quotients: Expr, least: Expr) -> None:
    statement, found = certificate(sum_of_quotients >= least)
    assert found is not None
    assert isinstance(accept(statement, Sense.HOLDS, found), Theorem)


def test_a_constant_that_is_too_large_has_no_certificate_and_neither_accepts_the_other() -> None:
    larger, none = certificate(Rational(101, 100) <= WEIGHTED)
    assert none is None
    _, found = certificate(WEIGHTED >= 1)
    assert not isinstance(accept(larger, Sense.HOLDS, found), Theorem)


def test_sides_of_a_triangle_are_used() -> None:
    ring, claim = Ring((a, b, c)), a**2 * b * (a - b) + b**2 * c * (b - c) + c**2 * a * (c - a)
    sides = [ring.polynomial(part) for part in (a, b, c, b + c - a, c + a - b, a + b - c, -claim)]
    signs = [Sign(side, ">") for side in sides]
    end = time.process_time() + 20
    assert any(adds_up(ring, signs, found) for found in contradicted(ring, signs, end))
    assert not list(contradicted(ring, [*signs[:3], signs[-1]], end))


def test_equations_that_repeat_others_do_not_end_the_solver() -> None:
    ring = Ring((a,))
    x = ring.context.gens()[0]
    one = ring.context.constant(1)
    repeated = matching(x**2 + x + one, [Block((one, x), one), Block((one, x), one)], [x**2 + x + one] * 2)
    found = solve(repeated, 5.0)
    assert found is not None


if __name__ == "__main__":
    test_sides_of_a_triangle_are_used()
