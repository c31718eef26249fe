"""Vectors of every dimension: a corpus with known answers."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Abs, Eq, Interval, Rational, S, oo, symbols

from proofs_check import verify
from theory import Matrices, PositiveSemidefinite, Statement, SymmetricMatrices, Vectors, inner, matrix, norm, vector

x, y, z = vector("x"), vector("y"), vector("z")
d, m, c, s, eta, mu, L, beta = symbols("d m c s eta mu L beta")
A, B, U = matrix("A", d, d), matrix("B", d, d), matrix("U", m, d)
POSITIVE, UNIT = Interval.open(0, oo), Interval(0, 1)
TWO = {x: Vectors(), y: Vectors()}
THREE = TWO | {z: Vectors()}
CURVED = {A: SymmetricMatrices(d, lower=mu, upper=L), x: Vectors(d), mu: POSITIVE, L: POSITIVE}


def claim(variables: dict[Any, Any], then: Any, *given: Any) -> Statement:
    return Statement(variables=variables, then=then, given=given)


TRUE = {
    "a norm is not negative": claim({x: Vectors()}, norm(x) >= 0),
    "Cauchy and Schwarz": claim(TWO, inner(x, y) <= norm(x) * norm(y)),
    "three squares": claim(THREE, norm(x + y + z) ** 2 <= 3 * (norm(x) ** 2 + norm(y) ** 2 + norm(z) ** 2)),
    "polarisation": claim(TWO, Eq(4 * inner(x, y), norm(x + y) ** 2 - norm(x - y) ** 2)),
    "Pythagoras": claim(TWO, Eq(norm(x + y) ** 2, norm(x) ** 2 + norm(y) ** 2), Eq(inner(x, y), 0)),
    "homogeneous": claim({x: Vectors(), c: S.Reals}, Eq(norm(c * x), Abs(c) * norm(x))),
    "a midpoint": claim(TWO, norm((x + y) / 2) ** 2 <= norm(x) ** 2 / 2 + norm(y) ** 2 / 2),
    "a convex combination": claim(
        TWO | {s: UNIT}, norm(s * x + (1 - s) * y) ** 2 <= s * norm(x) ** 2 + (1 - s) * norm(y) ** 2
    ),
    "a convex combination, exactly": claim(
        TWO | {s: S.Reals},
        Eq(
            norm(s * x + (1 - s) * y) ** 2,
            s * norm(x) ** 2 + (1 - s) * norm(y) ** 2 - s * (1 - s) * norm(x - y) ** 2,
        ),
    ),
    "the best multiple": claim(TWO | {c: S.Reals}, norm(y) ** 2 >= 2 * c * inner(x, y) - c**2 * norm(x) ** 2),
    "an acute angle": claim(TWO, norm(x + y) ** 2 >= norm(x) ** 2 + norm(y) ** 2, inner(x, y) >= 0),
    "the sides of a triangle": claim(THREE, norm(x - z) ** 2 <= 2 * norm(x - y) ** 2 + 2 * norm(y - z) ** 2),
    "a median": claim(
        THREE, Eq(norm(x - z) ** 2 + norm(y - z) ** 2, 2 * norm((x + y) / 2 - z) ** 2 + norm(x - y) ** 2 / 2)
    ),
    "a short step towards a point": claim(TWO | {eta: UNIT}, norm(x - eta * (x - y) - y) ** 2 <= norm(x - y) ** 2),
    "one number": claim({x: Vectors(1), y: Vectors(1)}, Eq(norm(x) * norm(y), Abs(inner(x, y)))),
    "momentum": claim(TWO | {beta: UNIT}, norm(beta * x + (1 - beta) * y) ** 2 <= norm(x) ** 2 + norm(y) ** 2),
    "a curved form": claim(CURVED, inner(x, A * x) <= L * norm(x) ** 2),
    "a gradient of a quadratic": claim(CURVED, norm(A * x) ** 2 >= mu * inner(x, A * x)),
    "a step of gradient descent": claim(
        CURVED | {eta: POSITIVE}, norm(x - eta * A * x) <= (1 - eta * mu) * norm(x), eta * (mu + L) <= 2
    ),
    "a step loses": claim(
        CURVED | {eta: POSITIVE},
        inner(x - eta * A * x, A * (x - eta * A * x)) <= inner(x, A * x),
        eta * L <= 2,
    ),
    "a sum of semidefinite forms": claim(
        {A: PositiveSemidefinite(d), B: PositiveSemidefinite(d), x: Vectors(d)}, inner(x, (A + B) * x) >= 0
    ),
    "a matrix and its transpose": claim(
        {U: Matrices(m, d), x: Vectors(d), y: Vectors(m)}, Eq(inner(U * x, y), inner(x, U.T * y))
    ),
    "a Gram matrix": claim({U: Matrices(m, d), x: Vectors(d)}, inner(x, U.T * U * x) >= 0),
    "Cauchy and Schwarz with a form": claim(
        {A: PositiveSemidefinite(d), x: Vectors(d), y: Vectors(d)},
        2 * inner(x, A * y) <= inner(x, A * x) + inner(y, A * y),
    ),
}

HARD = {
    "the triangle": claim(TWO, norm(x + y) <= norm(x) + norm(y)),
    "the triangle from below": claim(TWO, norm(x) - norm(y) <= norm(x - y)),
    "in a ball": claim(TWO, norm(x - y) <= 2, norm(x) <= 1, norm(y) <= 1),
}
"""True, with sums of roots: proved where there is time."""

FALSE = {
    "an angle": claim(TWO, norm(x + y) >= norm(x)),
    "the triangle, other way": claim(TWO, norm(x + y) >= norm(x) + norm(y)),
    "three squares, too good": claim(THREE, norm(x + y + z) ** 2 <= 2 * (norm(x) ** 2 + norm(y) ** 2 + norm(z) ** 2)),
    "Pythagoras without the angle": claim(TWO, Eq(norm(x + y) ** 2, norm(x) ** 2 + norm(y) ** 2)),
    "linear norms": claim({x: Vectors(), c: S.Reals}, Eq(norm(c * x), c * norm(x))),
    "a combination that is not convex": claim(
        TWO | {s: Interval(0, 2)}, norm(s * x + (1 - s) * y) ** 2 <= s * norm(x) ** 2 + (1 - s) * norm(y) ** 2
    ),
    "in a smaller ball": claim(TWO, norm(x - y) <= Rational(3, 2), norm(x) <= 1, norm(y) <= 1),
    "an obtuse angle": claim(TWO, norm(x + y) ** 2 >= norm(x) ** 2 + norm(y) ** 2, inner(x, y) <= 0),
    "a long step towards a point": claim(
        TWO | {eta: Interval(0, 3)}, norm(x - eta * (x - y) - y) ** 2 <= norm(x - y) ** 2
    ),
    "transitive angles": claim(THREE, inner(x, z) >= 0, inner(x, y) >= 0, inner(y, z) >= 0),
    "one number, in every dimension": claim(TWO, Eq(norm(x) * norm(y), Abs(inner(x, y)))),
    "a curved form, too good": claim(CURVED, inner(x, A * x) <= mu * norm(x) ** 2),
    "a step that is too long": claim(
        CURVED | {eta: POSITIVE}, norm(x - eta * A * x) <= (1 - eta * mu) * norm(x), eta * mu <= 1
    ),
    "an indefinite form": claim({A: SymmetricMatrices(d), x: Vectors(d)}, inner(x, A * x) >= 0),
    "forms commute": claim(
        {A: SymmetricMatrices(d), B: SymmetricMatrices(d), x: Vectors(d), y: Vectors(d)},
        Eq(inner(x, A * B * y), inner(x, B * A * y)),
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_is_proved(name: str) -> None:
    verdict = verify(TRUE[name])
    assert verdict.outcome == "proved", verdict.notes


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_refuted_with_a_point(name: str) -> None:
    verdict = verify(FALSE[name])
    assert verdict.outcome == "refuted", verdict.notes
    assert verdict.counterexample


@pytest.mark.parametrize("name", HARD)
def test_a_hard_statement_is_not_refuted(name: str) -> None:
    assert verify(HARD[name], effort="quick").outcome in ("proved", "open", "sampled")
