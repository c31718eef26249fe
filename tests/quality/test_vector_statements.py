"""Vectors of every dimension: a corpus with known answers."""

from __future__ import annotations

from typing import Any

import pytest
from forgeries import require_rejections
from sympy import Abs, And, Eq, Implies, Interval, Ne, Not, Or, Range, Rational, S, oo, sqrt, symbols

from proofs_check import verify
from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.evidence.replay import check
from proofs_check.kernel.spaces import translation
from proofs_check.verdict import Outcome
from theory import (
    Constant,
    Matrices,
    PositiveSemidefinite,
    Statement,
    SymmetricMatrices,
    Vectors,
    inner,
    matrix,
    norm,
    vector,
)

x, y, z = vector("x"), vector("y"), vector("z")
d, m, c, s, eta, mu, L, beta = symbols("d m c s eta mu L beta")
A, B, U = matrix("A", d, d), matrix("B", d, d), matrix("U", m, d)
POSITIVE, UNIT = Interval.open(0, oo), Interval(0, 1)
TWO = {x: Vectors(), y: Vectors()}
THREE = TWO | {z: Vectors()}
FURTHER = x - eta * A * x + beta * (x - y)
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
    "the triangle": claim(TWO, norm(x + y) <= norm(x) + norm(y)),
    "the triangle from below": claim(TWO, norm(x) - norm(y) <= norm(x - y)),
    "the triangle, from both sides": claim(TWO, Abs(norm(x) - norm(y)) <= norm(x - y)),
    "a triangle of three": claim(THREE, norm(x + y + z) <= norm(x) + norm(y) + norm(z)),
    "in a ball": claim(TWO, norm(x - y) <= 2, norm(x) <= 1, norm(y) <= 1),
    "Dunkl and Williams": claim(
        TWO,
        norm(x / norm(x) - y / norm(y)) * (norm(x) + norm(y)) <= 2 * norm(x - y),
        norm(x) > 0,
        norm(y) > 0,
    ),
    "a determinant of inner products": claim(
        THREE,
        norm(x) ** 2 * inner(y, z) ** 2 + norm(y) ** 2 * inner(x, z) ** 2 + norm(z) ** 2 * inner(x, y) ** 2
        <= norm(x) ** 2 * norm(y) ** 2 * norm(z) ** 2 + 2 * inner(x, y) * inner(y, z) * inner(x, z),
    ),
    "Kantorovich": claim(CURVED, 4 * mu * L * norm(x) ** 2 * norm(A * x) ** 2 <= (mu + L) ** 2 * inner(x, A * x) ** 2),
    "moments": claim(CURVED, inner(x, A * x) ** 2 <= norm(x) ** 2 * norm(A * x) ** 2),
    "an energy of momentum": claim(
        CURVED | {y: Vectors(d), eta: POSITIVE, beta: UNIT},
        eta * inner(FURTHER, A * FURTHER) + beta * norm(FURTHER - x) ** 2
        <= eta * inner(x, A * x) + beta * norm(x - y) ** 2,
        eta * L <= 2 * (1 - beta),
    ),
    "a step brings no two points apart": claim(
        CURVED | {y: Vectors(d), eta: POSITIVE}, norm(x - y - eta * A * (x - y)) <= norm(x - y), eta * L <= 2
    ),
    "cocoercive": claim(CURVED, norm(A * x) ** 2 <= L * inner(x, A * x)),
}

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
    "Kantorovich, too good": claim(
        CURVED, 5 * mu * L * norm(x) ** 2 * norm(A * x) ** 2 <= (mu + L) ** 2 * inner(x, A * x) ** 2
    ),
    "one eigenvalue is not enough": claim(CURVED, norm(A * x) ** 2 <= norm(x) ** 2, Eq(inner(x, A * x), norm(x) ** 2)),
    "moments, the other way": claim(CURVED, inner(x, A * x) ** 2 >= norm(x) ** 2 * norm(A * x) ** 2),
    "orthogonal to the same": claim(
        THREE,
        inner(x, z) ** 2 >= norm(x) ** 2 * norm(z) ** 2,
        Eq(inner(x, y), 0),
        Eq(inner(y, z), 0),
        norm(y) > 0,
    ),
    "an energy of momentum, with a long step": claim(
        CURVED | {y: Vectors(d), eta: POSITIVE, beta: UNIT},
        eta * inner(FURTHER, A * FURTHER) + beta * norm(FURTHER - x) ** 2
        <= eta * inner(x, A * x) + beta * norm(x - y) ** 2,
        eta * L <= 4,
    ),
    "a norm of momentum": claim(
        CURVED | {y: Vectors(d), eta: POSITIVE, beta: UNIT}, norm(FURTHER) <= norm(y), eta * L <= 1
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


TWINS = {
    "Pythagoras": {"given": ()},
    "in a ball": {"given": (norm(x) <= 1,)},
    "a step loses": {"given": (eta * L <= 3,)},
    "the triangle from below": {"then": norm(x) - norm(y) <= norm(x - y) / 2},
}


def test_four_hundred_changed_certificates_prove_no_false_twin() -> None:
    assert sum(require_rejections(TRUE[name], TRUE[name].but(**change), name) for name, change in TWINS.items()) == 400


PARALLEL = Eq(inner(x, y) ** 2, norm(x) ** 2 * norm(y) ** 2)
LINES = {
    "a range": claim({x: Vectors(d), y: Vectors(d), d: Range(1, 2)}, PARALLEL),
    "a hypothesis": claim({x: Vectors(d), y: Vectors(d), d: S.Naturals}, PARALLEL, d <= 1),
    "a constant": Statement(
        variables={x: Vectors(d), y: Vectors(d)}, then=PARALLEL, constants=(Constant(d, 1, best="largest"),)
    ),
    "one eigenvalue": claim(
        {A: SymmetricMatrices(d, lower=1, upper=2), x: Vectors(d), d: Range(1, 2)},
        Eq(inner(x, A * x) ** 2, norm(x) ** 2 * norm(A * x) ** 2),
    ),
}
"""True on a line only."""


@pytest.mark.parametrize("name", LINES)
def test_a_counterexample_has_no_more_coordinates_than_the_size_allows(name: str) -> None:
    verdict = verify(LINES[name], effort="quick")
    assert verdict.outcome in ("proved", "open", "sampled"), verdict.counterexample


@pytest.mark.parametrize("route", ["products", "eigenvalues"])
def test_what_is_false_of_numbers_is_a_counterexample_only_where_vectors_have_room_for_it(route: str) -> None:
    """A point against the statement about numbers says nothing where sizes are bounded or vectors are lost."""
    statement = LINES["one eigenvalue" if route == "eigenvalues" else "a range"]
    about = translation(statement, route)
    point = engine("falsify").decide(about.about_numbers, Budget.of("quick"))
    assert point is not None
    assert point.outcome is Outcome.REFUTED
    certificate = {"kind": "spaces", "route": route, "sizes": {}, "certificate": point.certificate}
    assert check(statement, certificate)[0] == "rejected"
    assert check(statement.but(variables=statement.variables | {d: S.Naturals}), certificate)[0] == (
        "rejected" if route == "products" else "accepted"
    )


ONE = {x: Vectors(), c: S.Reals}
SHORT, LONG = norm(x / c) <= 1, norm(x) >= 3
PERHAPS = {
    "a disjunction": claim(ONE, c**2 > 0, Or(SHORT, c <= 0)),
    "an implication": claim(ONE, Ne(c, 0), Implies(norm(x) > 1, SHORT)),
    "a denied conjunction": claim(ONE, Ne(c, 0), Not(And(SHORT, norm(x) <= 3))),
    "another divisor": claim(ONE, Ne(c, 2), Or(norm(x / (c - 2)) <= 1, LONG)),
    "a root": claim(ONE, c >= 0, Or(norm(sqrt(c) * x) <= 1, LONG)),
    "an eigenvalue": claim(
        {A: SymmetricMatrices(d, lower=0), x: Vectors(d), c: S.Reals}, Ne(c, 0), Or(inner(x, A * x / c) >= 0, LONG)
    ),
}


@pytest.mark.parametrize("name", PERHAPS)
def test_a_hypothesis_may_be_true_where_a_part_of_it_has_no_value(name: str) -> None:
    """That c is not 0 does not follow from |x / c| <= 1 or something else; from |x / c| <= 1 it does."""
    assert verify(PERHAPS[name], effort="quick").outcome is Outcome.REFUTED


@pytest.mark.parametrize("given", [SHORT, And(SHORT, norm(x) <= 3), Or(SHORT, And(LONG, c > 0))], ids=str)
def test_where_a_hypothesis_is_true_the_relations_that_make_it_so_have_values(given: Any) -> None:
    assert verify(claim(ONE, And(Ne(c, 0), norm(x) >= 0), given), effort="quick").outcome is Outcome.PROVED
